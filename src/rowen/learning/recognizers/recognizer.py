"""Recognizers: each finds the instances of one field on a page, rightly or not (6.2, 6.3, 6.7).

    page                    Call 555-1234 or 1999-2024!
    recognizer of phone     555-1234, 1999-2024

This one is unsound: it finds more than phone numbers. Several recognizers of a field complete each
other (`recognize`):

    incomplete (what it finds is true)     [Congo]                  certain   Congo
    unsound (finds all, and others)        [Congo] [Egypt] [Next]   possible  Congo, Egypt, Next

Corroboration decides about Egypt and Next.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import regex

from rowen.extractors.base import Extractor
from rowen.extractors.dictionary import Dictionary
from rowen.extractors.pattern import Pattern
from rowen.induction import budget
from rowen.model import ExtractionError, ExtractorError, Page, RowenError, Span, UsageError
from rowen.records.positions import Position
from rowen.text.html_tokens import LITERAL, Kind, tokenize

if TYPE_CHECKING:
    from rowen.learning.recognizers.model import Model

CONTEXT = 128
"""Limit: at most this many characters around a recognized value are searched for delimiters. Longer
ones are rare."""


INSTANCES = 100_000
"""Limit: at most this many instances a recognizer may find on one page. One that finds more
recognizes nothing in particular."""


Finder: TypeAlias = Callable[[str], Iterable[tuple[int, int]]]
"""A function of a page's text that gives the start and end of each instance."""

MASK = "\ue000"
"""Replaces what a recognizer should not see. It is a character for private use, so no letter, digit
or white space, and pages don't have it."""


class Soundness(StrEnum):
    """What mistakes a recognizer makes, as its author declares.

    >>> from rowen.recognizers import Soundness, from_pattern
    >>> from_pattern("code", "[A-Z]{2}", soundness="perfect").soundness is Soundness.PERFECT
    True
    """

    PERFECT = "perfect"
    """None: it finds all true instances and nothing else."""
    INCOMPLETE = "incomplete"
    """What it finds is true, but it may miss some."""
    UNSOUND = "unsound"
    """It finds all that are true, and others."""
    UNRELIABLE = "unreliable"
    """Both: it may miss some, and find others."""


class Where(StrEnum):
    """Which part of an HTML page a recognizer sees. It sees all of a plain text.

    >>> from rowen.recognizers import Where, from_pattern
    >>> page = '<b class="CD">CG</b>'
    >>> [len(from_pattern("code", "[A-Z]{2}", where=where).find(page)) for where in Where]
    [1, 2, 2]
    """

    TEXT = "text"
    """The text between tags, less scripts and styles."""
    VALUES = "values"
    """That, and the values of attributes."""
    SOURCE = "source"
    """Everything."""


@dataclass(frozen=True)
class Recognizer:
    r"""Finds instances of `field` with an extractor or a function; a field may have several.

    An extractor's records have the instances in the field of the same name or, where they have only
    one field, in that. It sees the page with everything masked that is not `where`, so that offsets
    stay as they are. `check` refuses instances by their text. `soundness` says which mistakes it
    makes: `perfect`, `incomplete`, `unsound` or `unreliable`.

    >>> import rowen
    >>> years = rowen.Recognizer("year", rowen.Pattern(r"(?P<year>\d{4})", name="years"))
    >>> years.find("<p>From 1999 to 2024</p>")
    [Span(8, 12), Span(16, 20)]
    """

    field: str
    source: Extractor | Finder
    soundness: Soundness | str = "unsound"
    where: Where | str = "source"
    check: Callable[[str], bool] | None = None
    model: "Model | None" = None
    """The language model that it asks, which is paid by the page: it is asked about few of them."""

    def __post_init__(self) -> None:
        for name, kind in (("soundness", Soundness), ("where", Where)):
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, kind(value))
            except ValueError:
                names = ", ".join(kind)
                raise UsageError(f"{name} must be one of {names}, not {value!r}") from None

    def find(self, page: Page | str) -> list[Span]:
        """The instances on a page, in page order."""
        page = Page.of(page)
        seen = Page(visible(page.text, self.where), id=page.id)
        spans = sorted({Span(*bounds) for bounds in self._bounds(seen)})
        if self.check is not None:
            spans = [span for span in spans if self.check(span.of(page.text))]
        if len(spans) > INSTANCES:
            raise ExtractionError(
                self.name, page.id, f"found {len(spans)} instances, more than {INSTANCES}"
            )
        return [span for span in spans if MASK not in span.of(seen.text)]

    @property
    def name(self) -> str:
        """The name of the recognizer in messages."""
        return f"recognizer of {self.field}"

    def _bounds(self, page: Page) -> Iterable[tuple[int, int]]:
        if isinstance(self.source, Extractor):
            return self._extracted(self.source, page)
        try:
            bounds = [(int(start), int(end)) for start, end in self.source(page.text)]
        except RowenError:
            raise
        except Exception as error:
            reason = f"failed: {type(error).__name__}: {error}"
            raise ExtractionError(self.name, page.id, reason) from error
        for start, end in bounds:
            if not 0 <= start < end <= len(page.text):
                reason = f"gave [{start}, {end}), which is not on the page"
                raise ExtractionError(self.name, page.id, reason)
        return bounds

    def _extracted(self, extractor: Extractor, page: Page) -> Iterable[tuple[int, int]]:
        for record in extractor.extract(page):
            fields = dict(record.items())
            only = next(iter(fields.values())) if len(fields) == 1 else ()
            yield from (span for span in fields.get(self.field, only) if span.length)


def from_pattern(
    field: str,
    pattern: str,
    *,
    soundness: Soundness | str = Soundness.UNSOUND,
    where: Where | str = Where.TEXT,
    check: Callable[[str], bool] | None = None,
) -> Recognizer:
    """All matches of a regular expression, or of its group with the name of the field.

    >>> from rowen.recognizers import from_pattern
    >>> from_pattern("code", "[A-Z]{2}").find("<b>Congo</b> CG")
    [Span(13, 15)]
    """
    try:
        groups = regex.compile(pattern).groupindex
    except (regex.error, RecursionError, OverflowError, ValueError, TypeError):
        groups = {}  # the pattern itself complains better
    if not groups:
        pattern = f"(?P<value>{pattern})"
    elif field not in groups and len(groups) > 1:
        raise ExtractorError(
            f"recognizer of {field}: the pattern has several groups; call one {field!r}"
        )
    source = Pattern(pattern, name=f"recognizer of {field}")
    return Recognizer(field, source, soundness, where, check)


def from_entries(
    field: str,
    entries: Iterable[str],
    *,
    soundness: Soundness | str = Soundness.UNRELIABLE,
    where: Where | str = Where.TEXT,
    words: bool = True,
    fold_case: bool = False,
) -> Recognizer:
    """All occurrences of known values.

    Unless declared otherwise, they are neither believed to be all that there are nor all to mean
    this field.

    >>> from rowen.recognizers import from_entries
    >>> from_entries("country", ["Congo", "Egypt"]).find("<b>Congo</b> 242")
    [Span(3, 8)]
    """
    name = f"recognizer of {field}"
    source = Dictionary(entries, field=field, name=name, words=words, fold_case=fold_case)
    return Recognizer(field, source, soundness, where)


@dataclass(frozen=True, slots=True)
class Instances:
    """What all recognizers of one field say of a page."""

    certain: frozenset[Position]
    """True for sure: from perfect and incomplete recognizers (the thesis' NTPSet)."""
    possible: frozenset[Position]
    """Those, and the ones that may be true."""
    complete: bool
    """Whether all true instances are possible: from perfect and unsound recognizers."""

    @property
    def perfect(self) -> bool:
        """Whether nothing is left open, so that the instances can be anchors."""
        return self.complete and self.certain == self.possible


def recognize(page: Page, recognizers: Sequence[Recognizer]) -> dict[str, Instances]:
    """Run all recognizers on a page; several of one field complete each other (6.7).

    What an incomplete recognizer finds is true. What any unsound one misses is not, so only the
    instances stay possible on which all unsound ones agree. Unreliable ones count only where there
    is no better one.
    """
    by_field: dict[str, dict[Soundness, list[frozenset[Position]]]] = {}
    for recognizer in recognizers:
        budget.check()
        spans = frozenset((span.start, span.end) for span in recognizer.find(page))
        kinds = by_field.setdefault(recognizer.field, {})
        kinds.setdefault(Soundness(recognizer.soundness), []).append(spans)
    return {name: _combined(kinds) for name, kinds in by_field.items()}


def _combined(kinds: Mapping[Soundness, list[frozenset[Position]]]) -> Instances:
    # A perfect recognizer leaves nothing for the others to say.
    perfect = kinds.get(Soundness.PERFECT)
    if perfect:
        return Instances(perfect[0], perfect[0], complete=True)
    nothing: frozenset[Position] = frozenset()
    certain = nothing.union(*kinds.get(Soundness.INCOMPLETE, ()))
    if unsound := kinds.get(Soundness.UNSOUND):
        agreed = unsound[0].intersection(*unsound[1:])
        return Instances(certain, certain | agreed, complete=True)
    guessed = nothing.union(*kinds.get(Soundness.UNRELIABLE, ()))
    return Instances(certain, certain | guessed, complete=False)


def visible(text: str, where: Where | str) -> str:
    """A page's text with all that is not `where` masked, character by character."""
    if where is Where.SOURCE or "<" not in text:
        return text
    tokens = tokenize(text)
    pieces: list[str] = []
    kinds, flags = tokens.kinds.tolist(), tokens.flags.tolist()
    bounds = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    for index, (start, end) in enumerate(bounds):
        if kinds[index] == Kind.TEXT and not flags[index] & LITERAL:
            pieces.append(text[start:end])
        elif kinds[index] == Kind.START_TAG and where is Where.VALUES:
            spans = [attribute.value_span for attribute in tokens[index].attributes]
            values = [span for span in spans if span is not None]
            pieces.append(_masked_except(text, start, end, values))
        else:
            pieces.append(MASK * (end - start))
    return "".join(pieces)


def _masked_except(text: str, start: int, end: int, spans: Iterable[Span]) -> str:
    """The part of a text from `start` to `end`, of which only the spans are visible."""
    pieces: list[str] = []
    for span in spans:
        pieces += (MASK * (span.start - start), span.of(text))
        start = span.end
    return "".join([*pieces, MASK * (end - start)])
