"""Examples: a page with its label, the records that a person marked on it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html.entities import codepoint2name

from rowen.limits import NESTING
from rowen.model.errors import LabelError
from rowen.model.page import Page
from rowen.model.record import CHILDREN, Record, Spans, spans_of
from rowen.model.span import Span


@dataclass(frozen=True, slots=True, init=False)
class Example:
    """A page and the records on it; with `partial` the page has more records than these.

    Records are given as mappings: a field's value is `(start, end)`, a list of such pairs where the
    field has several, `None` where it is known to be missing, or a string, which is taken where it
    first stands after the record before (white space and character references may differ); `learn`
    looks for better places among all examples. A label must be tabular or nested: records follow
    each other on the page, and two fields of a record overlap only where one lies inside the other.
    Anything else is a `LabelError`.
    """

    page: Page
    records: tuple[Record, ...]
    partial: bool
    given: tuple[Mapping[str, object], ...]
    """The records as they were given, where some value is a text; else nothing."""

    def __init__(
        self,
        page: Page | str,
        records: Iterable[Mapping[str, object] | Record],
        partial: bool = False,  # noqa: FBT001, FBT002  # the documented signature
    ) -> None:
        page = Page.of(page)
        listed = records if isinstance(records, Mapping | str) else list(records)
        object.__setattr__(self, "page", page)
        object.__setattr__(self, "records", _siblings(page, listed, cursor=0, parent="")[0])
        object.__setattr__(self, "partial", partial)
        in_words = any(_has_text(one) for one in listed if not isinstance(one, Record))
        object.__setattr__(self, "given", tuple(listed) if in_words else ())


def _has_text(given: object) -> bool:
    """Whether a value is given as a text, at any depth."""
    if isinstance(given, str):
        return True
    if isinstance(given, (list, tuple)):
        return any(type(one) is not int and _has_text(one) for one in given)
    return isinstance(given, Mapping) and any(map(_has_text, given.values()))


def _siblings(
    page: Page, given: Iterable[Mapping[str, object] | Record], *, cursor: int, parent: str
) -> tuple[tuple[Record, ...], Span | None]:
    """Records that follow each other from `cursor` on, each checked; and from where to where."""
    if isinstance(given, Mapping | str) or not isinstance(given, Iterable):
        raise LabelError(page.id, "records are a list of mappings", record=parent or "1")
    placed = []
    first: int | None = None
    for number, one in enumerate(given, 1):
        place = f"{parent}{number}"
        record, extent = _record(page, one, cursor=cursor, place=place)
        if extent is not None:
            if extent.start < cursor:
                field = min((spans[0].start, name) for name, spans in record.items() if spans)[1]
                raise LabelError(
                    page.id,
                    f"starts at {extent.start}, before what stands ahead of it ends at {cursor}: "
                    "records are listed in page order and don't interleave",
                    record=place,
                    field=field,
                )
            cursor = extent.end
            first = extent.start if first is None else first
        placed.append(record)
    return tuple(placed), None if first is None else Span(first, cursor)


def _record(
    page: Page, given: Mapping[str, object] | Record, *, cursor: int, place: str
) -> tuple[Record, Span | None]:
    """A record, and from where to where it goes with all that is nested in it."""
    if place.count(".") >= NESTING:
        raise LabelError(page.id, f"nested deeper than {NESTING}", record=place)
    if isinstance(given, Record):
        given = {**given.spans, CHILDREN: given.children}
    if not isinstance(given, Mapping):
        raise LabelError(page.id, f"{given!r} is not a record", record=place)
    text = page.text
    spans: dict[str, Spans] = {}
    for name, value in given.items():
        if name == CHILDREN:
            continue
        try:
            spans[name] = spans_of(name, _located(text, value, cursor), len(text))
        except (TypeError, ValueError) as error:
            reason = str(error).removeprefix(f"field {name!r}: ")
            raise LabelError(page.id, reason, record=place, field=name) from None
    own = Record.trusted(page, spans)
    extent = _checked_extent(own, place)
    nested = given.get(CHILDREN)
    if not nested:
        return own, extent
    end = cursor if extent is None else max(extent.end, cursor)
    children, below = _siblings(page, nested, cursor=end, parent=f"{place}.")  # type: ignore[arg-type]  # checked there
    if extent is not None and below is not None:
        below = Span(extent.start, below.end)
    return Record.trusted(page, spans, children), below or extent


def _located(text: str, value: object, cursor: int) -> object:
    if isinstance(value, str):
        start = text.find(value, cursor)
        if start >= 0 and value:
            return (start, start + len(value))
        match = _loosely(value).search(text, cursor) if value.strip() else None
        if match is None:
            raise ValueError(f"{value!r} does not stand on the page from {cursor} on")
        return match.span()
    if isinstance(value, (list, tuple)) and any(type(one) is not int for one in value):
        if not any(isinstance(one, str) for one in value):
            return value
        found = []
        for one in value:
            place = _located(text, one, cursor)
            found.append(place)
            cursor = place[1] if isinstance(place, tuple) else cursor
        return found
    return value


def _loosely(value: str) -> re.Pattern[str]:
    """The value with any white space for its own, and references for its characters."""
    words = []
    for word in value.split():
        signs = []
        for sign in word:
            code = ord(sign)
            name = codepoint2name.get(code)
            named = f"|&{name};" if name else ""
            signs.append(f"(?:{re.escape(sign)}{named}|&#0*{code};|&#[xX]0*(?i:{code:x});)")
        words.append("".join(signs))
    return re.compile(r"(?:\s|&nbsp;|&#0*160;)+".join(words))


def _checked_extent(record: Record, place: str) -> Span | None:
    """Refuse fields that overlap, unless one lies inside the other; give what all of them span."""
    placed = [(span, name) for name, spans in record.items() for span in spans]
    around: list[tuple[int, str]] = []
    for span, name in sorted(placed, key=lambda one: (one[0].start, -one[0].end)):
        around = [one for one in around if one[0] > span.start]
        for end, before in around:
            if end < span.end or before == name:
                raise LabelError(
                    record.page.id,
                    f"{_shown(span)} overlaps field {before!r}, which ends at {end}",
                    record=place,
                    field=name,
                )
        around.append((span.end, name))
    if not placed:
        return None
    return Span(min(span.start for span, _ in placed), max(span.end for span, _ in placed))


def _shown(span: Span) -> str:
    return f"[{span.start}, {span.end})"
