"""The native kernel against the plain way: `json.dumps` of each record."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import Page, Records
from rowen._core import json_lines
from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.records.records import Rows

characters = st.characters(codec=None) | st.sampled_from(
    '"\\\n\r\t\b\f\0\x1f\x7f\x80é\ud800\udfff😀'
)
texts = (
    st.text(characters)
    | st.text(st.characters(max_codepoint=127))
    | st.text(st.characters(max_codepoint=255))
    | st.text(st.characters(max_codepoint=0xFFFF))
)


@st.composite
def rows(draw):
    text = draw(texts)
    names = draw(st.lists(texts.filter(lambda name: name != "children"), unique=True, max_size=3))
    offset = st.integers(0, len(text))
    pair = st.tuples(offset, offset).map(lambda both: (min(both), max(both)))
    row = st.tuples(*(pair | st.just((-1, -1)) for _ in names))
    return Rows(Page(text, id=draw(texts)), tuple(names), draw(st.lists(row, max_size=4)))


@given(rows(), st.booleans())
def test_the_kernel_writes_what_json_writes(given_rows, name_extractor):
    written = RecordEncoder(name_extractor=name_extractor).lines(given_rows, extractor="é")
    plain = ""
    for record in Records(given_rows):
        as_dict = record.to_dict()
        if name_extractor:
            page = as_dict.pop("page")
            as_dict = {"page": page, "extractor": "é", **as_dict}
        plain += json.dumps(as_dict, ensure_ascii=False) + "\n"
    assert written == encode_json(plain)


@pytest.mark.parametrize(
    "bad",
    [
        [((0, 9),)],
        [((2, 1),)],
        [((0, 1), (1, 2))],
        [(0, 1)],
        [[(0, 1)]],
        [(("a", 1),)],
        [((2**70, 2**70),)],
        [((0, -5),)],
    ],
)
def test_rows_that_are_none_are_refused(bad):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        json_lines("abc", bad, head=b"", keys=[b"x"])
