"""A folder of pages, subfolders included."""

import logging
import os
import time
from collections.abc import Collection, Iterator
from copy import copy
from stat import S_ISREG
from typing import Self

from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import CrawlNote, Source, Stamps, unicode_id
from rowen.sources.files import page_in_file
from rowen.sources.suffixes import may_be_page
from rowen.text.charset import PAGE_BYTES

BESIDE = ("_files", "-Dateien", "_fichiers")
"""How browsers name the folder with what a saved page loads, by language."""

_FRESH_SECONDS = 2.0
"""Files that changed as lately have no stamp: they may change again within one tick of the clock by
which the system dates them."""

_logger = logging.getLogger(__name__)


class Folder(Source):
    """The files of a folder and its subfolders, sorted by their ids: their paths in it.

    Hidden files and folders are skipped, and so are files whose suffix shows that they are not
    pages (images, scripts, archives); everything else is read, and reported if it is binary. Links
    to files are followed, links to folders are not: they could form a loop. The folder `X_files` in
    which a browser saves what `X.html` loads is left out, frames and all. With `trust_mtime` a run
    does not read files that have the size and the time of change that they had in the last run.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        limit: int = PAGE_BYTES,
        trust_mtime: bool = False,
    ) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(self.path)
        self.limit = limit
        self.trust_mtime = trust_mtime
        self.stamps: Stamps | None = None

    @property
    def count_hint(self) -> int:
        """How many files will be read."""
        return sum(isinstance(path, str) for path, _ in self._files())

    def comparing(self, stamps: Stamps) -> Self:
        """The same folder; its files have stamps if their times are trusted."""
        source = copy(self)
        source.stamps = stamps if self.trust_mtime else None
        return source

    def found(self) -> Iterator[Page | DocumentError | CrawlNote]:
        """The pages, each read when it is asked for."""
        limit, stamps = self.limit, self.stamps
        for path, page_id in self._files():
            if isinstance(path, OSError):
                yield DocumentError(page_id, f"can't be read: {path.strerror}")
            elif stamps is not None and stamps.is_known(page_id, _stamp_of(path)):
                yield CrawlNote(page_id, "same")
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


def _stamp_of(path: str) -> str:
    """The size of a file and when it changed, from before it is read."""
    try:
        status = os.stat(path)  # noqa: PTH116  # the path may be any string
    except OSError:
        return ""
    if status.st_mtime > time.time() - _FRESH_SECONDS:
        return ""
    return f"file {status.st_size} {status.st_mtime_ns}"


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
