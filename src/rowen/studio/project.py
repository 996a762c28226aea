"""A project: a folder with pages, their labels and published wrappers.

The command line can read it: `rowen learn PROJECT/pages --labels PROJECT/labels.jsonl`.
"""

import fcntl
import json
import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from rowen.files import write_file
from rowen.labels.files import label_line
from rowen.model import Page
from rowen.model.errors import DocumentError, OutputError, RowenError, StoreError, UsageError
from rowen.records import Example
from rowen.studio.actions import Action, AddPage
from rowen.studio.history import History
from rowen.studio.material import example_of
from rowen.studio.nesting import fold
from rowen.studio.published import Published
from rowen.studio.saved.kept import Kept
from rowen.studio.state import Label, State
from rowen.studio.visit import MORE_PAGES, STUDIO_PAGES, Visit
from rowen.text.charset import read_page

STUDIO_PAGE_BYTES = 16 * 1024 * 1024
"""Limit: the size of a page in the studio. Browsers show larger ones slowly or not at all."""


HISTORY = "history.jsonl"
LOCK = "lock"
PUBLISHED = "published"
_CACHED_PAGES = 64
_UNFIT = re.compile(r"[^\w.()+,=@-]+")
_NAME_BYTES = 150  # file systems allow 255; a number and a suffix are added


class ConflictError(RowenError):
    """Another window has changed the project meanwhile."""

    exit_code = 6
    http_status = 409


class Project:
    """A project that this process has locked; every method may be used by any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = RLock()
        self._texts: OrderedDict[str, Page] = OrderedDict()
        self.published = Published(folder / PUBLISHED, write)
        self.visit = Visit(folder / "visit", write)
        self.more = Visit(folder / "more", write, most=MORE_PAGES)
        self.kept = Kept(folder / "files", write)
        with _disk(folder):
            (folder / "pages").mkdir(parents=True, exist_ok=True)
            self._claim = (folder / LOCK).open("wb")
        # The kernel releases this lock when the process ends, however it ends.
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._claim.close()
            raise StoreError(f"{folder} is open in another studio") from None
        try:
            self._history = History(folder / HISTORY)
        except BaseException:
            self._claim.close()
            raise

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def revision(self) -> int:
        """The number of changes, with undo and redo."""
        return self._history.revision

    @property
    def state(self) -> State:
        """The current state."""
        return self._history.state

    @property
    def undoable(self) -> str | None:
        """The name of the action that would be undone."""
        return self._history.undoable

    @property
    def redoable(self) -> str | None:
        """The name of the action that would be redone."""
        return self._history.redoable

    def do(self, action: Action, *, revision: int) -> None:
        """Apply an action to a revision; ConflictError if that is not the current one."""
        with self._changing(revision):
            self._history.do(action, self._check)

    def undo(self, *, revision: int) -> None:
        """Undo the last action."""
        with self._changing(revision):
            self._history.undo()

    def redo(self, *, revision: int) -> None:
        """Redo the action that was undone last."""
        with self._changing(revision):
            self._history.redo()

    def add_page(self, name: str, content: bytes) -> str:
        """Add a page under a free name like this one; returns the chosen name."""
        _require_page(name, content)
        with self._lock:
            self._require_open()
            if len(self.state.pages) >= STUDIO_PAGES:
                raise UsageError(f"a project may have at most {STUDIO_PAGES} pages")
            chosen = self._free_name(name)
            # The file first: a crash leaves an unused file, not a page without content.
            write(self.folder / "pages" / chosen, content)
            with self._changing(self.revision):
                self._history.do(AddPage(page=chosen), self._check)
            return chosen

    def attach(self, page: str, files: Mapping[str, bytes], *, base: str | None = None) -> None:
        """Add style sheets, images and fonts to a page, by the addresses that it uses."""
        self.path(page)
        with self._lock:
            self._require_open()
            self.kept.attach(page, files, base=base)

    def add_visit(self, name: str, content: bytes) -> None:
        """Add a new page of the site, to check published wrappers on it."""
        _require_page(name, content)
        with self._lock:
            self.visit.add(_plain_name(name), content)

    def add_more(self, name: str, content: bytes) -> None:
        """Add a page to extract from that is not part of the project."""
        _require_page(name, content)
        with self._lock:
            self.more.add(_plain_name(name), content)

    def path(self, page: str) -> Path:
        """The file of a page."""
        if page not in self.state.pages:
            raise UsageError(f"unknown page {page!r}")
        return self.folder / "pages" / page

    def page(self, page: str) -> Page:
        """A page."""
        path = self.path(page)
        with self._lock:
            text = self._texts.get(page)
            if text is None:
                with _disk(path):
                    content = path.read_bytes()
                text = self._texts[page] = read_page(content, page)
                if len(self._texts) > _CACHED_PAGES:
                    self._texts.popitem(last=False)
            self._texts.move_to_end(page)
            return text

    def example(self, page: str, label: Label) -> Example:
        """A page with its label; LabelError if they contradict each other."""
        return example_of(self.page(page), label)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing changes meanwhile."""
        with self._lock:
            yield

    def close(self) -> None:
        """Unlock the folder; nothing is written to it any more."""
        with self._lock:
            self._claim.close()

    @contextmanager
    def _changing(self, revision: int) -> Iterator[None]:
        with self._lock:
            self._require_open()
            # Optimistic locking: the window has seen another state than the current one.
            if revision != self.revision:
                raise ConflictError("the project was changed in another window")
            before = self.state
            yield
            self._write_labels(before)

    def _require_open(self) -> None:
        if self._claim.closed:
            raise ConflictError("the project was renamed or deleted in another window")

    def _check(self, following: State) -> None:
        """Refuse invalid labels."""
        # Labels that an action leaves alone are the same objects: only changed ones are checked.
        for page, label in following.labels.items():
            if label is not self.state.labels.get(page):
                self.example(page, label)
                for record in label.rejected:
                    Example(self.page(page), [fold(record, complete=False)])
                # Nothing was asked for yet, so the page says nothing: it would only mislead.
                if label.complete and not label.records and not following.fields:
                    raise UsageError("name a field before you accept a page")

    def _write_labels(self, before: State) -> None:
        """Write the files for the command line. The studio itself reads only the history."""
        state = self.state
        if state.labels != before.labels or state.pages != before.pages:
            lines = [
                label_line(self.example(page, state.labels[page])) + "\n"
                for page in state.pages
                if page in state.labels and state.labels[page].is_usable
            ]
            content = "".join(lines).encode("utf-8", "backslashreplace")
            write(self.folder / "labels.jsonl", content)
        settings = {
            "rowen": 1,
            "kind": "project",
            "fields": state.fields,
            "class": state.wrapper_class,
            "types": state.types,
            "pages": state.pages,
        }
        text = json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
        write(self.folder / "project.json", text.encode("utf-8", "backslashreplace"))

    def _free_name(self, name: str) -> str:
        """A file name like this one that no page has or had."""
        # Removed pages keep their files and names, so that undo finds them.
        plain = _plain_name(name)
        stem, _, suffix = plain.rpartition(".")
        number = 1
        while (self.folder / "pages" / plain).exists():
            number += 1
            plain = f"{stem}-{number}.{suffix}"
        return plain


def _require_page(name: str, content: bytes) -> None:
    """Refuse a file that is not a page."""
    if len(content) > STUDIO_PAGE_BYTES:
        raise DocumentError(
            name, f"is larger than {STUDIO_PAGE_BYTES:,} bytes, the limit of the studio"
        )
    # Text has no NUL characters; a page in UTF-16 is decoded before this check.
    if "\0" in read_page(content, name).text[:1024]:
        raise DocumentError(name, "is binary data, not text or HTML")


def _plain_name(name: str) -> str:
    """A safe file name like this one."""
    # No separators and no leading dots: the name can't lead out of the folder.
    plain = _UNFIT.sub("-", name.replace("\\", "/").rsplit("/", 1)[-1]).strip("-.") or "page"
    stem, dot, suffix = plain.rpartition(".")
    if not dot or len(suffix) > 10:
        stem, suffix = plain, "html"
    return f"{stem.encode()[:_NAME_BYTES].decode(errors='ignore')}.{suffix}"


def write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    with _disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content)


@contextmanager
def _disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OutputError(f"can't use {path}: {reason}") from None
