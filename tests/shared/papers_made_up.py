"""Papers of any texts, for hypothesis."""

import hypothesis.strategies as st

from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker
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


@st.composite
def sections(draw):
    text = draw(st.text(st.sampled_from("ab <&>[1]\n\x01"), max_size=30))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    cited = st.lists(st.integers(0, 3), max_size=2).map(tuple)
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    # An empty pointer is written as one that has text would not be; markers are never empty.
    markers = tuple(Marker(start, end, draw(cited)) for start, end in pairs)
    return Section(draw(WORDS), text, markers)


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
)
