"""Markers of citations in the body, such as [12] and (Smith, 2004), linked to the references.

A paper cites in one style: numbers in square brackets, in round brackets or raised, keys as in
[Knu84], or names with years. The style whose markers lead to most references is chosen, and only
its markers are returned: equations, intervals, exponents and footnotes are not taken for markers.

    "as shown [1, 3], for x in [0, 1] and by Eq. (2)"        3 references
    bracketed   [1, 3] -> references 0 and 2; [0, 1] -> no marker, there is no number 0
    rounded     (2)    -> dropped, `Eq.` stands before it
    chosen      bracketed: it leads to 2 of 3 references
"""

from collections.abc import Sequence

from rowen.citations.citation import Citation
from rowen.citations.markers.labels import labels_of
from rowen.citations.markers.marker import Marker
from rowen.citations.markers.numbers import bracketed, raised, rounded
from rowen.citations.markers.years import Dated, dated, works_of
from rowen.pdf.passages import Passage

__all__ = ["Marker", "find_markers"]

_LEAST = 0.2
"""The share of the references that the markers of a style have to lead to."""

_DOUBT = {"bracketed": 1.0, "dated": 1.0, "raised": 0.9, "rounded": 0.6}
"""The weight of a style: numbers in round brackets are most often something else."""


def find_markers(
    passages: Sequence[Passage], citations: Sequence[Citation], *, by_year: Dated = dated
) -> list[tuple[Marker, ...]]:
    """The markers of each passage, in order; `by_year` finds those with years."""
    if not citations:
        return [() for _ in passages]
    labels = labels_of(citations)
    texts = [passage.text for passage in passages]
    square = [bracketed(text, labels) for text in texts]
    if _reached(square) == len(citations):
        return [tuple(own) for own in square]  # no other style can lead to more
    ways = {
        "bracketed": square,
        "dated": by_year(texts, works_of(citations)),
        "raised": [raised(passage.text, passage.raised(), labels) for passage in passages],
        "rounded": rounded(texts, labels),
    }
    reached = {way: _reached(markers) for way, markers in ways.items()}
    best = max(ways, key=lambda way: _DOUBT[way] * reached[way])
    if reached[best] < _LEAST * len(citations):
        return [() for _ in passages]
    return [tuple(own) for own in ways[best]]


def _reached(markers_by_text: Sequence[Sequence[Marker]]) -> int:
    """The number of references that markers lead to."""
    return len(
        {citation for own in markers_by_text for marker in own for citation in marker.citations}
    )
