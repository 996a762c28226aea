"""Chains: what they read, where their records are, how they are written in files."""

import pytest

import rowen
from rowen import Chain, Dictionary, Pattern, Segments, WholePage, Window
from rowen.errors import ExtractionError, ExtractorError

BLOCKS = Pattern(r"\[(?P<text>[^\]]*)\](?P<mark>!)?", name="blocks")
YEARS = Pattern(r"(?P<year>\d{4})", name="years")


def places(records):
    return [tuple(record.extent) for record in records]


def test_spans_lead_back_to_the_page():
    page = rowen.Page("1800 [in 1815] [] [1816, 1817]", id="p")
    records = Chain(YEARS, BLOCKS, "text").extract(page)
    assert [record.values["year"] for record in records] == ["1815", "1816", "1817"]
    assert places(records) == [(9, 13), (19, 23), (25, 29)]
    assert all(record.page is page for record in records)
    assert records.fields == ["year"]


def test_a_chain_of_three_reads_what_the_second_found():
    words = Chain(Pattern(r"(?P<word>\w+ \d+)", name="words"), BLOCKS, "text")
    digits = Chain(Pattern(r"(?P<digit>\d)", name="digits"), words, "word")
    assert places(digits.extract("7 [a 12, 3] b 4")) == [(5, 6), (6, 7)]
    assert [step.field for step in digits.steps] == [None, "text", "word"]


def test_the_source_is_read_with_its_markup():
    blocks = Pattern(r"(?s)<p>(?P<text>.*?)</p>", name="blocks")
    found = Chain(Pattern(r"(?P<x>R&amp;<b>D)"), blocks, "text").extract("<p>R&amp;<b>D</b></p>")
    assert places(found) == [(3, 13)]
    assert found[0].values["x"] == "R&D"


def test_texts_that_overlap_give_a_record_once():
    cities = Dictionary(["New York", "York City"], field="city")
    found = Chain(Pattern("(?P<x>York)"), cities, "city").extract("New York City")
    assert places(found) == [(4, 8)]


def test_missing_fields_and_several_values_are_read_as_they_are():
    @rowen.extractor(name="both", fields=["all"], version="1")
    def both(_text):
        yield {"all": [(0, 4), (5, 9)]}
        yield {"all": None}

    assert places(Chain(YEARS, both, "all").extract("1815 1816 1817")) == [(0, 4), (5, 9)]
    assert len(Chain(YEARS, BLOCKS, "mark").extract("[1815]")) == 0


def test_nested_fields_are_refused():
    @rowen.extractor(name="nested", version="1")
    def nested(_text):
        yield {"reviews": [{"stars": (0, 1)}]}

    with pytest.raises(ExtractionError, match="'reviews' of 'nested' holds records"):
        Chain(YEARS, nested, "reviews").extract("1815")


def test_an_unknown_field_is_refused():
    with pytest.raises(ExtractorError, match="'blocks' has no field 'txt' to read; its fields"):
        Chain(YEARS, BLOCKS, "txt")


@pytest.mark.parametrize(
    ("first", "locality"),
    [
        (Pattern(r"<(?P<text>[^<>\n]+)>", name="a"), Segments("\n")),
        (Pattern(r"CS\s(?P<text>\d{3})", name="a"), Window(3, 6)),
        (Pattern(r"(?s)<(?P<text>.+)>", name="a"), WholePage()),
    ],
)
def test_as_one_extractor_it_looks_as_far_as_its_first_step(first, locality):
    assert Chain(Pattern("(?s)(?P<x>.*)"), first, "text").locality == locality


def test_the_version_follows_every_step():
    def version(step, blocks=r"\[(?P<text>[^\]]*)\]"):
        return Chain(Pattern(step), Pattern(blocks, name="blocks"), "text").version

    assert version("(?P<x>a)") == version("(?P<x>a)")
    assert len({version("(?P<x>a)"), version("(?P<x>b)"), version("(?P<x>a)", "(?P<text>a)")}) == 3


def test_a_saved_chain_is_the_same(tmp_path):
    chain = Chain(YEARS, BLOCKS, "text", name="chain")
    chain.save(tmp_path / "chain.json")
    loaded = rowen.load(tmp_path / "chain.json")
    assert (loaded.name, loaded.version) == (chain.name, chain.version)
    assert loaded.extract("[1815] 1816") == chain.extract("[1815] 1816")


def test_code_can_not_be_saved(tmp_path):
    @rowen.extractor(name="code", fields=["text"])
    def code(_text):
        return []

    with pytest.raises(ExtractorError, match="'code' is code"):
        Chain(YEARS, code, "text").save(tmp_path / "chain.json")


RULES = """
[[extractor]]
name = "a.b"
kind = "pattern"
pattern = '\\[(?P<text>[^\\]]*)\\]'
part = true

[[extractor]]
name = "years"
kind = "pattern"
pattern = '(?P<year>\\d{4})'
input = %s
"""


def test_a_file_says_what_is_read(tmp_path):
    (tmp_path / "rules.toml").write_text(RULES % '"a.b.text"')
    assert places(rowen.load(tmp_path / "rules.toml").extract("1814 [1815]")) == [(6, 10)]


@pytest.mark.parametrize(
    ("reads", "message"),
    [
        ('"a.b.txt"', "'a.b' has no field 'txt'"),
        ('"blocks.text"', "'blocks.text' names no extractor of this file; its extractors: a.b, ye"),
        ('"years.year"', "refer to each other in a circle: years -> years"),
        ('"text"', "'input' must be an extractor of this file and a field of it"),
        ("3", "'input' must be an extractor"),
    ],
)
def test_wrong_inputs_are_explained(tmp_path, reads, message):
    (tmp_path / "rules.toml").write_text(RULES % reads)
    with pytest.raises(ExtractorError) as caught:
        rowen.load_all(tmp_path / "rules.toml")
    assert message in str(caught.value)
