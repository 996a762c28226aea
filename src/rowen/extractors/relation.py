"""Relations: fields that other extractors find, put together when they stand close together.

The Cyclex paper's own kind of extractor (examples 3.1 to 3.3): find rooms, find times, and pair
those within 100 characters.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, Self, get_args

from rowen.extractors.base import Extractor, localities_of
from rowen.extractors.definition import Defined, Definition
from rowen.extractors.dictionary import Dictionary
from rowen.extractors.locality import Locality, Segments, WholePage, Window
from rowen.extractors.pattern import Pattern
from rowen.limits import RELATION_RECORDS
from rowen.model import ExtractionError, Page, Record, Records, Span
from rowen.model.record import CHILDREN, Spans

Pairing = Literal["all", "nearest"]


class Relation(Defined):
    """Records of one span a field, none of them overlapping, that lie within `distance` characters.

    Each field comes from the extractor given for it: from its field of the same name, or its only
    one. `pairing="all"` makes a record of every combination; `"nearest"` makes one for each span of
    the first field, with the nearest span of each other field. Fields in `many` take all that fits,
    from the nearest outwards; those in `optional` and `many` may be missing. With `within`, a
    record never crosses one of these separators.
    """

    kind = "relation"

    def __init__(
        self,
        parts: Mapping[str, Extractor],
        *,
        distance: int,
        name: str = "relation",
        version: str | None = None,
        locality: Locality | None = None,
        pairing: Pairing = "all",
        many: Iterable[str] = (),
        optional: Iterable[str] = (),
        within: Iterable[str] | None = None,
    ) -> None:
        super().__init__(name, version, locality)
        self.parts = dict(parts)
        self.fields = tuple(self.parts)
        self.distance = distance
        self.pairing = pairing
        self.many = tuple(many)
        self.optional = tuple(optional)
        self.within = None if within is None else Segments(within)
        self._check()
        self._sources = {field: self._source(field, part) for field, part in self.parts.items()}

    def extract(self, page: Page | str) -> Records:
        """The records, in page order."""
        page = Page.of(page)
        found = {field: self._spans(field, page) for field in self.fields}
        segments = (
            [Span(0, len(page.text))] if self.within is None else self.within.split(page.text)
        )
        records: list[Record] = []
        for segment in segments:
            inside = {field: _inside(spans, segment) for field, spans in found.items()}
            for spans in self._related(inside):
                records.append(Record.trusted(page, spans))
                if len(records) > RELATION_RECORDS:
                    reason = f"pairs more than {RELATION_RECORDS} records: lower its distance"
                    raise ExtractionError(self.name, page.id, reason)
        return Records(records)

    def settings(self) -> dict[str, Any]:
        """The parts with all their settings, and what relates them."""
        return self._settings({field: self._saved(part) for field, part in self.parts.items()})

    def fingerprint(self) -> dict[str, Any]:
        """As the settings, with the versions of the parts, which need not be savable."""
        return self._settings({field: part.version for field, part in self.parts.items()})

    @property
    def derived_version(self) -> str:
        """Derived at each call: what a part that is code refers to may have changed."""
        return self.derive_version()

    def _settings(self, fields: dict[str, Any]) -> dict[str, Any]:
        within = None if self.within is None else {"within": list(self.within.separators)}
        return {
            "fields": fields,
            "distance": self.distance,
            "pairing": self.pairing,
            "many": list(self.many),
            "optional": list(self.optional),
            **(within or {}),
        }

    def _saved(self, part: Extractor) -> dict[str, Any]:
        if not isinstance(part, Defined):
            raise self.error(f"its part {part.name!r} is code and can't be saved")
        definition = part.to_definition()
        return {"kind": definition.kind, **definition.settings}

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """The relation that was saved; a field names an extractor beside it or defines one."""
        definition.expect("fields", "distance", "pairing", "many", "optional", "within")
        fields = definition.get("fields", Mapping)
        distance = definition.get("distance", int)
        if not fields or distance is None:
            raise definition.error("a relation needs 'fields' and a 'distance'")
        within = definition.settings.get("within")
        if within is not None and not isinstance(within, str | list):
            raise definition.error("'within' must be a string or a list of separators")
        return cls(
            {field: definition.resolve(reference) for field, reference in fields.items()},
            distance=distance,
            pairing=definition.get("pairing", str, "all"),
            many=definition.get("many", list, []),
            optional=definition.get("optional", list, []),
            within=within,
            **definition.identity(),
        )

    def _check(self) -> None:
        if len(self.parts) < 2 or CHILDREN in self.parts:
            raise self.error("a relation has at least two fields, none called 'children'")
        if not isinstance(self.distance, int) or self.distance < 1:
            raise self.error(f"distance is a number of characters, not {self.distance!r}")
        if self.pairing not in get_args(Pairing):
            raise self.error(f"pairing is 'all' or 'nearest', not {self.pairing!r}")
        for field in (*self.many, *self.optional):
            if field not in self.parts:
                raise self.error(f"{field!r} is not one of its fields: {', '.join(self.fields)}")
        if self.fields[0] in (*self.many, *self.optional):
            raise self.error(
                f"the first field, {self.fields[0]!r}, can be neither many nor optional"
            )

    def _source(self, field: str, part: Extractor) -> str | None:
        """The part's field to take: that of the same name or its only one (None: any)."""
        if not isinstance(part, Extractor):
            raise self.error(f"field {field!r} needs an extractor, not {part!r}")
        if field in part.fields:
            return field
        if len(part.fields) > 1:
            raise self.error(
                f"{part.name!r} has the fields {', '.join(part.fields)}, none called {field!r}"
            )
        return part.fields[0] if part.fields else None

    def derive_locality(self) -> Locality:
        """Segments where parts and relation share them; a window where all parts have one."""
        parts = {field: (part.locality,) for field, part in self.parts.items()}
        if self.within is not None and all(part == (self.within,) for part in parts.values()):
            return self.within
        return self._window(parts) or WholePage()

    @cached_property
    def grain(self) -> Locality:
        """The locality; where that is the whole page, what all that parts can prove makes of it."""
        if self._given_locality is not None or not isinstance(self.locality, WholePage):
            return self.locality
        parts = {field: localities_of(part) for field, part in self.parts.items()}
        within = self.within
        if within is not None and all(_covers(part, within) for part in parts.values()):
            return within
        return self._window(parts) or WholePage()

    def _window(self, parts: Mapping[str, tuple[Locality, ...]]) -> Window | None:
        """The window, if all parts have one."""
        if self.within is not None and not self.within.of_marks:
            return None  # where a long separator begins can hang on the whole text before it
        reach = 0
        for field, localities in parts.items():
            window = next((one for one in localities if isinstance(one, Window)), None)
            if window is None:
                return None
            # What decides about a span lies around its record, which may have others beside it.
            part = self.parts[field]
            alone = isinstance(part, Pattern | Dictionary) and len(part.fields) == 1
            reach = max(reach, window.context + (0 if alone else window.scope))
        if self.pairing == "nearest" or self.many or self.optional:
            reach += self.distance  # what is not there, or is further away, counts too
        return Window(self.distance, reach)

    def _spans(self, field: str, page: Page) -> list[Span]:
        source = self._sources[field]
        found: set[Span] = set()
        for record in self.parts[field].extract(page):
            for name, spans in record.items():
                if name == (source or name):
                    found.update(span for span in spans if span.length)
        return sorted(found)

    def _related(self, found: Mapping[str, list[Span]]) -> Iterator[dict[str, Spans]]:
        first, *others = self.fields
        for anchor in found[first]:
            near = {field: self._near(found[field], anchor) for field in others}
            singles = [field for field in others if field not in self.many]
            for chosen in self._choices(singles, near, (anchor,)):
                spans: dict[str, Spans] = dict.fromkeys(self.fields)
                spans[first] = anchor
                spans |= dict(zip(singles, chosen[1:], strict=True))
                self._gather(spans, near)
                yield spans

    def _near(self, spans: list[Span], anchor: Span) -> list[Span]:
        """The spans that fit into one record with the anchor, the nearest first."""
        low = bisect_left(spans, (anchor.end - self.distance, 0))
        high = bisect_right(spans, (anchor.start + self.distance, 0))
        fitting = [span for span in spans[low:high] if self._fits((anchor,), span)]
        return sorted(fitting, key=lambda span: (_gap(anchor, span), -span.start))

    def _fits(self, chosen: Iterable[Span | None], span: Span) -> bool:
        start, end = span
        for other in chosen:
            if other is None:
                continue
            if span.start < other.end and other.start < span.end:
                return False
            start, end = min(start, other.start), max(end, other.end)
        return end - start <= self.distance

    def _choices(
        self, fields: list[str], near: Mapping[str, list[Span]], chosen: tuple[Span | None, ...]
    ) -> Iterator[tuple[Span | None, ...]]:
        if not fields:
            yield chosen
            return
        field, *rest = fields
        fitting = [span for span in near[field] if self._fits(chosen, span)]
        options: list[Span | None] = list(
            fitting[:1] if self.pairing == "nearest" else sorted(fitting)
        )
        if not options and field in self.optional:
            options = [None]
        for option in options:
            yield from self._choices(rest, near, (*chosen, option))

    def _gather(self, spans: dict[str, Spans], near: Mapping[str, list[Span]]) -> None:
        """Fill the fields that take many, as long as the record stays within its distance."""
        chosen = [span for span in spans.values() if isinstance(span, Span)]
        for field in self.many:
            taken = []
            for span in near[field]:
                if self._fits(chosen, span):
                    taken.append(span)
                    chosen.append(span)
            spans[field] = tuple(sorted(taken)) or None

    def __repr__(self) -> str:
        return f"Relation({', '.join(self.fields)} within {self.distance}, name={self.name!r})"


def _covers(localities: tuple[Locality, ...], within: Segments) -> bool:
    """Whether an extractor works on each of these segments by itself, or on still smaller ones."""
    return any(
        one == within
        or (
            isinstance(one, Segments)
            and one.of_marks
            and within.of_marks
            and set(within.separators) <= set(one.separators)
        )
        for one in localities
    )


def _gap(one: Span, other: Span) -> int:
    return max(other.start - one.end, one.start - other.end)


def _inside(spans: list[Span], segment: Span) -> list[Span]:
    low = bisect_left(spans, (segment.start, 0))
    high = bisect_right(spans, (segment.end, 0))
    return [span for span in spans[low:high] if span.end <= segment.end]
