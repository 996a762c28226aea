"""One notion of a word: what patterns call one, everybody does."""

import sys

import regex
from hypothesis import given
from hypothesis import strategies as st

from rowen import Dictionary, Pattern
from rowen.model.words import is_inside_word, is_word_character

PIECES = [
    *(
        "a",
        "B",
        "é",
        "e\u0301",
        "त",
        "ी",
        "\u0301",
        "\u20dd",
        "\u200c",
        "\u200d",
        "‿",
        "_",
        "7",
        "٣",
    ),
    *("²", "½", "₂", "①", "Ⅳ", "Ⓐ", "漢", "-", " ", ".", "\n", "\0", "😀", "\ud800"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=12)


def test_word_characters_are_those_of_patterns_and_what_the_documentation_says():
    word = regex.compile(r"\w")
    said = regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")
    characters = "".join(map(chr, range(sys.maxunicode + 1)))
    ours = {character for character in characters if is_word_character(character)}
    assert ours == set(word.findall(characters)) == set(said.findall(characters))


@given(texts)
def test_boundaries_of_words_are_those_of_patterns(text):
    boundaries = {match.start() for match in regex.finditer(r"\b", text)}
    for place in range(len(text) + 1):
        inside = bool(text[:place] and text[place:]) and place not in boundaries
        inside = inside and regex.match(r"\w", text, pos=place) is not None
        assert is_inside_word(text, place) == inside


@given(texts)
def test_a_dictionary_of_a_word_finds_what_a_pattern_of_it_finds(text):
    """Each run of word characters, searched for with both, in all of the text."""
    for word in set(regex.findall(r"\w+", text)):
        if regex.search("[\ud800-\udfff]", word):
            continue
        pattern = Pattern(rf"\b(?P<name>{regex.escape(word)})\b")
        places = [record.spans["name"] for record in Dictionary([word]).extract(text)]
        assert places == [record.spans["name"] for record in pattern.extract(text)]
        assert places
