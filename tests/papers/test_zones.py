"""Parts of papers from labels that waver: titles, abstracts, keywords, lists of references."""

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.papers.zones import settled
from rowen.papers.zones.bibliography import with_bibliography
from rowen.papers.zones.features import feature_rows
from rowen.papers.zones.headings import with_settled_headings
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Layout, Line
from rowen.pdf.lines import Lead
from rowen.pdf.stretches import stretches_of

LABELS = [
    "title", "author", "affiliation", "abstract", "abstract heading", "keywords", "header", "body",
    "heading", "caption", "footnote", "reference", "reference heading", "after", "furniture",
]  # fmt: skip
WORDS = "words of running text that fill a whole line of a page and then some more"


def lines_of(*shown):
    """Lines of one block from top to bottom: a text, or a text with what is unlike the others."""
    found, baseline = [], 740.0
    for one in shown:
        text, unlike = one if isinstance(one, tuple) else (one, {})
        baseline -= unlike.pop("gap", 1.2) * 10
        line = Line(
            text, 0, 0, 72.0, baseline - 2, 72.0 + 5 * len(text), baseline + 8, baseline, 10.0,
            "Roman", bold=False, italic=False, raised=(), gaps=(), offsets=(),
        )  # fmt: skip
        found.append(replace(line, **unlike))
    return found


def part(label, labelled):
    """The texts of the lines that get a label."""
    lines = lines_of(*(line for line, _ in labelled))
    labels = settled(lines, [given for _, given in labelled])
    return [line.text for line, own in zip(lines, labels, strict=True) if own == label]


def test_a_title_is_whole_if_one_of_its_lines_was_taken_for_something_else():
    first, second = ("On the origin", {"size": 18.0}), ("of long titles", {"size": 18.0})
    assert part("title", [(first, "title"), (second, "title"), (WORDS, "body")]) == [
        "On the origin", "of long titles",
    ]  # fmt: skip
    assert part("title", [(first, "title"), (second, "header"), (WORDS, "body")]) == [
        "On the origin", "of long titles",
    ]  # fmt: skip


@pytest.mark.parametrize("banner", ["International Journal of Tests", "Nature of Tests"])
def test_a_journals_name_is_no_title(banner):
    labelled = [
        ((banner, {"size": 24.0}), "title"),
        (("A study of banners", {"size": 16.0, "gap": 4}), "header"),
        ((f"{banner} 2019, 6:3", {"gap": 4}), "header"),
        *((WORDS, "body") for _ in range(8)),
    ]
    assert part("title", labelled) == ["A study of banners"]


def test_an_abstract_goes_from_its_heading_to_the_next_part():
    inside = [f"{i} {WORDS}" for i in range(6)]
    labelled = [
        (("Abstract", {"bold": True}), "header"),
        *((line, "abstract" if i in {1, 4} else "body") for i, line in enumerate(inside)),
        (("Keywords: some, more", {"gap": 2}), "keywords"),
        (("1 Introduction", {"bold": True, "gap": 2}), "heading"),
        *((f"body {WORDS}", "abstract" if i == 1 else "body") for i in range(4)),
    ]
    assert part("abstract", labelled) == inside
    assert part("abstract heading", labelled) == ["Abstract"]


def test_an_abstract_without_a_heading_ends_where_the_type_changes():
    inside = [(f"{i} {WORDS}", {"bold": True, "font": "Bold"}) for i in range(5)]
    labelled = [
        *((line, "abstract") for line in inside),
        *((f"body {WORDS}", "abstract") for _ in range(5)),
    ]
    assert part("abstract", labelled) == [f"{i} {WORDS}" for i in range(5)]


def test_keywords_go_on_to_the_end_of_their_paragraph():
    labelled = [
        (f"Keywords: {WORDS}", "keywords"),
        (f"and {WORDS}, and still", "body"),
        ("more words", "body"),
        (WORDS, "body"),
    ]
    assert part("keywords", labelled) == [line for line, _ in labelled[:3]]


HEADING = (("Keywords", {"bold": True, "font": "Bold"}), "keywords")
INTRODUCTION = (("1. Introduction", {"bold": True, "font": "Bold", "gap": 2}), "heading")


@pytest.mark.parametrize(
    "texts",
    [
        ["one, two, three words that fill the line of a column, Simu-", "lation, Models"],
        ["one, two, three", "four"],
        ["one, two, three words that fill the line of a column,", "four, five, six,", "seven"],
        ["one; two; three words that fill the line of a column quite", "well; another; more"],
        ["alpha beta", "gamma", "delta"],
    ],
    ids=["a divided word", "a short line", "commas", "a wide line", "one on each line"],
)
def test_keywords_under_a_heading_go_on_whatever_their_lines_were_taken_for(texts):
    texts = [f"{texts[0]}," if texts[1:] == ["four"] else texts[0], *texts[1:]]
    first = 2 if texts[0] == "alpha beta" else 1
    labelled = [
        (f"abstract {WORDS[:50]}", "abstract"),
        HEADING,
        *((text, "keywords" if i < first else "body") for i, text in enumerate(texts)),
        INTRODUCTION,
        (WORDS[:50], "body"),
    ]
    assert part("keywords", labelled) == ["Keywords", *texts]


def test_keywords_end_where_a_line_that_is_not_open_ends_them():
    labelled = [
        HEADING,
        ("one, two, three", "keywords"),
        (WORDS, "body"),
        (WORDS, "body"),
    ]
    assert part("keywords", labelled) == ["Keywords", "one, two, three"]


@pytest.mark.parametrize("place", [{"block": 1}, {"block": 1, "page": 1}])
def test_keywords_go_on_in_the_next_column_and_on_the_next_page(place):
    labelled = [
        (("A title in large type", {"size": 18.0, "gap": 3}), "title"),
        HEADING,
        ("one, two, three, four and Simu-", "keywords"),
        (("1 A department somewhere", {"size": 7.0, "font": "Small", "gap": 2}), "footnote"),
        (("lation, five", {"baseline": 700.0, "bottom": 698.0, "top": 708.0, **place}), "body"),
        (("2. Methods", {**place, "font": "Bold", "baseline": 680.0}), "heading"),
        ((WORDS, place), "body"),
    ]
    assert part("keywords", labelled) == [
        "Keywords", "one, two, three, four and Simu-", "lation, five",
    ]  # fmt: skip


def test_a_list_of_references_is_whole_and_the_only_one():
    numbered = [f"{i}. Author A. A title. Journal 2001." for i in range(12)]
    labelled = [
        (WORDS, "reference"), *((WORDS, "body") for _ in range(20)),
        (("References", {"bold": True}), "heading"),
        *((line, "body" if i % 3 == 0 else "reference") for i, line in enumerate(numbered)),
        (("Appendix", {"bold": True, "size": 12.0}), "heading"),
        *((WORDS, "body") for _ in range(8)),
    ]  # fmt: skip
    assert part("reference", labelled) == numbered
    assert part("reference heading", labelled) == ["References"]


def test_without_a_heading_the_stretch_with_most_references_is_the_list():
    numbered = [f"{i}. Author A. A title. Journal 2001." for i in range(12)]
    labelled = [
        (WORDS, "reference"), *((WORDS, "body") for _ in range(20)),
        *((line, "body" if i == 5 else "reference") for i, line in enumerate(numbered)),
    ]  # fmt: skip
    assert part("reference", labelled) == numbered


def test_footnotes_are_small_marked_lines_at_the_foot_of_a_column():
    body = [(f"{i} {WORDS}", "body") for i in range(20)]
    notes = [
        ("1 A note at the foot, with words", {"size": 8.0}),
        ("that goes on for some words", {"size": 8.0}),
    ]
    small = [(("a small line without a mark", {"size": 8.0}), "body")]
    labelled = [*body, *((note, "body") for note in notes)]
    assert part("footnote", labelled) == [
        "1 A note at the foot, with words",
        "that goes on for some words",
    ]
    assert part("footnote", [*small, *body]) == []
    assert part("footnote", [*body, *small]) == []


def test_a_line_of_the_bodys_type_is_no_heading():
    bold = ("Methods", {"bold": True})
    title = ("A title", {"size": 18.0})
    labelled = [(title, "title"), (WORDS, "body"), (WORDS, "heading"), (bold, "heading")]
    assert part("heading", labelled) == ["Methods"]


@st.composite
def line_shapes(draw):
    text = draw(st.sampled_from(["Abstract", "References", "Keywords: a", "1 Introduction", WORDS]))
    [line] = lines_of(text)
    return replace(
        line,
        page=draw(st.integers(0, 2)),
        block=draw(st.integers(0, 2)),
        baseline=draw(st.floats(0, 800)),
        size=draw(st.sampled_from([8.0, 10.0, 18.0])),
        bold=draw(st.booleans()),
    )


labelled_lines = st.lists(st.tuples(line_shapes(), st.sampled_from(LABELS)), max_size=40)


@given(labelled_lines)
def test_any_labels_are_settled(labelled):
    lines = [line for line, _ in labelled]
    labels = settled(lines, [label for _, label in labelled])
    assert len(labels) == len(lines)
    assert set(labels) <= set(LABELS)


@given(labelled_lines)
def test_furniture_stays_out_of_lists_of_references(labelled):
    labels = [label for _, label in labelled]
    found = with_bibliography([line for line, _ in labelled], labels)
    assert all(
        own != "reference" for own, label in zip(found, labels, strict=True) if label == "furniture"
    )


@given(st.lists(line_shapes(), max_size=40))
def test_stretches_cover_all_lines_once(lines):
    covered = [i for stretch in stretches_of(lines) for i in range(stretch.first, stretch.end)]
    assert covered == [i for i, _ in zip(count(), lines, strict=False)]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Verwendete Literatur", "references"),
        ("Introducción", "introduction"),
        ("IV. Literatur", "references"),
        ("X Introducción", "introduction"),
        ("Vorwort", ""),
    ],
)
def test_a_first_letter_that_may_be_a_numeral_is_part_of_its_word(text, part):
    assert beginning_of(text) == part


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_list_ends_before_another_part_unless_it_goes_on_behind(goes_on):
    small, large = {"size": 8.0}, {"size": 12.0}
    entry = "Smith, A. (2001). On lists. Journal of Tests, 3, 1-9."
    shown = [("References", {**large}), *((entry, {**small}) for _ in range(6))]
    shown += [("Afterword", {**large}), *((WORDS, {}) for _ in range(8))]
    shown += [(entry, {**small}) for _ in range(20 * goes_on)]
    lines = lines_of(*shown)
    # The CRF takes all for references, whatever their type.
    settled_labels = with_bibliography(lines, ["heading", *["reference"] * (len(lines) - 1)])
    assert settled_labels[6] == "reference"
    assert settled_labels[7:9] == ["body"] * 2
    assert settled_labels[-1] == ("reference" if goes_on else "body")


def test_a_title_with_the_words_of_a_banner_is_found_above_authors_and_sections():
    labelled = [
        (("Guidelines for Test Proceedings", {"size": 16.0}), "header"),
        (("Ada Lovelace", {"size": 12.0, "gap": 3}), "author"),
        (("1. Introduction", {"size": 11.0, "gap": 4}), "title"),
        *((WORDS, "body") for _ in range(8)),
    ]
    assert part("title", labelled) == ["Guidelines for Test Proceedings"]


def test_the_number_of_a_report_is_no_title():
    labelled = [
        (("TEST2021-0003", {"size": 16.0}), "title"),
        (("A study of numbers", {"size": 14.0, "gap": 4}), "title"),
        *((WORDS, "body") for _ in range(8)),
    ]
    assert part("title", labelled) == ["A study of numbers"]


def test_names_of_the_same_size_below_a_bold_title_are_no_part_of_it():
    labelled = [
        (("A study of names in type", {"size": 12.0, "bold": True, "font": "Bold"}), "title"),
        (("Ada Lovelace", {"size": 12.0, "gap": 4}), "title"),
        *((WORDS, "body") for _ in range(8)),
    ]
    assert part("title", labelled) == ["A study of names in type"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Results", True),
        ("2.1 E3SM", True),
        ("IV", True),
        ("3.1 TrackedFloats.jl", True),
        ("\\end{multline}", False),
        ("\u2022 Computer systems", False),
        ("L = M + N", False),
        ("Xm", False),
        ("17", False),
        ("https://example.org/source", False),
    ],
)
def test_formulas_lists_and_programs_are_no_headings(text, kept):
    lines = lines_of(WORDS, (text, {"size": 12.0, "font": "Other"}), *(WORDS for _ in range(9)))
    labels = with_settled_headings(lines, ["body", "heading", *["body"] * 9])
    assert (labels[1] == "heading") == kept


def test_a_line_in_typewriter_type_is_no_heading_unless_the_paper_is_in_that_type():
    program = ("List the files", {"size": 12.0, "font": "CMTT10"})
    lines = lines_of(WORDS, program, *(WORDS for _ in range(9)))
    assert with_settled_headings(lines, ["body", "heading", *["body"] * 9])[1] == "body"
    typed = [replace(line, font="CMTT10") for line in lines]
    assert with_settled_headings(typed, ["body", "heading", *["body"] * 9])[1] == "heading"


def test_tables_behind_the_references_of_a_manuscript_are_no_references():
    entry = "Smith, A. (2001). On lists. Journal of Tests, 3, 1-9."
    shown = ["References", *[entry] * 6, "Table 1", *["Gnu stuffed"] * 8]
    labels = with_bibliography(lines_of(*shown), ["heading", *["reference"] * 15])
    assert labels == ["reference heading", *["reference"] * 6, *["body"] * 9]
    # After a table inside the list, its works go on.
    shown = ["References", *[entry] * 6, "Table 1", *["Gnu stuffed"] * 3, *[entry] * 6]
    labels = with_bibliography(lines_of(*shown), ["heading", *["reference"] * 16])
    assert labels[1:7] == labels[-6:] == ["reference"] * 6


def test_a_section_about_references_without_works_ends_no_paper():
    shown = [*[WORDS] * 10, "References", *[WORDS] * 40]
    lines = lines_of(*shown)
    layout = Layout(
        [replace(line, baseline=700.0 - 10 * i) for i, line in enumerate(lines)], [(600, 800)]
    )
    told = feature_rows(layout)
    without = feature_rows(
        Layout(
            [
                replace(line, text="Afterthoughts") if i == 10 else line
                for i, line in enumerate(layout.lines)
            ],
            layout.pages,
        )
    )
    assert (told[-1] == without[-1]).all()


@pytest.mark.parametrize("goes_on", [False, True])
def test_bold_words_of_a_sentence_that_goes_on_below_are_no_heading(goes_on):
    lead = Lead(18, "Bold", bold=True, italic=False)
    text = "Multi-level models explicitly analyze units whose parents are known"
    first = (text, {"font": "Bold", "bold": True, "lead": lead, "right": 460.0})
    below = WORDS if goes_on else WORDS.capitalize()
    lines = lines_of(WORDS, first, *(below for _ in range(9)))
    labels = with_settled_headings(lines, ["body", "heading", *["body"] * 9])
    assert labels[1] == ("body" if goes_on else "heading")


def test_statements_of_theorems_and_lines_inside_a_sentence_are_no_headings():
    bold = {"font": "Bold", "bold": True}
    theorem = ("Theorem 2.5. Let X be a process that is given", bold)
    after = ("by the one above and by no other process", bold)
    lines = lines_of(WORDS, theorem, after, *(WORDS for _ in range(9)))
    labels = with_settled_headings(lines, ["body", "heading", "heading", *["body"] * 9])
    assert labels == ["body"] * 12
    named = lines_of(WORDS, ("Theorem 3", bold), *(WORDS for _ in range(9)))
    assert with_settled_headings(named, ["body", "heading", *["body"] * 9])[1] == "heading"


def test_a_numbered_introduction_is_found_though_all_is_taken_for_the_abstract():
    heading = ("1 Introduction", {"size": 12.0, "font": "Bold", "bold": True, "gap": 3})
    lines = lines_of("Abstract", *[WORDS + "."] * 4, heading, *(WORDS for _ in range(9)))
    labels = settled(lines, ["abstract heading", *["abstract"] * 14])
    assert labels[5] == "heading"
