"""Suggestions are safe: a type only where the texts can hardly be anything else."""

import pytest

from rowen.values.conversion import Setting
from rowen.values.suggestion import suggest_type

PLAUSIBLE = [
    ("integer", ["1987", "2026"]),
    ("integer", ["1,204 reviews", "1 review"]),
    ("integer", ["(128)", "(3)"]),
    ("integer", ["20 kg", "3 kg"]),
    ("integer", ["1.2K", "300"]),
    ("number", ["4.5", "3"]),
    ("number", ["4.0", "5.0"]),
    ("number", ["4.5 out of 5 stars", "5 out of 5 stars"]),
    ("number", ["1,5 l", "0,75 l"]),
    ("price", ["£4"]),
    ("price", ["48,00 €", "5 €"]),
    ("date", ["Oct 3, 2026"]),
    ("date", ["3. Oktober 2026", "", "1. Mai 2025"]),
    ("datetime", ["2026-10-03T10:00:00Z"]),
    ("url", ["https://example.org/a"]),
    ("url", ["/a/b", "../c"]),
    ("boolean", ["Yes", "No"]),
    ("boolean", ["true"]),
]
TEXTS = [
    ["02134", "90210"],
    ["+44 20 7946 0958", "+44 20 7946 0959"],
    ["(555) 123-4567", "(555) 123-4568"],
    ["5551234567", "5551234568"],
    ["9780140449136", "9780140449273"],
    ["978-0-14-044913-6", "978-0-14-044927-3"],
    ["0140449132", "0140449140"],
    ["1.2.3", "2.0.1"],
    ["v2", "v3"],
    ["192.168.0.1", "10.0.0.1"],
    ["128"],
    ["No"],
    ["10/03/26", "11/04/26"],
    ["1.234", "2.500"],
    ["14:30", "15:00"],
    ["12 Main St", "5 High St"],
    ["Chapter 1", "Chapter 2"],
    ["It was on 3 October 2026 that the two of them met again"],
    ["£5", "Free"],
    ["20261003", "20261004"],
    ["", " "],
    [],
]


@pytest.mark.parametrize(("name", "texts"), PLAUSIBLE)
def test_a_plausible_type_is_suggested(name, texts):
    assert suggest_type(texts, Setting(base="https://example.org/x")) == name


@pytest.mark.parametrize("texts", TEXTS)
def test_ids_and_prose_stay_text(texts):
    assert suggest_type(texts, Setting(base="https://example.org/x")) == "text"


def test_the_language_makes_a_suggestion_possible():
    assert suggest_type(["10/03/26", "11/04/26"], Setting("en-US")) == "date"
    assert suggest_type(["1.234", "2.500"], Setting("de")) == "integer"
