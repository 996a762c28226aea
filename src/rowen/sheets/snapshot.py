"""Papers as a snapshot: the files of a folder, each as a sheet."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from rowen.model.errors import DocumentError
from rowen.model.page import Page
from rowen.papers.many import paper_files, read_papers
from rowen.papers.paper import Paper
from rowen.sheets.sheet import first_line, head_of, write_sheet
from rowen.sources.base import CrawlNote, Source, unicode_id


class PaperFiles(Source):
    """The PDFs of a folder and its subfolders, or a single file of a paper; ids are their paths.

    Files are read in processes with limits of time and memory, as `rowen paper` reads them. A file
    that was read before, by `known` (the first line of each sheet, by id), is not read again: a
    note says that it is unchanged.
    """

    def __init__(
        self,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        known: Mapping[str, str] | None = None,
    ) -> None:
        self._paths: Sequence[str | os.PathLike[str]] = (
            [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        )
        self.name = ", ".join(unicode_id(os.fspath(path)) for path in self._paths)
        self._files = [
            (file, unicode_id(_id(file, Path(path))))
            for path in self._paths
            for file in paper_files(path)
        ]
        self._known = known or {}

    def knowing(self, sheets: Iterable[Page]) -> "PaperFiles":
        """The same files; those whose sheets are among these pages count as unchanged."""
        heads = ((page.id, first_line(page.text)) for page in sheets)
        return PaperFiles(self._paths, known={page: head for page, head in heads if head})

    @property
    def count_hint(self) -> int:
        """How many files there are."""
        return len(self._files)

    def found(self) -> Iterator[Page | DocumentError | CrawlNote]:
        """A sheet for each file that is new or has changed, in their order."""
        heads = {file: _head(file) for file, _ in self._files}
        to_read = [
            file
            for file, page in self._files
            if isinstance(heads[file], str) and self._known.get(page) != heads[file]
        ]
        with read_papers(to_read) as papers:
            for file, page in self._files:
                head = heads[file]
                if isinstance(head, OSError):
                    yield DocumentError(page, f"can't be read: {head.strerror}")
                elif self._known.get(page) == head:
                    yield CrawlNote(page, "unchanged")
                else:
                    yield _sheet(page, head, next(papers)[1])


def _sheet(page: str, head: str, paper: Paper | Exception) -> Page | DocumentError:
    if isinstance(paper, Paper):
        return Page(write_sheet(paper, head), id=page)
    reason = paper.reason if isinstance(paper, DocumentError) else str(paper)
    return DocumentError(page, f"can't be read as a paper: {reason}")


def _id(file: str, path: Path) -> str:
    return Path(file).relative_to(path).as_posix() if path.is_dir() else path.name


def _head(file: str) -> str | OSError:
    try:
        return head_of(_digest(file), f"rowen {version('rowen')}")
    except OSError as error:
        return error


def _digest(file: str) -> str:
    with Path(file).open("rb") as stream:
        digest = sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:32]
