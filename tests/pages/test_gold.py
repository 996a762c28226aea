"""The gold of the hand-made pages agrees with the pages, by means that are not Rowen's."""

import html
import json
import re
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from urllib.parse import urljoin

import pytest

HERE = Path(__file__).parent
SITES = sorted(path.parent.name for path in HERE.glob("*/gold.jsonl"))
TYPES = {
    "text", "html", "source", "number", "integer", "price", "date", "datetime", "url", "boolean",
}  # fmt: skip
SETTINGS = {"type", "many", "required", "key", "language", "fields"}

COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
BREAK = re.compile(
    r"</?(?:p|div|li|ul|ol|h[1-6]|br|figure|blockquote|section|table|tr|td|dd|dt)\b[^>]*>",
    re.IGNORECASE,
)
TAG = re.compile(r"<[^>]*>")
INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
BASE = re.compile(r'<base href="([^"]*)"')


def gold(site):
    """The page's text and its line, for each page."""
    for line in (HERE / site / "gold.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        yield (HERE / site / entry["page"]).read_bytes().decode("utf-8"), entry


def schema(site):
    return json.loads((HERE / site / "schema.json").read_text("utf-8"))


def squeezed(text):
    return " ".join(INVISIBLE.sub("", text).split())


def in_script(page, start):
    return page.rfind("<script", 0, start) > page.rfind("</script", 0, start)


def as_read(page, start, end):
    """What a reader sees of a page's source; in a script, what its JSON says."""
    source = page[start:end]
    if not in_script(page, start):
        return squeezed(html.unescape(TAG.sub("", BREAK.sub(" ", COMMENT.sub("", source)))))
    quoted = page[start - 1] == page[end] == '"'
    return squeezed(json.loads(f'"{source}"') if quoted else source)


def leaves(fields, values, labels, spans, path=""):
    """Each single value with its field's settings; the three trees have one shape."""
    assert set(values) == set(labels) == set(spans) == set(fields), path
    for name, field in fields.items():
        value, label, span = values[name], labels[name], spans[name]
        where = f"{path}{name}"
        if "fields" in field:
            for row in zip(value, label, span, strict=True):
                yield from leaves(field["fields"], *row, path=f"{where}.")
        elif field.get("many"):
            for row in zip(value, label, span, strict=True):
                yield where, field, *row
        elif value is None:
            assert label is None, where
            assert span is None, where
        else:
            yield where, field, value, label, span


def all_leaves(site):
    for page, entry in gold(site):
        columns = (entry["records"], entry["labels"], entry["spans"])
        for values, labels, spans in zip(*columns, strict=True):
            for leaf in leaves(schema(site), values, labels, spans):
                yield page, entry, *leaf


def all_fields(fields):
    for field in fields.values():
        yield field
        yield from all_fields(field.get("fields", {}))


def test_there_are_enough_sites_and_pages():
    assert len(SITES) >= 12
    assert sum(len(list(gold(site))) for site in SITES) >= 40


@pytest.mark.parametrize("site", SITES)
def test_every_page_of_a_site_has_one_line_and_a_plausible_size(site):
    listed = [entry["page"] for _, entry in gold(site)]
    assert sorted(listed) == sorted(path.name for path in (HERE / site).glob("*.html"))
    assert len(listed) >= 3
    for path in (HERE / site).glob("*.html"):
        assert 3_000 <= path.stat().st_size <= 40_000, path


@pytest.mark.parametrize("site", SITES)
def test_schemas_have_the_settings_and_types_of_the_design(site):
    for field in all_fields(schema(site)):
        assert set(field) <= SETTINGS
        assert field.get("type", "text") in TYPES


@pytest.mark.parametrize("site", SITES)
def test_labels_are_what_a_reader_sees_at_their_spans(site):
    count = 0
    for page, entry, name, _, _, label, (start, end) in all_leaves(site):
        assert as_read(page, start, end) == label, (site, entry["page"], name)
        count += 1
    assert count > 20


def says_price(value, label):
    digits = re.sub(r"\D", "", label)
    cents = re.sub(r"\D", "", f"{Decimal(value['amount']):.2f}")
    return set(value) == {"amount", "currency"} and cents in {digits, f"{digits}00"}


def says_integer(value, label):
    return value == int(re.sub(r"[.,\s]", "", label).replace("\u2212", "-"))


SAYS = {
    "text": lambda value, label: value == label,
    "html": lambda value, label: as_read(value, 0, len(value)) == label,
    "number": lambda value, label: value == float(label.replace(",", ".")),
    "integer": says_integer,
    "price": says_price,
    "date": lambda value, label: str(date.fromisoformat(value).year) in label,
    "datetime": lambda value, label: datetime.fromisoformat(value) == datetime.fromisoformat(label),
    "boolean": lambda value, label: value is (label.lower() in {"yes", "true"}),
}
"""For each type whether a value says what its label says, as far as that is simple to see."""


@pytest.mark.parametrize("site", SITES)
def test_values_have_their_types_and_say_what_the_labels_say(site):
    for page, entry, name, field, value, label, _ in all_leaves(site):
        where = (site, entry["page"], name, value, label)
        kind = field.get("type", "text")
        if kind == "url":
            base = BASE.search(page)
            assert value == urljoin(base[1] if base else entry["url"], label), where
        else:
            assert SAYS[kind](value, label), where


@pytest.mark.parametrize("site", SITES)
def test_every_field_has_a_value_somewhere(site):
    names = {name for _, _, name, *_ in all_leaves(site)}
    fields = schema(site)
    while any("fields" in field for field in fields.values()):
        fields = {
            f"{name}.{inner}" if inner else name: setting
            for name, field in fields.items()
            for inner, setting in field.get("fields", {"": field}).items()
        }
    assert names == set(fields)
