"""Reading papers in subprocesses: a PDF that crashes, hangs or fills memory ends in an error."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from rowen.model.extras import require
from rowen.papers.consistency import check_paper
from rowen.papers.paper import Paper, Reading, pictured, read_closely
from rowen.papers.preload import warm_up_papers
from rowen.papers.zones import Zones
from rowen.pdf import Layout, Line
from rowen.pdf.characters import PDF_PAGES
from rowen.pdf.passages import Passage
from rowen.pdf.pictures import PICTURES_BYTES, PICTURES_SECONDS, Picture
from rowen.workers import Allow, Asker, Pool, Work
from rowen.workers.frames import Bounds
from rowen.workers.work import REPLY_BYTES

PDF_SECONDS = 10.0
"""Limit: seconds for reading a PDF in a subprocess; `PDF_PAGE_SECONDS` per page are added."""

PDF_PAGE_SECONDS = 0.2
"""Limit: seconds that each page of a PDF adds. Real pages take a fiftieth of a second."""

PDF_MEMORY_BYTES = 1024 * 1024 * 1024
"""Limit: memory for reading a PDF; papers take less than a tenth of it."""

PAPER_HEAD_BYTES = 64 * 1024 * 1024
"""Limit: bytes of a paper that a subprocess sends; a paper of 2,000 dense pages has half."""


Readers: TypeAlias = Pool[None, Paper]
CloseReaders: TypeAlias = Pool[bool, Reading]
"""Their task is whether pictures of the pages are wanted."""


def open_readers(processes: int) -> Readers:
    """Open processes that read papers: `readers.call(None, name=..., file=...)`, `readers.each`."""
    require("paper", "reading papers", "pypdfium2")
    return Pool(PAPERS, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES)


def open_close_readers(processes: int) -> CloseReaders:
    """Open processes that read papers and return the lines of their PDFs, too."""
    require("paper", "reading papers", "pypdfium2")
    return Pool(READINGS, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES)


def seconds_for(pages: int) -> float:
    """The time limit for a PDF with this number of pages."""
    return PDF_SECONDS + PDF_PAGE_SECONDS * min(pages, PDF_PAGES)


@dataclass(frozen=True, slots=True)
class _SentPassage:
    """A passage as sent between processes: with the numbers of its lines."""

    text: str
    lines: tuple[int, ...]
    parts: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, passage: Passage, numbers: dict[int, int]) -> Self:
        """From a passage; `numbers` are the numbers of lines by their ids."""
        lines = tuple(numbers[id(line)] for line in passage.lines)
        return cls(passage.text, lines, passage.parts)

    def passage(self, lines: Sequence[Line]) -> Passage:
        """The passage; ValueError if it has line numbers that do not exist."""
        # The sender may be hostile: a document may have taken its process over.
        if len(self.lines) != len(self.parts) or not set(self.lines) <= set(range(len(lines))):
            raise ValueError("a passage has other lines than the paper")
        return Passage(self.text, tuple(lines[number] for number in self.lines), self.parts)


@dataclass(frozen=True, slots=True)
class _SentReading:
    """A reading as sent between processes. Each line is sent once, others refer to it by number.

    After receipt zones and passages share their `Line` objects again: lines are compared by id.
    """

    paper: Paper
    layout: Layout
    labels: tuple[str, ...]
    sections: tuple[_SentPassage, ...]
    references: tuple[_SentPassage, ...]
    pictures: tuple[Picture | None, ...]

    @classmethod
    def of(cls, reading: Reading) -> Self:
        """From a reading, in the worker process."""
        numbers = {id(line): number for number, line in enumerate(reading.layout.lines)}
        return cls(
            reading.paper,
            replace(reading.layout, shapes=()),
            tuple(label for _, label in reading.zones.labelled),
            tuple(_SentPassage.of(passage, numbers) for passage in reading.sections),
            tuple(_SentPassage.of(passage, numbers) for passage in reading.references),
            reading.pictures,
        )

    def reading(self) -> Reading:
        """The reading; ValueError if its parts do not fit together."""
        check_paper(self.paper)
        parts = (
            (self.labels, self.layout.lines),
            (self.sections, self.paper.body),
            (self.references, self.paper.citations),
        )
        if any(len(sent) != len(expected) for sent, expected in parts):
            raise ValueError("a reading has other parts than its paper")
        if sum(len(picture.rows) for picture in self.pictures if picture) > PICTURES_BYTES:
            raise ValueError("the pictures of a paper are too large")
        lines = self.layout.lines
        return Reading(
            self.paper,
            self.layout,
            Zones(list(zip(lines, self.labels, strict=True))),
            tuple(passage.passage(lines) for passage in self.sections),
            tuple(passage.passage(lines) for passage in self.references),
            self.pictures,
        )


def _read(_given: None, asker: Asker) -> Paper:
    return _read_closely(asker).paper


def _read_and_keep_lines(pictures: bool, asker: Asker) -> _SentReading:  # noqa: FBT001  # the task
    return _SentReading.of(read_for_report(asker.document(), asker, pictures=pictures))


def read_for_report(content: bytes, allow: Allow, *, pictures: bool = True) -> Reading:
    """A paper's reading, with pictures of its pages; `allow` gets the seconds that it may take."""
    more = PICTURES_SECONDS if pictures else 0.0
    reading = read_closely(content, opened=lambda pages: allow(seconds_for(pages) + more))
    return pictured(reading, content) if pictures and reading.layout.turns else reading


def _received_paper(_given: None, paper: Paper) -> Paper:
    check_paper(paper)
    return paper


def _read_closely(asker: Asker) -> Reading:
    # The time limit grows with the number of pages, which is known once the PDF is open.
    return read_closely(asker.document(), opened=lambda pages: asker(seconds_for(pages)))


def _received(_given: bool, sent: _SentReading) -> Reading:  # noqa: FBT001  # the task
    return sent.reading()


LONGEST_SECONDS = seconds_for(PDF_PAGES)

PAPERS: Work[None, Paper] = Work(
    do=_read,
    task=None,
    result=Paper,
    receive=_received_paper,
    longest=LONGEST_SECONDS,
    bounds=Bounds(PAPER_HEAD_BYTES, REPLY_BYTES),
    warm=warm_up_papers,
)

READINGS: Work[bool, Reading] = Work(
    do=_read_and_keep_lines,
    task=bool,
    result=_SentReading,
    receive=_received,
    longest=LONGEST_SECONDS + PICTURES_SECONDS,
    bounds=Bounds(PAPER_HEAD_BYTES, REPLY_BYTES),
    warm=warm_up_papers,
)
