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
from rowen.extractors.scan import attempts_at, first_quiet, last_quiet
from rowen.recycling.page_regions import PageRegions, Table, complement


def scan_regions(scan: Scan, matches: Table, pages: tuple[str, str], sparing: int) -> PageRegions:
    """What to copy and what to extract of a new page, given the old page and old regions."""
    old, new = pages
    copies, removals, removed = [], [], 0
    for start, old_start, length in matches.tolist():
        if start + length <= removed:
            continue  # what is inside another region has been copied with it
        at_start = start == old_start == 0
        at_end = start + length == len(new) and old_start + length == len(old)
        most = start + length - scan.ahead
        first: int | None = 0
        if not at_start:
            # The attempts that are under way differ: the text before the region does.
            under_way = attempts_at(scan, new, start) | attempts_at(scan, old, old_start)
            first = first_quiet(scan, new, start, most, under_way=under_way)
        if first is None:
            continue
        last = len(new) if at_end else last_quiet(scan, new, first, max(first, most))
        if last is None or last <= first:
            continue
        shift = start - old_start
        copies.append((first - shift, last - shift, shift))
        # Regions overlap, and each is sound by itself: what the last one has removed stays removed.
        removals.append((max(first, removed), max(last, removed)))
        removed = max(last, removed)
    gaps = complement(np.array(removals, np.int64).reshape(-1, 2), len(new), sparing)
    return PageRegions(np.array(copies, np.int64).reshape(-1, 3), gaps, scan, old)
