"""Pages are read as they are upright, however the file turns them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import one_page

from rowen.pdf import read_layout
from rowen.pdf.upright import Box, main_direction, turned_upright

_TEXTS = [
    (72, 700, 18, "Pages that lie"),
    (72, 660, 10, "on their side are read"),
    (72, 646, 10, "all the same."),
]
# The matrix that turns a page of 612 by 792 points by quarters, and the box that it fills then.
_TURNS = {
    0: ((1, 0, 0, 1, 0, 0), (612, 792)),
    1: ((0, 1, -1, 0, 792, 0), (792, 612)),
    2: ((-1, 0, 0, -1, 612, 792), (612, 792)),
    3: ((0, -1, 1, 0, 0, 612), (792, 612)),
}  # fmt: skip


def _page(quarters: int, rotate: int, left: int = 0, bottom: int = 0, aside: bytes = b"") -> bytes:
    matrix, (width, height) = _TURNS[quarters]
    texts = b"\n".join(
        b"BT /F1 %g Tf %g %g Td (%s) Tj ET" % (size, x, y, text.encode())
        for x, y, size, text in _TEXTS
    )
    placed = b"q 1 0 0 1 %d %d cm %d %d %d %d %d %d cm" % (left, bottom, *matrix)
    box = b"%d %d %d %d" % (left, bottom, left + width, bottom + height)
    return one_page(
        b"%s %s Q %s" % (placed, texts, aside), box=box + b"] /Rotate %d /Was [" % rotate
    )


def _shown(pdf: bytes) -> tuple[list[object], list[tuple[int, ...]]]:
    layout = read_layout(pdf)
    lines: list[object] = [
        (line.text, round(line.left), round(line.baseline), round(line.size))
        for line in layout.lines
    ]
    return lines, [tuple(map(round, size)) for size in layout.pages]


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_turned_page_has_the_lines_of_the_upright_one(quarters, rotate):
    upright = _shown(_page(0, 0))
    assert upright[1] == [(612, 792)]
    assert _shown(_page(quarters, rotate)) == upright


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_places_count_from_the_corner_of_what_a_page_shows(quarters):
    assert _shown(_page(quarters, 0, left=300, bottom=-2000)) == _shown(_page(0, 0))


def test_text_that_runs_otherwise_than_most_of_the_page_is_left_out():
    aside = b"BT /F1 10 Tf 0 1 -1 0 30 100 Tm (arXiv 1234) Tj ET"
    assert _shown(_page(0, 0, aside=aside)) == _shown(_page(0, 0))


def test_text_askew_never_decides():
    codes = np.array([65, 65, 65, 32], np.uint32)
    assert main_direction(codes, np.array([4, 4, 0, 1], np.uint8)) == 0
    assert main_direction(codes, np.array([4, 4, 1, 0], np.uint8)) == 1
    assert main_direction(np.zeros(0, np.uint32), np.zeros(0, np.uint8)) == 0


_PLACE = st.integers(-1000, 1000)


@given(
    st.lists(st.tuples(_PLACE, _PLACE, _PLACE, _PLACE, _PLACE, _PLACE, _PLACE), max_size=5),
    st.sampled_from(range(4)),
    st.tuples(_PLACE, _PLACE, _PLACE, _PLACE),
)
def test_turning_is_rotation_about_the_page(rows, direction, corners):
    """Against one point after the other, turned by the angle's sine and cosine."""
    left, bottom = min(corners[0], corners[2]), min(corners[1], corners[3])
    box = Box(left, bottom, max(corners[0], corners[2]), max(corners[1], corners[3]))
    places = np.array(rows, np.float32).reshape(-1, 7)
    upright, width, height = turned_upright(places, direction, box)
    cosine, sine = ((1, 0), (0, -1), (-1, 0), (0, 1))[direction]

    def turn(x: float, y: float) -> tuple[float, float]:
        return x * cosine - y * sine, x * sine + y * cosine

    turned_corners = [turn(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
    x0, y0 = min(x for x, _ in turned_corners), min(y for _, y in turned_corners)
    assert (width, height) == (
        max(x for x, _ in turned_corners) - x0, max(y for _, y in turned_corners) - y0,
    )  # fmt: skip
    for row, (start, foot, end, head, along, base, size) in zip(
        rows, upright.tolist(), strict=True
    ):
        first, second = turn(row[0], row[1]), turn(row[2], row[3])
        if row[0] <= row[2] and row[1] <= row[3]:
            assert start == min(first[0], second[0]) - x0
            assert end == max(first[0], second[0]) - x0
            assert foot == min(first[1], second[1]) - y0
            assert head == max(first[1], second[1]) - y0
        x, y = turn(row[4], row[5])
        assert (along, base, size) == (x - x0, y - y0, row[6])
