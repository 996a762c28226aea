"""Patterns: a regular expression whose named groups are fields."""

from collections.abc import Callable, Mapping
from functools import cached_property
from operator import itemgetter
from typing import Any, Self

import regex

from rowen.extractors.deadline import allowed, stopped_after
from rowen.extractors.definition import Defined, Definition
from rowen.extractors.derivation import Derivation
from rowen.extractors.locality import Grain, Locality
from rowen.extractors.reach import harmless_size
from rowen.limits import PATTERN_SECONDS, PATTERN_WAYS_A_SECOND
from rowen.model import ExtractionError, Page, Records
from rowen.model.record import CHILDREN
from rowen.model.records import Row, Rows


class Pattern(Defined):
    r"""Each match is a record, each named group a field; a group that took no part is missing.

    The engine is `regex`: it reads all that the standard library's `re` reads, and more
    (`\p{Lu}`, names that repeat). It means the same, but for `\w` and `\b`, which take combining
    marks for parts of words, and `\s`, which is Unicode's white space. It backtracks, so each page
    has a time limit of `seconds`, after which the page fails with an `ExtractionError` and nothing
    hangs: by the clock in a process' main thread, in others by processor time and for each match.
    Only where pattern and page size prove that it can't take long is the clock left alone.

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
        if not seconds > 0:
            raise self.error(f"'seconds' must be more than 0, not {seconds!r}")
        self.pattern = pattern
        self.seconds = seconds
        self.fields = tuple(sorted(groups, key=groups.__getitem__))
        self._pick = _picker(sorted(groups.values()))

    @cached_property
    def _derivation(self) -> Derivation:
        return Derivation(self.pattern)

    @cached_property
    def _always_filled(self) -> bool:
        reach = self._derivation.reach
        return reach is not None and reach.fills

    @cached_property
    def _harmless(self) -> int:
        """The size up to which pages are not timed: the clock costs more than small pages do."""
        return harmless_size(self._derivation.reach, PATTERN_WAYS_A_SECOND * self.seconds)

    def extract(self, page: Page | str) -> Records:
        """A record a match, in page order."""
        page = Page.of(page)
        pick = self._pick
        if len(page.text) <= self._harmless:
            rows = [pick(match.regs) for match in self._compiled.finditer(page.text)]
        else:
            rows = self._timed(page)
        if not self._always_filled:
            rows = [row for row in rows if any(start < end for start, end in row)]
        return Records(Rows(page, self.fields, rows))

    def _timed(self, page: Page) -> list[Row]:
        """The bounds of all matches; ExtractionError where the time is over before."""
        pick, seconds = self._pick, allowed(self.seconds)
        try:
            with stopped_after(seconds):
                found = self._compiled.finditer(page.text, timeout=seconds)
                return [pick(match.regs) for match in found]
        except TimeoutError:
            raise ExtractionError(
                self.name,
                page.id,
                f"took more than {seconds:g} s: its pattern backtracks on this text; make "
                "repeated parts exclude each other, or bound them",
            ) from None

    def settings(self) -> dict[str, Any]:
        """The pattern, and the time limit where it is not the usual one."""
        limit = {} if self.seconds == PATTERN_SECONDS else {"seconds": self.seconds}
        return {"pattern": self.pattern, **limit}

    def fingerprint(self) -> dict[str, Any]:
        """The pattern alone: more time gives no other records."""
        return {"pattern": self.pattern}

    def engine(self) -> str:
        """The engine: which characters are letters, say, is its affair."""
        return f"regex {regex.__version__}"

    @cached_property
    def grain(self) -> Grain:
        """All that the parsed expression proves, for reuse to choose from."""
        return self.locality if self._given_locality is not None else self._derivation.grain

    def derive_locality(self) -> Locality:
        """What the parsed expression proves."""
        return self._derivation.locality

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """The pattern that was saved."""
        definition.expect("pattern", "seconds")
        seconds = definition.get("seconds", float, PATTERN_SECONDS)
        return cls(definition.text("pattern"), seconds=seconds, **definition.identity())

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r}, name={self.name!r})"


def _complaint(pattern: Any, error: Exception) -> str:
    if not isinstance(pattern, str):
        return f"a pattern is a string, not {type(pattern).__name__}"
    if isinstance(error, RecursionError):
        return "the pattern is nested too deeply"
    return f"the pattern does not compile: {error}"


def _picker(groups: list[int]) -> Callable[[Row], Row]:
    """Takes the bounds of the named groups out of those of all groups."""
    if len(groups) == 1:
        (only,) = groups
        return itemgetter(slice(only, only + 1))  # a tuple of one; a lambda could not be pickled
    return itemgetter(*groups)
