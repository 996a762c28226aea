"""Pictures of a PDF's pages: what a viewer shows, drawn by pdfium, with at most 256 colours.

A picture is for looking only: nothing is read from it. Each page has limits of pixels, bytes and
seconds of its own; a page that exceeds one, and those after the last pictured page, have none.
"""

import ctypes
import struct
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

PICTURED_PAGES = 100
"""Limit: pages of a PDF that have a picture; the text of others is drawn in its place. A picture of
a page has about 110 KB, and a browser that shows a hundred is still quick."""

PICTURES_BYTES = 12 * 1024 * 1024
"""Limit: bytes of a PDF's pictures together."""

PICTURE_BYTES = 1024 * 1024
"""Limit: bytes of one picture; scanned photographs have half."""

PICTURE_EDGE = 1_400
"""Limit: pixels of a picture's longer edge, 120 to an inch of a letter page: small print is
legible."""

PICTURE_SECONDS = 2.0
"""Limit: seconds for drawing a page; maps with a hundred thousand lines take one."""

PICTURES_SECONDS = 20.0
"""Limit: seconds for drawing all pages of a PDF; a hundred usual ones take seven."""

_LARGEST_PAGE = 15_000.0  # points: no page is larger
_COLOURS = 256
_LEVELS = 32  # of red, green and blue: finer differences are not kept
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as rows of colours: each row a zero and a byte per pixel, the index of its colour."""

    width: int
    height: int
    palette: bytes
    """Red, green and blue of each colour."""
    rows: bytes
    """The rows, compressed by zlib."""

    def __post_init__(self) -> None:
        # The process that drew it may have been taken over by the document.
        edges = (self.width, self.height)
        if not all(0 < edge <= PICTURE_EDGE for edge in edges):
            raise ValueError("a picture has an impossible size")
        if not 0 < len(self.palette) <= 3 * _COLOURS or len(self.palette) % 3:
            raise ValueError("a picture has an impossible palette")
        if len(self.rows) > PICTURE_BYTES:
            raise ValueError("a picture is too large")

    def png(self) -> bytes:
        """The picture as a PNG file."""
        head = struct.pack("!IIBBBBB", self.width, self.height, 8, 3, 0, 0, 0)
        parts = ((b"IHDR", head), (b"PLTE", self.palette), (b"IDAT", self.rows), (b"IEND", b""))
        return _SIGNATURE + b"".join(_chunk(name, content) for name, content in parts)


def pictures_of(content: bytes, turns: Sequence[int]) -> tuple[Picture | None, ...]:
    """The pictures of a PDF's first pages, turned upright as their text is; None where one fails.

    `turns` are the directions of the text of each page.
    """
    import pypdfium2

    pictures: list[Picture | None] = []
    room, end = PICTURES_BYTES, monotonic() + PICTURES_SECONDS
    with suppress(pypdfium2.PdfiumError), pypdfium2.PdfDocument(content) as document:
        for number, turn in enumerate(turns[: min(PICTURED_PAGES, len(document))]):
            drawn = _drawn(document, number, turn, end)
            picture = None if drawn is None else _picture(drawn)
            if picture is not None:
                room -= len(picture.rows)
                if room < 0:
                    break
            pictures.append(picture)
    return tuple(pictures)


def _drawn(document: Any, number: int, turn: int, end: float) -> NDArray[np.uint8] | None:
    """The pixels of a page; None where it is broken, or takes too long."""
    import pypdfium2

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return None
    try:
        rotation = page.get_rotation() // 90
        sides = page.get_size()
        if not all(1 < side < _LARGEST_PAGE for side in sides):
            return None
        turned = (turn - rotation) % 4
        if turned % 2:
            sides = sides[::-1]
        scale = PICTURE_EDGE / max(sides)
        width, height = (max(1, min(PICTURE_EDGE, round(side * scale))) for side in sides)
        return _pixels(page, width, height, turned, min(end, monotonic() + PICTURE_SECONDS))
    finally:
        page.close()


def _pixels(
    page: Any, width: int, height: int, turned: int, until: float
) -> NDArray[np.uint8] | None:
    """A page drawn on white; pdfium asks now and then whether to pause."""
    from pypdfium2 import raw

    def late(_pause: Any) -> bool:
        return monotonic() > until

    stops = type(raw.IFSDK_PAUSE().NeedToPauseNow)(late)
    pause = raw.IFSDK_PAUSE(version=1, NeedToPauseNow=stops)
    bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_BGRx, None, 0)
    if not bitmap:
        return None
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        state = raw.FPDF_RenderPageBitmap_Start(
            bitmap, page.raw, 0, 0, width, height, turned, raw.FPDF_REVERSE_BYTE_ORDER, pause
        )
        raw.FPDF_RenderPage_Close(page.raw)
        if state != raw.FPDF_RENDER_DONE:
            return None
        stride = raw.FPDFBitmap_GetStride(bitmap)
        buffer = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    rows = np.frombuffer(buffer, np.uint8).reshape(height, stride)
    return rows[:, : 4 * width].reshape(height, width, 4)[..., :3]


def _picture(pixels: NDArray[np.uint8]) -> Picture | None:
    """Pixels in the colours that most of them have; others get the nearest of these."""
    levels = (pixels // (256 // _LEVELS)).astype(np.uint16)
    codes = (levels[..., 0] * _LEVELS + levels[..., 1]) * _LEVELS + levels[..., 2]
    counts = np.bincount(codes.ravel(), minlength=_LEVELS**3)
    present = np.flatnonzero(counts)
    kept = present[np.argsort(-counts[present], kind="stable")][:_COLOURS]
    colours = _channels(kept)
    indexes = np.zeros(_LEVELS**3, np.uint8)
    for part in np.array_split(present, len(present) // 1024 + 1):
        distances = ((_channels(part)[:, None] - colours[None]) ** 2).sum(axis=2)
        indexes[part] = distances.argmin(axis=1)
    height, width = codes.shape
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = indexes[codes]
    packed = zlib.compress(rows.tobytes(), 6)
    if len(packed) > PICTURE_BYTES:
        return None
    palette = (colours * 255 // (_LEVELS - 1)).astype(np.uint8)
    return Picture(width, height, palette.tobytes(), packed)


def _channels(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.column_stack((codes // _LEVELS**2, codes // _LEVELS % _LEVELS, codes % _LEVELS))


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = struct.pack("!I", zlib.crc32(name + content))
    return struct.pack("!I", len(content)) + name + content + checksum
