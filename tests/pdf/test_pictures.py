"""Pictures of pages: upright as their text is, within their limits, and valid PNG files."""

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import one_page, pdf

from rowen.pdf import pictures, read_layout
from rowen.pdf.pictures import PICTURE_EDGE, Picture, pictures_of

_BAR = b"0 0 1 rg 10 700 592 60 re f "  # blue, at the top of the page


def pixels(picture):
    """Decode a PNG file as its standard says, without our own code for it."""
    content = picture.png()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    parts, at = {}, 8
    while at < len(content):
        (length,) = struct.unpack_from("!I", content, at)
        name, inside = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from("!I", content, at + 8 + length)
        assert checksum == zlib.crc32(name + inside)
        parts[name] = inside
        at += length + 12
    width, height, *others = struct.unpack("!IIBBBBB", parts[b"IHDR"])
    assert others == [8, 3, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)[rows[:, 1:]]


def pictured(content):
    return pictures_of(content, read_layout(content).turns)


def test_a_page_looks_as_in_a_viewer():
    [picture] = pictured(one_page(_BAR + b"0 g BT /F1 12 Tf 72 600 Td (Some words) Tj ET"))
    drawn = pixels(picture)
    height, width, _ = drawn.shape
    assert max(height, width) == PICTURE_EDGE
    assert width / height == pytest.approx(612 / 792, abs=0.01)
    assert drawn[round(height * (792 - 730) / 792), width // 2].tolist() == [0, 0, 255]
    assert drawn[height // 2, width // 2].tolist() == [255, 255, 255]
    words = drawn[round(height * 180 / 792) : round(height * 194 / 792), : width // 2]
    assert words.min() == 0


_TURNED = {
    1: b"0 1 -1 0 300 100 Tm", 2: b"-1 0 0 -1 500 300 Tm", 3: b"0 -1 1 0 300 600 Tm",
}  # fmt: skip


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("direction", [0, *_TURNED])
def test_the_picture_is_turned_as_the_text_is(direction, rotate):
    words = b"(A page of words that runs one way) Tj ET"
    matrix = _TURNED.get(direction, b"1 0 0 1 72 600 Tm")
    content = one_page(b"BT /F1 14 Tf " + matrix + words)
    content = content.replace(b"/Type /Page ", b"/Type /Page /Rotate %d " % rotate)
    layout = read_layout(content)
    [line] = layout.lines
    [(page_width, page_height)] = layout.pages
    [picture] = pictures_of(content, layout.turns)
    ink = pixels(picture).min(axis=2) < 128
    height, width = ink.shape
    assert width / height == pytest.approx(page_width / page_height, abs=0.01)
    rows, columns = np.nonzero(ink)
    scale = width / page_width
    assert columns.min() / scale == pytest.approx(line.left, abs=3)
    assert columns.max() / scale == pytest.approx(line.right, abs=3)
    assert rows.max() / scale == pytest.approx(page_height - line.baseline, abs=6)


def test_a_page_that_is_slow_to_draw_has_no_picture_and_others_do(monkeypatch):
    slow = _BAR * 40_000
    content = pdf([[(72, 700, 12, "first")], [(72, 700, 12, "second")]])
    monkeypatch.setattr(pictures, "PICTURE_SECONDS", 0.0)
    assert pictures_of(one_page(slow), (0,)) == (None,)
    monkeypatch.undo()
    assert all(pictures_of(content, (0, 0)))


def test_pictures_stop_at_their_limits(monkeypatch):
    content = pdf([[(72, 700, 12, f"page {number}")] for number in range(5)])
    whole = pictures_of(content, (0,) * 5)
    assert len(whole) == 5
    monkeypatch.setattr(pictures, "PICTURES_BYTES", 2 * len(whole[0].rows) + 50)
    assert len(pictures_of(content, (0,) * 5)) == 2
    monkeypatch.setattr(pictures, "PICTURED_PAGES", 1)
    assert len(pictures_of(content, (0,) * 5)) == 1
    monkeypatch.setattr(pictures, "PICTURE_BYTES", 10)
    assert pictures_of(content, (0,) * 5) == (None,)


@pytest.mark.parametrize("box", [b"0 0 1e30 1e30", b"0 0 0 0", b"0 0 14000 2", b"0 0 2 14000"])
def test_pages_of_odd_sizes_are_drawn_or_not_but_never_fail(box):
    for picture in pictures_of(one_page(_BAR, box=box), (0,)):
        assert picture is None or pixels(picture).size


def test_what_is_no_pdf_has_no_pictures():
    assert pictures_of(b"no PDF", (0,)) == ()


@given(st.integers(1, 400), st.integers(0, 2**32 - 1))
def test_colours_are_near_those_that_were_drawn(colours, seed):
    chosen = np.random.default_rng(seed)
    table = chosen.integers(0, 256, (colours, 3), np.uint8)
    drawn = table[chosen.integers(0, colours, (20, 30))]
    result = pixels(pictures._picture(drawn)).astype(int)
    levels = len({tuple(colour) for colour in (table // 8).tolist()})
    if levels <= 256:  # each level has its own colour
        assert abs(result - drawn).max() <= 8


@pytest.mark.parametrize(
    "fields",
    [
        (0, 10, b"abc", b""), (10, -1, b"abc", b""), (10**9, 10**9, b"abc", b""),
        (10, 10, b"", b""), (10, 10, b"ab", b""), (10, 10, bytes(3 * 257), b""),
        (10, 10, b"abc", bytes(pictures.PICTURE_BYTES + 1)),
    ],
)  # fmt: skip
def test_a_picture_of_a_worker_that_was_taken_over_is_refused(fields):
    with pytest.raises(ValueError, match="a picture"):
        Picture(*fields)
