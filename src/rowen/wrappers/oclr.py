"""OCLR: LR inside records that open and close (thesis, section 5.2).

open <LI>;  close </LI>;  fields country, code;  left <B> <I>;  right </B> </I>

<B>Codes</B><LI><B>Congo</B> <I>242</I></LI> <B>More</B> <LI><B>Egypt</B> <I>20</I></LI>
-----        ---                             -----        --
A <B> counts only after an <LI>; from each record the scan moves on to its </LI>.
"""

from rowen.wrappers.scan import ScanWrapper


class OCLR(ScanWrapper):
    """While `o` is found: the values from its start on, then on to the start of `c`."""

    wrapper_class = "oclr"
    uses = ("open", "close")
