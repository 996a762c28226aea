"""How sure header fields are: evidence, curves, and where a paper has them."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rowen import read_paper
from rowen.papers.header import header_certainty

FARM = Path(__file__).parent / "farm" / "documents"
SHARES = st.floats(0, 1)
FIELDS = {"title": 4, "authors": 4, "affiliations": 4, "abstract": 4, "keywords": 3}


@given(st.fixed_dictionaries({name: st.tuples(*[SHARES] * n) for name, n in FIELDS.items()}))
def test_any_evidence_gives_a_probability_for_each_field(evidence):
    sure = header_certainty(evidence)
    assert sure.keys() == evidence.keys()
    assert all(0 < value < 1 for value in sure.values())


def test_an_abstract_with_its_heading_is_surer_than_a_fragment():
    whole = header_certainty({"abstract": (1.0, 1.0, 1.0, 1.0)})["abstract"]
    assert whole > 0.9 > header_certainty({"abstract": (0.0, 0.0, 0.0, 0.0)})["abstract"]


def test_a_paper_says_how_sure_the_fields_are_that_it_has():
    paper = read_paper(FARM / "llncs.pdf")
    assert paper.confidence.keys() == FIELDS.keys()
    assert paper.to_dict()["confidence"] == paper.confidence


def test_text_without_a_layout_has_no_confidence():
    assert read_paper(b"A Study\n\nAda Lovelace\n\nAbstract\n\nWe study.\n").confidence == {}
