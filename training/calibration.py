"""How sure a field is: logistic curves from the CRF's probabilities to the share that is right.

`python -m training.calibration` prints a reliability table of the model of the package on strings
that it has not seen: for fields by how sure they are, how many there are and how many are right.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.citations.certainty import BY_FORM, Calibration, covered, least_probable, summary
from rowen.citations.citation import Citation
from rowen.citations.features import feature_rows
from rowen.citations.fields import spans_of
from rowen.citations.parser import parse_citation
from rowen.citations.tokens import tokens_of
from rowen.crf.tagger import Model, load_model
from training.data import rows, scorer

_FEWEST = 60  # fields of a kind that get a curve of their own
_PULL = 1.0  # towards a curve that changes nothing
_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.001)


def texts_of(citation: Citation) -> dict[str, str]:
    """The fields of a citation as the scorer wants them."""
    texts = {
        name: [citation.raw[start:end] for start, end in spans]
        for name, spans in citation.spans.items()
    }
    return {
        name: " ".join(own)
        if name in {"author", "editor"}
        else max(own, key=len)
        if name in {"title", "container"}
        else own[0]
        for name, own in texts.items()
    }


def judged(citation: Citation, row: dict[str, Any]) -> dict[str, bool]:
    """For each field that the annotation could have whether it is right."""
    score = scorer("reffields")
    texts, gold = texts_of(citation), row["fields"]
    return {
        name: bool(gold.get(name)) and score.match(name, gold[name], texts[name])
        for name in texts
        if name in score.SCORED.get(row["source"], score.DEF)
    }


def calibrated(
    model: Model, held: Sequence[dict[str, Any]], others: Iterable[str]
) -> dict[str, Any]:
    """The curves of a model, from strings that it has not learned from, and from others that are
    no references.
    """
    plain = {name: list(values) for name, values in _curves(model, held).items()}
    pairs = {name: (offset, slope) for name, (offset, slope) in plain.items()}
    calibration = Calibration(pairs, (0.0, 1.0, 0.0, 0.0))
    features, right = [], []
    for raw, row in [*((row["raw"], row) for row in held), *((raw, None) for raw in others)]:
        least, share, citation = _parsed(raw, model)
        fields = {
            name: calibration.field(name, 1.0 if name in BY_FORM else value)
            for name, value in least.items()
        }
        features.append([1.0, *summary(fields, share)])
        right.append(row is not None and _all_right(citation, row))
    whole = _fitted(np.array(features), np.array(right, float), np.array([0.0, 1.0, 0.0, 0.0]))
    return {"fields": plain, "whole": [round(float(value), 4) for value in whole]}


def _all_right(citation: Citation, row: dict[str, Any]) -> bool:
    score = scorer("reffields")
    _, share = score.score([(row["source"], row["fields"], texts_of(citation))])
    return bool(share == 1)


def _parsed(raw: str, model: Model) -> tuple[dict[str, float], float, Citation]:
    tokens = tokens_of(raw)
    if not tokens:
        return {}, 0.0, Citation(raw, {})
    labels, probabilities = model.label_surely(feature_rows(tokens))
    fields = [label.rpartition("-")[2] for label in labels]
    spans = spans_of(raw, tokens, fields)
    least = least_probable(spans, tokens, fields, probabilities)
    return least, covered(spans, tokens), parse_citation(raw, model)


def _curves(model: Model, held: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    cases: defaultdict[str, list[tuple[float, bool]]] = defaultdict(list)
    for row in held:
        least, _, citation = _parsed(row["raw"], model)
        for name, right in judged(citation, row).items():
            if name not in BY_FORM:
                cases[name].append((least[name], right))
                cases["other"].append((least[name], right))
            else:
                cases[name].append((1.0, right))
    curves = {}
    for name, own in sorted(cases.items()):
        if len(own) < _FEWEST:
            continue
        probabilities = np.clip(np.array([value for value, _ in own]), 1e-4, 1 - 1e-4)
        scores = np.log(probabilities / (1 - probabilities))
        right = np.array([float(value) for _, value in own])
        features = np.stack([np.ones_like(scores), scores], axis=1)
        offset, slope = _fitted(features, right, np.array([0.0, 1.0]))
        curves[name] = (round(float(offset), 4), round(float(slope), 4))
    return curves


def _fitted(
    features: NDArray[np.float64], right: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, pulled towards `start`."""
    weights = start.copy()

    def value(at: NDArray[np.float64]) -> float:
        scores = features @ at
        return float(
            (np.logaddexp(0, scores) - right * scores).sum() + _PULL / 2 * ((at - start) ** 2).sum()
        )

    for _ in range(50):
        expected = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        gradient = features.T @ (expected - right) + _PULL * (weights - start)
        curvature = (features * (expected * (1 - expected))[:, None]).T @ features
        step = np.linalg.solve(curvature + _PULL * np.eye(len(weights)), gradient)
        while value(weights - step) > value(weights) and np.abs(step).max() > 1e-8:
            step /= 2  # a whole step may go too far
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def table(cases: Sequence[tuple[float, bool]]) -> Iterator[tuple[str, int, float, float]]:
    """Cases by how sure they are: bounds, how many, mean confidence, share that is right."""
    for low, high in pairwise(_EDGES):
        own = [(value, right) for value, right in cases if low <= value < high]
        if own:
            yield (
                f"{low:.2f} to {min(high, 1.0):.2f}",
                len(own),
                sum(value for value, _ in own) / len(own),
                sum(right for _, right in own) / len(own),
            )


def main() -> None:
    """Print the reliability of fields and of whole citations on `refs/dev`."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    model = load_model("citations")
    fields, whole = [], []
    for row in rows("refs/dev.jsonl.xz"):
        citation = parse_citation(row["raw"], model)
        fields += [
            (citation.field_confidence[name], right)
            for name, right in judged(citation, row).items()
        ]
        whole.append((citation.confidence or 0.0, _all_right(citation, row)))
    for title, cases in (("fields", fields), ("whole citations", whole)):
        error = sum(count * abs(sure - right) for _, count, sure, right in table(cases)) / len(
            cases
        )
        print(f"{title}: expected calibration error {error:.3f}")
        for bounds, count, sure, right in table(cases):
            print(f"  {bounds}: {count:5} of them, {sure:.3f} sure, {right:.3f} right")


if __name__ == "__main__":
    main()
