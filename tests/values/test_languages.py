"""The tables of names and habits agree with CLDR, as Babel has it, where they mean to."""

import pytest
from babel import Locale
from babel.dates import get_month_names

from rowen.values.months import month_of
from rowen.values.setting import Locale as Habits
from rowen.values.setting import locale_of
from rowen.values.tables import read_table

MONTHS = read_table("months.toml")
NAMED = sorted(set(MONTHS) - {"ar"})  # Babel's Arabic has Hebrew names among its own
UNDECIDED = {
    "en-ZA",
    "fr-CH",
    "fr-CA",
    "en-CA",
    "es-US",
    "es-PR",
    "es-PA",
    "es-419",
    "es",
    "en",
    "ar",
}
OTHER_HABITS = {
    "en-PR": "order",  # Babel: as in the whole world
    "en-HK": "order", "en-150": "order", "en-MT": "order", "sr": "order",
}  # fmt: skip


@pytest.mark.parametrize("language", NAMED)
@pytest.mark.parametrize("width", ["wide", "abbreviated"])
def test_each_month_of_cldr_is_known_by_its_name(language, width):
    if (language, width) == ("th", "abbreviated"):
        pytest.skip("Thai abbreviations have dots inside")
    for month, name in get_month_names(width, "format", locale=language).items():
        words = name.replace("’", " ").replace("'", " ").rstrip(".॰׳").split()
        assert month_of(words[-1], Habits(language=language)) == month


@pytest.mark.parametrize("language", NAMED)
def test_a_name_means_one_month_within_a_language(language):
    names = [name for forms in MONTHS[language] for name in set(forms)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("tag", sorted(set(read_table("locales.toml")["decimal"]) - UNDECIDED))
def test_the_decimal_mark_is_that_of_cldr(tag):
    symbols = Locale.parse(tag, sep="-").number_symbols
    assert locale_of(tag).decimal == symbols["latn"]["decimal"]


@pytest.mark.parametrize(
    "tag", sorted(set(read_table("locales.toml")["order"]) - UNDECIDED - set(OTHER_HABITS))
)
def test_the_order_of_dates_is_that_of_cldr(tag):
    pattern = Locale.parse(tag, sep="-").date_formats["short"].pattern.lower()
    assert locale_of(tag).order == "".join(c for c in dict.fromkeys(pattern) if c in "dmy")


@pytest.mark.parametrize("tag", sorted(UNDECIDED))
def test_tags_of_several_habits_decide_nothing(tag):
    habits = locale_of(tag)
    assert habits.decimal is None or habits.order is None


@pytest.mark.parametrize(
    "tag", ["", "-", "x", "zz-ZZ", "de_CH", "zh-Hant-TW", "EN-gb", "sr-Latn-RS"]
)
def test_any_tag_can_be_asked(tag):
    habits = locale_of(tag)
    if tag == "zh-Hant-TW":
        assert habits.country == "TW"
    if tag == "EN-gb":
        assert habits.order == "dmy"
    if tag == "de_CH":
        assert habits.decimal == "."


def test_every_code_of_a_currency_is_in_the_list():
    table = read_table("currencies.toml")
    codes = set(table["codes"])
    shared = {code for countries in table["shared"].values() for code in countries.values()}
    assert {*table["signs"].values(), *table["words"].values(), *shared} <= codes
    assert set(table["three_decimals"]) <= codes
