"""HLRT: LR between a head and a tail delimiter (thesis, chapter 4).

head <P>;  tail <HR>;  fields country, code;  left <B> <I>;  right </B> </I>

<B>Codes</B><P><B>Congo</B> <I>242</I><HR><B>End</B>
-----        ---
LR would take "Codes" for a country. HLRT starts at <P>, and ends where <HR> comes before the
next <B>.
"""

from rowen.wrappers.scan import ScanWrapper


class HLRT(ScanWrapper):
    """From `h` on, while `l1` is found and no `t` starts at or before it: as LR."""

    wrapper_class = "hlrt"
    uses = ("head", "tail")
