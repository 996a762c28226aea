"""How sure a parsed reference is: calibrated probabilities from those of the CRF.

The forward-backward algorithm gives each token the probability of its field. A field is as sure as
its least sure token; a logistic curve per field turns that into the share of such fields that are
right on strings that were held out:

    token          On    wrappers   J.    Webs
    title         .99      .97      .02    .01
    container     .01      .03      .95    .98      container: .95, right in .92 of such cases

The curves are part of the model's file (`training/calibration.py` fits them). A model without them
gives the plain probabilities.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowen.citations.fields import Spans
from rowen.citations.tokens import Token

_SURE = 1 - 1e-4
"""Probabilities beyond are not told apart."""
BY_FORM = frozenset({"doi", "url"})
"""Fields that rules find by their form, whatever the labels of their tokens."""
CORE = frozenset({"author", "editor", "title", "container"})
"""Fields that name a work; each reference has one of them."""
_WORDS_IN_FIELDS = 0.4
"""Share of a reference's words that are in some field; in body text there are fewer."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure a citation, and each of its fields, is."""

    whole: float
    fields: dict[str, float]
    is_reference: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logistic curves: offset and slope for each field, weights for the whole citation."""

    fields: Mapping[str, tuple[float, float]]
    whole: tuple[float, float, float, float]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Calibration":
        """The curves of a model's record; none change nothing."""
        curves = record.get("calibration", {})
        return cls(
            {str(name): (float(a), float(b)) for name, (a, b) in curves.get("fields", {}).items()},
            tuple(map(float, curves.get("whole", (0.0, 1.0, 0.0, 0.0)))),  # type: ignore[arg-type]
        )

    def field(self, name: str, probability: float) -> float:
        """How often such a field is right."""
        offset, slope = self.fields.get(name) or self.fields.get("other", (0.0, 1.0))
        return _logistic(offset + slope * _logit(probability))


def least_probable(
    spans: Spans,
    tokens: Sequence[Token],
    labels: Sequence[str],
    probabilities: Sequence[float],
) -> dict[str, float]:
    """For each field the probability of its least probable token."""
    least = dict.fromkeys(spans, 1.0)
    bounds = [(start, end, name) for name, places in spans.items() for start, end in places]
    bounds.sort()
    at = 0
    for token, label, probability in zip(tokens, labels, probabilities, strict=True):
        while at < len(bounds) and bounds[at][1] <= token.start:
            at += 1
        if at == len(bounds):
            break
        start, _, name = bounds[at]
        if token.end > start and probability < least[name]:
            # Rules moved the token here: the labels say nothing for it, and something against.
            least[name] = probability if label == name else min(least[name], 0.5)
    return least


def covered(spans: Spans, tokens: Sequence[Token]) -> float:
    """The share of words that are in some field."""
    bounds = sorted(span for places in spans.values() for span in places)
    words = inside = at = 0
    for token in tokens:
        if not token.text[0].isalnum():
            continue
        words += 1
        while at < len(bounds) and bounds[at][1] <= token.start:
            at += 1
        inside += at < len(bounds) and token.end > bounds[at][0]
    return inside / words if words else 0.0


def summary(fields: Mapping[str, float], share: float) -> tuple[float, float, float]:
    """What the curve of a whole citation looks at: its fields together, and what is in none."""
    together = sum(math.log(max(value, 1e-6)) for value in fields.values()) if fields else -5.0
    missing = 1.0 - min(1.0, len(CORE & fields.keys()) / 2)
    return together, 1.0 - share, missing


def certainty(
    spans: Spans,
    tokens: Sequence[Token],
    labels: Sequence[str],
    probabilities: Sequence[float],
    calibration: Calibration,
) -> Certainty:
    """How sure a citation and its fields are."""
    least = least_probable(spans, tokens, labels, probabilities)
    fields = {
        name: round(calibration.field(name, 1.0 if name in BY_FORM else value), 3)
        for name, value in least.items()
    }
    share = covered(spans, tokens)
    offset, *weights = calibration.whole
    score = offset + sum(
        weight * value for weight, value in zip(weights, summary(fields, share), strict=True)
    )
    reference = bool(CORE & spans.keys()) and len(spans) > 1 and share >= _WORDS_IN_FIELDS
    whole = _logistic(score) if calibration.fields else math.exp(min(score, 0.0))
    return Certainty(round(whole, 3), fields, reference)


def _logit(probability: float) -> float:
    bounded = min(max(probability, 1 - _SURE), _SURE)
    return math.log(bounded / (1 - bounded))


def _logistic(score: float) -> float:
    return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))
