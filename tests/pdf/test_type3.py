"""Type 3 fonts: sizes in the drawings, letters of TeX without a map, and what is legible."""

from pathlib import Path

import numpy as np
import pytest

from rowen.pdf import read_layout
from rowen.pdf.type3 import tex_letters

TEXT = ["Wrappers read pages of many sites", "and so do readers of text"] * 6


def type3(lines, code=ord):
    """A PDF with a font of size 1 whose letters are boxes of 5 by 7 points, without a map."""
    letters = sorted(set("".join(lines)))
    names = {letter: "space" if letter == " " else f"g{code(letter)}" for letter in letters}
    drawn = " ".join(f"/{name} 6 0 R" for name in names.values())
    encoded = " ".join(f"{code(letter)} /{name}" for letter, name in names.items())
    shown = " ".join(
        f"1 0 0 1 72 {700 - 12 * i} Tm <{bytes(map(code, line)).hex()}> Tj"
        for i, line in enumerate(lines)
    )
    content, glyph = f"BT /F 1 Tf {shown} ET", "6 0 0 -2 5 7 d1 0 0 5 7 re f"
    widths = " ".join(["6"] * 95)
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        (
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
            "/Resources<</Font<</F 5 0 R>>>>>>"
        ),
        f"<</Length {len(content)}>>stream\n{content}\nendstream",
        (
            "<</Type/Font/Subtype/Type3/FontBBox[0 -2 6 8]/FontMatrix[1 0 0 1 0 0]"
            f"/CharProcs<<{drawn}>>/Encoding<</Type/Encoding/Differences[{encoded}]>>"
            f"/FirstChar 32/LastChar 126/Widths[{widths}]/Resources<<>>>>"
        ),
        f"<</Length {len(glyph)}>>stream\n{glyph}\nendstream",
    ]
    pdf, starts = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        starts.append(len(pdf))
        pdf += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    count = len(objects) + 1
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer<</Size {count}/Root 1 0 R>>\n"
    return pdf + f"{end}startxref\n{len(pdf)}\n%%EOF".encode()


def test_letters_of_a_font_of_size_1_are_read_in_the_size_they_are_drawn_in():
    layout = read_layout(type3(TEXT))
    assert [line.text for line in layout.lines] == TEXT
    assert all(8 < line.size < 12 for line in layout.lines)


def test_text_that_reads_well_has_no_warning_and_numbered_letters_have():
    assert read_layout(type3(TEXT)).warnings == ()
    order = {letter: 65 + i for i, letter in enumerate(sorted(set("".join(TEXT)) - {" "}))}
    strange = read_layout(type3(TEXT, lambda letter: order.get(letter, 32)))
    assert any("no Unicode map" in warning for warning in strange.warnings)


def codes_of(text):
    return np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint32)


@pytest.mark.parametrize(
    ("nameless", "unmapped", "text"),
    [
        (True, True, "the \ufb01eld of e\ufb00ects, pages 1–9"),
        (False, True, "the \x0celd of e\x0bects, pages 1{9"),
        (True, False, "the \x0celd of e\x0bects, pages 1{9"),
    ],
)
def test_codes_of_tex_are_letters_in_nameless_fonts_without_a_map(nameless, unmapped, text):
    codes = codes_of("the \x0celd of e\x0bects, pages 1{9")
    fonts = np.zeros(len(codes), np.int32)
    read = tex_letters(codes, fonts, np.full(len(codes), unmapped), np.array([nameless]))
    assert read.astype("<u4").tobytes().decode("utf-32-le") == text


def test_formulas_keep_their_codes():
    codes = codes_of("\x0b+\x0c=\x0d(1{2)")
    fonts = np.zeros(len(codes), np.int32)
    read = tex_letters(codes, fonts, np.ones(len(codes), np.bool_), np.array([True]))
    assert (read == codes).all()


def test_a_paper_in_bitmap_fonts_of_tex_has_its_ligatures():
    farm = Path(__file__).parents[1] / "papers" / "farm" / "documents"
    text = " ".join(line.text for line in read_layout(farm / "article-type3.pdf").lines)
    assert "effects" in text
    assert "Lefèvre" in text
