"""Relations: combine the fields of other extractors if they are close together.

This is the Cyclex paper's own kind of extractor (examples 3.1 to 3.3): find rooms, find times, and
pair those within 100 characters.

    text      CS 105, 2 pm; CS 310      distance 12
    rooms     [0, 6), [14, 20)          times [8, 12)
    pairs     (CS 105, 2 pm) covers [0, 12) and (CS 310, 2 pm) covers [8, 20): both fit
    nearest   one record per room; with `within=";"` only the first pair is left

Why a window is sound: all fields of a record lie within `distance`, so that is the scope. Each span
depends on its part's own context around its record. If absence matters (`nearest`, `many`,
`optional`), spans up to `distance` away count as well, with their contexts.
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
from rowen.model import ExtractionError, Page, Span
from rowen.records import Record, Records
from rowen.records.reading import Spans
from rowen.records.record import CHILDREN
from rowen.records.schema import Field, Schema

RELATION_RECORDS = 1_000_000
"""Limit: how many records a relation may form on one page; hostile text multiplies combinations."""


Pairing = Literal["all", "nearest"]


class Relation(Defined):
    r"""Records whose fields lie within `distance` characters: one span per field, no overlaps.

    Each field comes from its extractor: from the field of the same name, or its only field.
    `pairing="all"` forms a record of every combination; `"nearest"` forms one for each span of the
    first field, with the nearest span of each other field. Fields in `many` take all spans that
    fit, nearest first; fields in `optional` and `many` may be missing. With `within`, a record
    never crosses one of these separators.

    >>> import rowen
    >>> name = rowen.Dictionary(["Ada", "Grace"], field="name")
    >>> year = rowen.Pattern(r"(?P<year>\d{4})")
    >>> born = Relation({"name": name, "year": year}, distance=12, within=";")
    >>> [record.values for record in born.extract("Ada, 1815; Grace, 1906")]
    [{'name': 'Ada', 'year': '1815'}, {'name': 'Grace', 'year': '1906'}]
    """

    kind = "relation"
    runs_other_code = True
    """A part may be any extractor: a run keeps it away from its own process."""

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
        schema: object = None,
    ) -> None:
        super().__init__(name, version, locality, schema)
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
        candidates = {field: self._spans(field, page) for field in self.fields}
        segments = (
            [Span(0, len(page.text))] if self.within is None else self.within.split(page.text)
        )
        records: list[Record] = []
        schema = self.schema or None
        for segment in segments:
            inside = {field: _inside(spans, segment) for field, spans in candidates.items()}
            for spans in self._related(inside):
                records.append(Record.trusted(page, spans, (), schema))
                if len(records) > RELATION_RECORDS:
                    reason = f"forms more than {RELATION_RECORDS} records: lower its distance"
                    raise ExtractionError(self.name, page.id, reason)
        return Records(records, schema=schema, fields=self.fields)

    def derive_schema(self) -> Schema:
        """Parts that may occur several times are lists."""
        return Schema({field: Field(many=True) for field in self.many})

    def settings(self) -> dict[str, Any]:
        """The parts with all their settings, and how they are combined."""
        return self._settings({field: self._saved(part) for field, part in self.parts.items()})

    def fingerprint(self) -> dict[str, Any]:
        """The settings with the versions of the parts, which may be code that can't be saved."""
        return self._settings({field: part.version for field, part in self.parts.items()})

    @property
    def derived_version(self) -> str:
        """Computed at each call: a part may be code, and what it refers to may have changed."""
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
            raise self.error(f"its part {part.name!r} is Python code, which can't be saved")
        definition = part.to_definition()
        return {"kind": definition.kind, **definition.settings}

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """Read a saved relation; a field names an extractor of the same file or defines one."""
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
            raise self.error("a relation needs at least two fields, none called 'children'")
        if not isinstance(self.distance, int) or self.distance < 1:
            raise self.error(f"distance must be a number of characters, not {self.distance!r}")
        if self.pairing not in get_args(Pairing):
            raise self.error(f"pairing must be 'all' or 'nearest', not {self.pairing!r}")
        for field in (*self.many, *self.optional):
            if field not in self.parts:
                raise self.error(f"{field!r} is not one of its fields: {', '.join(self.fields)}")
        if self.fields[0] in (*self.many, *self.optional):
            raise self.error(
                f"the first field, {self.fields[0]!r}, can be neither many nor optional"
            )

    def _source(self, field: str, part: Extractor) -> str | None:
        """The part's field to use: that of the same name or its only one (None: any)."""
        if not isinstance(part, Extractor):
            raise self.error(f"field {field!r} needs an extractor, not {part!r}")
        if field in part.fields:
            return field
        if len(part.fields) > 1:
            raise self.error(
                f"{part.name!r} has no field {field!r}; its fields are {', '.join(part.fields)}"
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
        """The locality; if that is the whole page, one from all that the parts can prove."""
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
            return None  # where a long separator begins may depend on all text before it
        reach = 0
        for field, localities in parts.items():
            window = next(
                (locality for locality in localities if isinstance(locality, Window)), None
            )
            if window is None:
                return None
            # A span depends on the context of its record, which may extend beyond the span.
            part = self.parts[field]
            alone = isinstance(part, Pattern | Dictionary) and len(part.fields) == 1
            reach = max(reach, window.context + (0 if alone else window.scope))
        if self.pairing == "nearest" or self.many or self.optional:
            reach += self.distance  # a new span up to there could change this record
        return Window(self.distance, reach)

    def _spans(self, field: str, page: Page) -> list[Span]:
        source = self._sources[field]
        candidates: set[Span] = set()
        for record in self.parts[field].extract(page):
            for name, spans in record.items():
                if name == (source or name):
                    candidates.update(span for span in spans if span.length)
        return sorted(candidates)

    def _related(self, candidates: Mapping[str, list[Span]]) -> Iterator[dict[str, Spans]]:
        first, *others = self.fields
        for anchor in candidates[first]:
            near = {field: self._near(candidates[field], anchor) for field in others}
            singles = [field for field in others if field not in self.many]
            for chosen in self._choices(singles, near, (anchor,)):
                spans: dict[str, Spans] = dict.fromkeys(self.fields)
                spans[first] = anchor
                spans |= dict(zip(singles, chosen[1:], strict=True))
                self._gather(spans, near)
                yield spans

    def _near(self, spans: list[Span], anchor: Span) -> list[Span]:
        """The spans that fit into one record with the anchor, nearest first."""
        low = bisect_left(spans, (anchor.end - self.distance, 0))
        high = bisect_right(spans, (anchor.start + self.distance, 0))
        fitting = [span for span in spans[low:high] if self._fits((anchor,), span)]
        return sorted(fitting, key=lambda span: (_gap(anchor, span), -span.start))

    def _fits(self, chosen: Iterable[Span | None], span: Span) -> bool:
        start, end = span
        for neighbour in chosen:
            if neighbour is None:
                continue
            if span.start < neighbour.end and neighbour.start < span.end:
                return False
            start, end = min(start, neighbour.start), max(end, neighbour.end)
        return end - start <= self.distance

    def _choices(
        self, fields: list[str], near: Mapping[str, list[Span]], chosen: tuple[Span | None, ...]
    ) -> Iterator[tuple[Span | None, ...]]:
        if not fields:
            yield chosen
            return
        field, *later_fields = fields
        fitting = [span for span in near[field] if self._fits(chosen, span)]
        options: list[Span | None] = list(
            fitting[:1] if self.pairing == "nearest" else sorted(fitting)
        )
        if not options and field in self.optional:
            options = [None]
        for option in options:
            yield from self._choices(later_fields, near, (*chosen, option))

    def _gather(self, spans: dict[str, Spans], near: Mapping[str, list[Span]]) -> None:
        """Fill the fields that take many spans, while the record stays within its distance."""
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
    """Whether an extractor's records depend on one of these segments, or on smaller ones."""
    return any(
        locality == within
        or (
            isinstance(locality, Segments)
            and locality.of_marks
            and within.of_marks
            and set(within.separators) <= set(locality.separators)
        )
        for locality in localities
    )


def _gap(left: Span, right: Span) -> int:
    return max(right.start - left.end, left.start - right.end)


def _inside(spans: list[Span], segment: Span) -> list[Span]:
    low = bisect_left(spans, (segment.start, 0))
    high = bisect_right(spans, (segment.end, 0))
    return [span for span in spans[low:high] if span.end <= segment.end]
