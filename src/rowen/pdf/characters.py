"""The characters of a PDF's pages with position and font, read by pdfium."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen._core import pdf_characters, pdf_shapes
from rowen.model.errors import DocumentError
from rowen.model.extras import needs
from rowen.pdf.covered import covered_text
from rowen.pdf.leftward import reading_indexes
from rowen.pdf.type3 import real_sizes, tex_letters
from rowen.pdf.upright import Box, boxes_upright, main_direction, turned_upright

PDF_PAGES = 2_000
"""Limit: pages of a PDF that are read; papers have a dozen, theses a few hundred."""

PAGE_CHARACTERS = 50_000
"""Limit: characters of a PDF page that are read; a dense page has 10,000. A hundred thousand all
over a page take longer than the time for a page."""

PAGE_SHAPES = 20_000
"""Limit: drawn objects of a PDF page that are looked at; plots with more are found by the first."""


_FUNCTIONS = (
    "FPDFText_CountChars", "FPDFText_GetUnicode", "FPDFText_GetCharOrigin", "FPDFText_GetCharBox",
    "FPDFText_GetFontSize", "FPDFText_GetMatrix", "FPDFText_HasUnicodeMapError",
    "FPDFText_GetTextObject", "FPDFTextObj_GetFont", "FPDFFont_GetBaseFontName",
    "FPDFFont_GetWeight", "FPDFFont_GetFlags", "FPDFPageObj_GetFillColor",
    "FPDFTextObj_GetTextRenderMode",
)  # fmt: skip
_SHAPE_FUNCTIONS = (
    "FPDFPage_CountObjects", "FPDFPage_GetObject", "FPDFPageObj_GetType", "FPDFPageObj_GetBounds",
    "FPDFPageObj_GetMatrix", "FPDFFormObj_CountObjects", "FPDFFormObj_GetObject",
)  # fmt: skip
_HEAD_BYTES = 1024  # the signature may be anywhere in these, as readers accept it
_ITALIC, _FORCE_BOLD = 1 << 6, 1 << 18  # flags of a font, by the PDF standard
_IMAGE = 3  # pdfium's number for an image
_ALL_PAGES = slice(None)


@dataclass(frozen=True, slots=True)
class Font:
    """A font by name and face."""

    name: str
    bold: bool
    italic: bool


@dataclass(frozen=True, slots=True)
class PageCharacters:
    """A page's characters in the order of the file, one row each; y grows upwards, in points.

    The page is turned so that most of its text is upright (`upright.py`).
    """

    number: int
    width: float
    height: float
    codes: NDArray[np.uint32]
    places: NDArray[np.float32]  # left, bottom, right, top, origin's x and y, size
    fonts: NDArray[np.int32]
    turned: NDArray[np.bool_]  # text that runs in another direction than most of the page
    unmapped: NDArray[np.bool_]  # characters whose font has no map to Unicode
    plain: NDArray[np.bool_]  # ASCII but no accents: needs no further reading
    faces: list[Font]
    shapes: NDArray[np.float32]
    """What is drawn beside text: left, bottom, right, top, and 1 for images, else 0."""
    direction: int = 0
    """The direction of its text before it was turned: right, up, left or down."""


@cache
def _addresses() -> dict[str, int]:
    from pypdfium2 import raw

    return {name: _address(getattr(raw, name)) for name in (*_FUNCTIONS, *_SHAPE_FUNCTIONS)}


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


# Fonts often lack a weight and flags, so their names are searched, too: CMBX is TeX's bold face.
def _font(name: str, weight: int, flags: int) -> Font:
    style = name.rpartition("+")[2].lower()
    bold = weight >= 600 or bool(flags & _FORCE_BOLD) or any(
        word in style for word in ("bold", "black", "heavy", "cmbx", "demi", "-bd", ".b")
    )  # fmt: skip
    italic = bool(flags & _ITALIC) or any(word in style for word in ("ital", "obli", "cmti", ".i"))
    return Font(name, bold, italic)


def _plain(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    accents = (codes == 0x5E) | (codes == 0x60) | (codes == 0x7E)
    plain: NDArray[np.bool_] = (codes >= 32) & (codes < 127) & ~accents
    return plain


def characters_of(
    source: Path | bytes,
    name: str,
    *,
    opened: Callable[[int], None],
    chosen: slice = _ALL_PAGES,
) -> Iterator[PageCharacters]:
    """The pages of a PDF, one by one; raises DocumentError if pdfium can't open it.

    `opened` is called with the number of pages first. A broken page has no characters. Of `chosen`
    pages, the first has the number 0.
    """
    with needs("paper", "reading a PDF"):
        import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source)
    except pypdfium2.PdfiumError as error:
        raise DocumentError(name, f"can't open it: {_reason(source, str(error))}") from error
    except FileNotFoundError as error:
        raise DocumentError(name, "can't open it: there is no such file") from error
    with document:
        indexes = range(len(document))[chosen]
        opened(len(indexes))
        for number, index in enumerate(indexes[:PDF_PAGES]):
            try:
                page = document[index]
                text = page.get_textpage()
            except pypdfium2.PdfiumError:
                yield _broken(number)
                continue
            handle = _address(text.raw)
            codes, places, fonts, directions, unmapped, pale, names = pdf_characters(
                _addresses(), handle, PAGE_CHARACTERS
            )
            covered = covered_text(places.reshape(-1, 7), codes, pale.astype(np.bool_))
            if covered is not None:
                shown = ~covered
                codes, fonts, directions = codes[shown], fonts[shown], directions[shown]
                places, unmapped = places.reshape(-1, 7)[shown], unmapped[shown]
            faces = [_font(*name) for name in names]
            nameless = np.array([not face.name for face in faces], np.bool_)
            codes = tex_letters(codes, fonts, unmapped.astype(np.bool_), nameless)
            direction = main_direction(codes, directions)
            upright, width, height = turned_upright(places.reshape(-1, 7), direction, _box(page))
            upright = real_sizes(upright, fonts)
            order = reading_indexes(codes, upright)
            if order is not None:
                codes, upright, fonts = codes[order], upright[order], fonts[order]
                directions, unmapped = directions[order], unmapped[order]
            yield PageCharacters(
                number, width, height, codes, upright, fonts, directions != direction,
                unmapped.astype(np.bool_), _plain(codes), faces,
                _shapes(page, direction), direction,
            )  # fmt: skip
            text.close()
            page.close()


def _shapes(page: Any, direction: int) -> NDArray[np.float32]:
    kinds, boxes = pdf_shapes(_addresses(), _address(page.raw), PAGE_SHAPES)
    upright = boxes_upright(boxes.reshape(-1, 4), direction, _box(page))
    images = (kinds == _IMAGE).astype(np.float32)
    return np.column_stack((upright, images))


def _box(page: Any) -> Box:
    """What a viewer shows of a page; a file may name nonsense, then the size that pdfium gives."""
    width, height = page.get_size()
    if page.get_rotation() % 180:
        width, height = height, width
    left, bottom, right, top = page.get_bbox()
    if abs(right - left - width) > 1 or abs(top - bottom - height) > 1:
        left, bottom = 0.0, 0.0
    return Box(left, bottom, left + width, bottom + height)


def _reason(source: Path | bytes, message: str) -> str:
    """Why a file can't be opened."""
    if "password" in message.lower():
        return "it is encrypted and needs a password"
    if isinstance(source, bytes):
        head = source[:_HEAD_BYTES]
    else:
        with source.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    if not head:
        return "it is empty"
    return "it is a PDF, but broken or cut off" if b"%PDF-" in head else "it is not a PDF"


def _broken(number: int) -> PageCharacters:
    none = np.zeros(0, np.bool_)
    return PageCharacters(
        number, 0.0, 0.0, np.zeros(0, np.uint32), np.zeros((0, 7), np.float32),
        np.zeros(0, np.int32), none, none, none, [], np.zeros((0, 5), np.float32),
    )  # fmt: skip
