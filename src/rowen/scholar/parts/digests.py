"""Digests of what parts of a paper are made of.

They have a secret key, so that nobody outside can look for two inputs with the same digest. What is
digested is all that a part depends on, with no two inputs written alike: equal digests mean equal
inputs, and so equal results.
"""

import json
import struct
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

from rowen.scholar.flow.declared import Declared
from rowen.scholar.layout import Layout, Line
from rowen.scholar.layout.pdf import PageCharacters

DIGEST_BYTES = 16
"""By chance two in a thousand million million million inputs would share one."""


def page_digest(page: PageCharacters, key: bytes) -> bytes:
    """All that the lines of a page are made of, but not which page it is."""
    found = blake2b(digest_size=DIGEST_BYTES, key=key, person=b"page")
    faces = json.dumps([[face.name, face.bold, face.italic] for face in page.faces]).encode()
    found.update(struct.pack("<ddQQ", page.width, page.height, len(page.codes), len(faces)))
    found.update(faces)
    for column in (page.codes, page.places, page.fonts, page.turned, page.unmapped):
        found.update(column.tobytes())
    return found.digest()


def pages_digest(pages: Sequence[bytes], total: int, key: bytes) -> bytes:
    """All of a PDF that anything is made of: its pages, given by their digests, and how many."""
    return _digest(struct.pack("<Q", total) + b"".join(pages), b"pdf", key)


def flow_digest(layout: Layout, declared: Declared, text: bytes, key: bytes) -> bytes:
    """The same of a document without a layout: the lines set here, what is declared, its text."""
    lines = [
        (line.text, line.page, line.left, line.right, line.baseline, line.size, line.bold,
         line.raised, line.gaps)
        for line in layout.lines
    ]  # fmt: skip
    shown = _written(lines, layout.pages, layout.warnings, repr(declared))
    return _digest(struct.pack("<Q", len(shown)) + shown + text, b"flow", key)


def words_digest(lines: Iterable[Line], key: bytes) -> bytes:
    """What the words of some lines tell."""
    return _digest(_written([(line.text, line.raised) for line in lines]), b"words", key)


def reference_digest(raw: str, key: bytes) -> bytes:
    """A reference string."""
    return _digest(raw.encode("utf-8", "surrogatepass"), b"reference", key)


def stage_digest(stage: str, shown: str, key: bytes) -> bytes:
    """What a stage's representations are written from, shown in full."""
    return _digest(f"{stage}\n{shown}".encode("utf-8", "surrogatepass"), b"stage", key)


def _written(*data: Any) -> bytes:
    """Data as JSON, where strings and lists have ends; floats are written so that none is lost."""
    return json.dumps(data).encode()


def _digest(data: bytes, kind: bytes, key: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST_BYTES, key=key, person=kind).digest()
