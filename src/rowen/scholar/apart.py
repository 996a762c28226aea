"""Papers read in processes of their own: whatever a PDF does there, it ends in an error for it."""

from pathlib import Path
from typing import TypeAlias

from rowen.documents.sandbox import Allow, Sandbox
from rowen.limits import PDF_MEMORY_BYTES, PDF_PAGE_SECONDS, PDF_PAGES, PDF_SECONDS
from rowen.scholar.paper import Paper, Reading, read_closely

Source: TypeAlias = str | Path | bytes
Readers: TypeAlias = Sandbox[Source, Paper]
CloseReaders: TypeAlias = Sandbox[Source, Reading]


def open_readers(processes: int) -> Readers:
    """Processes that give papers: `readers.call(source, name=...)`, or `readers.each(...)`."""
    return Sandbox(_read, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES)


def open_close_readers(processes: int) -> CloseReaders:
    """Processes that give papers with the lines of their PDFs."""
    return Sandbox(_read_closely, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES)


def _read(source: Source, allow: Allow) -> Paper:
    return _read_closely(source, allow).paper


def _read_closely(source: Source, allow: Allow) -> Reading:
    return read_closely(source, opened=lambda pages: allow(seconds_for(pages)))


def seconds_for(pages: int) -> float:
    """How long reading so many pages may take."""
    return PDF_SECONDS + PDF_PAGE_SECONDS * min(pages, PDF_PAGES)
