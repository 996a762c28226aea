"""Patterns: a regular expression whose named groups are fields."""

from collections.abc import Mapping
from typing import Any, Self

import regex

from rowen.extractors.definition import Defined, Definition
from rowen.extractors.locality import Locality
from rowen.extractors.reach import harmless_size, locality_of, reach_of
from rowen.limits import PATTERN_EFFORT, PATTERN_SECONDS
from rowen.model import ExtractionError, Page, Record, Records, Span
from rowen.model.record import CHILDREN, Spans


class Pattern(Defined):
    r"""Each match is a record, each named group a field; a group that took no part is missing.

    The engine is `regex`: it reads all that the standard library's `re` reads, with the same
    meaning, and more (`\p{Lu}`, sets of names). It backtracks, so each page has a time limit of
    `seconds`, after which the page fails with an `ExtractionError` and nothing hangs. Only where
    the parsed pattern and the page's size prove that it can't take long is the clock left alone.

    Matches don't overlap and come in page order, as from `finditer`; one in which no field holds a
    character is no record. A name that occurs in several branches is one field.
    """

    kind = "pattern"

    def __init__(
        self,
        pattern: str,
        *,
        name: str = "pattern",
        version: str | None = None,
        locality: Locality | None = None,
        seconds: float = PATTERN_SECONDS,
    ) -> None:
        super().__init__(name, version, locality)
        try:
            self._compiled = regex.compile(pattern)
        except (regex.error, RecursionError, OverflowError, ValueError, TypeError) as error:
            raise self.error(_complaint(pattern, error)) from None
        groups: Mapping[str, int] = self._compiled.groupindex
        if not groups:
            raise self.error(
                "the pattern has no named group, so no field: "
                "write (?P<name>...) around what to extract"
            )
        if CHILDREN in groups:
            raise self.error(f"a field can't be called {CHILDREN!r}")
        self.pattern = pattern
        self.seconds = seconds
        self.fields = tuple(sorted(groups, key=groups.__getitem__))
        self._groups = [(field, groups[field]) for field in self.fields]
        self._reach = reach_of(pattern)
        # The engine watches the clock at every match, which costs more than small pages do.
        self._harmless = harmless_size(self._reach, PATTERN_EFFORT)

    def extract(self, page: Page | str) -> Records:
        """A record a match, in page order."""
        page = Page.of(page)
        groups = self._groups
        text = page.text
        timeout = self.seconds if len(text) > self._harmless else None
        span, record = Span.trusted, Record.trusted
        records = []
        try:
            for match in self._compiled.finditer(text, timeout=timeout):
                where = match.regs
                spans: dict[str, Spans] = {}
                filled = False
                for field, group in groups:
                    bounds = where[group]
                    if bounds[0] < 0:
                        spans[field] = None
                    else:
                        spans[field] = span(bounds)
                        filled = filled or bounds[0] < bounds[1]
                if filled:
                    records.append(record(page, spans))
        except TimeoutError:
            raise ExtractionError(
                self.name,
                page.id,
                f"took more than {self.seconds:g} s: its pattern backtracks on this text; make "
                "repeated parts exclude each other, or bound them",
            ) from None
        return Records(records)

    def settings(self) -> dict[str, Any]:
        """The pattern."""
        return {"pattern": self.pattern}

    def derive_locality(self) -> Locality:
        """What the parsed expression proves."""
        return locality_of(self._reach)

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """The pattern that was saved."""
        definition.expect("pattern")
        return cls(definition.text("pattern"), **definition.identity())

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r}, name={self.name!r})"


def _complaint(pattern: Any, error: Exception) -> str:
    if not isinstance(pattern, str):
        return f"a pattern is a string, not {type(pattern).__name__}"
    if isinstance(error, RecursionError):
        return "the pattern is nested too deeply"
    return f"the pattern does not compile: {error}"
