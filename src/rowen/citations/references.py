"""The references of a paper: their strings, cut from lists or footnotes, and the parsed citations.

Words and labels may make a list of what is none: members, minutes, paragraphs of a law. So a list
without a heading, and notes, count only as far as the parser takes their strings for references:

    below `References`         every string counts
    a list without a heading   all of them, if most are references; otherwise they are body text
    footnotes                  those that are references
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rowen.citations.citation import Citation
from rowen.citations.parser import parse_citations
from rowen.citations.segmentation import cut_references, footnoted_references
from rowen.pdf import Line
from rowen.pdf.passages import Passage, passage_of

_MOST = 0.6  # of the strings of a list without a heading are references
_FEW = 0.3  # the same below a heading: forms and minutes may have a heading `Sources`
_WORDS, _LETTERS = 4, 40  # of a heading inside a list, at most
_SURE = 0.05  # the least confidence of a reference in a footnote
_INTRODUCED = re.compile(
    r"\W*\d{0,3}\s*(?:(?:vgl|siehe|s|so|see|cf|compare|voir|cfr|si veda|véase|ver|см|参见|انظر)\b"
    r"[.:]?\s*(?:auch|dazu|hierzu|zum beispiel|also|e\.\s?g\.|aussi|anche|también|z\.\s?B\.)?"
    r"[,:]?\s*)?",
    re.IGNORECASE,
)

Parse = Callable[[list[str]], Sequence[Citation]]


@dataclass(frozen=True, slots=True)
class References:
    """The passages of references and what they say."""

    passages: tuple[Passage, ...]
    citations: tuple[Citation, ...]
    more: int = 0
    """References beyond the limit, which were not read."""
    list_is_none: bool = False
    """Whether the lines of a list are something else, such as members or minutes."""


def references_of(
    listed: Sequence[Line],
    notes: Sequence[Line],
    *,
    headed: bool,
    parse: Parse = parse_citations,
    paragraphs: frozenset[int] = frozenset(),
    limit: int | None = None,
) -> References:
    """The references of a paper from the lines of its list, or from its footnotes if it has none.

    `headed` tells whether the list has a heading; `paragraphs` are the ids of lines that begin a
    paragraph.
    """
    groups = cut_references(listed, paragraphs=paragraphs)
    noted = not groups
    if noted:
        groups = [_without_introduction(note) for note in footnoted_references(notes)]
    more = 0 if limit is None else max(len(groups) - limit, 0)
    passages = tuple(map(passage_of, groups[: len(groups) - more]))
    citations = tuple(parse([passage.text for passage in passages]))
    if not noted and sum(map(_likely, citations)) < (_FEW if headed else _MOST) * len(citations):
        return References((), (), list_is_none=True)
    kept = [_in_note(own) if noted else not _divides(own) for own in citations]
    return References(
        tuple(own for own, keep in zip(passages, kept, strict=True) if keep),
        tuple(own for own, keep in zip(citations, kept, strict=True) if keep),
        more,
    )


def _divides(citation: Citation) -> bool:
    """Whether a string is a heading inside a list, such as `Primary sources`."""
    short = len(citation.raw.split()) <= _WORDS and len(citation.raw) <= _LETTERS
    return short and not citation.is_reference and not any(map(str.isdigit, citation.raw))


def _likely(citation: Citation) -> bool:
    """Whether a string of a list is a reference: it names a work, and when or where it is."""
    named = bool(citation.authors or citation.editors) + bool(citation.title)
    named += bool(citation.container) + bool(citation.publisher)
    found = citation.year or citation.doi or citation.url or citation.volume
    return citation.is_reference and named > 1 and bool(found)


def _in_note(citation: Citation) -> bool:
    people = bool(citation.authors or citation.editors)
    work = bool(citation.title or citation.container)
    dated = bool(citation.year and citation.year.isdecimal())
    return (
        citation.is_reference and people and work and dated and (citation.confidence or 0) > _SURE
    )


def _without_introduction(note: Sequence[Line]) -> list[Line]:
    """A note without its mark and words such as `Vgl.`."""
    first = note[0]
    start = _INTRODUCED.match(first.text)
    cut = start.end() if start else 0
    if not cut or cut >= len(first.text):
        return list(note)
    raised = tuple((max(a - cut, 0), b - cut) for a, b in first.raised if b > cut)
    gaps = tuple(gap - cut for gap in first.gaps if gap >= cut)
    left, _, _, _ = first.box_of(cut, len(first.text))
    shift = first.offsets[cut] if len(first.offsets) > cut else 0
    rest = replace(
        first, text=first.text[cut:], left=left, raised=raised, gaps=gaps, lead=None,
        offsets=tuple(max(own - shift, 0) for own in first.offsets[cut:]),
    )  # fmt: skip
    return [rest, *note[1:]]
