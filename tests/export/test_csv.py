import io

import pytest

from rowen.export import open_writer
from rowen.model import ExtractorError, Page
from rowen.records import Record

PAGE = Page('Congo 242\n"Egypt", 20\n', id="p1")


def written(*records, page=PAGE, **options):
    output = io.BytesIO()
    with open_writer("csv", output, **options) as writer:
        writer.write(records, page=page, extractor="codes")
    return output.getvalue().decode()


def test_the_declared_fields_are_the_header_even_when_nothing_is_found():
    assert written(fields=["country", "code"]) == "page,country,code\r\n"
    assert written() == "page\r\n"


def test_cells_are_quoted_where_they_must_be():
    record = Record(PAGE, {"country": (10, 17), "code": (9, 10)})
    assert written(record) == 'page,country,code\r\np1,"""Egypt""","\n"\r\n'


def test_fields_that_come_late_are_in_the_header_too():
    first, second = Record(PAGE, {"country": (0, 5)}), Record(PAGE, {"code": (6, 9)})
    assert written(first, second) == "page,country,code\r\np1,Congo,\r\np1,,242\r\n"


def test_a_field_that_was_not_declared_is_the_extractors_fault():
    with pytest.raises(ExtractorError, match="'codes' returned a field .* not declare: 'code'"):
        written(Record(PAGE, {"code": (6, 9)}), fields=["country"])


def test_several_values_share_a_cell_and_missing_ones_leave_it_empty():
    record = Record(PAGE, {"country": [(0, 5), (11, 16)], "code": None})
    assert written(record) == "page,country,code\r\np1,Congo; Egypt,\r\n"


def test_nested_records_are_a_row_a_leaf_with_what_is_above_repeated():
    codes = [Record(PAGE, {"code": (6, 9)}), Record(PAGE, {"code": (19, 21)})]
    record = Record(PAGE, {"country": (0, 5)}, codes)
    expected = "page,extractor,country,code\r\np1,codes,Congo,242\r\np1,codes,Congo,20\r\n"
    assert written(record, name_extractor=True) == expected
    declared = ["country", "code"]
    assert written(record, name_extractor=True, fields=declared) == expected


@pytest.mark.parametrize("fields", [(), ("all",)])
def test_nul_stays_and_a_lone_surrogate_is_replaced(fields):
    page = Page("a\0\udc80b", id="p")
    assert written(Record(page, {"all": (0, 4)}), page=page, fields=fields) == (
        "page,all\r\np,a\0\ufffdb\r\n"
    )


def test_a_value_longer_than_the_csv_modules_limit_can_wait():
    page = Page("x" * 200_000, id="p")
    assert len(written(Record(page, {"all": (0, 200_000)}), page=page)) > 200_000
