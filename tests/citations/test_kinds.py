"""The kind of work that a citation refers to."""

import pytest

from rowen.citations.citation import Citation
from rowen.citations.kinds import Kind, kind_of


@pytest.mark.parametrize(
    ("container", "fields", "kind"),
    [
        ("Proc Natl Acad Sci", {"volume": "96"}, Kind.ARTICLE),
        ("Proceedings of the Royal Society B", {"volume": "275"}, Kind.ARTICLE),
        ("Proceedings of the IEEE", {"volume": "86"}, Kind.ARTICLE),
        ("Proc. VLDB Endow.", {"volume": "5"}, Kind.ARTICLE),
        ("Proceedings of Something", {"volume": "5", "issue": "3"}, Kind.ARTICLE),
        ("Proc. IEEE INFOCOM", {"volume": "2"}, Kind.PROCEEDINGS),
        ("Proceedings of the Royal Society", {}, Kind.PROCEEDINGS),
        ("Proceedings of ICML", {"volume": "28"}, Kind.PROCEEDINGS),
        (
            "Proceedings of the Conference of the Cognitive Science Society",
            {"volume": "30"},
            Kind.PROCEEDINGS,
        ),
        ("Conference on Tests", {"issue": "3"}, Kind.PROCEEDINGS),
        ("Journal of Tests", {"volume": "3"}, Kind.ARTICLE),
    ],
)
def test_journals_of_societies_are_no_proceedings_of_meetings(container, fields, kind):
    assert kind_of(Citation("", spans={}, title="On tests", container=container, **fields)) == kind
