import json

import pytest

from rowen.model import Example, InputError, OutputError, Page
from rowen.wrappers.labels import label_line, read_labels, write_labels

TEXT = "<B>Congo</B> <I>242</I><BR><B>Egypt</B> <I>20</I><BR>"


@pytest.fixture
def labels(tmp_path):
    """Writes lines into a label file."""

    def write(*lines):
        path = tmp_path / "labels.jsonl"
        path.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines))
        return path

    return write


def values(example):
    return [record.values for record in example.records]


def test_offsets_and_texts_make_the_same_example(labels):
    page = Page(TEXT, "p.html")
    by_offset = {"page": "p.html", "records": [{"country": [3, 8], "code": [16, 19]}]}
    by_text = {"page": "p.html", "records": [{"country": "Congo", "code": "242"}]}
    (one,) = read_labels(labels(by_offset), [page])
    (other,) = read_labels(labels("", by_text), [page])
    assert one == other
    assert values(one) == [{"country": "Congo", "code": "242"}]
    assert not one.partial


def test_the_first_records_of_a_page_are_a_partial_label(labels):
    line = {"page": "p", "records": [{"country": "Congo"}], "partial": True}
    (example,) = read_labels(labels(line), [Page(TEXT, "p")])
    assert example.partial


def test_offsets_beside_texts_win_and_an_unplaced_text_is_unknown(labels):
    line = {
        "page": "p",
        "records": [{"country": "Egypt", "code": "none", "dialled": None}],
        "spans": [{"country": [30, 35], "code": None, "dialled": None}],
        "quality": "full",
    }
    (example,) = read_labels(labels(line), [Page(TEXT, "p")])
    assert values(example) == [{"country": "Egypt", "dialled": None}]


def test_a_text_is_taken_where_its_surroundings_agree_with_the_others(labels):
    text = "<H1>Egypt</H1><P>Congo: see below</P>" + TEXT
    line = {"page": "p", "records": [{"country": "Congo"}, {"country": "Egypt"}]}
    (example,) = read_labels(labels(line), [Page(text, "p")])
    first = text.index(TEXT) + 3
    assert [record.spans["country"].start for record in example.records] == [first, first + 27]


@pytest.mark.parametrize("given", ["a/p.html", "p.html", "./a/p.html"])
def test_a_page_is_named_by_id_path_or_ending(labels, tmp_path, given):
    path = labels({"page": given, "records": []})
    pages = [Page("other", "b/q.html"), Page(TEXT, "a/p.html")]
    assert read_labels(path, pages)[0].page is pages[1]
    beside = Page(TEXT, str(tmp_path / given))
    assert read_labels(path, [beside])[0].page is beside


def test_an_ending_that_two_pages_have_is_refused(labels):
    path = labels({"page": "p.html", "records": []})
    with pytest.raises(InputError, match=r"line 1: 'p.html' may be several pages: a/p.html and b"):
        read_labels(path, [Page("1", "a/p.html"), Page("2", "b/p.html")])


def test_the_id_itself_goes_before_an_ending(labels):
    path = labels({"page": "p.html", "records": []})
    pages = [Page("1", "a/p.html"), Page("2", "p.html")]
    assert read_labels(path, pages)[0].page is pages[1]


BAD = {
    "not JSON": ("{'page'}", "line 2: not JSON: Expecting property name"),
    "no object": ([1], "line 2: a label is an object"),
    "no page": ({"records": []}, "line 2: 'page' must name"),
    "no records": ({"page": "q"}, "line 2: 'records' must be a list"),
    "records of another kind": ({"page": "q", "records": {"a": 1}}, "line 2: 'records' must be"),
    "a record of another kind": ({"page": "q", "records": [7]}, "line 2: q: record 1: 7 is not"),
    "partial of another kind": ({"page": "q", "records": [], "partial": 1}, "line 2: 'partial'"),
    "too few spans": ({"page": "q", "records": [{}], "spans": []}, "line 2: 'spans' must have"),
    "an unknown page": ({"page": "x", "records": []}, "line 2: page 'x' is not among the pages"),
    "a page twice": ({"page": "p", "records": []}, "line 2: page 'p' has a label in line 1"),
    "outside the page": (
        {"page": "q", "records": [{"a": [3, 400]}]},
        r"line 2: q: record 1, field 'a': \[3, 400\) is not a span of a page of",
    ),
    "a text that is not there": (
        {"page": "q", "records": [{"a": "Chad"}]},
        "line 2: q: record 1, field 'a': 'Chad' does not stand on the page",
    ),
    "overlapping fields": (
        {"page": "q", "records": [{"a": [3, 8], "b": [4, 9]}]},
        "line 2: q: record 1, field 'b': .* overlaps field 'a'",
    ),
    "nesting without end": ('{"page": ' + "[" * 100_000, "line 2: nests too deep"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_told_with_file_and_line(labels, case):
    line, message = BAD[case]
    path = labels({"page": "p", "records": []}, line)
    with pytest.raises(InputError, match=f"labels.jsonl: {message}"):
        read_labels(path, [Page(TEXT, "p"), Page(TEXT, "q")])


def test_a_missing_and_an_empty_file_are_refused(labels, tmp_path):
    with pytest.raises(InputError, match="can't read .*none.jsonl: No such file"):
        read_labels(tmp_path / "none.jsonl", [])
    with pytest.raises(InputError, match="labels.jsonl: no labels in it"):
        read_labels(labels(), [])


def test_what_is_written_is_read_again(tmp_path):
    page = Page(TEXT + "\ud800 ü", "p")
    nested = [{"country": (3, 8), "children": [{"code": [(16, 19), (40, 42)], "x": None}]}]
    given = [Example(page, nested, partial=True), Example(Page(TEXT, "q"), [])]
    write_labels(tmp_path / "l.jsonl", given)
    assert read_labels(tmp_path / "l.jsonl", [page, Page(TEXT, "q")]) == given
    assert label_line(given[1]) == '{"page": "q", "records": []}'
    assert [path.name for path in tmp_path.iterdir()] == ["l.jsonl"]


def test_a_place_that_can_not_be_written_is_told(tmp_path):
    with pytest.raises(OutputError, match="can't write .*: No such file"):
        write_labels(tmp_path / "no" / "l.jsonl", [])
