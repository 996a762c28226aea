"""A folder of pages, with all that is in its folders."""

import os
from collections.abc import Iterator
from stat import S_ISREG

from rowen.limits import PAGE_BYTES
from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import Source, unicode_id
from rowen.sources.files import page_in_file
from rowen.sources.suffixes import may_be_page


class Folder(Source):
    """The files of a folder and of its folders, in the order of their ids: their paths in it.

    Hidden files and folders are left out, and so are files whose suffix says that they are no
    pages (images, scripts, archives and the like); everything else is read, and reported where it
    proves to be binary. Links to files are followed, links to folders are not: they could lead
    round in circles.
    """

    def __init__(self, path: str | os.PathLike[str], *, limit: int = PAGE_BYTES) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(self.path)
        self.limit = limit

    @property
    def count_hint(self) -> int:
        """How many files will be read."""
        return sum(isinstance(path, str) for path, _ in self._files())

    def found(self) -> Iterator[Page | DocumentError]:
        """The pages, each read when its turn comes."""
        limit = self.limit
        for path, page_id in self._files():
            if isinstance(path, OSError):
                yield DocumentError(page_id, f"can't be read: {path.strerror}")
            else:
                yield page_in_file(path, page_id, limit=limit)

    def _files(self) -> Iterator[tuple[str | OSError, str]]:
        """Path and id of each file, or what went wrong with a folder."""
        try:
            waiting = [_entries(self.path, "")]
        except OSError as error:
            raise SourceError(f"can't read the folder {self.name}: {error.strerror}") from None
        while waiting:
            for name, path, is_folder in waiting[-1]:
                if not is_folder:
                    yield path, unicode_id(name)
                    continue
                try:
                    waiting.append(_entries(path, name))
                except OSError as error:
                    yield error, unicode_id(name)
                    continue
                break
            else:
                waiting.pop()


def _entries(folder: str, prefix: str) -> Iterator[tuple[str, str, bool]]:
    """What is in one folder: name from the top, path, and whether it is a folder."""
    entries = []
    with os.scandir(folder) as listing:
        for entry in listing:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if not name.startswith("."):
                    # with its slash a folder sorts where the ids of its pages do
                    entries.append((f"{prefix}{name}/", entry.path, True))
            elif may_be_page(name) and _is_readable(entry):
                entries.append((prefix + name, entry.path, False))
    entries.sort()
    return iter(entries)


def _is_readable(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file or a link to one; a link that leads nowhere counts, to be reported."""
    if not entry.is_symlink():
        return entry.is_file()
    try:
        return S_ISREG(entry.stat().st_mode)
    except OSError:
        return True
