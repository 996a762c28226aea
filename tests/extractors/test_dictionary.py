import pickle
import sys

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from rowen import Dictionary, ExtractorError, Page, Pattern, Segments, Window
from rowen.extractors.locality import MARKS
from rowen.model.words import is_word_character
from rowen.testing import check_locality


def found(dictionary, text):
    return [record.values[dictionary.field] for record in dictionary.extract(text)]


def test_entries_are_found_as_whole_words():
    assert found(Dictionary(["IR", "CIM"]), "IR and CIM, not AIR or CIMs") == ["IR", "CIM"]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("Jose", "Jose\u0301"),  # José, decomposed
        ("भारत", "भारती"),
        ("می", "می\u200cرود"),  # one word, with a zero-width non-joiner in it
        ("a", "a\u20dd"),  # an enclosing circle
        ("file", "file‿name"),
    ],
)
def test_a_mark_or_a_connector_goes_on_with_the_word(entry, text):
    assert found(Dictionary([entry]), text) == []
    assert found(Dictionary([entry]), f"{entry} {text}") == [entry]
    assert found(Dictionary([entry], words=False), text) == [entry]


@pytest.mark.parametrize("text", ["CO₂", "CO²", "½CO", "CO①"])
def test_numbers_that_are_no_digits_are_of_no_word(text):
    assert found(Dictionary(["CO"]), text) == ["CO"]
    assert spans(Pattern(r"\b(?P<name>CO)\b"), text) == spans(Dictionary(["CO"]), text)


def test_without_words_they_are_found_anywhere():
    assert found(Dictionary(["IR"], words=False), "AIR IR") == ["IR", "IR"]


def test_of_nested_occurrences_the_longest_counts_and_overlapping_ones_all():
    cities = Dictionary(["New York", "York", "York City"])
    assert found(cities, "New York City") == ["New York", "York City"]
    assert found(cities, "New Yorker, York") == ["York"]


def test_a_longer_entry_that_ends_inside_a_word_hides_nothing():
    assert found(Dictionary(["New York", "New York City"]), "New York Citys") == ["New York"]


def test_case_folds_where_asked():
    names = Dictionary(["Straße", "İzmir"], fold_case=True)
    assert found(names, "STRASSE, straße, İZMIR") == ["STRASSE", "straße", "İZMIR"]
    assert found(names, "ß ß STRASSE") == ["STRASSE"]
    assert found(Dictionary(["ss"], fold_case=True, words=False), "ß sS") == ["ß", "sS"]
    assert found(Dictionary(["s"], fold_case=True, words=False), "ß") == []


def test_spans_are_code_points():
    (record,) = Dictionary(["né"]).extract("😀 né")
    assert record.spans == {"name": (2, 4)}


def test_half_a_surrogate_pair_on_the_page_is_no_trouble():
    assert found(Dictionary(["a"]), "\ud800 a") == ["a"]
    assert found(Dictionary(["a"], fold_case=True), "ß \ud800 A") == ["A"]


@pytest.mark.slow
def test_a_hundred_thousand_entries():
    entries = [f"name{number}" for number in range(100_000)]
    assert found(Dictionary(entries), "x name99999 name7 name100000") == ["name99999", "name7"]


@pytest.mark.parametrize(
    ("entries", "complaint"),
    [([], "at least one"), ("abc", "list of strings"), (["", "a"], "''"), ([3], "3")],
)
def test_bad_entries_are_refused(entries, complaint):
    with pytest.raises(ExtractorError, match=complaint):
        Dictionary(entries)


def test_a_bad_field_name_is_refused():
    with pytest.raises(ExtractorError, match="children"):
        Dictionary(["a"], field="children")


def slowly(entries, text, *, words):
    """All occurrences by looking everywhere, less those inside a longer one."""
    places = {
        (start, start + len(entry))
        for entry in entries
        for start in range(len(text))
        if text.startswith(entry, start)
    }
    if words:
        edges = {match.start() for match in regex.finditer(r"(?<!\w)|(?!\w)", text)}
        places = {place for place in places if edges.issuperset(place)}
    return sorted(
        place
        for place in places
        if not any(o != place and o[0] <= place[0] and place[1] <= o[1] for o in places)
    )


LETTERS = "ab é_\u0301\u093e₂½\u200d"  # with marks that combine, numbers and a joiner
texts = st.text(LETTERS + ".", max_size=15)
entry_lists = st.lists(st.text(LETTERS, min_size=1, max_size=4), min_size=1, max_size=6)


@given(entry_lists, texts, st.booleans())
def test_it_finds_what_looking_everywhere_finds(entries, text, words):
    records = Dictionary(entries, words=words).extract(text)
    assert [record.spans["name"] for record in records] == slowly(entries, text, words=words)


@given(entry_lists, st.lists(texts, min_size=1, max_size=3), st.booleans(), st.booleans())
def test_its_window_holds(entries, pages, words, fold_case):
    dictionary = Dictionary(entries, words=words, fold_case=fold_case)
    assert isinstance(dictionary.locality, Window)
    check_locality(dictionary, pages, trials=5)


@given(
    st.lists(st.text("abßSs é_(),<\n", min_size=1, max_size=4), min_size=1, max_size=6),
    st.text("abßSs é_(),<>\n\ufffd\udc80", max_size=30),
    st.booleans(),
    st.booleans(),
)
def test_each_segment_can_be_extracted_by_itself(entries, text, words, fold_case):
    dictionary = Dictionary(entries, words=words, fold_case=fold_case)
    assert isinstance(dictionary.grain, Segments)
    alone = {
        (segment.start + span.start, segment.start + span.end)
        for segment in dictionary.grain.split(text)
        for span in spans(dictionary, text[segment.start : segment.end])
    }
    assert alone == set(spans(dictionary, text))


def spans(dictionary, text):
    return [record.spans["name"] for record in dictionary.extract(text)]


def test_marks_are_of_no_word_and_no_other_character_folds_to_one():
    assert not any(map(is_word_character, MARKS))
    folding = [chr(code) for code in range(sys.maxunicode + 1)]
    assert not [
        character
        for character in folding
        if character not in MARKS and set(character.casefold()) & set(MARKS)
    ]
    assert MARKS.casefold() == MARKS


def test_a_grain_is_the_locality_where_that_is_given_or_no_mark_is_left():
    assert Dictionary(["a\nb"]).grain == Segments(sorted(set(MARKS) - {"\n"}))
    assert Dictionary([MARKS]).grain == Window(len(MARKS), len(MARKS))
    assert Dictionary(["a"], locality=Window(3, 3)).grain == Window(3, 3)


def test_a_dictionary_travels_to_other_processes():
    names = Dictionary(["Straße", "York"], fold_case=True, name="names")
    loaded = pickle.loads(pickle.dumps(names))
    page = Page("STRASSE in New York")
    assert loaded.extract(page) == names.extract(page)
    assert loaded.version == names.version
    assert loaded.locality == names.locality


@pytest.mark.parametrize("entry", ["", 1, None, {}, ["a"]])
def test_what_is_no_text_is_no_entry(entry):
    with pytest.raises(ExtractorError, match="is not an entry"):
        Dictionary(["a", entry])
