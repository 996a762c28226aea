"""What holds for all texts: round trips through Babel's formats, no surprise from any input."""

import json
from datetime import UTC, date, timedelta, timezone
from decimal import Decimal

import pytest
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.values.conversion import TYPES, NotConverted, Setting, convert, to_json
from rowen.values.suggestion import suggest_type

LANGUAGES = [
    "en-US", "en-GB", "de", "de-CH", "de-AT", "fr", "es-ES", "es-MX", "it", "pt-BR", "pt-PT", "nl",
    "sv", "da", "nb", "fi", "is", "pl", "cs", "sk", "sl", "hr", "ro", "hu", "bg", "ru", "uk", "el",
    "tr", "ca", "et", "lv", "lt", "id", "he", "ja", "ko", "zh", "vi", "hi",
]  # fmt: skip
DATES = st.dates(date(1970, 1, 1), date(2068, 12, 31))
AMOUNTS = st.decimals(0, 10**9, places=2)
SIGNS = " .,:-/'()+%€£$¥kr0123456789٣½²T年月日\u00a0\u202f−–Z"
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(st.sampled_from(SIGNS), max_size=40),
    st.lists(
        st.sampled_from(
            ["3", "Oct", "2026", "£", "48", ".", "00", "€", "am", "UTC", "+02:00", "14:30", "mil",
             "million", "K", "%", "(", ")", "-", "//", "http:", "de", "1,234", " ", "ago", "["]
        ),
        max_size=10,
    ).map("".join),
)  # fmt: skip
ANY_SETTING = st.builds(
    Setting,
    st.none() | st.sampled_from(LANGUAGES) | st.text(max_size=8),
    st.none() | st.just("https://example.org/a/b") | st.text(max_size=12),
)


def attempt(text, name, setting):
    """The value and no reason, or no value and the reason."""
    try:
        return convert(text, name, setting), ""
    except NotConverted as refusal:
        return None, refusal.reason


def babel(language):
    return language.replace("-", "_")


@given(st.sampled_from(LANGUAGES), st.integers(-(10**12), 10**12))
def test_an_integer_of_any_locale_reads_back(language, number):
    text = format_decimal(number, locale=babel(language))
    assert convert(text, "integer", Setting(language)) == number
    assert convert(text, "number", Setting(language)) == number


@given(st.sampled_from(LANGUAGES), st.decimals(-(10**9), 10**9, places=2))
def test_a_number_of_any_locale_reads_back(language, number):
    text = format_decimal(number, "#,##0.00", locale=babel(language))
    assert convert(text, "number", Setting(language)) == float(number)


@given(AMOUNTS)
def test_a_number_reads_back_without_a_language_where_both_marks_are_there(number):
    for language in LANGUAGES:
        text = format_decimal(1000 + number, "#,##0.00", locale=babel(language))
        assert convert(text, "number", Setting()) == float(1000 + number)


@given(
    st.sampled_from(LANGUAGES), AMOUNTS, st.sampled_from(["EUR", "GBP", "USD", "PLN", "CHF", "INR"])
)
def test_a_price_of_any_locale_reads_back(language, amount, currency):
    text = format_currency(amount, currency, locale=babel(language))
    price = convert(text, "price", Setting(language))
    assert price["amount"] == amount
    assert price["currency"] in {currency, None}


@given(st.sampled_from(LANGUAGES), DATES, st.sampled_from(["medium", "long", "full"]))
def test_a_date_with_a_name_of_any_locale_reads_back(language, day, form):
    text = format_date(day, form, locale=babel(language))
    assert convert(text, "date", Setting(language)) == day


@given(st.sampled_from(LANGUAGES), DATES)
def test_a_numeric_date_of_any_locale_reads_back(language, day):
    text = format_date(day, "short", locale=babel(language))
    assert convert(text, "date", Setting(language)) == day


@given(DATES, st.sampled_from("./-"))
def test_a_numeric_date_without_a_language_is_right_or_refused(day, mark):
    text = mark.join((f"{day.day:02}", f"{day.month:02}", str(day.year)))
    value, reason = attempt(text, "date", Setting())
    assert value == day or (day.day <= 12 and str(day) in reason)


OFFSETS = st.none() | st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))


@given(st.datetimes(timezones=OFFSETS))
def test_an_iso_time_reads_back(moment):
    for separator in "T ":
        assert convert(moment.isoformat(separator), "datetime", Setting()) == moment
    value = convert(moment.isoformat(), "datetime", Setting())
    assert value.utcoffset() == moment.utcoffset()
    assert convert(moment.isoformat(), "date", Setting()) == moment.date()


@given(st.datetimes(timezones=st.just(UTC)).filter(lambda moment: 1900 < moment.year < 2200))
def test_an_rfc_2822_time_reads_back(moment):
    moment = moment.replace(microsecond=0)
    text = moment.strftime("%a, %d %b %Y %H:%M:%S +0000")
    assert convert(text, "datetime", Setting()) == moment


@settings(max_examples=cases(1_000, 20_000))
@given(TEXTS, st.sampled_from(TYPES), ANY_SETTING)
def test_any_text_is_converted_or_refused_with_a_line(text, name, setting):
    value, reason = attempt(text, name, setting)
    assert json.loads(json.dumps(to_json(value), allow_nan=False)) == to_json(value)
    assert (value is None) == bool(reason)
    assert "\n" not in reason
    assert len(reason) < 400


@given(TEXTS, ANY_SETTING)
def test_a_url_that_was_made_absolute_stays_the_same(text, setting):
    try:
        address = convert(text, "url", setting)
    except NotConverted:
        return
    assert convert(address, "url", Setting()) == address


@given(TEXTS, ANY_SETTING)
def test_what_is_written_as_json_reads_back_as_the_same_value(text, setting):
    for name in ("date", "datetime", "boolean", "integer"):
        try:
            value = convert(text, name, setting)
        except NotConverted:
            continue
        written = to_json(value)
        assert convert(str(written), name, Setting()) == value


@given(st.lists(TEXTS, max_size=5), ANY_SETTING)
def test_all_texts_convert_to_the_type_that_is_suggested(texts, setting):
    name = suggest_type(texts, setting)
    for text in texts:
        if text.strip():
            convert(text, name, setting)


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_written_without_exponents(amount):
    written = to_json(amount)
    assert "E" not in written
    assert Decimal(written) == amount


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize(
    "unit",
    [
        "9",
        " ",
        "-",
        "(",
        "1,",
        "1 ",
        "12:",
        "3 Oct ",
        "€",
        "2026-",
        "%",
        "a",
        "/",
        "£1 ",
        "٣",
        "\\",
    ],
)
def test_megabytes_of_anything_take_no_time_to_speak_of(name, unit):
    for length in (190, 990, 1_000_000):
        text = (unit * length)[:length]
        for other in (text, text + "x", "1" + text):
            _, reason = attempt(other, name, Setting("de", "https://example.org/"))
            assert len(reason) < 400


def test_lists_and_missing_values_are_written_as_json():
    assert to_json([date(2026, 10, 3), None, True]) == ["2026-10-03", None, True]
