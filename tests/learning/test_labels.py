import json

import pytest

import rowen
from rowen.labels.files import label_line, read_labels, write_labels
from rowen.model import InputError, OutputError, Page
from rowen.records import Example

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
    (from_offsets,) = read_labels(labels(by_offset), [page])
    (from_texts,) = read_labels(labels("", by_text), [page])
    assert from_offsets == from_texts
    assert values(from_offsets) == [{"country": "Congo", "code": "242"}]
    assert not from_offsets.partial


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


@pytest.mark.parametrize("name", ["a/p.html", "p.html", "./a/p.html"])
def test_a_page_is_named_by_id_path_or_ending(labels, tmp_path, name):
    path = labels({"page": name, "records": []})
    pages = [Page("other", "b/q.html"), Page(TEXT, "a/p.html")]
    assert read_labels(path, pages)[0].page is pages[1]
    beside = Page(TEXT, str(tmp_path / name))
    assert read_labels(path, [beside])[0].page is beside


def test_an_ending_that_two_pages_have_is_refused(labels):
    path = labels({"page": "p.html", "records": []})
    with pytest.raises(
        InputError, match=r"line 1: 'p.html' is ambiguous: it may be a/p.html and b"
    ):
        read_labels(path, [Page("1", "a/p.html"), Page("2", "b/p.html")])


def test_the_id_itself_goes_before_an_ending(labels):
    path = labels({"page": "p.html", "records": []})
    pages = [Page("1", "a/p.html"), Page("2", "p.html")]
    assert read_labels(path, pages)[0].page is pages[1]


BAD = {
    "not JSON": ("{'page'}", "line 2: not JSON: Expecting property name"),
    "no object": ([1], "line 2: a label must be an object"),
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
        "line 2: q: record 1, field 'a': 'Chad' was not found on the page",
    ),
    "overlapping fields": (
        {"page": "q", "records": [{"a": [3, 8], "b": [4, 9]}]},
        "line 2: q: record 1, field 'b': .* overlaps field 'a'",
    ),
    "nesting without end": ('{"page": ' + "[" * 100_000, "line 2: nested too deeply"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_reported_with_file_and_line(labels, case):
    line, message = BAD[case]
    path = labels({"page": "p", "records": []}, line)
    with pytest.raises(InputError, match=f"labels.jsonl: {message}"):
        read_labels(path, [Page(TEXT, "p"), Page(TEXT, "q")])


def test_a_missing_and_an_empty_file_are_refused(labels, tmp_path):
    with pytest.raises(InputError, match="can't read .*none.jsonl: No such file"):
        read_labels(tmp_path / "none.jsonl", [])
    with pytest.raises(InputError, match="labels.jsonl has no labels"):
        read_labels(labels(), [])


def test_what_is_written_is_read_again(tmp_path):
    page = Page(TEXT + "\ud800 ü", "p")
    nested = [{"country": (3, 8), "children": [{"code": [(16, 19), (40, 42)], "x": None}]}]
    examples = [Example(page, nested, partial=True), Example(Page(TEXT, "q"), [])]
    write_labels(tmp_path / "l.jsonl", examples)
    assert read_labels(tmp_path / "l.jsonl", [page, Page(TEXT, "q")]) == examples
    assert label_line(examples[1]) == '{"page": "q", "records": []}'
    assert [path.name for path in tmp_path.iterdir()] == ["l.jsonl"]


def test_a_place_that_can_not_be_written_is_reported(tmp_path):
    with pytest.raises(OutputError, match="can't write .*: No such file"):
        write_labels(tmp_path / "no" / "l.jsonl", [])


def test_the_texts_of_labels_are_kept_for_cross_validation(labels):
    """Where a text is must not be known from the page that is left out."""
    texts = [
        "<u>Ada</u> <b>Ada</b> <i>1</i>",
        "<u>Bob</u> <b>Cid</b> <i>2</i>",
        "<u>Dan</u> <b>Eve</b> <i>3</i>",
    ]
    pages = [Page(text, id=f"{number}.html") for number, text in enumerate(texts)]
    records = [{"name": name, "n": n} for name, n in zip(["Ada", "Cid", "Eve"], "123", strict=True)]
    lines = [
        {"page": page.id, "records": [record]} for page, record in zip(pages, records, strict=True)
    ]
    examples = read_labels(labels(*lines), pages)
    assert [dict(record) for example in examples for record in example.given] == records
    assert examples[0].records[0].spans["name"] == (14, 17)
    located = rowen.learn(examples, "lr", estimate=True)
    by_hand = rowen.learn(
        [Example(page, [record]) for page, record in zip(pages, records, strict=True)],
        "lr",
        estimate=True,
    )
    assert located.estimate == by_hand.estimate
    assert located.fingerprint() == by_hand.fingerprint()
