"""Markers of citations in the body, such as [12] and (Smith, 2004), linked to the references.

A paper has one way to cite. Which it is shows in how many references its markers lead to: numbers
in square brackets, in round ones, or raised, keys as in [Knu84], or names with years. Only markers
of that way are given, so that equations, intervals, exponents and footnotes are not taken for them.
"""

from collections.abc import Sequence

from rowen.scholar.citations.citation import Citation
from rowen.scholar.markers.labels import labels_of
from rowen.scholar.markers.marker import Marker
from rowen.scholar.markers.numbers import bracketed, raised, rounded
from rowen.scholar.markers.years import dated
from rowen.scholar.passages import Passage

__all__ = ["Marker", "find_markers"]

_LEAST = 0.2
"""What share of the references the markers of a way have to lead to."""

_DOUBT = {"bracketed": 1.0, "dated": 1.0, "raised": 0.9, "rounded": 0.6}
"""How much a way's references count: what else looks like round brackets is most frequent."""


def find_markers(
    passages: Sequence[Passage], citations: Sequence[Citation]
) -> list[tuple[Marker, ...]]:
    """The markers of each passage, in order."""
    if not citations:
        return [() for _ in passages]
    labels = labels_of(citations)
    texts = [passage.text for passage in passages]
    ways = {
        "bracketed": [bracketed(text, labels) for text in texts],
        "dated": dated(texts, citations),
        "raised": [raised(passage.text, passage.raised(), labels) for passage in passages],
        "rounded": rounded(texts, labels),
    }
    reached = {
        way: len({one for own in found for marker in own for one in marker.citations})
        for way, found in ways.items()
    }
    best = max(ways, key=lambda way: _DOUBT[way] * reached[way])
    if reached[best] < _LEAST * len(citations):
        return [() for _ in passages]
    return [tuple(own) for own in ways[best]]
