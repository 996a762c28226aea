import gzip
import json
from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.model import Page, SourceError
from rowen.sources import jsonl, open_source


def lines(tmp_path, data, name="pages.jsonl"):
    path = tmp_path / name
    path.write_bytes(data)
    return open_source(path)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), min_size=1), st.text()), st.booleans())
def test_pages_are_given_back_as_they_were_written(tmp_path_factory, pages, ascii_only):
    written = "".join(
        json.dumps({"id": id_, "text": text}, ensure_ascii=ascii_only) + "\n"
        for id_, text in pages.items()
    )
    source = lines(tmp_path_factory.mktemp("j"), written.encode())
    assert list(source) == [Page(text, id_) for id_, text in pages.items()]


def test_empty_lines_other_keys_a_mark_and_numbers_as_ids_are_fine(tmp_path):
    data = b'\xef\xbb\xbf{"id": 7, "text": "A", "more": [1]}\r\n\n  \n{"id": "b", "text": ""}'
    assert list(lines(tmp_path, data)) == [Page("A", "7"), Page("", "b")]


def test_the_same_id_twice_gives_two_pages(tmp_path):
    data = b'{"id": "a", "text": "1"}\n{"id": "a", "text": "2"}\n'
    assert [page.text for page in lines(tmp_path, data)] == ["1", "2"]


def test_half_a_surrogate_pair_is_replaced_and_moves_nothing(tmp_path):
    data = rb'{"id": "a\ud800", "text": "x\ud800y\udc00z\ud83d\ude00"}'
    (page,) = lines(tmp_path, data)
    assert (page.id, page.text) == ("a\\ud800", "x\ufffdy\ufffdz😀")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"id": "a", "text": ' + b"[" * 100_000, "is nested too deeply"),
        (b"[1]", "is not an object with an id and a text"),
        (b"1" * 10_000, "is not"),
        (b'{"text": "x"}', 'needs an "id"'),
        (b'{"id": "", "text": "x"}', 'needs an "id"'),
        (b'{"id": true, "text": "x"}', 'needs an "id"'),
        (b'{"id": "a"}', 'needs a "text"'),
        (b'{"id": "a", "text": null}', 'needs a "text"'),
    ],
)
def test_a_malformed_line_is_a_source_error_with_its_number(tmp_path, line, reason):
    source = lines(tmp_path, b'{"id": "a", "text": "A"}\n\n' + line + b"\n")
    pages = iter(source)
    assert next(pages).id == "a"
    with pytest.raises(SourceError, match=f"line 3 {reason}") as caught:
        next(pages)
    assert "\n" not in str(caught.value)


def test_a_line_above_the_limit_is_a_source_error(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'{"id": "a", "text": "' + b"x" * 100 + b'"}\n')
    with pytest.raises(SourceError, match="line 1 is longer than 50 bytes"):
        list(open_source(path, limit=50))


def test_gzip_is_read_and_a_cut_is_a_source_error(tmp_path):
    pages = b"".join(b'{"id": "%d", "text": "%d"}\n' % (n, n**9) for n in range(2000))
    packed = gzip.compress(pages)
    assert len(list(lines(tmp_path, packed, "p.jsonl.gz"))) == 2000
    for broken in (packed[:-500], b"no gzip", packed[:500] + b"\0" * 100 + packed[600:]):
        with pytest.raises(SourceError, match="can't read .*p.jsonl.gz"):
            list(lines(tmp_path, broken, "p.jsonl.gz"))


def test_a_bomb_stays_within_the_limit(tmp_path):
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress(b"x" * 10_000_000))
    with pytest.raises(SourceError, match="line 1 is longer than 1,000 bytes"):
        list(open_source(path, limit=1000))


@given(st.binary())
def test_random_bytes_are_pages_or_a_source_error(tmp_path_factory, data):
    source = lines(tmp_path_factory.mktemp("j"), data)
    with suppress(SourceError):
        list(source)


PARTS = st.sampled_from(
    [
        *("{", "}", '"', "\\", ":", ",", " ", "\t", "\r", "[", "]", "1", "null", "id", "text", "a"),
        *(
            '"id"',
            '"text"',
            '"id": ',
            '"text": ',
            "\\n",
            '\\"',
            "\\u00e9",
            "\\ud83d\\ude00",
            "\\ud800",
        ),
        *("é", "\U0001f600", "\x01", "\\x", "\\u12", "\\u0000", '"b"', '{"id": "a", "text": "'),
    ]
)
USUAL = st.tuples(st.text(), st.text(), st.booleans(), st.booleans()).map(
    lambda page: json.dumps(
        dict([("id", page[0]), ("text", page[1])][:: 1 if page[2] else -1]), ensure_ascii=page[3]
    )
)
LINES = st.one_of(
    st.lists(PARTS).map("".join),
    USUAL,
    st.tuples(USUAL, PARTS, st.integers(0, 40)).map(lambda t: t[0][: t[2]] + t[1] + t[0][t[2] :]),
).map(lambda line: line.encode("utf-8", "surrogatepass")) | st.binary(max_size=30)


@given(LINES)
def test_a_quick_look_at_a_line_gives_what_the_complete_parser_gives(line):
    source = jsonl.JsonLines("pages")

    def read():
        try:
            return source._page(line, 1)
        except SourceError as error:
            return str(error)

    quick = read()
    with patch.object(jsonl, "page_line", lambda _: None):
        assert read() == quick
