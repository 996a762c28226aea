"""HOCLRT: OCLR between a head and a tail delimiter (thesis, section 5.2).

head <P>;  tail <HR>;  open <LI>;  close </LI>;  field country;  left <B>;  right </B>

<LI><B>Menu</B></LI><P><LI><B>Congo</B></LI><HR><LI><B>Help</B></LI>
-----
The scan starts at <P> and ends where <HR> comes before the next <LI>.
"""

from rowen.wrappers.scan import ScanWrapper


class HOCLRT(ScanWrapper):
    """From `h` on, while `o` is found and no `t` starts at or before it: as OCLR."""

    wrapper_class = "hoclrt"
    uses = ("head", "tail", "open", "close")
