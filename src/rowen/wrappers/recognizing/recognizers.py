"""Recognizers: each finds the instances of one field on a page, rightly or not (6.2, 6.3, 6.7)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import regex

from rowen.documents.html import LITERAL, Kind, tokenize
from rowen.extractors.base import Extractor
from rowen.extractors.dictionary import Dictionary
from rowen.extractors.pattern import Pattern
from rowen.limits import INSTANCES
from rowen.model import ExtractionError, ExtractorError, Page, RowenError, Span

Finder: TypeAlias = Callable[[str], Iterable[tuple[int, int]]]
"""A function of a page's text that gives the bounds of instances."""

MASK = "\ue000"
"""Stands for what a recognizer should not see: no letter, digit or white space."""


class Soundness(StrEnum):
    """What mistakes a recognizer makes, as it is declared."""

    PERFECT = "perfect"
    """None: it finds all true instances and nothing else."""
    INCOMPLETE = "incomplete"
    """What it finds is true, but it may miss some."""
    UNSOUND = "unsound"
    """It finds all that are true, and others."""
    UNRELIABLE = "unreliable"
    """Both: it may miss some, and find others."""


class Where(StrEnum):
    """Which part of an HTML page a recognizer sees; of a plain text it sees all."""

    TEXT = "text"
    """The text between tags, less scripts and styles."""
    VALUES = "values"
    """That, and the values of attributes."""
    SOURCE = "source"
    """Everything."""


@dataclass(frozen=True)
class Recognizer:
    """Finds instances of `field` with an extractor or a function; several may serve one field.

    An extractor's records have the instances in the field of the same name or, where they have only
    one field, in that. It sees the page with everything blotted out that is not `where`, so that
    offsets stay as they are. `check` refuses instances by their text.
    """

    field: str
    source: Extractor | Finder
    soundness: Soundness = Soundness.UNSOUND
    where: Where = Where.SOURCE
    check: Callable[[str], bool] | None = None

    def find(self, page: Page | str) -> list[Span]:
        """The instances on a page, in page order."""
        page = Page.of(page)
        seen = Page(visible(page.text, self.where), id=page.id)
        found = sorted({Span(*bounds) for bounds in self._bounds(seen)})
        if self.check is not None:
            found = [span for span in found if self.check(span.of(page.text))]
        if len(found) > INSTANCES:
            raise ExtractionError(
                self.name, page.id, f"found {len(found)} instances, more than {INSTANCES}"
            )
        return [span for span in found if MASK not in span.of(seen.text)]

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return f"recognizer of {self.field}"

    def _bounds(self, page: Page) -> Iterable[tuple[int, int]]:
        if isinstance(self.source, Extractor):
            return self._extracted(self.source, page)
        try:
            found = [(int(start), int(end)) for start, end in self.source(page.text)]
        except RowenError:
            raise
        except Exception as error:
            reason = f"failed: {type(error).__name__}: {error}"
            raise ExtractionError(self.name, page.id, reason) from error
        for start, end in found:
            if not 0 <= start < end <= len(page.text):
                reason = f"gave [{start}, {end}), which is no part of the page"
                raise ExtractionError(self.name, page.id, reason)
        return found

    def _extracted(self, extractor: Extractor, page: Page) -> Iterable[tuple[int, int]]:
        for record in extractor.extract(page):
            fields = dict(record.items())
            only = next(iter(fields.values())) if len(fields) == 1 else ()
            yield from (span for span in fields.get(self.field, only) if span.length)


def from_pattern(
    field: str,
    pattern: str,
    *,
    soundness: Soundness = Soundness.UNSOUND,
    where: Where = Where.TEXT,
    check: Callable[[str], bool] | None = None,
) -> Recognizer:
    """All matches of a regular expression, or of its group that is named as the field."""
    try:
        groups = regex.compile(pattern).groupindex
    except (regex.error, RecursionError, OverflowError, ValueError, TypeError):
        groups = {}  # the pattern itself complains better
    if not groups:
        pattern = f"(?P<value>{pattern})"
    elif field not in groups and len(groups) > 1:
        raise ExtractorError(f"recognizer of {field}: which group is it? Name one {field!r}")
    source = Pattern(pattern, name=f"recognizer of {field}")
    return Recognizer(field, source, soundness, where, check)


def from_entries(
    field: str,
    entries: Iterable[str],
    *,
    soundness: Soundness = Soundness.UNRELIABLE,
    where: Where = Where.TEXT,
    words: bool = True,
    fold_case: bool = False,
) -> Recognizer:
    """All occurrences of known values.

    Whether they are all that there are, and all mean this field, only you know: unless declared
    otherwise neither is believed.
    """
    name = f"recognizer of {field}"
    source = Dictionary(entries, field=field, name=name, words=words, fold_case=fold_case)
    return Recognizer(field, source, soundness, where)


def one_sided(field: str, *, strict: Recognizer, loose: Recognizer) -> list[Recognizer]:
    """An unreliable recognizer as two (6.7): `strict` finds nothing false, `loose` misses none."""
    return [
        Recognizer(field, strict.source, Soundness.INCOMPLETE, strict.where, strict.check),
        Recognizer(field, loose.source, Soundness.UNSOUND, loose.where, loose.check),
    ]


def visible(text: str, where: Where) -> str:
    """A page's text with all that is not `where` blotted out, character by character."""
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
            values = [one.value_span for one in tokens[index].attributes]
            pieces.append(_kept(text, start, end, [one for one in values if one is not None]))
        else:
            pieces.append(MASK * (end - start))
    return "".join(pieces)


def _kept(text: str, start: int, end: int, spans: Iterable[Span]) -> str:
    """The part of a text from `start` to `end`, of which only the spans are left."""
    pieces: list[str] = []
    for span in spans:
        pieces += (MASK * (span.start - start), span.of(text))
        start = span.end
    return "".join([*pieces, MASK * (end - start)])
