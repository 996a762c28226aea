"""Digests of the inputs of a paper's parts: the keys of the cache.

A digest covers everything that a part depends on, and its encoding is injective: different inputs
are different bytes, because lengths and ends are written, too. So equal digests mean equal inputs.
Digests have a secret key, so that an attacker can't search for two inputs with the same digest.
"""

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields
from functools import lru_cache
from hashlib import blake2b, shake_256
from operator import attrgetter
from typing import Any

import numpy as np

from rowen._core import universal_hash
from rowen.citations.markers.years import Works
from rowen.papers.flow.declared import Declared
from rowen.pdf import Layout, Line
from rowen.pdf.characters import PageCharacters

_SHOWN = attrgetter(*(field.name for field in fields(Line) if field.name != "offsets"))
"""All fields of a line except the places of its letters, which no author depends on."""

_UNIVERSAL_KEY_BYTES = 1040
"""What `universal_hash` needs."""

DIGEST_BYTES = 16
"""128 bits: two equal digests by chance are to be expected only among 2**64 inputs."""


def page_digest(page: PageCharacters, key: bytes) -> bytes:
    """The digest of all that is read of a page: what its lines depend on, and what is drawn on it.

    The page's number is no part of it.

    A paper has megabytes of this. So a universal hash under a secret key first shrinks them to a
    thirtieth, five times as fast as a digest would be. Every column has as many rows as there are
    codes or shapes, so the lengths are digested, too.
    """
    faces = json.dumps([[face.name, face.bold, face.italic] for face in page.faces]).encode()
    head = struct.pack(
        "<ddQQQ", page.width, page.height, len(page.codes), len(faces), len(page.shapes)
    )
    secret = _universal_key(key)
    columns = (page.codes, page.places, page.fonts, page.turned, page.unmapped, page.shapes)
    hashes = [
        universal_hash(np.ascontiguousarray(column).reshape(-1).view(np.uint8), secret)
        for column in columns
    ]
    return _digest(b"".join((head, faces, *hashes)), b"page", key)


@lru_cache(maxsize=16)
def _universal_key(key: bytes) -> bytes:
    return shake_256(b"universal hash of pages" + key).digest(_UNIVERSAL_KEY_BYTES)


def pages_digest(pages: Sequence[bytes], total: int, key: bytes) -> bytes:
    """The digest of a whole PDF: of its pages' digests and its number of pages.

    `total` counts, as the pages beyond the limit lead to a warning.
    """
    return _digest(struct.pack("<Q", total) + b"".join(pages), b"pdf", key)


def flow_digest(layout: Layout, declared: Declared, text: bytes, key: bytes) -> bytes:
    """The digest of a whole plain text or HTML page: its lines, declared metadata and text."""
    lines = [
        (line.text, line.page, line.left, line.right, line.baseline, line.size, line.bold,
         line.raised, line.gaps)
        for line in layout.lines
    ]  # fmt: skip
    shown = _written(lines, layout.pages, layout.warnings, repr(declared))
    return _digest(struct.pack("<Q", len(shown)) + shown + text, b"flow", key)


def words_digest(lines: Iterable[Line], key: bytes) -> bytes:
    """The digest of what the word features of lines depend on."""
    return _digest(_written([(line.text, line.raised) for line in lines]), b"words", key)


def front_digest(front: Iterable[tuple[Line, str]], key: bytes) -> bytes:
    """The digest of the lines that may name authors, with their labels."""
    shown = [(label, *_SHOWN(line)) for line, label in front]
    return _digest(_written(shown), b"front", key)


def reference_digest(raw: str, key: bytes) -> bytes:
    """The digest of a reference string."""
    return _digest(raw.encode("utf-8", "surrogatepass"), b"reference", key)


def works_digest(works: Works, key: bytes) -> bytes:
    """The digest of the references that markers with years can be linked to."""
    return _digest(_written(works), b"works", key)


def dated_digest(text: str, works: bytes, key: bytes) -> bytes:
    """The digest of a text and of the references that its markers can be linked to."""
    # `works` has a fixed length, so the two can't be confused.
    return _digest(works + text.encode("utf-8", "surrogatepass"), b"dated", key)


def stage_digest(stage: str, shown: str, key: bytes) -> bytes:
    """The digest of the values that a stage's representations are written from."""
    return _digest(f"{stage}\n{shown}".encode("utf-8", "surrogatepass"), b"stage", key)


def _written(*data: Any) -> bytes:
    """Data as JSON: strings and lists are delimited, and floats are written without loss."""
    return json.dumps(data, default=astuple).encode()


def _digest(data: bytes, kind: bytes, key: bytes) -> bytes:
    # `person` separates the kinds: a reference string and a text with equal bytes differ.
    return blake2b(data, digest_size=DIGEST_BYTES, key=key, person=kind).digest()
