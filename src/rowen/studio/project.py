"""A project: a folder with pages, what is marked on them, and what was learned.

The command line understands it: `rowen learn PROJECT/pages --labels PROJECT/labels.jsonl`.
"""

import fcntl
import json
import os
import re
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from rowen.documents.charset import read_page
from rowen.export.target import open_target
from rowen.limits import STUDIO_PAGE_BYTES, STUDIO_PAGES
from rowen.model import Example, Page
from rowen.model.errors import DocumentError, OutputError, RowenError, StoreError, UsageError
from rowen.studio.actions import Action, AddPage
from rowen.studio.history import History
from rowen.studio.published import Published
from rowen.studio.state import Label, State
from rowen.studio.visit import Visit
from rowen.wrappers.labels import label_line

HISTORY = "history.jsonl"
_CACHED_PAGES = 64
_UNFIT = re.compile(r"[^\w.()+,=@-]+")
_NAME_BYTES = 150


class ConflictError(RowenError):
    """Somebody else has changed the project meanwhile: look at it as it is now."""

    exit_code = 6
    http_status = 409


class Project:
    """A folder that one process works on; every method may be used by any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = RLock()
        self._texts: OrderedDict[str, Page] = OrderedDict()
        self.published = Published(folder / "published", _write)
        self.visit = Visit(folder / "visit", _write)
        with _disk(folder):
            (folder / "pages").mkdir(parents=True, exist_ok=True)
            self._claim = (folder / "lock").open("wb")
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
        """Counts all that was done, undoing too."""
        return self._history.revision

    @property
    def state(self) -> State:
        """What the project is now."""
        return self._history.state

    @property
    def undoable(self) -> str | None:
        """What would be undone."""
        return self._history.undoable

    @property
    def redoable(self) -> str | None:
        """What would be redone."""
        return self._history.redoable

    def do(self, action: Action, *, revision: int) -> None:
        """Do something to the state that a person saw; ConflictError where it is no longer so."""
        with self._changing(revision):
            self._history.do(action, self._check)

    def undo(self, *, revision: int) -> None:
        """Take the last thing back."""
        with self._changing(revision):
            self._history.undo()

    def redo(self, *, revision: int) -> None:
        """Do again what was taken back."""
        with self._changing(revision):
            self._history.redo()

    def add_page(self, name: str, content: bytes) -> str:
        """Keep a page under a name like the one given, and tell which."""
        _require_page(name, content)
        with self._lock:
            if len(self.state.pages) >= STUDIO_PAGES:
                raise UsageError(f"a project has at most {STUDIO_PAGES} pages")
            chosen = self._free_name(name)
            _write(self.folder / "pages" / chosen, content)
            with self._changing(self.revision):
                self._history.do(AddPage(page=chosen), self._check)
            return chosen

    def add_visit(self, name: str, content: bytes) -> None:
        """Keep a new page of the site, which belongs to the project once that is repaired."""
        _require_page(name, content)
        with self._lock:
            self.visit.add(_plain_name(name), content)

    def path(self, page: str) -> Path:
        """Where a page's file is."""
        if page not in self.state.pages:
            raise UsageError(f"no page is called {page!r}")
        return self.folder / "pages" / page

    def page(self, page: str) -> Page:
        """A page's text."""
        path = self.path(page)
        with self._lock:
            found = self._texts.get(page)
            if found is None:
                with _disk(path):
                    content = path.read_bytes()
                found = self._texts[page] = read_page(content, page)
                if len(self._texts) > _CACHED_PAGES:
                    self._texts.popitem(last=False)
            self._texts.move_to_end(page)
            return found

    def example(self, page: str, label: Label) -> Example:
        """A page with its label; LabelError where they contradict each other."""
        return Example(self.page(page), label.records, partial=not label.complete)

    def close(self) -> None:
        """Let go of the folder."""
        self._claim.close()

    @contextmanager
    def _changing(self, revision: int) -> Iterator[None]:
        with self._lock:
            if revision != self.revision:
                raise ConflictError("the project was changed in another window meanwhile")
            before = self.state
            yield
            self._write_labels(before)

    def _check(self, following: State) -> None:
        """Refuse labels that contradict their pages or themselves."""
        for page, label in following.labels.items():
            if label is not self.state.labels.get(page):
                self.example(page, label)

    def _write_labels(self, before: State) -> None:
        """What the command line reads; the history has it all, so it may be late by one."""
        state = self.state
        if state.labels != before.labels or state.pages != before.pages:
            lines = [
                label_line(self.example(page, state.labels[page])) + "\n"
                for page in state.pages
                if page in state.labels and state.labels[page].tells
            ]
            content = "".join(lines).encode("utf-8", "backslashreplace")
            _write(self.folder / "labels.jsonl", content)
        settings = {
            "rowen": 1,
            "kind": "project",
            "fields": state.fields,
            "class": state.wrapper_class,
            "pages": state.pages,
        }
        text = json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
        _write(self.folder / "project.json", text.encode("utf-8", "backslashreplace"))

    def _free_name(self, name: str) -> str:
        """A name for a file, of what somebody called it, that no page has or had."""
        plain = _plain_name(name)
        stem, _, suffix = plain.rpartition(".")
        number = 1
        while (self.folder / "pages" / plain).exists():
            number += 1
            plain = f"{stem}-{number}.{suffix}"
        return plain


def _require_page(name: str, content: bytes) -> None:
    """Refuse what is no page."""
    if len(content) > STUDIO_PAGE_BYTES:
        raise DocumentError(
            name, f"is larger than the {STUDIO_PAGE_BYTES:,} bytes that the studio opens"
        )
    if "\0" in read_page(content, name).text[:1024]:
        raise DocumentError(name, "is binary data, not a page of text or HTML")


def _plain_name(name: str) -> str:
    """A name for a file, of what somebody called it."""
    plain = _UNFIT.sub("-", name.replace("\\", "/").rsplit("/", 1)[-1]).strip("-.") or "page"
    stem, dot, suffix = plain.rpartition(".")
    if not dot or len(suffix) > 10:
        stem, suffix = plain, "html"
    return f"{stem.encode()[:_NAME_BYTES].decode(errors='ignore')}.{suffix}"


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    with _disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    target = open_target(path)
    try:
        target.write(content)
    except BaseException:
        target.abandon()
        raise
    target.commit()


@contextmanager
def _disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OutputError(f"can't use {path}: {reason}") from None
