"""M-HLRT: M-LR between a head and a tail.

The cursor starts where the head is first found, and the wrapper fails where it isn't. Values
follow as in M-LR until no left delimiter is found, or the tail starts at or before it.

    head <ul>;  tail </ul>;  fields name, phone;  first name;  left <b> T:;  right </b> ;

    <b>People</b><ul><b>Ada</b> T:12; <b>Alan</b></ul> T:help;

    name   phone
    Ada    12           the heading before <ul> is skipped
    Alan   None         </ul> comes before the next T:
"""

from rowen.wrappers.earliest_wrapper import FramedWrapper
from rowen.wrappers.mlr import MLR


class MHLRT(FramedWrapper, MLR):
    """Flat records with missing fields between a head and a tail."""

    wrapper_class = "m-hlrt"
