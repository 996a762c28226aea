"""N-HLRT: N-LR between a head and a tail (thesis, section 5.3.1).

The cursor starts where the head is first found, and the wrapper fails where it isn't. Values
follow as in N-LR until no left delimiter is found, or the tail starts at or before it.

    head <p>;  tail <hr>;  fields author > book;  left <h1> <b>;  right </h1> </b>

    <h1>Authors</h1><p><h1>Ada</h1><b>Notes</b><hr><b>Help</b>

    Ada                 the heading before <p> is skipped
      Notes             <hr> comes before the next <b>: the end
"""

from rowen.wrappers.earliest_wrapper import FramedWrapper
from rowen.wrappers.nlr import NLR


class NHLRT(FramedWrapper, NLR):
    """Nested records between a head and a tail."""

    wrapper_class = "n-hlrt"
