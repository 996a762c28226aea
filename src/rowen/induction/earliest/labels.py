"""Page labels as the scan has to reproduce them: the values of each page in order.

<b>Ada</b> <i>1815</i>        fields name, year

values   (name, 3, 6) (year, 14, 18)
steps    from 0 the scan must find the name's left delimiter first, so that it ends at 3;
from 6, the end of Ada, the year's, so that it ends at 14
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rowen.induction.lengths import common_prefix, common_suffix, least_length
from rowen.model import NoConsistentWrapper, Page
from rowen.wrappers.earliest import Rule


class Value(NamedTuple):
    """One labelled value."""

    field: int
    start: int
    end: int


class Step(NamedTuple):
    """One step of the scan: from `cursor` on, the left delimiter of `field` must come first.

    Its value starts at `start`.
    """

    page: Page
    cursor: int
    start: int
    field: int
    before: int
    """The field of the value before, -1 for a page's first."""


@dataclass(frozen=True, slots=True)
class PageLabel:
    """All values of a page, in page order; if `partial`, unmarked ones follow."""

    page: Page
    values: tuple[Value, ...]
    partial: bool

    @property
    def cursor(self) -> int:
        """Where the scan is after the last value: from there on it must find nothing."""
        return self.values[-1].end if self.values else 0

    @property
    def last(self) -> int:
        """The field of the last value, -1 without any."""
        return self.values[-1].field if self.values else -1

    def steps(self) -> list[Step]:
        """The steps of this page, from its start on."""
        steps = []
        cursor, before = 0, -1
        for field, start, end in self.values:
            steps.append(Step(self.page, cursor, start, field, before))
            cursor, before = end, field
        return steps


def longest_lefts(labels: Sequence[PageLabel], fields: Sequence[str]) -> list[str]:
    """For each field the longest text that ends all gaps before its values."""
    longest: list[str | None] = [None] * len(fields)
    for label in labels:
        for step in label.steps():
            text = step.page.text
            suffix = longest[step.field]
            if suffix is None:
                suffix = text[step.cursor : step.start]
            longest[step.field] = common_suffix(suffix, text, step.cursor, step.start)
    for number, suffix in enumerate(longest):
        if suffix == "":
            raise NoConsistentWrapper(
                "the texts before its values have no common end",
                field=fields[number],
                pages=_pages_with(labels, number),
            )
    return [suffix or "" for suffix in longest]


def right_bounds(labels: Sequence[PageLabel], fields: Sequence[str]) -> list[tuple[str, int]]:
    """For each field its longest right delimiter, and the least length that works.

    A right delimiter doesn't depend on any other. It reaches at most to the next value (5.3.3),
    starts the text after each value, and a longer one is found less often inside of values.
    """
    after: list[list[tuple[Page, Value, int]]] = [[] for _ in fields]
    for label in labels:
        # A right delimiter ends before the next value starts: the scan goes on at its own start,
        # and the next left delimiter may overlap it.
        limits = [value.start for value in label.values[1:]] + [len(label.page.text)]
        for value, limit in zip(label.values, limits, strict=False):
            after[value.field].append((label.page, value, limit))
    return [_right_bound(places, name) for places, name in zip(after, fields, strict=True)]


def _right_bound(places: list[tuple[Page, Value, int]], name: str) -> tuple[str, int]:
    if not places:
        return "", 0
    first, value, limit = places[0]
    longest = first.text[value.end : limit]
    for page, value, limit in places:
        if not page.text.startswith(longest, value.end, limit):
            longest = common_prefix(longest, page.text, value.end, limit)

    def first_bad(length: int) -> Page | None:
        part = longest[:length]
        for page, value, _ in places:
            # Found inside of the value it would end it too soon.
            if page.text.find(part, value.start, value.end + length) != value.end:
                return page
        return None

    if not longest:
        raise NoConsistentWrapper(
            "the texts after its values have no common start", field=name, pages=_unique(places)
        )
    bad = first_bad(len(longest))
    if bad is not None:
        raise NoConsistentWrapper(
            f"{_shown(longest)} is all that the texts after its values start with, "
            "and it also occurs inside a value",
            field=name,
            pages=(bad.id,),
        )
    return longest, least_length(1, len(longest), lambda length: first_bad(length) is None)


def check_transitions(steps: Iterable[Step], rule: Rule, fields: Sequence[str]) -> None:
    """Refuse labels that no delimiters reproduce: a field where the rule doesn't allow it."""
    for step in steps:
        if step.field not in rule.candidates(step.before):
            raise NoConsistentWrapper(
                f"is marked at {step.start}, where this class allows no value of it",
                field=fields[step.field],
                pages=(step.page.id,),
            )


def _pages_with(labels: Sequence[PageLabel], field: int) -> tuple[str, ...]:
    return tuple(
        label.page.id for label in labels if any(value.field == field for value in label.values)
    )


def _unique(places: list[tuple[Page, Value, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(page.id for page, _, _ in places))


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
