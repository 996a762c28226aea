"""The files that a project keeps for its pages.

Pages of a site share most of their files, so each content is stored once, under its digest:

    files/content/DIGEST
    files/PAGE.json         {"url": "https://...", "files": {"p1_files/a.css": "DIGEST"}}
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from rowen.model.errors import DocumentError, UsageError
from rowen.studio.saved.files import VIEW_FILE_BYTES, VIEW_FILES

FILE_URL_CHARACTERS = 4_000
"""Limit: the length of the address of a page's file."""


@dataclass(frozen=True, slots=True)
class Attached:
    """The files of a page: their digests by their addresses, as the page uses them."""

    base: str = ""
    """The address of the page itself, if it has one."""
    digests: Mapping[str, str] = field(default_factory=dict)


class Kept:
    """The files of all pages of a project."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder = folder
        self._write = write

    def attached(self, page: str) -> Attached:
        """The files of a page."""
        try:
            saved = json.loads((self._folder / f"{page}.json").read_bytes())
        except FileNotFoundError:
            return Attached()
        return Attached(saved["url"], saved["files"])

    def content(self, digest: str) -> bytes:
        """The content of a file."""
        return (self._folder / "content" / digest).read_bytes()

    def attach(self, page: str, files: Mapping[str, bytes], *, base: str | None = None) -> None:
        """Add files to a page, by the addresses that it uses."""
        before = self.attached(page)
        digests = dict(before.digests)
        for url, content in files.items():
            if len(content) > VIEW_FILE_BYTES or len(url) > FILE_URL_CHARACTERS:
                raise DocumentError(url[:100], f"is larger than {VIEW_FILE_BYTES:,} bytes")
            digests[url] = digest = sha256(content).hexdigest()[:40]
            target = self._folder / "content" / digest
            if not target.exists():
                self._write(target, content)
        if len(digests) > VIEW_FILES:
            raise UsageError(f"a page may have at most {VIEW_FILES:,} files")
        # Contents first: a crash leaves unused files, not a page that refers to missing ones.
        saved = {"url": before.base if base is None else base, "files": digests}
        text = json.dumps(saved, ensure_ascii=False, indent=1)
        self._write(self._folder / f"{page}.json", text.encode("utf-8", "backslashreplace"))
