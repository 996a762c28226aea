"""Schemas say what fields hold: from mappings, pydantic models and dataclasses, and in files."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen import Field, Schema
from rowen.model.errors import InputError
from rowen.values.conversion import TYPES


class Review(pydantic.BaseModel):
    author: str
    stars: float | None = None


class Money(pydantic.BaseModel):
    amount: Decimal
    currency: str | None


class Book(pydantic.BaseModel):
    title: str
    price: Money | None = None
    published: date | None = None
    seen: datetime | None = None
    pages: int = 0
    sold: bool = False
    link: pydantic.HttpUrl | None = None
    tags: list[str] = []
    isbn: Annotated[str, Field(key=True)] = ""
    reviews: list[Review] = []


def test_a_pydantic_model_gives_types_lists_and_nested_fields():
    schema = Schema.of(Book)
    assert {name: own.type for name, own in schema.items()} == {
        "title": "text",
        "price": "price",
        "published": "date",
        "seen": "datetime",
        "pages": "integer",
        "sold": "boolean",
        "link": "url",
        "tags": "text",
        "isbn": "text",
        "reviews": "text",
    }
    assert schema["title"].required
    assert not schema["price"].required
    assert schema["tags"].many
    assert schema.keys_of_records == ("isbn",)
    assert schema["reviews"].fields == Schema.of({"author": {"required": True}, "stars": "number"})


def test_a_dataclass_gives_the_same():
    @dataclass
    class Talk:
        room: str
        at: datetime | None = None
        speakers: list[str] = field(default_factory=list)

    expected = {"room": {"required": True}, "at": "datetime", "speakers": {"many": True}}
    assert Schema.of(Talk) == Schema.of(expected)


PAGE = rowen.Page(
    '<html lang="en-GB"><h1>Goblin <i>Market</i> &amp; more</h1> <b>£1,048<sup>50</sup></b>'
    " <time>3 October 2026</time> <a href='/b?x=1&amp;y=2'>#</a> <i>poems</i>, <i>free</i>"
    "<p>Ann <u>4.5</u></p><p>Bo <u>n/a</u></p>",
    id="https://shop.example/books/1",
)


def place(text):
    start = PAGE.text.index(text)
    return (start, start + len(text))


RECORD = rowen.Record(
    PAGE,
    {
        "title": place("Goblin <i>Market</i> &amp; more"),
        "price": place("£1,048<sup>50</sup>"),
        "published": place("3 October 2026"),
        "link": place("/b?x=1&amp;y=2"),
        "tags": [place("poems")],
        "reviews": [
            {"author": place("Ann"), "stars": place("4.5")},
            {"author": place("Bo"), "stars": place("n/a")},
        ],
        "isbn": None,
    },
)


def test_values_have_the_types_of_the_schema():
    record = RECORD.with_schema(Schema.of(Book))
    assert record.values == {
        "title": "Goblin Market & more",
        "price": {"amount": Decimal("1048.50"), "currency": "GBP"},
        "published": date(2026, 10, 3),
        "link": "https://shop.example/b?x=1&y=2",
        "tags": ["poems"],
        "reviews": [{"author": "Ann", "stars": 4.5}, {"author": "Bo", "stars": None}],
        "isbn": None,
    }
    assert record.source["title"] == "Goblin <i>Market</i> &amp; more"
    assert record.source["reviews"][1] == {"author": "Bo", "stars": "n/a"}
    written = record.to_dict()
    assert written["values"]["price"] == {"amount": "1048.50", "currency": "GBP"}
    assert written["values"]["published"] == "2026-10-03"
    assert written["spans"]["reviews"][0]["author"] == place("Ann")


def test_a_value_that_is_not_of_its_type_is_reported_with_its_place():
    records = rowen.Records([RECORD]).with_schema(Schema.of(Book))
    (warning,) = records.warnings
    assert (warning.kind, warning.page, warning.record, warning.field) == (
        "not-converted",
        PAGE.id,
        0,
        "reviews[2].stars",
    )
    assert "'n/a'" in warning.message


def test_records_validate_as_the_model_that_was_asked_for():
    (book,) = rowen.Records([RECORD]).with_schema(Schema.of(Book)).to_models()
    assert isinstance(book, Book)
    assert book.price == Money(amount=Decimal("1048.50"), currency="GBP")
    assert [review.stars for review in book.reviews] == [4.5, None]
    assert book.isbn == ""
    with pytest.raises(TypeError, match="no model"):
        RECORD.to_model()


def test_one_value_of_a_list_is_a_list_and_none_is_an_empty_one():
    schema = Schema.of({"tags": {"many": True}})
    one = rowen.Record(PAGE, {"tags": place("poems")}, schema=schema)
    none = rowen.Record(PAGE, {"tags": None}, schema=schema)
    assert (one.values["tags"], none.values["tags"]) == (["poems"], [])


def test_another_schema_needs_no_new_extraction(tmp_path):
    pattern = r"<b>(?P<price>[^<]+)</b>"
    texts = rowen.Pattern(pattern, name="prices")
    typed = rowen.Pattern(pattern, name="prices", schema={"price": "price"})
    assert texts.version == typed.version
    store = rowen.Store(tmp_path)
    pages = {"a.html": "<p><b>£5</b></p>"}
    store.run([texts], pages)
    assert store.run([typed], pages).pages["unchanged"] == 1
    ((_, records),) = store.each("prices")
    assert records[0].values == {"price": {"amount": Decimal(5), "currency": "GBP"}}
    assert store.snapshots()[0].schemas == {"prices": {}}


def test_a_schema_is_saved_with_its_extractor(tmp_path):
    schema = {"price": {"type": "price", "required": True, "language": "de"}}
    rowen.Pattern(r"(?P<price>\S+ €)", schema=schema).save(tmp_path / "p.json")
    loaded = rowen.load(tmp_path / "p.json")
    assert loaded.schema.to_dict() == schema
    assert loaded.extract("1.234,50 €")[0].values["price"]["amount"] == Decimal("1234.50")


def test_rules_hold_schemas(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        "[extractor]\nkind = 'pattern'\npattern = '(?P<year>\\d{4})'\n"
        "[extractor.schema.year]\ntype = 'integer'\n"
    )
    assert rowen.load(rules).extract("in 1862")[0].values == {"year": 1862}


names = st.text(min_size=1, max_size=5).filter(lambda name: name != "children")
fields = st.builds(
    Field,
    type=st.sampled_from(TYPES),
    many=st.booleans(),
    required=st.booleans(),
    key=st.booleans(),
    language=st.sampled_from([None, "de", "en-GB"]),
)
schemas = st.recursive(
    st.dictionaries(names, fields, max_size=3).map(Schema),
    lambda inner: st.dictionaries(
        names, fields | inner.map(lambda own: Field(fields=own)), max_size=3
    ).map(Schema),
    max_leaves=6,
)


@given(schemas)
def test_a_schema_is_read_as_it_was_written(schema):
    assert Schema.from_dict(schema.to_dict()) == schema


@given(schemas, schemas)
def test_merging_keeps_lists_and_takes_the_other_types(first, second):
    merged = first.merged(second)
    assert set(merged) == {*first, *second}
    for name, own in merged.items():
        assert own.type == (second if name in second else first)[name].type
        assert own.many == (first.field(name).many or second.field(name).many)


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ({"price": "money"}, "unknown type 'money'"),
        ({"price": {"kind": "price"}}, "unknown setting 'kind'"),
        ({"price": {"many": 1}}, "'many' of field 'price' must be true or false"),
        ({"price": {"language": 5}}, "'language'"),
        ({"price": 5}, "must be a type or a table"),
        ({"children": "text"}, "can't be called 'children'"),
        ({"a": {"fields": 3}}, "table of fields"),
        (5, "a pydantic model or a dataclass"),
        (int, "a pydantic model or a dataclass"),
    ],
)
def test_a_schema_that_is_none_is_refused(bad, complaint):
    with pytest.raises(InputError, match=complaint):
        Schema.of(bad)


def test_deep_nesting_is_refused():
    deep: dict[str, object] = {}
    for _ in range(40):
        deep = {"a": {"fields": deep}}
    with pytest.raises(InputError, match="nested deeper"):
        Schema.of(deep)


def test_json_schema_describes_what_is_written():
    schema = Schema.of(Book).json_schema()
    assert schema["required"] == ["title"]
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["tags"] == {"type": "array", "items": {"type": "string"}}
    assert schema["properties"]["reviews"]["items"]["properties"]["stars"] == {
        "anyOf": [{"type": "number"}, {"type": "null"}]
    }
