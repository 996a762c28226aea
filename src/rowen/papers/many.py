"""Reading many papers at once, each in a process with limits on time and memory."""

import os
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeAlias, TypeVar

from rowen.model.errors import InputError, RowenError, UsageError
from rowen.papers.paper import Paper, Reading
from rowen.papers.subprocess import open_close_readers, open_readers
from rowen.workers import Pool

Made = TypeVar("Made")
Task = TypeVar("Task")

PICTURED_PAPERS = 20
"""Limit: papers of a report whose pages have pictures; of others the text is drawn."""

STDIN = "-"
"""The name of standard input among files."""

STDIN_BYTES = 256 * 1024 * 1024
"""Limit: bytes of a document on standard input; papers with many figures have a tenth."""

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many files are done, and how many there are."""


class Papers(Generic[Made]):
    """Papers while they are read: an iterator over files, each with its paper or its error.

    It is a context manager that ends the processes. So does reading it to the end.

    >>> import rowen
    >>> with rowen.read_papers("rowen-demo/papers", jobs=1) as papers:
    ...     file, paper = next(papers)
    >>> isinstance(paper, rowen.Paper), file in papers.files
    (True, True)
    """

    def __init__(
        self,
        files: Sequence[str],
        readers: Pool[Task, Made],
        progress: Progress | None,
        tasks: Sequence[Task],
    ) -> None:
        self.files = tuple(files)
        """All files that are read, in order."""
        self._stop = readers.stop
        results = _results(self.files, readers, progress, tasks)
        self._results = results

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> tuple[str, Made | RowenError | RuntimeError]:
        return next(self._results)

    def stop(self) -> None:
        """Read no further file; those that are finished still come. Signal handlers may call it."""
        self._stop()

    def close(self) -> None:
        """End the processes."""
        self._results.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_papers(
    paths: Paths, *, jobs: int | None = None, progress: Progress | None = None
) -> Papers[Paper]:
    """Read the papers of files and folders, several at once, and yield them in order.

    Each path is a PDF, HTML, JATS, LaTeX or text file, `-` for standard input, or a folder, of
    which all PDFs are read, those in folders below it included. `jobs` is the number of processes,
    by default one per core. `progress` is called with the number of files that are done and of all
    files.

    Yields pairs of a file's name and its `Paper`. Where a file can't be read, its error takes the
    place of the paper, so that the other files are read all the same: a `DocumentError`, a
    `LimitError` where it crashed its process or took too much time or memory, or a `RuntimeError`
    for an internal error.

    Raises `InputError` at once where a path does not exist or a folder has no PDF.

    >>> import rowen
    >>> for file, paper in rowen.read_papers("rowen-demo/papers", jobs=1):
    ...     if isinstance(paper, rowen.Paper):
    ...         print(file, len(paper.citations))
    ...     else:
    ...         print(file, "failed:", paper)
    rowen-demo/papers/jcon.00187.pdf 6
    rowen-demo/papers/jose.00050.pdf 14
    """
    files = paper_files(paths)
    return Papers(files, open_readers(_processes(jobs, files)), progress, [None] * len(files))


def read_papers_closely(paths: Paths, *, jobs: int | None = None) -> Papers[Reading]:
    """As `read_papers`, with what a report needs: lines, and pictures of the first papers."""
    files = paper_files(paths)
    tasks = [number < PICTURED_PAPERS for number in range(len(files))]
    return Papers(files, open_close_readers(_processes(jobs, files)), None, tasks)


def paper_files(paths: Paths) -> list[str]:
    """The files that paths lead to: each file itself, and the PDFs of each folder by name.

    `-` is standard input.
    """
    listed = [paths] if isinstance(paths, str | os.PathLike) else paths
    return [file for path in listed for file in _files(os.fspath(path))]


def _files(name: str) -> list[str]:
    path = Path(name)
    if name == STDIN:
        return [name]
    if path.is_dir():
        pdfs = sorted(str(entry) for entry in path.rglob("*") if entry.suffix.lower() == ".pdf")
        if not pdfs:
            raise InputError(f"{name}: the folder has no PDF")
        return pdfs
    if not path.exists():
        raise InputError(f"{name}: no such file or folder")
    return [name]


def _processes(jobs: int | None, files: Sequence[str]) -> int:
    if jobs is not None and jobs < 1:
        raise UsageError(f"'jobs' must be 1 or more, not {jobs}")
    return max(1, min(jobs or os.cpu_count() or 1, len(files)))


def _document(file: str) -> Path | bytes:
    if file != STDIN:
        return Path(file)
    content = sys.stdin.buffer.read(STDIN_BYTES + 1)
    if len(content) > STDIN_BYTES:
        raise InputError(f"standard input has more than {STDIN_BYTES:,} bytes")
    return content


# Not a method: a generator that refers to its owner would keep the processes alive until the
# garbage collector comes by, where a caller leaves the loop early.
def _results(
    files: Sequence[str],
    readers: Pool[Task, Made],
    progress: Progress | None,
    tasks: Sequence[Task],
) -> Generator[tuple[str, Made | RowenError | RuntimeError], None, None]:
    with readers:
        if progress is not None:
            progress(0, len(files))
        read = readers.each(
            (file, task, _document(file)) for file, task in zip(files, tasks, strict=True)
        )
        for count, result in enumerate(read, start=1):
            if progress is not None:
                progress(count, len(files))
            yield result
