"""Patterns: a regular expression whose named groups are fields."""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import islice
from operator import itemgetter
from time import thread_time
from typing import Any, Self

import regex

from rowen.extractors.deadline import allowed, stopped_after
from rowen.extractors.definition import Defined, Definition
from rowen.extractors.derivation import Derivation
from rowen.extractors.locality import Grain, Locality
from rowen.extractors.reach import harmless_size
from rowen.model import ExtractionError, Page
from rowen.records import Records
from rowen.records.record import CHILDREN
from rowen.records.records import Row, Rows

PATTERN_SECONDS = 10.0
"""Limit: how long a pattern may work on one page. The engine backtracks, so hostile text could keep
it busy for years; a sane pattern needs a second for 100 MB."""

PATTERN_WAYS_A_SECOND = 1e7
"""How many ways to match the engine tries in a second at least, even on its slowest path. A page on
which a pattern has fewer ways per second of its limit is not timed."""

GLANCE_CHARACTERS = 16_384
"""Limit: pages up to this size are first tried without an alarm, because setting an alarm takes
longer than many of them."""

GLANCE_SECONDS = 0.01
"""Limit: seconds for each match in such a trial, and for all matches together. A pattern that takes
longer is run again with an alarm."""

GLANCE_MATCHES = 16
"""How many matches such a trial makes between two looks at the time: if each takes just less than
its limit, the trial ends after a sixth of a second."""

GLANCE_PAUSE = 100
"""How many pages are not tried so after one that took longer: a pattern that is always slow loses
one part in a hundred."""


class Pattern(Defined):
    r"""Each match is a record, each named group a field; a group that did not match is missing.

    The engine is `regex`: it reads everything that the standard library's `re` reads, and more
    (`\p{Lu}`, repeated names). The meaning is the same, except that `\w` and `\b` count combining
    marks as parts of words, and `\s` is Unicode's white space. The engine backtracks, so each page
    has a time limit of `seconds`, after which the page fails with an `ExtractionError`: in a
    process' main thread by the clock, in others by processor time and for each match. A page is not
    timed only if the pattern and the page's size prove that it can't take long.

    Matches don't overlap and come in page order, as from `finditer`; a match whose fields are all
    empty is no record. A name that occurs in several branches is one field.

    >>> talks = Pattern(r"(?P<room>CS ?\d{3}), (?P<time>\d+ [ap]m)", name="talks")
    >>> [record.values for record in talks.extract("Databases: CS 105, 2 pm.")]
    [{'room': 'CS 105', 'time': '2 pm'}]
    >>> talks.locality
    Segments(separators=('\n',))
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
        schema: object = None,
    ) -> None:
        super().__init__(name, version, locality, schema)
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
        self._passed_over = 0

    @cached_property
    def _derivation(self) -> Derivation:
        return Derivation(self.pattern)

    @cached_property
    def _always_filled(self) -> bool:
        reach = self._derivation.reach
        return reach is not None and reach.fills

    @cached_property
    def _harmless(self) -> int:
        """The size up to which pages are not timed: the timer costs more than small pages do."""
        return harmless_size(self._derivation.reach, PATTERN_WAYS_A_SECOND * self.seconds)

    def extract(self, page: Page | str) -> Records:
        """One record per match, in page order."""
        page = Page.of(page)
        pick = self._pick
        if len(page.text) <= self._harmless:
            rows = [pick(match.regs) for match in self._compiled.finditer(page.text)]
        else:
            rows = self._timed(page)
        if not self._always_filled:
            rows = [row for row in rows if any(start < end for start, end in row)]
        return Records(Rows(page, self.fields, rows), schema=self.given_schema)

    def _timed(self, page: Page) -> list[Row]:
        """The bounds of all matches; ExtractionError where the time is over before."""
        if self._passed_over:
            self._passed_over -= 1
        elif len(page.text) <= GLANCE_CHARACTERS:
            rows = self._glanced(page.text)
            if rows is not None:
                return rows
            self._passed_over = GLANCE_PAUSE
        pick, seconds = self._pick, allowed(self.seconds)
        try:
            with stopped_after(seconds):
                matches = self._compiled.finditer(page.text, timeout=seconds)
                return [pick(match.regs) for match in matches]
        except TimeoutError:
            raise ExtractionError(
                self.name,
                page.id,
                f"took more than {seconds:g} s: its pattern backtracks on this text; make "
                "repeated parts exclude each other, or bound them",
            ) from None

    def _glanced(self, text: str) -> list[Row] | None:
        """The bounds of all matches if they are found at once, or else None.

        Setting an alarm takes longer than many small pages do. Here the engine's own limit does,
        and a look at the thread's processor time after some matches.
        """
        pick, rows, end = self._pick, list[Row](), thread_time() + GLANCE_SECONDS
        try:
            matches = self._compiled.finditer(text, timeout=min(GLANCE_SECONDS, self.seconds))
            while batch := [pick(match.regs) for match in islice(matches, GLANCE_MATCHES)]:
                rows += batch
                if thread_time() > end:
                    return None
        except TimeoutError:
            return None
        return rows

    def settings(self) -> dict[str, Any]:
        """The pattern, and the time limit if it is not the default."""
        limit = {} if self.seconds == PATTERN_SECONDS else {"seconds": self.seconds}
        return {"pattern": self.pattern, **limit}

    def fingerprint(self) -> dict[str, Any]:
        """Only the pattern: a longer time limit does not change the records."""
        return {"pattern": self.pattern}

    def engine(self) -> str:
        """The engine with its version, which determines what a letter is."""
        return f"regex {regex.__version__}"

    @cached_property
    def grain(self) -> Grain:
        """All localities that the parsed expression proves, for reuse to choose from."""
        return self.locality if self._given_locality is not None else self._derivation.grain

    def derive_locality(self) -> Locality:
        """The locality that the parsed expression proves."""
        return self._derivation.locality

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """Read a saved pattern."""
        definition.expect("pattern", "seconds")
        seconds = definition.get("seconds", float, PATTERN_SECONDS)
        return cls(definition.text("pattern"), seconds=seconds, **definition.identity())

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r}, name={self.name!r})"


def _complaint(pattern: Any, error: Exception) -> str:
    if not isinstance(pattern, str):
        return f"a pattern must be a string, not {type(pattern).__name__}"
    if isinstance(error, RecursionError):
        return "the pattern is nested too deeply"
    return f"the pattern does not compile: {error}"


def _picker(groups: list[int]) -> Callable[[Row], Row]:
    """A function that picks the bounds of the named groups from those of all groups."""
    if len(groups) == 1:
        (only,) = groups
        return itemgetter(slice(only, only + 1))  # a tuple of one; a lambda could not be pickled
    return itemgetter(*groups)
