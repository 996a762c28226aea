"""The tree of an expression says what the engine does, or there is none."""

import re
from importlib import import_module

import pytest
import regex

from rowen.extractors.expression import (
    _FOLDED_INTO_ASCII,
    ALL,
    ASCII,
    BEYOND,
    Characters,
    Group,
    Sequence,
    read,
)

TEXT = "".join(map(chr, range(ASCII)))
BEYOND_ASCII = "éßΩ٣\u2028\xa0\u0301²½\u017f\u212a\u0130\u0131\U0001f600\ud800"


def only(node):
    while isinstance(node, (Sequence, Group)):
        node = node.part if isinstance(node, Group) else node.parts[0]
    assert isinstance(node, Characters)
    return node.mask


SETS = [
    "a", "(?i)k", "(?i)ß", r"\d", r"\D", r"\s", r"\S", r"\w", r"\W", r"(?a)\w", r"(?a)\W", ".",
    "(?s).", "(?w).", "[a-f]", "[^a-f]", "(?i)[^k-s]", "(?i)[a-z]", r"[^\s\S]", r"[^\d\D]",
    r"[^\w\W]", r"[\w\W]", r"[\s\d.]", r"[^\s\d.]", "[[:alpha:]]", "[^[:alpha:]]", "[[:punct:]_]",
    "[[:^digit:]]", r"\p{Lu}", r"(?i)\p{Lu}", r"\P{Lu}", r"\p{Greek}", r"[\p{Lu}--A]", r"\h",
    "(?V1)[a-z--[aeiou]]", "(?V1)[a-z&&[aeiou]]", "(?V1)[a-z~~[aeiou]]", "(?V1)[a-z||[0-9]]",
    "(?V1)[^a-z--[aeiou]]", "[a||b]", "[[a]", "[]a]", "[^]a]", "[a-]", r"[\]\[^-]",
    "[é-ü]", "[z-é]", r"\x41", r"\u00e9", r"\N{BULLET}", r"\n", r"[\b]", "(?x)[ #]", r"[:=]",
    r"[=:]", "[{]", r"\{", r"[\w.-]", "(?i)[İ]", "(?i)\u017f", "(?i)[^\u017f]",
]  # fmt: skip


@pytest.mark.parametrize("pattern", SETS)
def test_a_set_has_what_the_engine_matches(pattern):
    compiled = regex.compile(pattern)
    mask = only(read(pattern))
    ascii_ = {character for character in TEXT if compiled.fullmatch(character)}
    assert {chr(code) for code in range(ASCII) if mask >> code & 1} == ascii_
    if not mask & BEYOND:
        assert not [character for character in BEYOND_ASCII if compiled.fullmatch(character)]


@pytest.mark.parametrize("pattern", SETS)
def test_beyond_ascii_a_set_has_either_words_or_others_or_both(pattern):
    compiled = regex.compile(pattern)
    mask = only(read(pattern))
    for character in BEYOND_ASCII:
        if compiled.fullmatch(character):
            word = bool(regex.match(r"\w", character))
            assert mask >> (ASCII if word else ASCII + 1) & 1, character


def test_all_characters_that_fold_into_ascii_are_known():
    engine = import_module("regex._regex")
    unicode = int(regex.UNICODE | regex.IGNORECASE)
    folding = {
        chr(code)
        for code in range(ASCII, 0x20000)  # nothing beyond has cases
        if any(case < ASCII for case in engine.get_all_cases(unicode, code))
    }
    assert folding == set(_FOLDED_INTO_ASCII)


@pytest.mark.parametrize(
    "pattern",
    [
        "a{e}", "(?:abc){e<=1}", "(?P<x>abc){i<=1}", r"(?P<x>a|b(?R)?)", r"(?P<n>a(?&n)?)",
        r"a\Kb", r"\Ga", r"\X", r"(?r)ab", r"(?b)a", r"(?e)a", "(?p)a|ab", r"(*SKIP)a",
        r"a(*PRUNE)b", r"(?w)\bfoo", "(?if)straße", "(?V1)(?i)ß", r"(?P<x>a(?P<x>b))",
        "(?(?=a)a|b)",
    ],
)  # fmt: skip
def test_what_is_not_known_has_no_tree(pattern):
    regex.compile(pattern)
    assert read(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "plain"),
    [
        ("(?x) a b # a comment", "ab"),
        ("(?x)a\u2028\xa0b", "ab"),
        ("(?x)a[ ]b", "a b"),
        ("(?#a comment)ab", "ab"),
        (r"\{\w+\}", r"[{]\w+[}]"),
        (r"{\w+}", r"\{\w+\}"),
        ("a{,3}", "a{0,3}"),
        ("a{x}", r"a\{x\}"),
        ("(?i:a)b", "[aA]b"),
        (r"(?>ab|a)", "ab|a"),
        (r"\h", r"[[:blank:]]"),
        ("a{2}{3}", None),
    ],
)
def test_the_same_expression_has_the_same_tree(pattern, plain):
    if plain is None:
        with pytest.raises(regex.error):
            regex.compile(pattern)
    else:
        assert read(pattern) == read(plain)


def test_a_flag_in_the_middle_counts_as_the_engine_counts_it():
    assert regex.fullmatch("a(?i)b", "aB")
    assert not regex.fullmatch("a(?i)b", "AB")
    parts = read("a(?i)b").parts
    assert [part.mask.bit_count() for part in parts] == [1, 2]
    with pytest.raises(re.error):
        re.compile("a(?i)b")


def test_another_parser_in_the_engine_makes_nothing_of_any_pattern(monkeypatch):
    core = import_module("regex._regex_core")
    monkeypatch.delattr(core, "_parse_pattern")
    assert read("abc") is None


def test_the_mask_of_everything_has_a_bit_for_each_character():
    assert only(read("(?s).")) == ALL
