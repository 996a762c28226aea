"""A record on its way into a table: its values and, where they are wanted, sources and spans.

The keys are those of JSON lines, so that a record that was spooled as JSON is treated alike.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from rowen.records.columns import Parts
from rowen.records.record import CHILDREN, Record

Content: TypeAlias = Mapping[str, Any]
"""`values`, `source`, `spans` and `children`, each only if it is there."""


class Written(NamedTuple):
    """A record with all that a row of a table may show."""

    page: str
    extractor: str
    number: int
    """Its number on its page, from 1."""
    content: Content
    size: int = 0
    """How many bytes it has as JSON, if it was spooled."""


def content_of(record: Record, *, source: bool = False, spans: bool = False) -> Content:
    """What is written of a record."""
    content: dict[str, Any] = {"values": record.values}
    if source:
        content["source"] = record.source
    if spans:
        content["spans"] = record.spans
    if record.children:
        content[CHILDREN] = [
            content_of(child, source=source, spans=spans) for child in record.children
        ]
    return content


def parts_of(content: Content) -> Parts:
    """The parts of a record's own fields."""
    return Parts(content["values"], content.get("source") or {}, content.get("spans") or {})


def leaves(content: Content, above: Parts | None = None) -> Iterator[Parts]:
    """Each innermost record with the fields of its parents: one row for each."""
    parts = parts_of(content)
    if above is not None:
        parts = Parts(*({**outer, **own} for outer, own in zip(above, parts, strict=True)))
    children = content.get(CHILDREN)
    if not children:
        yield parts
        return
    for child in children:
        yield from leaves(child, parts)
