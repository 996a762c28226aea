import io
import re

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import rowen
from rowen.export import arrow as arrow_module
from rowen.export import open_writer
from rowen.model import Page
from rowen.records import Record, Records
from rowen.records.schema import Schema

PAGE = Page("Congo 242 243\nEgypt 20\n", id="p1")
ONE = Record(PAGE, {"country": (0, 5), "code": (6, 9)})
SEVERAL = Record(PAGE, {"code": [(6, 9), (10, 13)]})
NESTED = Record(PAGE, {"country": (14, 19)}, [Record(PAGE, {"digits": (20, 22)})])


def written(*records, **options):
    output = io.BytesIO()
    with open_writer("parquet", output, **options) as writer:
        for record in records:
            writer.write([record], page=PAGE, extractor="codes")
    return pq.ParquetFile(output)


def test_the_columns_are_those_of_an_arrow_table_of_the_records():
    table = written(ONE, SEVERAL, NESTED).read()
    expected = Records([ONE, SEVERAL, NESTED]).to_arrow()
    assert table.to_pylist() == expected.to_pylist()
    assert table.column_names == expected.column_names == ["page", "country", "code", "children"]


def test_the_extractor_is_a_column_where_it_is_asked_for():
    table = written(ONE, name_extractor=True).read()
    assert table.column_names == ["page", "extractor", "country", "code"]
    assert table["extractor"].to_pylist() == ["codes"]


@pytest.mark.parametrize("order", [(ONE, SEVERAL, NESTED), (NESTED, SEVERAL, ONE)])
def test_a_shape_that_widens_late_holds_for_all_row_groups(monkeypatch, order):
    monkeypatch.setattr(arrow_module, "ROW_GROUP_ROWS", 1)
    file = written(*order)
    assert file.num_row_groups == 3
    assert file.read().to_pylist() == Records(order).to_arrow().to_pylist()


def test_long_values_make_short_row_groups(monkeypatch):
    monkeypatch.setattr(arrow_module, "ROW_GROUP_BYTES", 300)
    assert written(*[ONE] * 10).num_row_groups == 5


def test_declared_fields_are_columns_even_when_nothing_is_found():
    schema = written(fields=["country", "code"]).schema_arrow
    assert schema.names == ["page", "country", "code"]
    assert set(schema.types) == {pa.string()}
    assert written(fields=["country"]).read().num_rows == 0


def test_nothing_known_and_nothing_found_is_still_a_parquet_file():
    table = written().read()
    assert table.column_names == ["page"]
    assert table.num_rows == 0


def test_a_lone_surrogate_is_replaced():
    page = Page("a\udc80", id="p\ud800")
    output = io.BytesIO()
    with open_writer("parquet", output) as writer:
        writer.write([Record(page, {"f\ud800": (0, 2)})], page=page, extractor="all")
    assert pq.read_table(output).to_pylist() == [{"page": "p\ufffd", "f\ufffd": "a\ufffd"}]


def test_an_arrow_file_is_read_back_as_the_same_table():
    output = io.BytesIO()
    schema = Schema.of({"code": "integer"})
    record = ONE.with_schema(schema)
    with open_writer("arrow", output, schema=schema, fields=["country", "code"]) as writer:
        writer.write([record], page=PAGE, extractor="codes")
    table = pyarrow.feather.read_table(output)
    assert table.to_pylist() == [{"page": "p1", "country": "Congo", "code": 242}]
    same = Records([record], schema=schema, fields=["country", "code"])
    assert table.schema == same.to_arrow().schema


def test_extractors_that_say_different_things_about_a_field_share_a_column_of_texts():
    schemas = {"one": Schema.of({"code": "integer"}), "two": Schema.of({"code": "number"})}
    output = io.BytesIO()
    with open_writer("parquet", output, schema=schemas, name_extractor=True) as writer:
        for name, schema in schemas.items():
            writer.write([ONE.with_schema(schema)], page=PAGE, extractor=name)
    table = pq.read_table(output)
    assert table.schema.field("code").type == pa.string()
    assert table["code"].to_pylist() == ["242", "242"]


def test_extractors_that_agree_share_a_typed_column():
    schema = Schema.of({"code": "integer"})
    output = io.BytesIO()
    with open_writer("parquet", output, schema={"one": schema, "two": schema}) as writer:
        for name in ("one", "two"):
            writer.write([ONE.with_schema(schema)], page=PAGE, extractor=name)
    assert pq.read_table(output)["code"].to_pylist() == [242, 242]


@pytest.mark.parametrize("text", ["a1 b<i>2</i> c&eacute;3", "a1 \ud800b2", "nothing"])
@pytest.mark.parametrize("schema", [None, {"digit": "integer"}, {"digit": {"many": True}}])
def test_rows_that_were_never_records_are_written_alike(text, schema):
    page = Page(text, id="p.html")
    found = rowen.Pattern(r"(?P<name>[a-c])(?P<digit>.?)", schema=schema).extract(page)
    assert found.rows is not None
    tables = []
    for records in (found, list(found)):
        output = io.BytesIO()
        options = {"fields": ["name", "digit"], "schema": found.schema}
        with open_writer("parquet", output, source=True, spans=True, **options) as writer:
            writer.write(records, page=page, extractor="x")
        tables.append(pq.read_table(output))
    assert tables[0].equals(tables[1])


def test_files_of_a_store_say_snapshot_extractor_page_and_key(tmp_path):
    @rowen.extractor(
        version="1",
        locality=rowen.Segments("\n"),
        fields=("key", "size", "price"),
        schema={"key": {"key": True}, "size": {"type": "integer", "key": True}, "price": "price"},
    )
    def teas(text):
        for found in re.finditer(r"(\w+)( \d+)? (£\d)", text):
            size = {} if found[2] is None else {"size": (found.start(2) + 1, found.end(2))}
            yield {"key": found.span(1), **size, "price": found.span(3)}

    years = rowen.Pattern(r"(?P<snapshot>\d{4})", name="years")
    store = rowen.Store(tmp_path / "store")
    store.run([teas, years], {"p": "nothing"})
    store.run([teas, years], {"p": "Green 250 £4\nBlack £3\n1815"})
    target = tmp_path / "teas.parquet"
    manifest = store.snapshot(-1)
    with rowen.open_writer(
        "parquet",
        target,
        fields=manifest.fields,
        schema={name: manifest.schema(name) for name in manifest.extractors},
        snapshot=manifest.number,
    ) as writer:
        for name in manifest.extractors:
            for page, records in store.each(name):
                writer.write(records, page=page, extractor=name)
    table = pq.read_table(target)
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("snapshot", "int64"),
        ("extractor", "string"),
        ("page", "string"),
        ("key", "string"),
        ("key_", "string"),
        ("size", "int64"),
        ("price_amount", "decimal128(38, 10)"),
        ("price_currency", "string"),
        ("snapshot_", "string"),
    ]
    rows = [tuple(row.values())[:6] for row in table.to_pylist()]
    assert sorted(rows, key=str) == [
        (1, "teas", "p", "Green; 250", "Green", 250),
        (1, "teas", "p", None, "Black", None),
        (1, "years", "p", None, None, None),
    ]
