"""Examples: a page with its label, the records that a person marked on it."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rowen.model.errors import LabelError
from rowen.model.page import Page
from rowen.model.span import Span
from rowen.records.nested import Nested
from rowen.records.positions import Positions, suggestion
from rowen.records.reading import Spans
from rowen.records.record import CHILDREN, Record, holds_records, spans_of
from rowen.records.shared_values import shared_fields, with_shared, without_shared
from rowen.records.tie import Tie

NESTING = 32
"""Limit: how deep records may nest. Labels come from people, who stop long before."""


@dataclass(frozen=True, slots=True, init=False)
class Example:
    """A page and the records on it; with `partial` the page has more records than these.

    Records are mappings. A field's value is `(start, end)`, a list of such pairs if the field has
    several, `None` if it is missing on the page, or a string. A string is located at its first
    occurrence after the record before, as a reader sees it: tags inside it, white space and
    character references may differ. `learn` looks for better places among all examples. A list of
    mappings is a nested field: records of their own, `[]` if there are none. A label must be
    tabular or nested: records follow each other on the page, and two fields of a record overlap
    only if one is inside the other. Anything else is a `LabelError`. Only a value in a cell of a
    table that spans rows may be in several records: those of its rows.

    >>> example = Example("<b>Congo</b> <i>242</i>", [{"country": "Congo", "code": (16, 19)}])
    >>> example.records[0].spans
    {'country': Span(3, 8), 'code': Span(16, 19)}
    """

    page: Page
    records: tuple[Record, ...]
    partial: bool
    given: tuple[Mapping[str, object] | Record, ...] = field(compare=False)
    """The records as the caller wrote them, if some value is a text; otherwise empty."""
    is_located: bool = field(compare=False, repr=False)
    """Whether texts were located together with those of other examples."""
    shared: tuple[frozenset[str], ...] = field(compare=False, repr=False)
    """For each record the fields whose values it has from a cell in the row of a record before it;
    empty where there are none."""
    ties: tuple[Tie, ...] = field(compare=False, repr=False)
    """The texts that are at other places of the page as well, which are as good as the one taken;
    known once texts are located together with those of other examples."""

    def __init__(
        self,
        page: Page | str,
        records: Iterable[Mapping[str, object] | Record],
        *,
        partial: bool = False,
    ) -> None:
        page = Page.of(page)
        listed = records if isinstance(records, Mapping | str) else list(records)
        object.__setattr__(self, "page", page)
        shared: list[frozenset[str]] = []
        own: Iterable[Mapping[str, object] | Record] = listed
        if isinstance(listed, list):
            shared = shared_fields(page, listed)
            own = without_shared(listed, shared)
        try:
            placed = _siblings(Positions(page), own, _Place(), cursor=0)[0]
        except LabelError:
            # An exact occurrence may be too far on, where an earlier one has tags inside it.
            placed = _siblings(_AllPositions(page), own, _Place(), cursor=0)[0]
        object.__setattr__(self, "records", with_shared(placed, shared) if shared else placed)
        object.__setattr__(self, "shared", tuple(shared))
        object.__setattr__(self, "partial", partial)
        in_words = any(_has_text(label) for label in listed if not isinstance(label, Record))
        object.__setattr__(self, "given", tuple(listed) if in_words else ())
        object.__setattr__(self, "is_located", False)
        object.__setattr__(self, "ties", ())

    @classmethod
    def located(
        cls,
        page: Page,
        records: Iterable[Mapping[str, object] | Record],
        *,
        partial: bool,
        given: Iterable[Mapping[str, object] | Record],
        ties: Iterable[Tie] = (),
    ) -> "Example":
        """An example with offsets in `records`, which were found for the texts in `given`.

        The texts are kept for cross-validation: where they are must not be known from the example
        that is left out.
        """
        example = cls(page, records, partial=partial)
        listed = tuple(given)
        if any(_has_text(record) for record in listed if not isinstance(record, Record)):
            object.__setattr__(example, "given", listed)
            object.__setattr__(example, "is_located", True)
            object.__setattr__(example, "ties", tuple(ties))
        return example

    def without_shared(self) -> "Example":
        """The example with each value only in the record of the row that it is written in."""
        if not self.shared:
            return self
        records = without_shared(self.records, self.shared)
        given = without_shared(self.given, self.shared) if self.given else ()
        if self.given and not self.is_located:
            return Example(self.page, given, partial=self.partial)
        return Example.located(self.page, records, partial=self.partial, given=given)


class _AllPositions(Positions):
    """Positions of which exact ones do not come first: that takes longer, and finds all."""


def _has_text(value: object) -> bool:
    """Whether a value is a text, or contains one at any depth."""
    if isinstance(value, str):
        return True
    if isinstance(value, (list, tuple)):
        return any(type(item) is not int and _has_text(item) for item in value)
    if isinstance(value, Record):
        return False
    return isinstance(value, Mapping) and any(map(_has_text, value.values()))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where records are in a label: the record around them, and the path of the nested field."""

    record: str = ""
    path: str = ""
    depth: int = 0

    def child(self, number: int) -> "_Place":
        """One of these records; those of a nested field belong to the record around them."""
        if self.path:
            return _Place(self.record, f"{self.path}[{number}].", self.depth)
        return _Place(f"{self.record}{number}", "", self.depth)

    def children(self) -> "_Place":
        """The children of this record."""
        return _Place(f"{self.record}.", self.path, self.depth + 1)

    def nested(self, name: str) -> "_Place":
        """The records of a nested field of this record."""
        return _Place(self.record, f"{self.path}{name}", self.depth + 1)

    def error(self, page: Page, reason: str, field: str | None = None) -> LabelError:
        """The error that names this record, or a field of it."""
        named = f"{self.path}{field or ''}".removesuffix(".") or None
        return LabelError(page.id, reason, record=self.record or "1", field=named)


def _siblings(
    positions: Positions,
    records: Iterable[Mapping[str, object] | Record],
    around: _Place,
    *,
    cursor: int,
) -> tuple[tuple[Record, ...], Span | None]:
    """Check records that follow each other from `cursor` on; return them and their extent."""
    page = positions.page
    if isinstance(records, Mapping | str) or not isinstance(records, Iterable):
        raise around.error(page, "records must be a list of mappings")
    placed = []
    first: int | None = None
    for number, label in enumerate(records, 1):
        place = around.child(number)
        record, extent = _record(positions, label, place, cursor=cursor)
        if extent is not None:
            if extent.start < cursor:
                raise place.error(
                    page,
                    f"starts at {extent.start}, but the record before it ends at {cursor}: "
                    "records must be in page order and must not interleave",
                    min((spans[0].start, name) for name, spans in record.items() if spans)[1],
                )
            cursor = extent.end
            first = extent.start if first is None else first
        placed.append(record)
    return tuple(placed), None if first is None else Span(first, cursor)


def _record(
    positions: Positions, label: Mapping[str, object] | Record, place: _Place, *, cursor: int
) -> tuple[Record, Span | None]:
    """A record, and its extent with everything nested in it."""
    page = positions.page
    if place.depth >= NESTING:
        raise place.error(page, f"nested deeper than {NESTING}")
    if isinstance(label, Record):
        label = {**dict(label.stored()), CHILDREN: label.children}
    if not isinstance(label, Mapping):
        raise place.error(page, f"{label!r} is not a record")
    spans: dict[str, Spans] = {}
    extents: list[Span] = []
    for name, value in label.items():
        if name == CHILDREN:
            continue
        if holds_records(value):
            # Anywhere in the record: before its own fields, between or after them.
            records, extent = _siblings(positions, value, place.nested(name), cursor=cursor)
            spans[name] = Nested(records)
            extents += [] if extent is None else [extent]
            continue
        try:
            spans[name] = spans_of(name, _located(positions, value, cursor), len(page.text))
        except (TypeError, ValueError) as error:
            raise place.error(page, str(error).removeprefix(f"field {name!r}: "), name) from None
    own = Record.trusted(page, spans)
    extent = _around([_checked_extent(own, place), *extents])
    nested = label.get(CHILDREN)
    if not nested:
        return own, extent
    end = cursor if extent is None else max(extent.end, cursor)
    children, below = _siblings(positions, nested, place.children(), cursor=end)  # type: ignore[arg-type]  # checked there
    return Record.trusted(page, spans, children), _around([extent, below])


def _around(extents: Iterable[Span | None]) -> Span | None:
    """The extent of all of these; None where there is none."""
    bounds = [extent for extent in extents if extent is not None]
    if not bounds:
        return None
    return Span(min(span.start for span in bounds), max(span.end for span in bounds))


def _located(positions: Positions, value: object, cursor: int) -> object:
    """A value with offsets in place of texts: the first occurrence from the cursor on."""
    if isinstance(value, str):
        is_quick = value and not isinstance(positions, _AllPositions)
        start = positions.page.text.find(value, cursor) if is_quick else -1
        if start >= 0:
            return (start, start + len(value))
        occurrences = positions.of(value) if value.strip() else []
        first = bisect_left(occurrences, (cursor, 0))
        if first == len(occurrences):
            raise ValueError(_not_found(positions, value, cursor, anywhere=bool(occurrences)))
        return occurrences[first]
    if isinstance(value, (list, tuple)) and any(type(item) is not int for item in value):
        if not any(isinstance(item, str) for item in value):
            return value
        places = []
        for item in value:
            place = _located(positions, item, cursor)
            places.append(place)
            cursor = place[1] if isinstance(place, tuple) else cursor
        return places
    return value


def _not_found(positions: Positions, value: str, cursor: int, *, anywhere: bool) -> str:
    if anywhere:
        return f"{value!r} was not found on the page after position {cursor}"
    return f"{value!r} was not found on the page{suggestion(positions, value)}"


def _checked_extent(record: Record, place: _Place) -> Span | None:
    """Refuse fields that overlap, unless one is inside the other; return the extent of all."""
    placed = [
        (span, name)
        for name, where in record.stored()
        if where is not None and not isinstance(where, Nested)
        for span in ((where,) if isinstance(where, Span) else where)
    ]
    around: list[tuple[int, str]] = []
    for span, name in sorted(placed, key=lambda pair: (pair[0].start, -pair[0].end)):
        around = [pair for pair in around if pair[0] > span.start]
        for end, before in around:
            if end < span.end or before == name:
                raise place.error(
                    record.page,
                    f"{_shown(span)} overlaps field {before!r}, which ends at {end}",
                    name,
                )
        around.append((span.end, name))
    return _around(span for span, _ in placed)


def _shown(span: Span) -> str:
    return f"[{span.start}, {span.end})"
