"""Left and right delimiters of the fields, each learned by itself (constraints C1 and C2).

The strings that can end a value are the common prefixes of what follows it, those that can begin
one the common suffixes of what precedes it. In both, a longer delimiter occurs at fewer places, so
that the consistent ones are an interval of lengths.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rowen.model import NoConsistentWrapper
from rowen.wrappers.tabular.preference import rank_prefixes, rank_suffixes
from rowen.wrappers.tabular.table import Table, TablePage


@dataclass(frozen=True, slots=True)
class Place:
    """The delimiter of a field at one value: it lies in `[start, end)` of the page's text.

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
    """The longest right delimiter of field `k`, and the least length of it that does."""
    places = right_places(table, k)
    field = table.fields[k]
    longest = _common(places, field, _common_prefix, "follows")
    return longest, _shortest(places, longest, field, _ends_value)


def left_bound(table: Table, k: int) -> tuple[str, int]:
    """The longest left delimiter of a field after the first, and the least length that does."""
    places = left_places(table, k)
    field = table.fields[k]
    longest = _common(places, field, _common_suffix, "precedes")
    return longest, _shortest(places, longest[::-1], field, _begins_value)


def right_places(table: Table, k: int) -> list[Place]:
    """Where the right delimiter of field `k` stands."""
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
    """Where the left delimiter of field `k > 0` stands; where the value before it is unknown, it
    may also occur earlier, so that `scan` is `end`.
    """
    places = []
    for page in table.pages:
        before = 0
        for row in page.rows:
            for j, bounds in enumerate(row):
                if bounds is None:
                    continue
                if j == k:
                    known = row[k - 1] is not None
                    places.append(Place(page, before, bounds[0], before if known else bounds[0]))
                before = bounds[1]
    return places


def first_left_places(table: Table) -> list[Place]:
    """Where the left delimiter of the first field stands: at the end of heads and of the text
    between records.
    """
    places = []
    for page in table.pages:
        before = 0
        known = True
        for number, row in enumerate(page.rows):
            if row[0] is not None:
                scan = before if known else row[0][0]
                places.append(Place(page, before, row[0][0], scan, first=number == 0))
            ends = [bounds[1] for bounds in row if bounds]
            before = ends[-1] if ends else before
            known = row[-1] is not None
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
        raise NoConsistentWrapper("its value is known in no record", field=field)
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
    text = place.page.text
    size = min(len(common), place.end - place.start)
    if text.startswith(common[:size], place.start):
        return common[:size]
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if text.startswith(common[:middle], place.start):
            low = middle
        else:
            high = middle - 1
    return common[:low]


def _common_suffix(common: str, place: Place) -> str:
    text = place.page.text
    low, high = 0, min(len(common), place.end - place.start)
    while low < high:
        middle = (low + high + 1) // 2
        if text.endswith(common[len(common) - middle :], place.start, place.end):
            low = middle
        else:
            high = middle - 1
    return common[len(common) - low :]


def _ends_value(place: Place, longest: str, length: int) -> bool:
    return place.page.text.find(longest[:length], place.scan, place.start + length) == place.start


def _begins_value(place: Place, reverse: str, length: int) -> bool:
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
        if fits(place, longest, shortest):
            continue
        if not fits(place, longest, len(longest)):
            raise NoConsistentWrapper(
                "what stands beside all of its values also stands inside or before one of them",
                field=field,
                pages=(place.page.id,),
            )
        low, high = shortest + 1, len(longest)
        while low < high:
            middle = (low + high) // 2
            if fits(place, longest, middle):
                high = middle
            else:
                low = middle + 1
        shortest = low
    return shortest
