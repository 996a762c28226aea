"""Papers read in processes of their own: whatever a PDF does there, it ends in an error for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from rowen.limits import (
    PAPER_HEAD_BYTES,
    PDF_MEMORY_BYTES,
    PDF_PAGE_SECONDS,
    PDF_PAGES,
    PDF_SECONDS,
    REPLY_BYTES,
)
from rowen.scholar.layout import Layout, Line
from rowen.scholar.paper import Paper, Reading, read_closely
from rowen.scholar.passages import Passage
from rowen.scholar.warming import warm_up_scholar
from rowen.scholar.zones import Zones
from rowen.workers import Asker, Pool, Work
from rowen.workers.frames import Bounds

Readers: TypeAlias = Pool[None, Paper]
CloseReaders: TypeAlias = Pool[None, Reading]


def open_readers(processes: int) -> Readers:
    """Processes that give papers: `readers.call(None, name=..., file=...)`, or `readers.each`."""
    return Pool(PAPERS, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES)


def open_close_readers(processes: int) -> CloseReaders:
    """Processes that give papers with the lines of their PDFs."""
    return Pool(READINGS, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES)


def seconds_for(pages: int) -> float:
    """How long reading so many pages may take."""
    return PDF_SECONDS + PDF_PAGE_SECONDS * min(pages, PDF_PAGES)


@dataclass(frozen=True, slots=True)
class _SentPassage:
    """A passage with the numbers of its lines."""

    text: str
    lines: tuple[int, ...]
    parts: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, passage: Passage, numbers: dict[int, int]) -> Self:
        """From a passage, by the numbers of the lines with these ids."""
        lines = tuple(numbers[id(line)] for line in passage.lines)
        return cls(passage.text, lines, passage.parts)

    def passage(self, lines: Sequence[Line]) -> Passage:
        """The passage; ValueError where its lines are none of these."""
        if len(self.lines) != len(self.parts) or not set(self.lines) <= set(range(len(lines))):
            raise ValueError("a passage has other lines than the paper")
        return Passage(self.text, tuple(lines[number] for number in self.lines), self.parts)


@dataclass(frozen=True, slots=True)
class _SentReading:
    """A reading in which each line stands once: that they are the same lines counts."""

    paper: Paper
    layout: Layout
    labels: tuple[str, ...]
    sections: tuple[_SentPassage, ...]
    references: tuple[_SentPassage, ...]

    @classmethod
    def of(cls, reading: Reading) -> Self:
        """From a reading."""
        numbers = {id(line): number for number, line in enumerate(reading.layout.lines)}
        return cls(
            reading.paper,
            reading.layout,
            tuple(label for _, label in reading.zones.labelled),
            tuple(_SentPassage.of(one, numbers) for one in reading.sections),
            tuple(_SentPassage.of(one, numbers) for one in reading.references),
        )

    def reading(self) -> Reading:
        """The reading; ValueError where its parts don't belong together."""
        lines = self.layout.lines
        return Reading(
            self.paper,
            self.layout,
            Zones(list(zip(lines, self.labels, strict=True))),
            tuple(one.passage(lines) for one in self.sections),
            tuple(one.passage(lines) for one in self.references),
        )


def _read(_given: None, asker: Asker) -> Paper:
    return _read_closely(asker).paper


def _read_and_keep_lines(_given: None, asker: Asker) -> _SentReading:
    return _SentReading.of(_read_closely(asker))


def _read_closely(asker: Asker) -> Reading:
    return read_closely(asker.document(), opened=lambda pages: asker(seconds_for(pages)))


def _received(_given: None, sent: _SentReading) -> Reading:
    return sent.reading()


LONGEST_SECONDS = seconds_for(PDF_PAGES)

PAPERS: Work[None, Paper] = Work(
    do=_read,
    given=None,
    made=Paper,
    longest=LONGEST_SECONDS,
    bounds=Bounds(PAPER_HEAD_BYTES, REPLY_BYTES),
    warm=warm_up_scholar,
)

READINGS: Work[None, Reading] = Work(
    do=_read_and_keep_lines,
    given=None,
    made=_SentReading,
    receive=_received,
    longest=LONGEST_SECONDS,
    bounds=Bounds(PAPER_HEAD_BYTES, REPLY_BYTES),
    warm=warm_up_scholar,
)
