"""Left and right delimiters of the fields, each learned by itself (constraints C1 and C2).

The strings that can end a value are the common prefixes of what follows it, those that can begin
one the common suffixes of what precedes it. In both, a longer delimiter occurs at fewer places, so
that the consistent ones are an interval of lengths.

    <b>Ada</b> (12)<br><b>Alan</b> (3)<br>       fields name, phone

    after the names     "</b> (": lengths 1 to 6; "<" is not inside of a name, so that 1 fits
    before the phones   "</b> (": lengths 1 to 6; "(" does not occur before in the gap

The thesis (C1 and C2, section 4.4) tries each candidate by itself; here the interval's ends are
found by halving.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rowen.induction.lengths import common_prefix, common_suffix, least_length
from rowen.induction.tabular.preference import rank_prefixes, rank_suffixes
from rowen.induction.tabular.table import Table, TablePage
from rowen.model import NoConsistentWrapper


@dataclass(frozen=True, slots=True)
class Place:
    """The delimiter of a field at one value, in `[start, end)` of the page's text.

    As a left delimiter it ends at `end`, and none may end before in the place; as a right delimiter
    it starts at `start`, and none may start between `scan` and there.
    """

    page: TablePage
    start: int
    end: int
    scan: int
    first: bool = False
    """Whether it is in a page's head."""


def learn_right(table: Table, k: int) -> str:
    """The right delimiter of field `k` (C1)."""
    longest, shortest = right_bound(table, k)
    return longest[: next(rank_prefixes(longest, shortest, len(longest)))]


def learn_left(table: Table, k: int) -> str:
    """The left delimiter of a field after the first (C2)."""
    longest, shortest = left_bound(table, k)
    return longest[len(longest) - next(rank_suffixes(longest, shortest, len(longest))) :]


def right_bound(table: Table, k: int) -> tuple[str, int]:
    """The longest right delimiter of field `k`, and the least length that fits."""
    places = right_places(table, k)
    field = table.fields[k]
    longest = _common(places, field, _common_prefix, "follows")
    return longest, _shortest(places, longest, field, _ends_value)


def left_bound(table: Table, k: int) -> tuple[str, int]:
    """The longest left delimiter of a field after the first, and the least length that fits."""
    places = left_places(table, k)
    field = table.fields[k]
    longest = _common(places, field, _common_suffix, "precedes")
    return longest, _shortest(places, longest[::-1], field, _begins_value)


def right_places(table: Table, k: int) -> list[Place]:
    """The places of the right delimiter of field `k`."""
    # The gap starts where the value ends: from its start on no right delimiter may be found sooner.
    ends = {
        (id(page), bounds[1]): bounds[0]
        for page in table.pages
        for row in page.rows
        if (bounds := row[k])
    }
    return [
        Place(page, start, end, scan=ends[id(page), start]) for page, start, end in table.gaps(k)
    ]


def left_places(table: Table, k: int) -> list[Place]:
    """The places of the left delimiter of field `k > 0`.

    Where the value before is unknown, the delimiter may also occur earlier, so that `scan` is
    `end`.
    """
    places = []
    for page in table.pages:
        before = 0
        for row in page.rows:
            for j, bounds in enumerate(row):
                if bounds is None:
                    continue
                if j == k:
                    scan = bounds[0] if row[k - 1] is None else before
                    places.append(Place(page, before, bounds[0], scan))
                before = bounds[1]
    return places


def first_left_places(table: Table) -> list[Place]:
    """The places of the first field's left delimiter: ends of heads and of gaps between records."""
    places = []
    for page in table.pages:
        before = 0
        is_sure = True
        for number, row in enumerate(page.rows):
            if row[0] is not None:
                scan = before if is_sure else row[0][0]
                places.append(Place(page, before, row[0][0], scan, first=number == 0))
            ends = [bounds[1] for bounds in row if bounds]
            before = ends[-1] if ends else before
            is_sure = row[-1] is not None
    return places


def common_left(table: Table, places: list[Place]) -> str:
    """The longest string that could begin the first field."""
    return _common(places, table.fields[0], _common_suffix, "precedes")


def shortest_left(table: Table, places: list[Place], longest: str) -> int:
    """From which length on the suffixes of `longest` end nowhere before in their places."""
    return _shortest(places, longest[::-1], table.fields[0], _begins_value)


def rank_lefts(longest: str, shortest: int) -> Iterator[int]:
    """The lengths of the first field's left delimiter to try, the best first."""
    return rank_suffixes(longest, shortest, len(longest))


def rank_lefts_between(longest: str, shortest: int, largest: int) -> Iterator[int]:
    """As `rank_lefts`, up to a largest length."""
    return rank_suffixes(longest, shortest, largest)


def _common(
    places: list[Place], field: str, combine: Callable[[str, Place], str], where: str
) -> str:
    if not places:
        raise NoConsistentWrapper("no record has a known value of it", field=field)
    # The common text is no longer than the shortest gap: starting there keeps the texts short.
    first = min(places, key=lambda place: place.end - place.start)
    common = first.page.text[first.start : first.end]
    for place in places:
        common = combine(common, place)
        if not common:
            pages = dict.fromkeys((first.page.id, place.page.id))
            raise NoConsistentWrapper(
                f"no text {where} all of its values", field=field, pages=tuple(pages)
            )
    return common


def _common_prefix(common: str, place: Place) -> str:
    return common_prefix(common, place.page.text, place.start, place.end)


def _common_suffix(common: str, place: Place) -> str:
    return common_suffix(common, place.page.text, place.start, place.end)


def _ends_value(place: Place, longest: str, length: int) -> bool:
    return place.page.text.find(longest[:length], place.scan, place.start + length) == place.start


def _begins_value(place: Place, reverse: str, length: int) -> bool:
    # The value before is unknown: where the scan is, too, so that nothing is known to be too early.
    if place.scan == place.end:
        return True
    delimiter = reverse[:length][::-1]
    return place.page.text.find(delimiter, place.scan, place.end) == place.end - length


def _shortest(
    places: list[Place], longest: str, field: str, fits: Callable[[Place, str, int], bool]
) -> int:
    """The least length that fits all places: one that fits a place, fits when it is longer."""
    shortest = 1
    for place in places:
        # What fits so far mostly fits the next place, too: one `find` per place.
        if fits(place, longest, shortest):
            continue
        if not fits(place, longest, len(longest)):
            raise NoConsistentWrapper(
                "the text beside all of its values also occurs inside or before one of them",
                field=field,
                pages=(place.page.id,),
            )
        shortest = least_length(
            shortest + 1,
            len(longest),
            lambda length, at=place: fits(at, longest, length),  # type: ignore[misc]  # mypy can't infer defaults
        )
    return shortest
