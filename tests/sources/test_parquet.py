from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.model import Page, SourceError
from rowen.sources import open_source

TEXTS = ["A", "é漢😀", "", "line\r\nline"]


def table(tmp_path, columns):
    path = tmp_path / "pages.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=3)
    return open_source(path)


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
)
def test_texts_of_all_kinds_are_read(tmp_path, kind):
    ids = ["a", "b", "c", "d"]
    source = table(tmp_path, {"n": [1, 2, 3, 4], "id": ids, "text": pa.array(TEXTS).cast(kind)})
    assert list(source) == list(source) == list(map(Page, TEXTS, ids))
    assert source.count_hint == 4


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()])
def test_bytes_are_decoded_as_a_file_is(tmp_path, kind):
    pages = ["<meta charset=koi8-r>я".encode("koi8-r"), "é".encode(), b"%PDF-1.4"]
    source = table(tmp_path, {"id": [1, 2, 3], "text": pa.array(pages, kind)})
    errors = []
    found = list(source.pages(on_error=errors.append))
    assert found == [Page("<meta charset=koi8-r>я", "1"), Page("é", "2")]
    assert [error.page for error in errors] == ["3"]


def test_rows_without_id_or_text_are_reported_by_number(tmp_path):
    source = table(tmp_path, {"id": ["a", None, "c"], "text": ["A", "B", None]})
    errors = []
    assert list(source.pages(on_error=errors.append)) == [Page("A", "a")]
    assert [str(error).rpartition("/")[2] for error in errors] == [
        "pages.parquet: row 2: has no id",
        "c: has no text in row 3",
    ]


def test_a_string_that_is_no_utf_8_is_reported(tmp_path):
    broken = pa.array([b"ok", b"\xff\xfe"]).cast(pa.binary())
    broken = pa.StringArray.from_buffers(2, broken.buffers()[1], broken.buffers()[2])
    errors = []
    source = table(tmp_path, {"id": ["a", "b"], "text": broken})
    assert list(source.pages(on_error=errors.append)) == [Page("ok", "a")]
    assert [error.page for error in errors] == ["b"]
    source = table(tmp_path, {"id": broken, "text": ["A", "B"]})
    assert [page.id for page in source] == ["ok", "\\xff\\xfe"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"id": ["a"], "body": ["A"]},
            "needs exactly one column 'text'; its columns are 'id', 'body'",
        ),
        (
            {"url": ["a"], "text": ["A"]},
            "needs exactly one column 'id'; its columns are 'url', 'text'",
        ),
        ({"id": ["a"], "text": [1]}, "column 'text' holds int64, not text"),
        ({"id": [1.5], "text": ["A"]}, "column 'id' holds double, not text"),
    ],
)
def test_a_wrong_column_is_named_at_once(tmp_path, columns, message):
    with pytest.raises(SourceError, match=message):
        table(tmp_path, columns)


def test_a_text_above_the_limit_is_reported(tmp_path):
    table(tmp_path, {"id": ["a", "b"], "text": ["x" * 100, "y"]})
    errors = []
    source = open_source(tmp_path / "pages.parquet", limit=10)
    assert [page.id for page in source.pages(on_error=errors.append)] == ["b"]
    assert [str(error) for error in errors] == ["a: is larger than the limit of 10 bytes"]


@given(st.binary(), st.booleans())
def test_garbage_is_a_source_error_at_once(tmp_path_factory, data, dressed):
    path = tmp_path_factory.mktemp("p") / "x.parquet"
    path.write_bytes(b"PAR1" + data + b"PAR1" if dressed else data)
    with pytest.raises(SourceError, match="as Parquet") as caught:
        open_source(path)
    assert "\n" not in str(caught.value)


@given(st.data())
def test_a_damaged_table_gives_pages_or_our_errors(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("p")
    table(folder, {"id": list("abcd"), "text": TEXTS})
    path = folder / "pages.parquet"
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(whole)
    with suppress(SourceError):
        list(open_source(path).pages(on_error=lambda _: None))
