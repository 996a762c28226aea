"""The benchmark of the hand-made pages counts what is right, and only that."""

from copy import deepcopy
from datetime import date
from decimal import Decimal

import pytest
from benchmarks.wrappers.modern_pages import modern_sites
from benchmarks.wrappers.modern_values import as_read, compare, text_form, value_form, without

SITES = {site.name: site for site in modern_sites()}


@pytest.mark.parametrize("name", SITES)
def test_gold_compared_with_itself_is_right_in_all_counts(name):
    for page in SITES[name].pages:
        for records, form in ((page.values, value_form), (page.labels, text_form)):
            result = compare(deepcopy(records), records, form)
            assert result.f1 == result.records_right == result.pages_part == 1
            assert set(result.field_f1().values()) == {1}


@pytest.mark.parametrize("name", SITES)
def test_nothing_found_is_nothing_right(name):
    result = compare([], SITES[name].pages[0].values, value_form)
    assert result.f1 == result.records_right == result.pages_part == 0


def test_a_value_under_another_parent_is_a_right_value_of_wrong_records():
    gold = [{"title": "A", "reviews": [{"by": "x"}]}, {"title": "B", "reviews": []}]
    moved = [{"title": "A", "reviews": []}, {"title": "B", "reviews": [{"by": "x"}]}]
    result = compare(moved, gold, value_form)
    assert result.f1 == 1
    assert result.records_right == result.pages_part == 0


def test_records_in_another_order_are_right_but_their_page_is_not():
    gold = [{"title": "A"}, {"title": "B"}]
    result = compare(gold[::-1], gold, value_form)
    assert result.records_right == 1
    assert result.pages_part == 0


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ("4.5", 4.5),
        ("2026-10-03", date(2026, 10, 3)),
        ("£48.00", {"amount": Decimal("48.00"), "currency": "GBP"}),
        ({"amount": Decimal(48), "currency": None}, {"amount": Decimal(48), "currency": "GBP"}),
        ("Salt &amp; Static", "Salt & Static"),
        (1, True),
    ],
)
def test_a_value_of_another_type_or_not_clean_is_wrong(found, wanted):
    assert compare([{"field": found}], [{"field": wanted}], value_form).f1 == 0


def test_amounts_and_times_are_compared_by_what_they_mean():
    price = {"amount": Decimal("48.00"), "currency": "GBP"}
    assert compare([{"p": price}], [{"p": {**price, "amount": Decimal(48)}}], value_form).f1 == 1


def test_missing_and_empty_are_the_same():
    assert compare([{"a": "x"}], [{"a": "x", "b": None, "c": []}], value_form).pages_part == 1


def test_marked_records_are_left_out_once_each():
    records = [{"a": "x"}, {"a": "x"}, {"a": "y"}]
    assert without(records, [{"a": "x"}], value_form) == [{"a": "x"}, {"a": "y"}]


def test_a_marked_record_that_is_found_in_part_is_neither_right_nor_wrong():
    gold = [{"a": "x", "b": "1"}, {"a": "y", "b": "2"}]
    result = compare([{"a": "x"}, {"a": "y", "b": "2"}], gold, value_form, known=gold[:1])
    assert (result.right.total(), result.found.total(), result.wanted.total()) == (2, 2, 2)


def test_source_is_read_as_markup_or_as_a_string_of_json():
    assert as_read("12&nbsp;pack <b>Gro\u00dfe</b><br>x") == "12 pack Gro\u00dfe x"
    assert as_read('V\\u00f6slach \\"x\\"') == 'V\u00f6slach "x"'
