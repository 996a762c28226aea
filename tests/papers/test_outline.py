"""Headings: numbers, levels, several lines, and headings that run into their paragraphs."""

from rowen.papers.zones.outline import headings_of
from rowen.papers.zones.run_in import with_run_in_headings
from rowen.pdf import Line
from rowen.pdf.lines import Lead


def _line(
    text: str, baseline: float = 700, *, size: float = 10, bold: bool = False, lead: int = 0
) -> Line:
    opening = Lead(lead, "Bold", bold=True, italic=False) if lead else None
    return Line(
        text, 0, 0, 72, baseline, 300, baseline + size, baseline, size,
        "Bold" if bold else "Roman", bold, italic=False, raised=(), gaps=(),
        offsets=tuple(range(len(text))), lead=opening,
    )  # fmt: skip


def _levels(*texts: str) -> list[tuple[str | None, int]]:
    labelled = [(_line(text, 700 - 30 * i, bold=True), "heading") for i, text in enumerate(texts)]
    return [(heading.number, heading.level) for heading in headings_of(labelled)]


def test_the_depth_of_a_number_is_the_level() -> None:
    assert _levels("1 Introduction", "2. Methods", "2.1 Data", "2.1.3. Years", "A.1 Proofs") == [
        ("1", 1), ("2", 1), ("2.1", 2), ("2.1.3", 3), ("A.1", 2),
    ]  # fmt: skip


def test_roman_numbers_letters_and_numbers_with_a_bracket_are_three_levels() -> None:
    assert _levels("I. INTRODUCTION", "II. METHODS", "A. Data", "1) Years", "III. RESULTS") == [
        ("I", 1), ("II", 1), ("A", 2), ("1", 3), ("III", 1),
    ]  # fmt: skip


def test_a_word_of_one_letter_is_no_number() -> None:
    assert _levels("A study of wrappers", "I am here") == [(None, 1), (None, 1)]


def test_without_numbers_larger_type_is_a_higher_level() -> None:
    sizes = {"Methods": 14, "Data": 12, "Results": 14}
    labelled = [
        (_line(text, 700 - 30 * i, size=size, bold=True), "heading")
        for i, (text, size) in enumerate(sizes.items())
    ]
    assert [heading.level for heading in headings_of(labelled)] == [1, 2, 1]


def test_lines_of_one_type_close_together_are_one_heading() -> None:
    labelled = [(_line("2 A long", 700), "heading"), (_line("heading", 688), "heading"),
                (_line("2.1 Next", 676), "heading")]  # fmt: skip
    assert [heading.text for heading in headings_of(labelled)] == ["2 A long heading", "2.1 Next"]


def test_headings_that_run_into_their_paragraphs_become_lines() -> None:
    labelled = [
        (_line("Rinsing. We rinsed all.", 700, lead=9), "body"),
        (_line("Twice.", 688), "body"),
        (_line("Drying. We dried all.", 676, lead=8), "body"),
    ]
    parted = with_run_in_headings(labelled)
    assert [(line.text, label) for line, label in parted] == [
        ("Rinsing.", "heading"), ("We rinsed all.", "body"), ("Twice.", "body"),
        ("Drying.", "heading"), ("We dried all.", "body"),
    ]  # fmt: skip
    assert [heading.run_in for heading in headings_of(parted)] == [True, True]
    assert all(len(line.offsets) == len(line.text) for line, _ in parted)


def test_a_single_emphasis_at_the_start_of_a_paragraph_is_no_heading() -> None:
    labelled = [(_line("Never. We rinsed all.", 700, lead=7), "body")]
    assert with_run_in_headings(labelled) == labelled


def test_captions_are_no_run_in_headings() -> None:
    labelled = [(_line(f"Table {n}. Plates.", 700 - 12 * n, lead=9), "body") for n in range(3)]
    assert with_run_in_headings(labelled) == labelled


def test_a_number_of_numerals_letters_and_digits_shows_its_depth() -> None:
    assert _levels("I. Data", "I.A. Sources", "I.A.1. Years") == [
        ("I", 1), ("I.A", 2), ("I.A.1", 3),
    ]  # fmt: skip


def test_a_deep_number_shows_a_run_in_heading_without_a_sign_at_its_end() -> None:
    texts = [
        "4.1 Figures Care should be taken with them",
        "4.2 Tables None should be too wide here",
    ]
    leads = [len("4.1 Figures"), len("4.2 Tables")]
    labelled = [
        (_line(text, 700 - 12 * i, lead=lead), "heading")
        for i, (text, lead) in enumerate(zip(texts, leads, strict=True))
    ]
    cut = with_run_in_headings(labelled)
    assert [line.text for line, label in cut if label == "heading"] == ["4.1 Figures", "4.2 Tables"]
