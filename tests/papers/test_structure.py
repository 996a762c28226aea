"""Structure of the body: paragraphs, captions, tables with cells, figures, formulas, footnotes."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdfs import one_page

from rowen.elements.captions import captions_of
from rowen.elements.cells import Piece, _strips
from rowen.elements.drawings import drawing_of
from rowen.elements.kinds import kind_of_section
from rowen.papers.paper import read_closely
from rowen.papers.zones.notices import with_notices
from rowen.pdf import read_layout

PROSE = "We show that pages of the same site have the same parts in the same order on"


def page(texts, *, rules=(), boxes=(), raised=()):
    """A page with texts (left, baseline, size, text), level rules and filled boxes."""
    drawn = [f"{a} {y} m {b} {y} l S" for a, b, y in rules]
    drawn += [f"{x} {y} {w} {h} re f" for x, y, w, h in boxes]
    shown = [f"BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET" for x, y, size, text in texts]
    shown += [f"BT /F1 6 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in raised]
    return one_page("\n".join(["0.5 w", *drawn, *shown]).encode("latin-1"))


def prose(top, count, *, left=72, text=PROSE):
    return [(left, top - 12 * i, 10, text) for i in range(count)]


HEAD = [
    (72, 740, 16, "On Reading the Parts of Papers"),
    (72, 715, 10, "Ada Lovelace"),
    (72, 690, 12, "1 Introduction"),
]
TABLE = [
    (72, 560, 9, "Table 1: Speeds of matchers"),
    *((72 + 120 * k, 540, 9, text) for k, text in enumerate(("matcher", "pages", "speed"))),
    *((72 + 120 * k, 524, 9, text) for k, text in enumerate(("anchor", "100", "1.2"))),
    *((72 + 120 * k, 512, 9, text) for k, text in enumerate(("suffix", "98", "0.4"))),
]
RULES = [(72, 400, 552), (72, 400, 535), (72, 400, 506)]


def read(*texts, **drawn):
    return read_closely(page([text for part in texts for text in part], **drawn)).paper


def body_text(paper):
    return " ".join(section.text for section in paper.body)


def test_a_ruled_table_has_its_cells_and_is_no_part_of_the_text():
    paper = read(HEAD, prose(670, 8), TABLE, prose(480, 8), rules=RULES)
    [table] = paper.tables
    assert (table.label, table.caption) == ("Table 1", "Speeds of matchers")
    assert table.cells == (
        ("matcher", "pages", "speed"),
        ("anchor", "100", "1.2"),
        ("suffix", "98", "0.4"),
    )
    assert table.head == 1
    assert table.page == 1
    assert table.boxes
    assert table.area is not None
    assert "suffix" not in body_text(paper)
    assert "Speeds" not in body_text(paper)
    assert body_text(paper).count("We show that") == 16


def test_a_label_needs_no_blank_before_its_number():
    glued = [(x, y, size, text.replace("Table 1", "Table1")) for x, y, size, text in TABLE]
    [table] = read(HEAD, prose(670, 8), glued, prose(480, 8), rules=RULES).tables
    assert table.label == "Table1"
    assert table.cells[1] == ("anchor", "100", "1.2")


def test_a_caption_below_its_label_is_found_though_words_of_the_drawing_come_between():
    lines = read_layout(page([(72, 500, 10, "Figure 2"), (72, 489, 10, "A drawing of it")])).lines
    words = read_layout(page([(300, 495 - 9 * k, 7, f"word {k}") for k in range(3)])).lines
    ordered = [lines[0], *words, lines[1]]
    [caption] = captions_of(ordered, ["caption", *["body"] * 3, "heading"], 10.0)
    assert (caption.label, caption.text, caption.indexes) == ("Figure 2", "A drawing of it", (0, 4))


def test_a_reference_to_a_table_that_begins_a_line_is_no_caption():
    before = (72, 622, 10, "We show that pages of one site have the parts of Supplementary")
    text = [
        *prose(670, 4),
        before,
        (72, 610, 10, "Table 1. The parts are many and go on over the whole of the line"),
    ]
    paper = read(HEAD, text, prose(598, 4))
    assert paper.tables == ()
    assert "Table 1. The parts" in body_text(paper)


def test_a_notice_of_copyright_on_the_first_page_is_no_text():
    notice = [
        (72, 60, 7, "(c) The Author(s) 2018. Published by a press."),
        (72, 51, 7, "This is an Open Access article under the terms of a licence."),
    ]
    lines = read_layout(page([*HEAD, *prose(670, 30), *notice])).lines
    labels = ["body"] * len(lines)
    corrected = with_notices(lines, labels)
    changed = [line.text for line, label in zip(lines, corrected, strict=True) if label != "body"]
    assert changed == [text for *_, text in notice]
    others = [(x, y, 10, text) for x, y, _, text in notice]  # in the type of the body it may be one
    lines = read_layout(page([*HEAD, *prose(670, 30), *others])).lines
    assert with_notices(lines, ["body"] * len(lines)) == ["body"] * len(lines)


def test_a_table_without_rules_is_found_by_its_aligned_rows():
    paper = read(HEAD, prose(670, 8), TABLE, prose(480, 8))
    [table] = paper.tables
    assert table.cells[1] == ("anchor", "100", "1.2")
    assert "anchor" not in body_text(paper)


def test_a_sentence_that_begins_with_a_label_is_no_caption():
    text = [
        *prose(670, 4),
        (72, 622, 10, "Table 1 shows that pages of one site have the same parts"),
    ]
    paper = read(HEAD, text, prose(610, 4))
    assert paper.tables == ()
    assert "Table 1 shows" in body_text(paper)


def test_a_figure_has_its_caption_and_the_words_in_its_drawing():
    drawing = [(150, 460, 8, "time in seconds"), (120, 500, 8, "speed")]
    caption = [
        (72, 430, 9, "Figure 2. Time by size of page."),
        (72, 419, 9, "Both axes are logarithmic."),
    ]
    paper = read(HEAD, prose(670, 8), drawing, caption, prose(390, 8), boxes=[(100, 455, 200, 90)])
    [figure] = paper.figures
    assert (figure.label, figure.caption) == (
        "Figure 2",
        "Time by size of page. Both axes are logarithmic.",
    )
    assert figure.graphic is not None
    assert figure.graphic[1:] == (100.0, 455.0, 300.0, 545.0)
    assert "seconds" not in body_text(paper)
    section = paper.body[figure.section]
    assert figure.at in {paragraph.end for paragraph in section.paragraphs}


def test_formulas_are_regions_with_their_numbers():
    formula = [(200, 560, 10, "a = b + c"), (480, 560, 10, "\\(3\\)")]
    paper = read(HEAD, prose(670, 8), formula, prose(530, 8, text=f"where {PROSE[3:]}"))
    [found] = paper.formulas
    assert (found.label, found.text) == ("(3)", "a = b + c")
    text = body_text(paper)
    assert "a = b" not in text
    assert "(3)" not in text
    assert text[: found.at].endswith("on")


def test_paragraphs_begin_with_an_indent_or_a_gap():
    last = [(72, 574, 10, "The last line is short.")]
    indented = [(84, 562, 10, PROSE), *prose(550, 3), (72, 514, 10, "It ends here.")]
    after_gap = prose(488, 3)
    paper = read(HEAD, prose(670, 8), last, indented, after_gap)
    section = paper.body[-1]
    assert section.page == 1
    texts = [section.text[p.start : p.end] for p in section.paragraphs]
    assert [text[-10:] for text in texts[:2]] == [" is short.", "ends here."]
    assert len(texts) == 3
    assert all(p.page == 1 and len(p.boxes) >= 3 for p in section.paragraphs)


def test_items_of_a_list_are_paragraphs_of_their_own():
    items = [
        (84, 570, 10, "1. Pages are read first, one by one."),
        (84, 558, 10, "2. Lines are made then."),
    ]
    paper = read(HEAD, prose(670, 7), [(72, 586, 10, "There are two steps:")], items, prose(530, 4))
    kinds = [(p.kind, s.text[p.start : p.start + 2]) for s in paper.body for p in s.paragraphs]
    assert ("item", "1.") in kinds
    assert ("item", "2.") in kinds


def test_footnotes_are_tied_to_their_marks():
    text = prose(670, 20)
    note = [(76, 92, 8, "On all pages of the site that was read in this year, by hand.")]
    paper = read(HEAD, text, note, raised=[(72 + 354, 674, "7"), (72, 96, "7")])
    [footnote] = paper.footnotes
    assert (footnote.mark, footnote.page) == ("7", 1)
    assert footnote.text.startswith("On all pages")
    section = paper.body[footnote.section]
    assert section.text[slice(*footnote.span)] == "7"


@pytest.mark.parametrize(
    ("heading", "number", "kind"),
    [
        ("Acknowledgments", None, "acknowledgements"),
        ("7. Acknowledgement", "7", "acknowledgements"),
        ("Funding", None, "funding"),
        ("Data Availability Statement", None, "data availability"),
        ("Availability of data and materials", None, "data availability"),
        ("Conflicts of Interest", None, "conflict of interest"),
        ("Authors’ contributions", None, "author contributions"),
        ("Appendix B: Proofs", None, "appendix"),
        ("A Proofs", "A", "appendix"),
        ("Results", None, None),
        ("Support vector machines", None, None),
    ],
)
def test_sections_are_known_by_their_headings(heading, number, kind):
    assert kind_of_section(heading, number, None) == kind


def covered_strips(rows, allowed):
    """The strips of `_strips`, tenth of a point by tenth."""
    pieces = [piece for row in rows for piece in row]
    if not pieces or not any(len(row) > 1 for row in rows):
        return []
    low, high = min(p.left for p in pieces), max(p.right for p in pieces)
    free = [
        x for x in range(int(low), int(high))
        if sum(p.left <= x and x + 1 <= p.right for p in pieces) <= allowed
    ]  # fmt: skip
    runs = []
    for x in free:
        if runs and runs[-1][1] == x:
            runs[-1][1] = x + 1
        else:
            runs.append([x, x + 1])
    return [(a + b) / 2 for a, b in runs if b - a >= 3 and a > low and b < high]


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), min_size=1, max_size=4),
        min_size=1, max_size=6,
    )
)  # fmt: skip
def test_columns_are_between_strips_without_text(rows):
    made = [
        [Piece("x", float(left), float(left + width), 0.0, 10.0) for left, width in row]
        for row in rows
    ]
    assert _strips(made) == covered_strips(
        made, 0 if len([r for r in made if len(r) > 1]) < 7 else 1
    )


WORDS = st.sampled_from(
    ["Table 1: Cells", "Figure 1. A drawing", "a = b + c", "(1)", "12", "References", "1 Methods",
     PROSE, "1. an item", "Fig. 2", "Table", "[1] A. Smith. Pages. 2001.", "7 A note on pages"]
)  # fmt: skip
TEXTS = st.lists(
    st.tuples(st.integers(20, 560), st.integers(20, 770), st.sampled_from([6, 8, 10, 14]), WORDS),
    max_size=40,
)
NUMBERS = st.integers(-50, 800)


@settings(max_examples=40, deadline=None)
@given(
    TEXTS,
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), max_size=8),
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=5),
)
def test_any_page_gives_elements_with_places_in_their_texts(texts, rules, boxes):
    shown = [(72, 740, 10, PROSE), *texts]
    escaped = [
        (x, y, size, text.replace("(", "\\(").replace(")", "\\)")) for x, y, size, text in shown
    ]
    paper = read_closely(page(escaped, rules=rules, boxes=boxes)).paper
    for section in paper.body:
        ends = [
            0,
            *(end for p in section.paragraphs for end in (p.start, p.end)),
            len(section.text),
        ]
        assert ends == sorted(ends)
        between = [section.text[a:b] for a, b in list(pairwise(ends))[::2]]
        assert not "".join(between).strip()
    for element in (*paper.figures, *paper.tables, *paper.formulas):
        assert element.section is None or 0 <= element.at <= len(paper.body[element.section].text)
    for table in paper.tables:
        assert len({len(row) for row in table.cells}) <= 1
        assert table.head <= len(table.cells)
    for note in paper.footnotes:
        assert note.span is None or paper.body[note.section].text[slice(*note.span)] == note.mark


def test_shapes_that_are_no_numbers_are_left_out():
    import numpy as np

    rows = np.array(
        [[np.nan, 0, 1, 1, 0], [0, 10, np.inf, 10, 0], [10, 5, 100, 5.5, 0]], np.float32
    )
    drawing = drawing_of(rows.tobytes(), 612.0, 792.0)
    assert len(drawing.level) == 1
    assert not drawing.graphics
    assert not drawing.upright
