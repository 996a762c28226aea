"""LR: a left and a right delimiter per field (thesis, section 5.2).

fields country, code;  left <B> <I>;  right </B> </I>

<B>Congo</B> <I>242</I> <B>Egypt</B> <I>20</I>
-----        ---        -----        --
Congo 242, Egypt 20; the scan ends where no <B> is left.
"""

from rowen.wrappers.scan import ScanWrapper


class LR(ScanWrapper):
    """While `l1` is found: each value starts after its left and ends before its right delimiter."""

    wrapper_class = "lr"
    uses = ()
