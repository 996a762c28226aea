"""Trains the model that finds people in a paper's front: `python -m training.people`.

Names and affiliations that were annotated by hand come first. A model of them takes the authors
of annotated headers apart, in which whole lists have one label; then all are learned from, with
the fronts of the PDFs. These are there twice, with what their lines were taken for and without,
so that the model profits from the zones but doesn't rely on them. Made-up fronts add layouts that
the PDFs don't have (`front_pages.py`); the zones of some of them are wrong or missing.
"""

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rowen.crf.tagger import Model, unpack_model
from rowen.papers.people.features import TEMPLATES, feature_rows
from rowen.papers.people.tokens import Token
from rowen.papers.zones import Zones
from training.alignment import labels_of
from training.crf import train
from training.data import SHARED, digest_of
from training.front_pages import front_page
from training.fronts import annotated_affiliations, annotated_names, headers
from training.people_alignment import people_labels
from training.zones import group_of, papers

MODEL = Path(__file__).parents[1] / "src" / "rowen" / "crf" / "models" / "people.model"
ITERATIONS = 45
MADE_UP = 1_000  # fronts
_WRONG_ZONES = {"author": "affiliation", "affiliation": "header", "header": "affiliation"}
Sequence = tuple[NDArray[np.uint64], list[str]]


def fitted(sequences: Iterable[Sequence], iterations: int, record: dict[str, object]) -> bytes:
    """A model of some sequences."""
    return train(
        sequences, TEMPLATES, iterations=iterations, c1=0.1, c2=0.02, seen=2, record=record
    )


@cache
def annotated(iterations: int) -> list[Sequence]:
    """What was annotated by hand."""
    parts = [
        (feature_rows(tokens), labels)
        for source in (annotated_names(), annotated_affiliations())
        for tokens, labels in source
        if tokens
    ]
    model = unpack_model(fitted(parts, iterations, {}))
    return parts + [
        (feature_rows(tokens), _taken_apart(tokens, labels, model)) for tokens, labels in headers()
    ]


def _taken_apart(tokens: list[Token], labels: list[str], model: Model) -> list[str]:
    """Labels of a header with names instead of lists of authors."""
    relabelled: list[str] = []
    for label, group in groupby(range(len(labels)), labels.__getitem__):
        indices = list(group)
        if label == "author":
            own = model.label(feature_rows(tokens[indices[0] : indices[-1] + 1]))
            relabelled += [
                "other" if name_label.startswith("affiliation") else name_label
                for name_label in own
            ]
        else:
            relabelled += [label] * len(indices)
    return relabelled


def printed(without: frozenset[str] = frozenset()) -> Iterator[Sequence]:
    """The fronts of all PDFs but those of some groups."""
    for gold, layout in papers():
        if group_of(gold) in without:
            continue
        zones = Zones(list(zip(layout.lines, labels_of(gold, layout), strict=True)))
        labelled = people_labels(gold, zones)
        if labelled is not None and labelled[0]:
            tokens, labels = labelled
            yield feature_rows(tokens), labels
            yield feature_rows([replace(token, zone="") for token in tokens]), labels


@cache
def made_up() -> list[Sequence]:
    """Made-up fronts, some with wrong zones or none."""
    sequences = []
    for number in range(MADE_UP):
        tokens, labels = front_page(number)
        if tokens:
            sequences.append((feature_rows(misled(tokens, number)), labels))
    return sequences


def misled(tokens: list[Token], number: int) -> list[Token]:
    """Tokens as they are, without zones, or with wrong ones, by the number of their page."""
    if number % 4 == 0:
        return [replace(token, zone="") for token in tokens]
    if number % 4 == 1:
        return [replace(token, zone=_WRONG_ZONES.get(token.zone, token.zone)) for token in tokens]
    return tokens


def main() -> None:
    """Train on all papers, or without those of some groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--without", action="append", default=[], metavar="GROUP")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    started = time.monotonic()
    record = {
        "data": {
            "headers": digest_of(SHARED / "headers"),
            "pdf": digest_of(SHARED / "pdf"),
        },
        "without": options.without,
    }
    sequences = [
        *annotated(options.iterations),
        *made_up(),
        *printed(frozenset(options.without)),
    ]
    model = fitted(sequences, options.iterations, record)
    options.output.write_bytes(model)
    print(f"{options.output}: {len(model):,} bytes, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
