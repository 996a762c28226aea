"""Give pages the files that they refer to."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from rowen.studio.saved.files import VIEW_FILE_BYTES

WANTED_ROUNDS = 4
"""Limit: how often a page is asked what it lacks: style sheets refer to others, those to images."""

Find: TypeAlias = Callable[[str], bytes | None]
"""The content of the file at an address; None if there is none."""


def wanted_files(
    show: Callable[[], bytes], find: Find, attach: Callable[[Mapping[str, bytes]], None]
) -> None:
    """Attach what a page wants and `find` has, until it wants nothing more of that.

    `show` makes the page's view, which says what it lacks.
    """
    for _ in range(WANTED_ROUNDS):
        contents = {url: find(url) for url in json.loads(show())["wanted"]}
        files = {url: content for url, content in contents.items() if content is not None}
        if not files:
            return
        attach(files)


def find_in_folder(root: Path, page: Path) -> Find:
    """Finds files in a folder by addresses that are relative to a page in it."""
    top = root.resolve()

    def find(url: str) -> bytes | None:
        parts = urlsplit(url)
        if parts.scheme not in ("", "file") or parts.netloc:
            return None
        for path in dict.fromkeys((unquote(parts.path), url)):
            # An address from the root of the site is one from the root of its copy.
            start = top if path.startswith("/") else page.parent
            with suppress(OSError, ValueError):  # such as a path that is too long, or has a NUL
                target = (start / path.lstrip("/")).resolve()
                if target.is_relative_to(top) and target.is_file():
                    return target.read_bytes() if target.stat().st_size <= VIEW_FILE_BYTES else None
        return None

    return find
