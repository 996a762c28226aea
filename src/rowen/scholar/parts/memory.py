"""The parts of one paper: those that are known from another one, and all that it has itself."""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.scholar.citations.citation import Citation
from rowen.scholar.citations.parser import parse_citation
from rowen.scholar.layout import Line
from rowen.scholar.layout.document import PageLines, lines_on
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.parts.digests import page_digest, reference_digest, words_digest
from rowen.scholar.parts.packed import (
    DamagedError,
    PackedLines,
    pack_citation,
    pack_lines,
    pack_words,
    unpack_citation,
    unpack_words,
)
from rowen.scholar.tagging import shipped
from rowen.scholar.zones.columns import word_rows
from rowen.scholar.zones.words import WORDED

LookUp: TypeAlias = Callable[[Sequence[bytes]], Mapping[bytes, bytes]]
"""Finds parts by their digests: those that are known."""

_RUN = 16
"""Lines of a run, on average, whose words are known or not together. Runs end by what lines say,
not by their number: after a line that came or went they are the same again."""


class Parts:
    """Gives each part as it would be made, and makes only those that are not known.

    What it gives equals what `lines_on`, `word_rows` and `parse_citations` give, whatever is known.
    """

    def __init__(self, key: bytes, look_up: LookUp | None = None) -> None:
        self._key = key
        self._look_up = look_up
        self._pages: dict[int, bytes] = {}
        self._lines: dict[bytes, PackedLines] = {}
        self.all: dict[bytes, bytes] = {}
        """Every part of this paper, to be kept; those that were known, too."""
        self.known = 0
        """How many parts were not made."""

    def page_digests(self, pages: Sequence[PageCharacters]) -> list[bytes]:
        """The digests of pages, which are remembered by their numbers."""
        self._pages = {page.number: page_digest(page, self._key) for page in pages}
        return list(self._pages.values())

    def find_pages(self) -> None:
        """Look up the lines of the pages seen."""
        for digest, packed in self._find(self._pages.values()).items():
            try:
                self._lines[digest] = PackedLines.of(packed)
            except DamagedError:
                continue
            self.all[digest] = packed

    def lines_on(self, page: PageCharacters, first: int) -> PageLines:
        """The lines of a page; `first` is the number of its first block."""
        digest = self._pages.get(page.number)
        if digest is None:  # there were too many characters to look at all pages first
            return lines_on(page, first)
        known = self._lines.get(digest)
        if known is not None:
            self.known += 1
            return known.lines(page.number, first)
        made = lines_on(page, first)
        self.all[digest] = pack_lines(made, first)
        return made

    def words(self, lines: Sequence[Line]) -> NDArray[np.uint64]:
        """What lines show by their words alone, a row each."""
        runs = _runs(lines)
        digests = [words_digest(run, self._key) for run in runs]
        found = self._find(digests)
        rows = [np.zeros((0, len(WORDED)), np.uint64)]
        for run, digest in zip(runs, digests, strict=True):
            try:
                own = unpack_words(found[digest], len(run))
                self.all[digest] = found[digest]
                self.known += 1
            except (KeyError, DamagedError):
                own = word_rows(run)
                self.all[digest] = pack_words(own)
            rows.append(own)
        return np.concatenate(rows)

    def citations(self, strings: Sequence[str]) -> list[Citation]:
        """The citations that reference strings stand for."""
        digests = [reference_digest(raw, self._key) for raw in strings]
        found = self._find(digests)
        model = shipped("citations")
        citations = []
        for raw, digest in zip(strings, digests, strict=True):
            try:
                own = unpack_citation(found[digest], raw)
                self.all[digest] = found[digest]
                self.known += 1
            except (KeyError, DamagedError):
                own = parse_citation(raw, model)
                self.all[digest] = pack_citation(own)
            citations.append(own)
        return citations

    def _find(self, digests: Iterable[bytes]) -> Mapping[bytes, bytes]:
        wanted = list(dict.fromkeys(digests))
        return self._look_up(wanted) if self._look_up is not None and wanted else {}


def _runs(lines: Sequence[Line]) -> list[Sequence[Line]]:
    """Lines in runs, each of which ends with a line whose text says so."""
    ends = [
        i
        for i, line in enumerate(lines, 1)
        if zlib.crc32(line.text.encode("utf-8", "surrogatepass")) % _RUN == 0
    ]
    return [lines[a:b] for a, b in pairwise([0, *ends, len(lines)]) if a < b]
