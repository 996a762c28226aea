"""Layout: the tags before the values of a list, and records that reach over another's start.

Delimiters are found one after the other, wherever they come next. Where a record lacks a value, the
scan goes on into the next record and borrows its value; that record is gone, and all values look
right. Only the text in between shows it: it has the start of another record.

    <h3>Beagle</h3> sold <h3>Eothen</h3> <b>16.50</b>      title: Beagle, price: 16.50
                         ^^^^ a title begins between the record's title and its price

The tags before values are learned from the labels alone, since nothing else is known to be right.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Self

from rowen.model import ExtractorError, Span
from rowen.records import Example, Record

BEFORE = 600
"""Limit: how many characters before a value are searched for the tags that open around it."""

DEPTH = 4
"""How many of these tags count: an element for the record, and a few in it."""

BETWEEN = 20_000
"""Limit: how much text between two values is searched; another record begins soon or not at all."""

KNOWN = 200
"""Limit: how many marked records are looked at: those of a list are alike."""

_TAG = re.compile(r"<(/?[a-zA-Z][\w:.-]{0,40})([^<>]{0,500})>")
_OPEN = re.compile(r"<([a-zA-Z][\w:.-]{0,40})([^<>]{0,500})\Z")
_CLASS = re.compile(r"""\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


class Tag(NamedTuple):
    """A tag by its name, with a slash where it closes, and its class where that counts."""

    name: str
    label: str | None

    def is_like(self, tag: "Tag") -> bool:
        """Whether another tag has that name, and that class if it counts."""
        return self.name == tag.name and self.label in (None, tag.label)


class Overreach(NamedTuple):
    """A record inside of which another one begins, between two values."""

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
        """The layout of marked lists; None where it doesn't show where another record begins."""
        if not any(example.partial or len(example.records) > 1 for example in examples):
            return None  # where a page is one record, there is no other one to reach over
        labels = list(islice((record for example in examples for record in example.records), KNOWN))
        leads: dict[str, tuple[Tag, ...]] = {}
        for record in labels:
            for name, spans in record.items():
                for span in spans[:1]:
                    lead = _lead(record.page.text, span)
                    leads[name] = _common(leads[name], lead) if name in leads else lead
        layout = cls({name: lead for name, lead in leads.items() if lead})
        # A layout that finds an overreach in correct labels would warn of correct records.
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
            if name not in fields and _has(between, lead):
                return Overreach(values[number - 1][1], name, values[0][1])
            end = max(end, span.end)
        return None

    def to_dict(self) -> dict[str, list[list[str | None]]]:
        """The layout as it is saved with a profile."""
        return {name: [list(tag) for tag in lead] for name, lead in self.leads.items()}

    @classmethod
    def from_dict(cls, saved: object) -> Self | None:
        """A saved layout, None where there is none."""
        if saved is None:
            return None
        try:
            assert isinstance(saved, Mapping)
            leads = {
                str(name): tuple(Tag(str(tag), label and str(label)) for tag, label in lead)
                for name, lead in saved.items()
            }
        except (AssertionError, TypeError, ValueError):
            raise ExtractorError("'layout' is invalid") from None
        return cls({name: lead for name, lead in leads.items() if lead})


def _lead(text: str, span: Span) -> tuple[Tag, ...]:
    """The tags that open directly before a value; where none does, the tag before it."""
    before = text[max(0, span.start - BEFORE) : span.start]
    end = len(before)
    run: list[Tag] = []
    if (last := before.rfind("<")) > before.rfind(">") and (opened := _OPEN.match(before, last)):
        run, end = [_tag(opened)], last  # the value stands in an attribute
    while len(run) < DEPTH and (end := before.rfind("<", 0, end)) >= 0:
        if (found := _TAG.match(before, end)) is None:
            continue
        if found[1].startswith("/"):
            return tuple(run or [_tag(found)])
        run.insert(0, _tag(found))
    return tuple(run)


def _common(lead: tuple[Tag, ...], second: tuple[Tag, ...]) -> tuple[Tag, ...]:
    """The last tags that two leads share; a class counts where it is the same."""
    shared: list[Tag] = []
    for tag, opposite in zip(reversed(lead), reversed(second), strict=False):
        if tag.name != opposite.name:
            break
        shared.insert(0, Tag(tag.name, tag.label if tag.label == opposite.label else None))
    return tuple(shared)


def _tag(found: re.Match[str]) -> Tag:
    return Tag(found[1].lower(), _class(found[2]))


def _class(attributes: str) -> str | None:
    match = _CLASS.search(attributes)
    return next((name for name in match.groups() if name is not None), None) if match else None


def _has(text: str, lead: Sequence[Tag]) -> bool:
    """Whether tags like these follow each other somewhere."""
    small = text.lower()
    if any(f"<{tag.name}" not in small for tag in lead):
        return False
    tags = list(_TAG.finditer(text))
    names = [found[1].lower() for found in tags]
    wanted = [tag.name for tag in lead]
    size = len(lead)
    return any(
        # few have the names, and only of those the classes are looked at
        names[at : at + size] == wanted
        and all(map(Tag.is_like, lead, map(_tag, tags[at : at + size])))
        for at in range(len(tags) - size + 1)
    )
