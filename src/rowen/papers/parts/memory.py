"""The parts of one paper: taken from the cache where it has them, otherwise computed.

Each method follows one pattern. It digests the inputs, looks all digests up at once, and unpacks
what the cache has. What it lacks, or what can't be unpacked, is computed:

    citations(["A. 2001.", "B. 2002."])
    digests of both strings -> the cache has the first only
    the first is unpacked and counted in `known`, the second is parsed and packed
    `all` then has both, for the next paper
"""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import is_
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.citations.citation import Citation
from rowen.citations.markers.marker import Marker
from rowen.citations.markers.years import Works, dated
from rowen.citations.parser import parse_citation
from rowen.crf.tagger import load_model
from rowen.papers.parts.digests import (
    dated_digest,
    front_digest,
    page_digest,
    reference_digest,
    words_digest,
    works_digest,
)
from rowen.papers.parts.packed import (
    DamagedError,
    PackedPage,
    pack_authors,
    pack_citation,
    pack_markers,
    pack_page,
    pack_words,
    unpack_authors,
    unpack_citation,
    unpack_markers,
    unpack_words,
)
from rowen.papers.people import Author
from rowen.papers.people.authors import authors_on, other_lines
from rowen.papers.people.front import chosen
from rowen.papers.zones import Zones
from rowen.papers.zones.features import word_rows
from rowen.papers.zones.words import WORD_FEATURES
from rowen.pdf import Line
from rowen.pdf.characters import PageCharacters
from rowen.pdf.document import PageLines, lines_on

LookUp: TypeAlias = Callable[[Sequence[bytes]], Mapping[bytes, bytes]]
"""Returns the cached parts with these digests; parts that are not cached are left out."""

_RUN = 16
"""The average number of lines in a run, the unit in which word features of HTML and text are
cached. The text of a line decides whether a run ends there, not its number: after an inserted or
deleted line the later runs are the same again (content-defined chunking)."""


@dataclass(slots=True)
class _Page:
    """A page with its lines, and the word features of these once they are computed."""

    digest: bytes | None
    page_lines: PageLines
    first: int
    rows: NDArray[np.uint64] | None = None


class Parts:
    """Returns the parts of a paper and computes only those that are not cached.

    The results equal those of `lines_on`, `word_rows`, `parse_citations`, `authors_of` and `dated`,
    whatever the cache contains, if its parts were computed by this code.
    """

    def __init__(self, key: bytes, look_up: LookUp | None = None) -> None:
        self._key = key
        self._look_up = look_up
        self._digests: dict[int, bytes] = {}
        self._packed: dict[bytes, PackedPage] = {}
        self._pages: list[_Page] = []
        self._all: dict[bytes, bytes] = {}
        self.known = 0
        """How many parts came from the cache."""

    @property
    def all(self) -> dict[bytes, bytes]:
        """All parts of this paper by digest, also those from the cache, to be stored."""
        # Pages are packed only now: their word features are computed after their lines.
        for page in self._pages:
            if page.digest is not None and page.digest not in self._all and page.rows is not None:
                self._all[page.digest] = pack_page(page.page_lines, page.first, page.rows)
        return self._all

    def page_digests(self, pages: Sequence[PageCharacters]) -> list[bytes]:
        """The digests of pages; `lines_on` finds them again by the numbers of the pages."""
        self._digests = {page.number: page_digest(page, self._key) for page in pages}
        return list(self._digests.values())

    def find_pages(self) -> None:
        """Look up the lines of all pages that `page_digests` has seen."""
        for digest, packed in self._find(self._digests.values()).items():
            try:
                self._packed[digest] = PackedPage.of(packed)
            except DamagedError:
                continue
            self._all[digest] = packed

    def lines_on(self, page: PageCharacters, first: int) -> PageLines:
        """The lines of a page; `first` is the number of its first block."""
        # None: the PDF has more characters than `GLANCE_CHARACTERS`, so it was not digested.
        digest = self._digests.get(page.number)
        packed = None if digest is None else self._packed.get(digest)
        if packed is not None:
            self.known += 1
            own = _Page(digest, packed.lines(page.number, first), first, packed.rows)
        else:
            own = _Page(digest, lines_on(page, first), first)
        self._pages.append(own)
        return own.page_lines

    def words(self, lines: Sequence[Line]) -> NDArray[np.uint64]:
        """The word features of lines, one row per line.

        They are cached with the lines of a PDF's pages; for HTML and text in runs of lines. A PDF
        that is too large for digests of pages is treated as text is.
        """
        of_pages = [line for page in self._pages for line in page.page_lines.lines]
        paged = len(lines) == len(of_pages) and all(map(is_, lines, of_pages))
        if not paged or any(page.digest is None for page in self._pages):
            return self._words_of_runs(lines)
        self._add_rows([page for page in self._pages if page.rows is None])
        return _stacked(page.rows for page in self._pages if page.rows is not None)

    def _add_rows(self, pages: Sequence[_Page]) -> None:
        """Compute the word features of pages, of all lines together, which is faster."""
        rows = word_rows([line for page in pages for line in page.page_lines.lines])
        start = 0
        for page in pages:
            end = start + len(page.page_lines.lines)
            page.rows = rows[start:end]
            start = end

    def _words_of_runs(self, lines: Sequence[Line]) -> NDArray[np.uint64]:
        runs = _runs(lines)
        digests = [words_digest(run, self._key) for run in runs]
        stored = self._find(digests)
        rows = []
        for run, digest in zip(runs, digests, strict=True):
            try:
                own = unpack_words(stored[digest], len(run))
                self._all[digest] = stored[digest]
                self.known += 1
            except (KeyError, DamagedError):
                own = word_rows(run)
                self._all[digest] = pack_words(own)
            rows.append(own)
        return _stacked(rows)

    def citations(self, strings: Sequence[str]) -> list[Citation]:
        """Parse reference strings."""
        digests = [reference_digest(raw, self._key) for raw in strings]
        stored = self._find(digests)
        model = load_model("citations")
        citations = []
        for raw, digest in zip(strings, digests, strict=True):
            try:
                own = unpack_citation(stored[digest], raw)
                self._all[digest] = stored[digest]
                self.known += 1
            except (KeyError, DamagedError):
                own = parse_citation(raw, model)
                self._all[digest] = pack_citation(own)
            citations.append(own)
        return citations

    def authors(self, zones: Zones) -> list[Author]:
        """The authors of a paper."""
        front = chosen(zones)
        digest = front_digest(front, self._key)
        stored = self._find([digest])
        try:
            own = unpack_authors(stored[digest])
            self._all[digest] = stored[digest]
            self.known += 1
        except (KeyError, DamagedError):
            own, others_had_a_say = authors_on(front, other_lines(zones))
            # The digest covers the front only. Where other lines decided how a name divides, the
            # result must not be stored under it.
            if not others_had_a_say:
                self._all[digest] = pack_authors(own)
        return own

    def dated(self, texts: Sequence[str], works: Works) -> list[list[Marker]]:
        """The markers with years of each text (see `citations.markers.years.dated`)."""
        together = works_digest(works, self._key)
        digests = [dated_digest(text, together, self._key) for text in texts]
        stored = self._find(digests)
        markers = []
        for text, digest in zip(texts, digests, strict=True):
            try:
                own = unpack_markers(stored[digest])
                self._all[digest] = stored[digest]
                self.known += 1
            except (KeyError, DamagedError):
                [own] = dated([text], works)
                self._all[digest] = pack_markers(own)
            markers.append(own)
        return markers

    def _find(self, digests: Iterable[bytes]) -> Mapping[bytes, bytes]:
        distinct = list(dict.fromkeys(digests))
        return self._look_up(distinct) if self._look_up is not None and distinct else {}


def _stacked(rows: Iterable[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    # The empty array gives the number of columns where there are no rows at all.
    return np.concatenate([np.zeros((0, len(WORD_FEATURES)), np.uint64), *rows])


def _runs(lines: Sequence[Line]) -> list[Sequence[Line]]:
    """Cut lines into runs: one line in `_RUN` ends a run, by the checksum of its text."""
    ends = [
        i
        for i, line in enumerate(lines, 1)
        if zlib.crc32(line.text.encode("utf-8", "surrogatepass")) % _RUN == 0
    ]
    return [lines[a:b] for a, b in pairwise([0, *ends, len(lines)]) if a < b]
