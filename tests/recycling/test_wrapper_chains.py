"""Saved wrappers in chains that a TOML file describes: exact, and with places on the page."""

import random
import re

import pytest

import rowen
from rowen.errors import ExtractorError

RULES = """
[[extractor]]
name = "listing"
kind = "wrapper"
file = "saved/listing.json"
part = true

[[extractor]]
name = "cities"
kind = "dictionary"
input = "listing.title"
field = "city"
entries = ["York", "New York", "Ulm", "a & b"]

[[extractor]]
name = "initials"
kind = "pattern"
input = "cities.city"
pattern = '(?P<initial>\\b\\w)'

[[extractor]]
name = "items"
kind = "pattern"
pattern = '(?s)<ul>(?P<all>.*?)</ul>'
part = true

[[extractor]]
name = "inner"
kind = "wrapper"
file = "saved/listing.json"
input = "items.all"
"""

PARTS = ["York", "New York", "Ulm", "New ", "a &amp; b", "<b>", "</b>", "<i>", "</i>", "<ul>"]
PARTS += ["</ul>", "<li><b>Ulm and York</b> <i>£2</i></li>", " ", "\n", "x", "Yo<i>rk"]


@pytest.fixture
def rules(tmp_path):
    page = "<ul><li><b>Ulm</b> <i>£1</i></li><li><b>York</b> <i>£2</i></li></ul>"
    marked = rowen.Example(
        page, [{"title": "Ulm", "price": "£1"}, {"title": "York", "price": "£2"}]
    )
    (tmp_path / "saved").mkdir()
    rowen.learn([marked], "lr").save(tmp_path / "saved" / "listing.json")
    (tmp_path / "rules.toml").write_text(RULES)
    return tmp_path / "rules.toml"


def scratch(wrapper, text):
    """The places of cities in titles, and of wrappers' records in lists, without any chain."""
    cities = set()
    dictionary = rowen.Dictionary(["York", "New York", "Ulm", "a & b"], field="city")
    for title in {record.spans["title"] for record in wrapper.extract(text)}:
        for found in dictionary.extract(text[title.start : title.end]):
            city = found.spans["city"]
            cities.add((title.start + city.start, title.start + city.end))
    inner = set()
    for found in re.finditer("(?s)<ul>(.*?)</ul>", text):
        for record in wrapper.extract(found[1]):
            spans = [record.spans[name] for name in ("title", "price")]
            inner.add(tuple((found.start(1) + s.start, found.start(1) + s.end) for s in spans))
    return cities, inner


def test_each_night_equals_scratch_and_places_are_those_of_the_page(tmp_path, rules):
    extractors = rowen.load_all(rules)
    assert [extractor.name for extractor in extractors] == ["cities", "initials", "inner"]
    wrapper = rowen.load(rules.parent / "saved" / "listing.json")
    source = random.Random(1)
    store = rowen.Store(tmp_path / "store")
    pages = {str(n): source.choices(PARTS, k=30) for n in range(40)}
    records = 0
    for night in range(4):
        texts = {name: "".join(parts) for name, parts in pages.items()}
        store.run(extractors, texts, jobs=1, matcher=("anchor", "line")[night % 2])
        found = {name: (set(), set()) for name in texts}
        for page, each in store.each("cities"):
            for record in each:
                span = record.spans["city"]
                found[page.id][0].add((span.start, span.end))
        for page, each in store.each("inner"):
            for record in each:
                spans = [record.spans[name] for name in ("title", "price")]
                found[page.id][1].add(tuple((s.start, s.end) for s in spans))
        expected = {name: scratch(wrapper, text) for name, text in texts.items()}
        assert found == expected, night
        for page, each in store.each("initials"):
            for record in each:
                span = record.spans["initial"]
                assert any(a <= span.start < b for a, b in found[page.id][0])
        records += sum(len(a) + len(b) for a, b in found.values())
        for parts in pages.values():
            for _ in range(source.randint(0, 2)):
                parts[source.randrange(len(parts))] = source.choice(PARTS)
    assert records > 200


def test_another_wrapper_in_the_file_is_another_version(rules):
    before = [extractor.version for extractor in rowen.load_all(rules)]
    page = "<p><b>Ulm</b>: <u>£1</u></p><p><b>York</b>: <u>£2</u></p>"
    marked = rowen.Example(
        page, [{"title": "Ulm", "price": "£1"}, {"title": "York", "price": "£2"}]
    )
    rowen.learn([marked], "lr").save(rules.parent / "saved" / "listing.json")
    after = [extractor.version for extractor in rowen.load_all(rules)]
    assert all(old != new for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("saved/listing.json", "saved/none.json"), "extractor 'listing': .*none.json: .*No such"),
        (("saved/listing.json", "rules.toml"), "is not a wrapper that `rowen learn`"),
        (
            (
                'file = "saved/listing.json"\npart',
                'file = "saved/listing.json"\nclass = "lr"\npart',
            ),
            "unknown setting 'class'",
        ),
        (('file = "saved/listing.json"\npart', "file = 3\npart"), "'file' must be a string"),
        (("listing.title", "listing.name"), "'listing' has no field 'name' to read"),
    ],
)
def test_what_is_wrong_with_the_file_is_one_clear_error(rules, changed, message):
    rules.write_text(rules.read_text().replace(*changed, 1))
    with pytest.raises(ExtractorError, match=message):
        rowen.load_all(rules)


def test_a_service_reads_no_wrapper_from_its_disk(rules):
    from rowen.extractors.saved import parse_all

    with pytest.raises(ExtractorError, match="must have its settings here, not in a 'file'"):
        parse_all(rules.read_text(), "toml")
