r"""Copy regions and gaps of a pattern whose matches may depend on the matches before them.

The paper has windows only; this is Rowen's own. `finditer` scans a page from left to right, and a
match decides where the search for the next one begins. So a change may shift all matches after it,
until the scans of both pages stand at the same place of an unchanged region. They do so at each
quiet place, which no match can cross (see `extractors.scan`). With `\d{3}`:

    old page     id 12345678, room 105, room 310, room 311
    new page     id 012345678, room 105, room 320, room 311
    old regions  [-]  [----------------------]  [---------]
    quiet        !!           !!!!!!!   !!!!!!    !!!!!!!!!  those that are certain in the region
    copies       [-]          [--------------]    [--------]
    gaps           [----------]              [----]

A copy region begins and ends at quiet places. The first one has the text that any attempt may look
back at before it, the last one the text that any may look ahead at after it; an edge of both pages
is as good. In between, both scans do the same.
"""

import numpy as np

from rowen.extractors.locality import Scan
from rowen.extractors.scan import SEARCHED_CHARACTERS, WINDOW, quiet_places
from rowen.recycling.page_regions import PageRegions, Table, complement


def scan_regions(scan: Scan, matches: Table, pages: tuple[str, str], sparing: int) -> PageRegions:
    """What to copy and what to extract of a new page, given the old page and old regions."""
    old, new = pages
    copies, removals = quiet_places(scan.pattern).copies(
        old,
        new,
        np.ascontiguousarray(matches),
        behind=scan.behind,
        ahead=scan.ahead,
        longest=min(scan.longest, SEARCHED_CHARACTERS + 1),
        window=WINDOW,
        searched=SEARCHED_CHARACTERS,
    )
    gaps = complement(removals.reshape(-1, 2), len(new), sparing)
    return PageRegions(copies.reshape(-1, 3), gaps, scan, old)
