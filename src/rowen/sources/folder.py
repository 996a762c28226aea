"""A folder of pages, subfolders included."""

import logging
import os
from collections.abc import Collection, Iterator
from stat import S_ISREG

from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import Source, unicode_id
from rowen.sources.files import page_in_file
from rowen.sources.suffixes import may_be_page
from rowen.text.charset import PAGE_BYTES

BESIDE = ("_files", "-Dateien", "_fichiers")
"""How browsers name the folder with what a saved page loads, by language."""

_logger = logging.getLogger(__name__)


class Folder(Source):
    """The files of a folder and its subfolders, sorted by their ids: their paths in it.

    Hidden files and folders are skipped, and so are files whose suffix shows that they are not
    pages (images, scripts, archives); everything else is read, and reported if it is binary. Links
    to files are followed, links to folders are not: they could form a loop. The folder `X_files` in
    which a browser saves what `X.html` loads is left out, frames and all.
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
        """The pages, each read when it is asked for."""
        limit = self.limit
        for path, page_id in self._files():
            if isinstance(path, OSError):
                yield DocumentError(page_id, f"can't be read: {path.strerror}")
            else:
                yield page_in_file(path, page_id, limit=limit)

    def _files(self) -> Iterator[tuple[str | OSError, str]]:
        """Path and id of each file, or the error of a folder."""
        # A stack of listings instead of recursion: a crawl may nest deeper than Python's stack.
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
    """The entries of one folder: name from the top, path, and whether it is a folder."""
    entries = []
    with os.scandir(folder) as listing:
        inside = list(listing)
    names = {entry.name for entry in inside}
    for entry in inside:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if is_saved_with_page(name, names):
                _logger.info("left out %s: a browser saved it with the page beside it", entry.path)
            elif not name.startswith("."):
                # With its slash a folder sorts as the ids of its pages do: `a.html` before
                # `a/b.html`.
                entries.append((f"{prefix}{name}/", entry.path, True))
        elif may_be_page(name) and _is_readable(entry):
            entries.append((prefix + name, entry.path, False))
    entries.sort()
    return iter(entries)


def is_saved_with_page(folder: str, names: Collection[str]) -> bool:
    """Whether a folder has what a browser saved with a page beside it ("save page, complete")."""
    page = next((folder.removesuffix(end) for end in BESIDE if folder.endswith(end)), "")
    return bool(page) and any(f"{page}{ending}" in names for ending in (".html", ".htm"))


def _is_readable(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file or a link to one; a broken link counts, so it is reported.

    Devices and pipes are not read: they may never end.
    """
    if not entry.is_symlink():
        return entry.is_file()
    try:
        return S_ISREG(entry.stat().st_mode)
    except OSError:
        return True
