"""Parts as bytes, to be kept and sent.

They come from a process that has read some document, which may have taken it over: what can't be
unpacked is as good as unknown, and nothing here takes more memory than a limit.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.limits import PART_BYTES
from rowen.scholar.citations.citation import Citation, Name
from rowen.scholar.layout import Line
from rowen.scholar.layout.document import PageLines
from rowen.scholar.parts.digests import DIGEST_BYTES
from rowen.scholar.zones.words import WORDED

_SPEED = 1
"""Of zlib: the next levels take much longer for a tenth less."""
_LENGTH = struct.Struct("<I")
_HEAD = struct.Struct("<II")
_PLACES = 6
_TEXTS = tuple(
    one.name
    for one in fields(Citation)
    if one.name not in {"raw", "spans", "authors", "editors", "page", "boxes"}
)


_DAMAGE = (ValueError, TypeError, LookupError, RecursionError)


class DamagedError(ValueError):
    """Bytes that are no part."""


def joined(parts: Mapping[bytes, bytes]) -> bytes:
    """Parts by their digests, as one string of bytes."""
    return b"".join(
        piece for digest, part in parts.items() for piece in (digest, _LENGTH.pack(len(part)), part)
    )


def parted(together: bytes) -> dict[bytes, bytes]:
    """What `joined` was given; as far as it goes, where it is cut off."""
    found: dict[bytes, bytes] = {}
    at = 0
    while at + DIGEST_BYTES + _LENGTH.size <= len(together):
        start = at + DIGEST_BYTES + _LENGTH.size
        [length] = _LENGTH.unpack_from(together, at + DIGEST_BYTES)
        if start + length <= len(together):
            found[together[at : at + DIGEST_BYTES]] = together[start : start + length]
        at = start + length
    return found


def pack_lines(made: PageLines, first: int) -> bytes:
    """The lines of a page whose first block has this number."""
    lines = made.lines
    fonts = {line.font: None for line in lines}
    numbers = {font: number for number, font in enumerate(fonts)}
    rest = json.dumps(
        [
            list(fonts),
            [line.text for line in lines],
            [(line.block - first, numbers[line.font], line.bold, line.italic) for line in lines],
            [(i, one.raised, one.gaps) for i, one in enumerate(lines) if one.raised or one.gaps],
        ]
    ).encode()  # fmt: skip
    places = np.array([(*line.box, line.baseline, line.size) for line in lines], "<f8").tobytes()
    return zlib.compress(_HEAD.pack(len(lines), made.blocks) + places + rest, _SPEED)


_Row: TypeAlias = tuple[
    str, int, list[float], str, bool, bool, tuple[tuple[int, int], ...], tuple[int, ...]
]
"""A line's text, block, place, font, whether it is bold and italic, what is raised, its gaps."""


@dataclass(frozen=True, slots=True)
class PackedLines:
    """The lines of a page, wherever in a document it stands."""

    blocks: int
    _rows: list[_Row]

    @classmethod
    def of(cls, packed: bytes) -> Self:
        """What `pack_lines` gave; DamagedError where it is something else."""
        try:
            plain = _inflated(packed)
            count, blocks = _HEAD.unpack_from(plain)
            end = _HEAD.size + 8 * _PLACES * count
            places = np.frombuffer(plain[_HEAD.size : end], "<f8").reshape(count, _PLACES).tolist()
            fonts, texts, types, special = json.loads(plain[end:])
            marks = {
                i: (tuple((int(a), int(b)) for a, b in raised), tuple(map(int, gaps)))
                for i, raised, gaps in special
            }
            rows = [
                (str(text), int(block), place, str(fonts[font]), bool(bold), bool(italic),
                 *marks.get(i, ((), ())))
                for i, (text, (block, font, bold, italic), place)
                in enumerate(zip(texts, types, places, strict=True))
            ]  # fmt: skip
        except (*_DAMAGE, OverflowError, struct.error) as error:
            raise DamagedError("no lines") from error
        return cls(blocks, rows)

    def lines(self, page: int, first: int) -> PageLines:
        """The lines as they stand on this page, in blocks from this number on."""
        made = []
        for text, block, place, font, bold, italic, raised, gaps in self._rows:
            left, bottom, right, top, baseline, size = place
            made.append(
                Line(
                    text, page, first + block, left, bottom, right, top, baseline, size, font,
                    bold, italic, raised, gaps, (-1,) * len(text),
                )
            )  # fmt: skip
        return PageLines(made, self.blocks)


def pack_words(rows: NDArray[np.uint64]) -> bytes:
    """What the words of some lines tell, a row each."""
    return zlib.compress(rows.astype("<u8").tobytes(), _SPEED)


def unpack_words(packed: bytes, count: int) -> NDArray[np.uint64]:
    """So many rows that `pack_words` was given; DamagedError where there are others."""
    plain = _inflated(packed)
    if len(plain) != 8 * len(WORDED) * count:
        raise DamagedError("not as many lines")
    return np.frombuffer(plain, "<u8").astype(np.uint64).reshape(count, len(WORDED))


def pack_citation(citation: Citation) -> bytes:
    """What a reference string says, without the string and its place."""
    people = [
        [(name.given, name.family) for name in names]
        for names in (citation.authors, citation.editors)
    ]
    texts = {name: getattr(citation, name) for name in _TEXTS}
    told = {name: text for name, text in texts.items() if text is not None}
    return json.dumps([citation.spans, *people, told], separators=(",", ":")).encode()


def unpack_citation(packed: bytes, raw: str) -> Citation:
    """What `pack_citation` was given, of this string; DamagedError where it is something else."""
    try:
        spans, authors, editors, texts = json.loads(packed)
        told: dict[str, Any] = {name: str(texts[name]) for name in _TEXTS if name in texts}
        return Citation(
            raw,
            {
                str(name): [(int(start), int(end)) for start, end in places]
                for name, places in spans.items()
            },
            authors=tuple(Name(str(given), str(family)) for given, family in authors),
            editors=tuple(Name(str(given), str(family)) for given, family in editors),
            **told,
        )
    except (*_DAMAGE, AttributeError) as error:
        raise DamagedError("no citation") from error


def _inflated(packed: bytes) -> bytes:
    try:
        whole = zlib.decompressobj()
        plain = whole.decompress(packed, PART_BYTES)
    except zlib.error as error:
        raise DamagedError("not compressed") from error
    if not whole.eof:
        raise DamagedError("too large, or cut off")
    return plain
