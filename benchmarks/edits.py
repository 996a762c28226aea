"""Random edits of texts, lines and PDFs, as revisions and forgeries have them."""

import ctypes
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pypdfium2
from pypdfium2 import raw

from rowen.pdf import Layout, Line

_WORD = re.compile(r"\w+")
_SIGNS = ".,;:'()[]+-&@*/"


def edited_text(text: str, drawn: random.Random) -> str:
    """A text with one to three small changes anywhere; half of them near its begin or its end."""
    for _ in range(drawn.randint(1, 3)):
        text = drawn.choice(_TEXT_EDITS)(text, _place(text, drawn), drawn)
    return text


def _place(text: str, drawn: random.Random) -> int:
    front = min(len(text), 1500)
    ends = (drawn.randrange(front + 1), len(text) - drawn.randrange(front + 1))
    return drawn.choice((*ends, drawn.randrange(len(text) + 1), drawn.randrange(len(text) + 1)))


def _word_at(text: str, at: int) -> tuple[int, int]:
    found = _WORD.search(text, at) or _WORD.search(text)
    return found.span() if found else (0, 0)


def _change_word(text: str, at: int, drawn: random.Random) -> str:
    start, end = _word_at(text, at)
    other = _word_at(text, drawn.randrange(len(text) + 1))
    return text[:start] + text[slice(*other)] + text[end:]


def _change_digit(text: str, at: int, drawn: random.Random) -> str:
    found = re.compile(r"\d").search(text, at)
    if found is None:
        return text
    return f"{text[: found.start()]}{drawn.randrange(10)}{text[found.end() :]}"


def _change_case(text: str, at: int, _drawn: random.Random) -> str:
    start, end = _word_at(text, at)
    return text[:start] + text[start:end].swapcase() + text[end:]


def _add_sign(text: str, at: int, drawn: random.Random) -> str:
    return text[:at] + drawn.choice(_SIGNS) + text[at:]


def _drop_sign(text: str, at: int, _drawn: random.Random) -> str:
    found = re.compile(r"[^\w\s]").search(text, at)
    return text if found is None else text[: found.start()] + text[found.end() :]


def _move_space(text: str, at: int, _drawn: random.Random) -> str:
    found = text.find(" ", at)
    return text if found < 0 else f"{text[:found]}{text[found + 1 : found + 2]} {text[found + 2 :]}"


def _drop_line(text: str, at: int, _drawn: random.Random) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[:start] + (text[end + 1 :] if end >= 0 else "")


def _repeat_line(text: str, at: int, drawn: random.Random) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    to = text.rfind("\n", 0, drawn.randrange(len(text) + 1)) + 1
    return f"{text[:to]}{line}\n{text[to:]}"


def _add_words(text: str, at: int, drawn: random.Random) -> str:
    added = drawn.choice(("et al.", "10.1234/abc.5", "C++", "O'Neil", "(2001)", "Keywords: a, b"))
    return f"{text[:at]} {added} {text[at:]}"


_TEXT_EDITS: tuple[Callable[[str, int, random.Random], str], ...] = (
    _change_word, _change_digit, _change_case, _add_sign, _drop_sign, _move_space, _drop_line,
    _repeat_line, _add_words,
)  # fmt: skip


def edited_layout(layout: Layout, drawn: random.Random) -> Layout:
    """A PDF's lines, one to three of them changed in text, type or place, dropped or doubled."""
    lines = list(layout.lines)
    for _ in range(drawn.randint(1, 3)):
        at = drawn.choice(
            (drawn.randrange(len(lines)), drawn.randrange(min(40, len(lines))), len(lines) - 1)
        )
        lines[at : at + 1] = _edited_line(lines[at], drawn)
        if not lines:
            return layout
    return replace(layout, lines=lines)


def _edited_line(line: Line, drawn: random.Random) -> list[Line]:
    step = drawn.choice((-20.0, -0.3, 0.3, 20.0))
    text = edited_text(line.text, drawn).replace("\n", " ") if drawn.random() < 0.4 else ""
    if text.strip():
        return [replace(line, text=text, raised=(), gaps=(), offsets=(0,) * len(text))]
    return drawn.choice(
        (
            [],
            [line, line],
            [replace(line, size=max(1.0, line.size + step / 8))],
            [replace(line, left=line.left + step, right=line.right + step)],
            [replace(line, bold=not line.bold, font="Other")],
        )
    )


def edited_pdf(data: bytes, drawn: random.Random) -> tuple[str, bytes]:
    """A PDF that somebody has changed, and in which way."""
    kind = drawn.choice(tuple(PDF_EDITS))
    return kind, PDF_EDITS[kind](data, drawn)


def resaved(data: bytes, _drawn: random.Random) -> bytes:
    """The same as another program writes it."""
    with pypdfium2.PdfDocument(data) as document:
        return _saved(document)


def with_changed_page(data: bytes, drawn: random.Random) -> bytes:
    """Text of one page changed, in each fifth of its pieces."""
    with pypdfium2.PdfDocument(data) as document:
        page = document[drawn.randrange(len(document))]
        texts = _texts(page)
        for one in drawn.sample(texts, max(1, len(texts) // 5)) if texts else []:
            _set(one, drawn.choice(("changed", "other words here", "1999", "A. N. Other")))
        page.gen_content()
        page.close()
        return _saved(document)


def _with_comment(data: bytes, drawn: random.Random) -> bytes:
    return data + b"\n%% saved %d\n" % drawn.getrandbits(32)


def _with_few_words_changed(data: bytes, drawn: random.Random) -> bytes:
    with pypdfium2.PdfDocument(data) as document:
        page = document[drawn.choice((0, drawn.randrange(len(document)), len(document) - 1))]
        texts = _texts(page)
        for one in drawn.sample(texts, min(len(texts), drawn.randint(1, 3))):
            _set(one, drawn.choice(("changed", "O'Neil", "C++", "10.9999/x.1", "2003", "; b")))
        page.gen_content()
        page.close()
        return _saved(document)


def _with_text_removed(data: bytes, drawn: random.Random) -> bytes:
    with pypdfium2.PdfDocument(data) as document:
        page = document[drawn.randrange(len(document))]
        texts = _texts(page)
        for one in drawn.sample(texts, min(len(texts), drawn.randint(1, 3))):
            page.remove_obj(one)
            one.close()
        page.gen_content()
        page.close()
        return _saved(document)


def _with_feet(data: bytes, drawn: random.Random) -> bytes:
    """A line in the foot of every page, as repositories add it."""
    with pypdfium2.PdfDocument(data) as document:
        text = f"Downloaded on {drawn.randint(1, 28)} May 20{drawn.randint(10, 29)}"
        for page in document:
            _add(document, page, text, drawn)
        return _saved(document)


def _with_doi_in_foot(data: bytes, drawn: random.Random) -> bytes:
    with pypdfium2.PdfDocument(data) as document:
        _add(document, document[0], f"doi:10.5555/{drawn.randrange(10**6)}", drawn)
        return _saved(document)


def _without_page(data: bytes, drawn: random.Random) -> bytes:
    with pypdfium2.PdfDocument(data) as document:
        if len(document) > 1:
            del document[drawn.randrange(len(document))]
        return _saved(document)


def _with_page_moved(data: bytes, drawn: random.Random) -> bytes:
    with pypdfium2.PdfDocument(data) as document, pypdfium2.PdfDocument.new() as other:
        order = list(range(len(document)))
        order.insert(drawn.randrange(len(order)), order.pop(drawn.randrange(len(order))))
        other.import_pages(document, order)
        return _saved(other)


def _by_program(command: list[str]) -> Callable[[bytes, random.Random], bytes]:
    """The file as another program writes it; as it is where that can't."""

    def run(data: bytes, _drawn: random.Random) -> bytes:
        with TemporaryDirectory() as folder:
            source, target = Path(folder, "a.pdf"), Path(folder, "b.pdf")
            source.write_bytes(data)
            called = [part.format(source=source, target=target) for part in command]
            subprocess.run(called, check=False, capture_output=True, timeout=120)
            return target.read_bytes() if target.exists() else data

    return run


PDF_EDITS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "bytes appended": _with_comment,
    "saved by pdfium": resaved,
    "few words changed": _with_few_words_changed,
    "one page changed": with_changed_page,
    "text removed": _with_text_removed,
    "feet on all pages": _with_feet,
    "DOI in the foot": _with_doi_in_foot,
    "page dropped": _without_page,
    "page moved": _with_page_moved,
}
if shutil.which("qpdf"):
    PDF_EDITS["saved by qpdf"] = _by_program(
        ["qpdf", "--object-streams=generate", "--recompress-flate", "{source}", "{target}"]
    )
if shutil.which("gs"):
    PDF_EDITS["saved by Ghostscript"] = _by_program(
        [
            "gs",
            "-q",
            "-dBATCH",
            "-dNOPAUSE",
            "-sDEVICE=pdfwrite",
            "-sOutputFile={target}",
            "{source}",
        ]
    )


def _saved(document: pypdfium2.PdfDocument) -> bytes:
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _texts(page: pypdfium2.PdfPage) -> list[Any]:
    return list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=1))


def _set(shown: Any, text: str) -> None:
    raw.FPDFText_SetText(shown, _wide(text))


def _add(
    document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, text: str, drawn: random.Random
) -> None:
    added = raw.FPDFPageObj_NewTextObj(document, b"Helvetica", ctypes.c_float(8))
    raw.FPDFText_SetText(added, _wide(text))
    raw.FPDFPageObj_Transform(added, 1, 0, 0, 1, 60 + drawn.randrange(40), 20 + drawn.randrange(12))
    raw.FPDFPage_InsertObject(page, added)
    page.gen_content()
    page.close()


def _wide(text: str) -> Any:
    encoded = text.encode("utf-16-le") + b"\0\0"
    return ctypes.cast(ctypes.create_string_buffer(encoded), ctypes.POINTER(ctypes.c_ushort))
