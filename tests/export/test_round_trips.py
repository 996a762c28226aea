"""What is written can be read back, whatever a page holds."""

import csv
import io
import json

import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather

from rowen.export import open_writer
from rowen.export.unicode import replace_surrogates
from rowen.model import Page
from rowen.records import Record, Records

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


@unhurried
@given(results(), st.booleans(), st.sampled_from(["csv", "tsv"]))
def test_csv_gives_the_values_of_every_leaf_back(found, name_extractor, format_):
    text = written(format_, found, name_extractor=name_extractor).decode()
    delimiter = "\t" if format_ == "tsv" else ","
    header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    leading = ["page", "extractor"] if name_extractor else ["page"]
    assert header[: len(leading)] == leading
    fields = header[len(leading) :]
    expected = [
        (page.id, leaf) for page, records in found for record in records for leaf in leaves(record)
    ]
    names = {printable(name): name for _, leaf in expected for name in leaf}
    assert sorted(fields) == sorted(names)
    lists = {name for _, records in found for record in records for name in repeated(record)}
    for cells, (page, leaf) in zip(rows, expected, strict=True):
        assert cells[0] == printable(page)
        for name, cell in zip(fields, cells[len(leading) :], strict=True):
            value = printable(leaf.get(names[name]))
            if value is None:
                assert cell == ""
            elif isinstance(value, list) or (names[name] in lists and cell != value):
                assert unjoined(cell) == (value if isinstance(value, list) else [value])
            else:
                assert cell == value


def repeated(record):
    """The fields with several values in a record or its children: their columns have lists."""
    own = {name for name, value in record.values.items() if isinstance(value, list) and value[1:]}
    return own.union(*map(repeated, record.children))


def leaves(record, inherited=()):
    row = dict(inherited) | record.values
    if not record.children:
        return [row]
    return [leaf for child in record.children for leaf in leaves(child, row)]


def unjoined(cell):
    """A list as it stands in a cell."""
    if cell.startswith("["):
        return json.loads(cell)
    return cell.split("; ")


@unhurried
@given(results(), st.booleans(), st.sampled_from(["parquet", "arrow"]))
def test_columnar_files_give_the_table_of_all_records_back(found, name_extractor, format_):
    file = io.BytesIO(written(format_, found, name_extractor=name_extractor))
    table = pq.read_table(file) if format_ == "parquet" else feather.read_table(file)
    rows = table.to_pylist()
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
