"""Views of pages, made in processes that see nothing but the page and its own files.

A page comes from anywhere, and its parser is a large piece of C: like everything that reads
documents it runs confined, with bounds of time and memory. The processes that learn have other
pages of the project in memory and are busy for seconds, so views have a process of their own.
"""

import json
from dataclasses import dataclass

from rowen.studio.saved.files import VIEW_FILES, Files
from rowen.studio.view import view_of
from rowen.text.charset import read_page
from rowen.workers import Asker, Pool, Work
from rowen.workers.loading import load_packages

VIEW_SECONDS = 20.0
"""Limit: how long the view of a page may take; the largest that are not refused take some
seconds."""

VIEW_MEMORY_BYTES = 2 * 1024 * 1024 * 1024
"""Limit: the memory for a page's view. The largest trees that are not refused take 0.9 GB; a
parser may need more for 170 KB of tags, before anything can be refused."""


@dataclass(frozen=True, slots=True)
class Show:
    """Make the view of a page that has these files."""

    page: str
    base: str
    """The page's own address; empty if it comes from a folder."""
    urls: tuple[str, ...]


def view_pool() -> Pool[Show, bytes]:
    """Processes that make views, one at a time."""
    return Pool(VIEWS, processes=1, seconds=VIEW_SECONDS, memory=VIEW_MEMORY_BYTES)


def _view(task: Show, asker: Asker) -> bytes:
    """The view of the task's document, as JSON; the page's files are requested by their URLs."""
    page = read_page(asker.document(), task.page)
    files = Files(frozenset(task.urls), asker.ask, task.base)
    return json.dumps(view_of(page, files), separators=(",", ":")).encode()


def _warm_up() -> None:
    load_packages("rowen.text")
    read_page("<p>\xe9</p>".encode("latin-1"), "")  # loads the charset detector


VIEWS: Work[Show, bytes] = Work(
    do=_view,
    task=Show,
    result=bytes,
    question=str,
    reply=bytes,
    messages=2 * VIEW_FILES,  # each file is requested once
    warm=_warm_up,
)
