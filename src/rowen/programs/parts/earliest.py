"""Values whose field is decided by which left delimiter comes first on the page."""

from collections.abc import Iterator


def scan_earliest(
    page: str,
    fields: list[tuple[str, str, str]],
    following: list[list[int]],
    cursor: int,
    tail: str | None,
    *,
    longest: bool,
) -> Iterator[tuple[int, int, int]]:
    """Field, start and end of each value; the end is -1 where the text after it is missing.

    A field is its name, the text before its value and the text after it. `following` has the fields
    that may come first, after field 0, after field 1 and so on; where two start at the same place,
    the one that is listed first wins or, with `longest`, the one with more text before it.
    """
    nowhere = len(page) + 1

    def find(text: str) -> int:
        place = page.find(text, cursor)
        return nowhere if place < 0 else place

    # Where each text comes next: one at or after the cursor is still the next, and not searched
    # again.
    places = [-1] * len(fields)
    end_of_records = nowhere if tail is None else -1
    before = -1
    while True:
        earliest, winner = nowhere, -1
        for field in following[before + 1]:
            if places[field] < cursor:
                places[field] = find(fields[field][1])
            place = places[field]
            tied = longest and place == earliest < nowhere
            if place < earliest or (tied and len(fields[field][1]) > len(fields[winner][1])):
                earliest, winner = place, field
        if tail is not None and end_of_records < cursor:
            end_of_records = find(tail)
        if winner < 0 or end_of_records <= earliest:
            return
        _, left, right = fields[winner]
        start = earliest + len(left)
        cursor = page.find(right, start)
        yield winner, start, cursor
        if cursor < 0:
            return
        before = winner
