"""Papers of any texts, for hypothesis."""

from itertools import pairwise

import hypothesis.strategies as st

from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker
from rowen.elements.element import Figure, Footnote, Formula, PaperTable, Paragraph
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author

TEXTS = st.text(st.characters() | st.sampled_from("<>&\"'\t\n\r \x00\ufffe"), max_size=8)
WORDS = st.none() | TEXTS
NAMES = st.lists(st.builds(Name, TEXTS, TEXTS), max_size=2).map(tuple)
CITATIONS = st.builds(
    Citation, TEXTS, st.just({}), NAMES, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS,
    NAMES, WORDS, WORDS, WORDS,
)  # fmt: skip


NUMBERS = st.integers(0, 9).map(float)
BOXES = st.tuples(st.integers(1, 3), NUMBERS, NUMBERS, NUMBERS, NUMBERS)
PLACES = st.just((None, ())) | BOXES.map(lambda box: (box[0], (box,)))
ANCHORS = st.just((None, None)) | st.tuples(st.integers(0, 3), st.integers(0, 30))


@st.composite
def figures(draw):
    graphic = draw(st.none() | BOXES)
    return Figure(draw(WORDS), draw(TEXTS), *draw(PLACES), graphic, *draw(ANCHORS))


@st.composite
def tables(draw):
    width = draw(st.integers(1, 3))
    rows = st.lists(TEXTS, min_size=width, max_size=width).map(tuple)
    cells = tuple(draw(st.lists(rows, max_size=3)))
    head = draw(st.integers(0, len(cells)))
    area = draw(st.none() | BOXES)
    return PaperTable(
        draw(WORDS), draw(TEXTS), cells, head, draw(WORDS), *draw(PLACES), area, *draw(ANCHORS)
    )


@st.composite
def formulas(draw):
    return Formula(draw(WORDS), draw(TEXTS), *draw(PLACES), *draw(ANCHORS))


@st.composite
def footnotes(draw):
    section, at = draw(ANCHORS)
    span = None if at is None else (at, at + 1)
    return Footnote(draw(WORDS), draw(TEXTS), *draw(PLACES), section, span)


@st.composite
def sections(draw):
    text = draw(st.text(st.sampled_from("ab <&>[1]\n\x01"), max_size=30))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    cited = st.lists(st.integers(0, 3), max_size=2).map(tuple)
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    # An empty pointer is written as one that has text would not be; markers are never empty.
    markers = tuple(Marker(start, end, draw(cited), *draw(PLACES)) for start, end in pairs)
    ends = sorted(draw(st.sets(st.integers(0, len(text)), max_size=3)) | {0, len(text)})
    kinds = st.sampled_from(("text", "item"))
    paragraphs = tuple(
        Paragraph(start, end, draw(kinds), *draw(PLACES)) for start, end in pairwise(ends)
    )
    return Section(
        draw(WORDS), text, markers, draw(st.integers(1, 3)), draw(WORDS), draw(WORDS), paragraphs,
        *draw(PLACES),
    )  # fmt: skip


LISTS = st.lists(TEXTS, max_size=2).map(tuple)
PAPERS = st.builds(
    Paper,
    WORDS,
    st.lists(st.builds(Author, TEXTS, TEXTS, LISTS, WORDS), max_size=2).map(tuple),
    WORDS,
    LISTS,
    WORDS,
    WORDS,
    st.lists(CITATIONS, max_size=3).map(tuple),
    st.lists(sections(), max_size=3).map(tuple),
    TEXTS,
    st.just(()),
    st.lists(figures(), max_size=2).map(tuple),
    st.lists(tables(), max_size=2).map(tuple),
    st.lists(formulas(), max_size=2).map(tuple),
    st.lists(footnotes(), max_size=2).map(tuple),
    st.dictionaries(st.sampled_from(("arxiv", "issn")), TEXTS, max_size=2),
    st.dictionaries(st.sampled_from(("received", "published")), TEXTS, max_size=2),
    st.just(((612.0, 792.0),) * 3),
    WORDS,
    WORDS,
)
