"""Layout: what stands before the values of a list, and records that reach over another's start.

Delimiters are found one after the other, wherever they come next. Where a record lacks a value, the
scan goes on into the next record and borrows its value; that record is gone, and all values look
right. What shows is the text in between: it has the start of another record.

    <h3>Beagle</h3> sold <h3>Eothen</h3> <b>16.50</b>      title: Beagle, price: 16.50
                         ^^^^ a title begins between the record's title and its price

What stands before values is learned from the labels alone, since nothing else is known to be right.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Self

from rowen.model import Example, ExtractorError, Record, Span

BEFORE = 600
"""So many characters before a value are looked at for the tags that open around it."""

DEPTH = 4
"""So many of these tags count: an element for the record, and some in it."""

BETWEEN = 20_000
"""So much text between two values is looked at; another record begins soon or not at all."""

KNOWN = 200
"""So many marked records tell what stands before values: those of a list are alike."""

_TAG = re.compile(r"<(/?[a-zA-Z][\w:.-]{0,40})([^<>]{0,500})>")
_OPEN = re.compile(r"<([a-zA-Z][\w:.-]{0,40})([^<>]{0,500})\Z")
_CLASS = re.compile(r"""\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


class Tag(NamedTuple):
    """A tag by its name, with a slash where it closes, and its class where that counts."""

    name: str
    label: str | None

    def is_like(self, other: "Tag") -> bool:
        """Whether another tag has that name, and that class if it counts."""
        return self.name == other.name and self.label in (None, other.label)


class Overreach(NamedTuple):
    """Between two values of a record another one begins."""

    before: str
    """The field of the value before it."""
    after: str
    """The field whose value may be the other record's."""
    starts: str
    """The field that starts in between."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The tags that open before each field's values, outermost first."""

    leads: Mapping[str, tuple[Tag, ...]]

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Self | None:
        """The layout of marked lists; None where it can't tell where another record begins."""
        if not any(example.partial or len(example.records) > 1 for example in examples):
            return None  # where a page is one record, there is no other one to reach over
        labels = list(islice((one for each in examples for one in each.records), KNOWN))
        leads: dict[str, tuple[Tag, ...]] = {}
        for record in labels:
            for name, spans in record.items():
                for span in spans[:1]:
                    lead = _lead(record.page.text, span)
                    leads[name] = _common(leads[name], lead) if name in leads else lead
        layout = cls({name: lead for name, lead in leads.items() if lead})
        if not layout.leads or any(layout.overreach(record) for record in labels):
            return None
        return layout

    def overreach(self, record: Record) -> Overreach | None:
        """Where a record reaches over the start of another one, if it does."""
        values = sorted((span, name) for name, spans in record.items() for span in spans)
        if len(values) < 2 or (lead := self.leads.get(values[0][1])) is None:
            return None
        text = record.page.text
        end = values[0][0].end
        for number, (span, name) in enumerate(values[1:], 1):
            fields = dict.fromkeys(field for _, field in values[:number])
            between = text[end : min(span.start, end + BETWEEN)]
            if name not in fields and _has(_tags(between), lead):
                return Overreach(values[number - 1][1], name, values[0][1])
            end = max(end, span.end)
        return None

    def to_dict(self) -> dict[str, list[list[str | None]]]:
        """The layout as it is saved with a profile."""
        return {name: [list(tag) for tag in lead] for name, lead in self.leads.items()}

    @classmethod
    def from_dict(cls, saved: object) -> Self | None:
        """The layout that was saved, where there is one."""
        if saved is None:
            return None
        try:
            assert isinstance(saved, Mapping)
            leads = {
                str(name): tuple(Tag(str(tag), label and str(label)) for tag, label in lead)
                for name, lead in saved.items()
            }
        except (AssertionError, TypeError, ValueError):
            raise ExtractorError("'layout' is not what Rowen saved") from None
        return cls({name: lead for name, lead in leads.items() if lead})


def _lead(text: str, span: Span) -> tuple[Tag, ...]:
    """The tags that open directly before a value; where none does, the tag before it."""
    before = text[max(0, span.start - BEFORE) : span.start]
    opened = _OPEN.search(before)  # the value stands in an attribute
    inside = [Tag(opened[1].lower(), _class(opened[2]))] if opened else []
    tags = _tags(before[: opened.start()] if opened else before) + inside
    run: list[Tag] = []
    for tag in reversed(tags):
        if tag.name.startswith("/") or len(run) == DEPTH:
            break
        run.insert(0, tag)
    return tuple(run or tags[-1:])


def _common(one: tuple[Tag, ...], other: tuple[Tag, ...]) -> tuple[Tag, ...]:
    """The last tags that both have; a class counts where it is the same."""
    shared: list[Tag] = []
    for mine, theirs in zip(reversed(one), reversed(other), strict=False):
        if mine.name != theirs.name:
            break
        shared.insert(0, Tag(mine.name, mine.label if mine.label == theirs.label else None))
    return tuple(shared)


def _tags(text: str) -> list[Tag]:
    return [Tag(found[1].lower(), _class(found[2])) for found in _TAG.finditer(text)]


def _class(attributes: str) -> str | None:
    found = _CLASS.search(attributes)
    return next((one for one in found.groups() if one is not None), None) if found else None


def _has(tags: Sequence[Tag], lead: Sequence[Tag]) -> bool:
    """Whether tags like these follow each other somewhere."""
    size = len(lead)
    places = range(len(tags) - size + 1)
    return any(all(map(Tag.is_like, lead, tags[at : at + size])) for at in places)
