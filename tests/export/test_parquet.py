import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowen.export import open_writer
from rowen.export import parquet as parquet_module
from rowen.model import Page, Record, Records

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
    assert table.column_names == expected.column_names


def test_the_extractor_is_a_column_where_it_is_asked_for():
    table = written(ONE, name_extractor=True).read()
    assert table.column_names == ["page", "extractor", "values", "spans", "children"]
    assert table["extractor"].to_pylist() == ["codes"]


@pytest.mark.parametrize("order", [(ONE, SEVERAL, NESTED), (NESTED, SEVERAL, ONE)])
def test_a_shape_that_widens_late_holds_for_all_row_groups(monkeypatch, order):
    monkeypatch.setattr(parquet_module, "ROW_GROUP_ROWS", 1)
    file = written(*order)
    assert file.num_row_groups == 3
    assert file.read().to_pylist() == Records(order).to_arrow().to_pylist()


def test_long_values_make_short_row_groups(monkeypatch):
    monkeypatch.setattr(parquet_module, "ROW_GROUP_BYTES", 200)
    assert written(*[ONE] * 10).num_row_groups == 5


def test_declared_fields_are_columns_even_when_nothing_is_found():
    schema = written(fields=["country", "code"]).schema_arrow
    assert schema.field("values").type == pa.struct(
        [("country", pa.string()), ("code", pa.string())]
    )
    assert written(fields=["country"]).read().num_rows == 0


def test_nothing_known_and_nothing_found_is_still_a_parquet_file():
    table = written().read()
    assert table.column_names == ["page", "values", "spans", "children"]
    assert table.num_rows == 0


def test_a_lone_surrogate_is_replaced():
    page = Page("a\udc80", id="p\ud800")
    output = io.BytesIO()
    with open_writer("parquet", output) as writer:
        writer.write([Record(page, {"f\ud800": (0, 2)})], page=page, extractor="all")
    (row,) = pq.read_table(output).to_pylist()
    assert row["page"] == "p\ufffd"
    assert row["values"] == {"f\ufffd": "a\ufffd"}
