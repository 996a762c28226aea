"""Parts as bytes, to be stored and sent between processes.

The bytes may come from a process that a hostile document has taken over. So unpacking checks or
converts every value. Bytes that are not a part raise `DamagedError` and count as not cached.

    a page          checksum, counts of lines, blocks and letters, 6 floats per line, word features,
                    places of letters, JSON
    word features   checksum, 64-bit numbers
    others          checksum, JSON

A citation is JSON without a checksum. Parts with a checksum have at most `PART_BYTES`.
"""

import json
import struct
import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import repeat
from operator import attrgetter
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.citations.citation import Citation, Name
from rowen.citations.markers.marker import Marker
from rowen.papers.parts.digests import DIGEST_BYTES
from rowen.papers.people import Author
from rowen.papers.zones.words import WORD_FEATURES
from rowen.pdf.document import PageLines
from rowen.pdf.lines import Lead, lines_from

PARTS_FORM = 6
"""Raised whenever parts are packed or digested in another way: stored parts of another form are
never read."""

PART_BYTES = 16 * 1024 * 1024
"""Limit: bytes of a cached part of a paper; the lines of the fullest page take half of it."""


_LENGTH = struct.Struct("<I")
_HEAD = struct.Struct("<III")
_SUM = struct.Struct("<I")
_PLACES = 6
_FACES = ((False, False), (False, True), (True, False), (True, True))
"""Bold and italic by the number from 0 to 3 that stands for both."""
_OTHERS = frozenset(
    ("raw", "spans", "authors", "editors", "confidence", "field_confidence", "is_reference",
     "page", "boxes")
)  # fmt: skip
_TEXTS = tuple(field.name for field in fields(Citation) if field.name not in _OTHERS)
_VALUES = attrgetter(*_TEXTS)


_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DAMAGE = (ValueError, TypeError, LookupError, RecursionError)


class DamagedError(ValueError):
    """The bytes are not a part: damaged, cut off, too large or of other types."""


def joined(parts: Mapping[bytes, bytes]) -> bytes:
    """Parts by digest, as one byte string: digest, length, part, and so on."""
    return b"".join(
        piece for digest, part in parts.items() for piece in (digest, _LENGTH.pack(len(part)), part)
    )


def parted(together: bytes) -> dict[bytes, bytes]:
    """The parts in a byte string that `joined` made; a part that is cut off is left out."""
    parts: dict[bytes, bytes] = {}
    at = 0
    while at + DIGEST_BYTES + _LENGTH.size <= len(together):
        start = at + DIGEST_BYTES + _LENGTH.size
        [length] = _LENGTH.unpack_from(together, at + DIGEST_BYTES)
        if start + length <= len(together):
            parts[together[at : at + DIGEST_BYTES]] = together[start : start + length]
        at = start + length
    return parts


def pack_page(page_lines: PageLines, first: int, rows: NDArray[np.uint64]) -> bytes:
    """Pack the lines of a page and their word features; `first` is the number of its first block.

    Block numbers are stored relative to `first`, so that the same page can be anywhere in a PDF.
    Every new paper pays for this. One list per field is the fastest way to read the fields of many
    objects: `attrgetter` takes three times as long.
    """
    lines = page_lines.lines
    fonts = [line.font for line in lines]
    numbers = {font: 4 * number for number, font in enumerate(dict.fromkeys(fonts))}
    tail = _ENCODER.encode(
        [
            list(numbers),
            [line.text for line in lines],
            [
                (i, line.raised, line.gaps, astuple(line.lead) if line.lead else None)
                for i, line in enumerate(lines)
                if line.raised or line.gaps or line.lead
            ],
        ]
    ).encode()
    # Floats as bytes, not as JSON: nothing is lost, and there are six per line.
    places = array("d", [line.left for line in lines])
    places.extend([line.bottom for line in lines])
    places.extend([line.right for line in lines])
    places.extend([line.top for line in lines])
    places.extend([line.baseline for line in lines])
    places.extend([line.size for line in lines])
    offsets = array("H", [offset for line in lines for offset in line.offsets])
    blocks = array("i", [line.block - first for line in lines])
    types = array("i", [numbers[line.font] + 2 * line.bold + line.italic for line in lines])
    if sys.byteorder != "little":
        for column in (places, offsets, blocks, types):
            column.byteswap()
    head = _HEAD.pack(len(lines), page_lines.blocks, len(offsets))
    words = rows.astype("<u8", copy=False).tobytes()
    return _sealed(head, places, words, blocks, types, offsets, tail)


_Marks: TypeAlias = tuple[tuple[tuple[int, int], ...], tuple[int, ...], Lead | None]
"""The raised spans, the gaps and the lead of a line."""


@dataclass(frozen=True, slots=True)
class PackedPage:
    """The lines of a page, without its place in the document, and their word features."""

    rows: NDArray[np.uint64]
    _blocks: int
    _fonts: list[str]
    _texts: list[str]
    _numbers: list[int]
    _types: list[int]
    _places: list[list[float]]
    _marks: dict[int, _Marks]
    _offsets: list[int]

    @classmethod
    def of(cls, packed: bytes) -> Self:
        """Unpack what `pack_page` returned; DamagedError for anything else."""
        try:
            plain = _unsealed(packed)
            # Sound for a false count: `reshape` fails on too few bytes, `json.loads` on too many.
            count, blocks, letters = _HEAD.unpack_from(plain)
            unread = memoryview(plain)[_HEAD.size :]
            columns = []
            for kind, width in (("<f8", _PLACES), ("<u8", len(WORD_FEATURES)), ("<i4", 2)):
                size = np.dtype(kind).itemsize * width * count
                columns.append(np.frombuffer(unread[:size], kind))
                unread = unread[size:]
            places, rows = (
                columns[0].reshape(_PLACES, count),
                columns[1].reshape(count, len(WORD_FEATURES)),
            )
            numbers, types = columns[2].reshape(2, count).tolist()
            offsets = np.frombuffer(unread[: 2 * letters], "<u2").tolist()
            fonts, texts, special = json.loads(bytes(unread[2 * letters :]))
            if not _all_are(str, fonts, texts):
                raise DamagedError("other types")
            if len(texts) != count:
                raise DamagedError("not as many lines")
            if sum(map(len, texts)) != len(offsets):
                raise DamagedError("not as many letters")
            if types and not 0 <= min(types) <= max(types) < len(_FACES) * len(fonts):
                raise DamagedError("no such font")
            marks = {
                int(i): (
                    tuple((int(a), int(b)) for a, b in raised),
                    tuple(map(int, gaps)),
                    Lead(int(lead[0]), str(lead[1]), bool(lead[2]), bool(lead[3]))
                    if lead
                    else None,
                )
                for i, raised, gaps, lead in special
            }
        except (*_DAMAGE, OverflowError, struct.error) as error:
            raise DamagedError("no lines") from error
        own = rows.astype(np.uint64, copy=False)
        return cls(own, blocks, fonts, texts, numbers, types, places.tolist(), marks, offsets)

    def lines(self, page: int, first: int) -> PageLines:
        """The lines on page `page`, with blocks numbered from `first` on."""
        faces = [(font, *face) for font in self._fonts for face in _FACES]
        none: _Marks = ((), (), None)
        marks = [self._marks.get(i, none) for i in range(len(self._texts))]
        lines = lines_from(
            self._texts,
            repeat(page),
            [first + number for number in self._numbers],
            *self._places,
            *([faces[type_][i] for type_ in self._types] for i in range(3)),
            *([mark[i] for mark in marks] for i in range(2)),
            list(_cut(self._offsets, self._texts)),
            [mark[2] for mark in marks],
        )
        return PageLines(lines, self._blocks)


def _cut(offsets: list[int], texts: list[str]) -> Iterator[tuple[int, ...]]:
    """The places of letters of each text."""
    at = 0
    for text in texts:
        yield tuple(offsets[at : at + len(text)])
        at += len(text)


def pack_words(rows: NDArray[np.uint64]) -> bytes:
    """Pack word features, one row per line."""
    return _sealed(rows.astype("<u8", copy=False).tobytes())


def unpack_words(packed: bytes, count: int) -> NDArray[np.uint64]:
    """Unpack `count` rows of word features; DamagedError for anything else."""
    plain = _unsealed(packed)
    if len(plain) != 8 * len(WORD_FEATURES) * count:
        raise DamagedError("not as many lines")
    rows = np.frombuffer(plain, "<u8").astype(np.uint64, copy=False)
    return rows.reshape(count, len(WORD_FEATURES))


def pack_citation(citation: Citation) -> bytes:
    """Pack a citation without its reference string, which the caller has, and its position."""
    authors = [(name.given, name.family) for name in citation.authors]
    editors = [(name.given, name.family) for name in citation.editors]
    sure = (citation.confidence, citation.field_confidence, citation.is_reference)
    return _ENCODER.encode((citation.spans, authors, editors, _VALUES(citation), sure)).encode()


def unpack_citation(packed: bytes, raw: str) -> Citation:
    """Unpack the citation of a reference string; DamagedError for anything else."""
    try:
        spans, authors, editors, texts, (confidence, by_field, is_reference) = json.loads(packed)
        values: dict[str, Any] = {
            name: None if text is None else str(text)
            for name, text in zip(_TEXTS, texts, strict=True)
        }
        return Citation(
            raw,
            {
                str(name): [(int(start), int(end)) for start, end in places]
                for name, places in spans.items()
            },
            authors=tuple(Name(str(given_name), str(family)) for given_name, family in authors),
            editors=tuple(Name(str(given_name), str(family)) for given_name, family in editors),
            confidence=None if confidence is None else float(confidence),
            field_confidence={str(name): float(value) for name, value in by_field.items()},
            is_reference=bool(is_reference),
            **values,
        )
    except (*_DAMAGE, AttributeError) as error:
        raise DamagedError("no citation") from error


def pack_markers(markers: Sequence[Marker]) -> bytes:
    """Pack the markers of a text."""
    rows = [(marker.start, marker.end, marker.citations) for marker in markers]
    return _sealed(_ENCODER.encode(rows).encode())


def unpack_markers(packed: bytes) -> list[Marker]:
    """Unpack markers; DamagedError for anything else."""
    try:
        return [
            Marker(int(start), int(end), tuple(map(int, citations)))
            for start, end, citations in json.loads(_unsealed(packed))
        ]
    except (*_DAMAGE, OverflowError) as error:
        raise DamagedError("no markers") from error


def pack_authors(authors: Sequence[Author]) -> bytes:
    """Pack authors."""
    rows = [(author.given, author.family, author.affiliations, author.email) for author in authors]
    return _sealed(_ENCODER.encode(rows).encode())


def unpack_authors(packed: bytes) -> list[Author]:
    """Unpack authors; DamagedError for anything else."""
    try:
        return [
            Author(
                str(given_name),
                str(family),
                tuple(map(str, affiliations)),
                None if email is None else str(email),
            )
            for given_name, family, affiliations, email in json.loads(_unsealed(packed))
        ]
    except _DAMAGE as error:
        raise DamagedError("no authors") from error


def _all_are(kind: type, *lists: list[Any]) -> bool:
    # `type`, not `isinstance`: JSON's `true` is an instance of int.
    return all(set(map(type, values)) <= {kind} for values in lists)


def _sealed(*pieces: "bytes | array[Any]") -> bytes:
    """Bytes with a checksum before them. No compression: it takes longer than it saves."""
    total = 0
    for piece in pieces:
        total = zlib.crc32(piece, total)
    return b"".join((_SUM.pack(total), *pieces))


def _unsealed(packed: bytes) -> bytes:
    """The bytes without their checksum; DamagedError where it does not fit."""
    plain = packed[_SUM.size :]
    if len(plain) > PART_BYTES or packed[: _SUM.size] != _SUM.pack(zlib.crc32(plain)):
        raise DamagedError("too large, damaged or cut off")
    return plain
