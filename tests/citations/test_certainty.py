"""How sure citations are."""

import rowen

GOOD = "Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97-111."
PROSE = (
    "We then compared the results of both groups and found that the effect was smaller than before."
)


def test_each_field_has_a_confidence_between_0_and_1():
    (citation,) = rowen.parse_citations([GOOD])
    assert citation.field_confidence.keys() == citation.spans.keys()
    assert all(0 <= value <= 1 for value in citation.field_confidence.values())
    assert citation.to_dict()["confidence"] == citation.confidence


def test_what_is_no_reference_is_less_sure_and_flagged():
    good, prose = rowen.parse_citations([GOOD, PROSE])
    assert good.is_reference
    assert not prose.is_reference
    assert (prose.confidence or 0) < (good.confidence or 0)
