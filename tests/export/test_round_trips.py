"""What is written can be read back, whatever a page holds."""

import csv
import io
import json

import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.export import open_writer
from rowen.export.unicode import replace_surrogates
from rowen.model import Page, Record, Records

TEXTS = st.text(
    st.one_of(
        st.sampled_from('ab ,;"\\%{}$\r\n\0\t\u2028é€𝄞'),
        st.characters(categories=["Cs", "L", "Zs"]),
    ),
    max_size=40,
)
unhurried = settings(deadline=None, max_examples=60)  # pyarrow takes its time when imported
FIELDS = st.sampled_from(["a", "b", 'q"uote', "per%cent", "naïve", "", "new\nline", "\ud800"])


@st.composite
def records_of(draw, page, depth=2):
    size = len(page.text)
    places = st.tuples(st.integers(0, size), st.integers(0, size)).map(sorted)
    values = st.one_of(st.none(), places, st.lists(places, min_size=1, max_size=3))
    spans = draw(st.dictionaries(FIELDS, values, max_size=3))
    children = draw(st.lists(records_of(page, depth - 1), max_size=2)) if depth else []
    return Record(page, spans, children)


@st.composite
def results(draw):
    """Pages with their records, as an extractor gives them."""
    found = []
    for number in range(draw(st.integers(0, 3))):
        page = Page(draw(TEXTS), id=f"{number}{draw(TEXTS)}")
        found.append((page, draw(st.lists(records_of(page), max_size=4))))
    return found


def written(format_, found, **options):
    output = io.BytesIO()
    with open_writer(format_, output, **options) as writer:
        for page, records in found:
            writer.write(iter(records), page=page, extractor="one")
    return output.getvalue()


def through_json(record):
    """A record as JSON can say it: two surrogates that stand side by side become one character."""
    return json.loads(json.dumps(record.to_dict()))


def printable(value):
    """A value as UTF-8 can say it."""
    match value:
        case str():
            return replace_surrogates(value)
        case list():
            return [printable(one) for one in value]
        case dict():
            return {printable(name): printable(one) for name, one in value.items()}
    return value


@unhurried
@given(results())
def test_jsonl_gives_the_records_back(found):
    lines = written("jsonl", found).decode().split("\n")
    assert lines.pop() == ""
    expected = [through_json(record) for _, records in found for record in records]
    assert [json.loads(line) for line in lines] == expected


@unhurried
@given(results())
def test_json_gives_the_records_back(found):
    expected = [through_json(record) for _, records in found for record in records]
    assert json.loads(written("json", found).decode()) == expected


@unhurried
@given(results())
def test_jsonl_is_what_the_json_module_writes(found):
    expected = "".join(
        json.dumps(record.to_dict(), ensure_ascii=False) + "\n"
        for _, records in found
        for record in records
    )
    assert written("jsonl", found) == expected.encode("utf-8", "backslashreplace")


def leaves(record, inherited=()):
    row = dict(inherited)
    for name, value in record.values.items():
        row[name] = "; ".join(value) if isinstance(value, list) else value or ""
    if not record.children:
        return [row]
    return [leaf for child in record.children for leaf in leaves(child, row)]


@unhurried
@given(results(), st.booleans())
def test_csv_gives_the_values_of_every_leaf_back(found, name_extractor):
    text = written("csv", found, name_extractor=name_extractor).decode()
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    leading = ["page", "extractor"] if name_extractor else ["page"]
    assert header[: len(leading)] == leading
    fields = header[len(leading) :]
    expected = []
    names = {}
    for page, records in found:
        for record in records:
            for leaf in leaves(record):
                names |= dict.fromkeys(leaf)
                expected.append((page.id, leaf))
    assert fields == [printable(name) for name in names]
    for cells, (page, leaf) in zip(rows, expected, strict=True):
        assert cells[0] == merged(page)
        assert cells[len(leading) :] == [merged(leaf.get(name, "")) for name in names]


def merged(text):
    """Text after a wait, where it is kept as JSON."""
    return printable(json.loads(json.dumps(text)))


@unhurried
@given(results(), st.booleans())
def test_parquet_gives_the_table_of_all_records_back(found, name_extractor):
    file = io.BytesIO(written("parquet", found, name_extractor=name_extractor))
    rows = pq.read_table(file).to_pylist()
    clean = [
        Record(Page(printable(page.text), id=printable(page.id)), **named(record))
        for page, records in found
        for record in records
    ]
    expected = Records(clean).to_arrow().to_pylist()
    for row in rows:
        assert row.pop("extractor", None) == ("one" if name_extractor else None)
    assert rows == expected


def named(record):
    """The record's parts with names that UTF-8 can say."""
    page = Page(printable(record.page.text), id=printable(record.page.id))
    return {
        "spans": printable(record.spans),
        "children": [Record(page, **named(child)) for child in record.children],
    }
