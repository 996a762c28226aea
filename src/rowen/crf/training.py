"""Training a linear-chain CRF: weights from labelled sequences.

Each pass takes the sequences in a new order. After it the mean weights of the pass are scored on
sequences that were held out, and training ends when they have not improved for some passes:

    pass         1      2      3      4      5
    held out   3.91   3.55   3.48   3.50   3.52     the weights of pass 3 are the result

With a prior, weights start from those of another model and are pulled towards them: a few hundred
sequences suffice to adapt it, and what they don't show stays as it was.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen._core import ChainTrainer
from rowen.crf.tagger import Templates, Weights, pack_model

Sequences: TypeAlias = Iterable[tuple[NDArray[np.uint64], Sequence[str]]]
"""Rows of features, and the label of each row."""

Report: TypeAlias = Callable[[int, float], None]
"""Called with the number of each pass, and its mean loss on what was held out."""

NEVER = -20.0
"""The weight of a step between labels that the data doesn't have."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train."""

    rate: float = 0.1
    """The length of the first steps."""
    c2: float = 1.0
    """How strongly weights are pulled to 0, or to those of the prior."""
    seen: int = 2
    """Features that fewer rows with one label have are left out."""
    passes: int = 12
    """The most passes over the sequences."""
    patience: int = 2
    """Passes without an improvement after which training ends."""
    least: float = 0.02
    """Smaller weights are left out, unless there is a prior: they change next to nothing."""
    seed: int = 7


def fit(
    sequences: Sequences,
    held_out: Sequences,
    templates: Templates,
    *,
    settings: Settings,
    prior: tuple[Sequence[str], Weights] | None = None,
    report: Report | None = None,
) -> tuple[list[str], Weights]:
    """Labels and weights; `report` gets each pass and its mean loss on what was held out."""
    trained = [(rows, list(labels)) for rows, labels in sequences]
    own = {label for _, labels in trained for label in labels}
    names: list[str] = sorted(own) if prior is None else list(prior[0])
    index = {label: number for number, label in enumerate(names)}
    trainer = ChainTrainer(templates, len(names))
    for rows, labels in trained:
        trainer.add(rows, _numbers(labels, index))
    count = len(trained)
    trainer.prepare(settings.seen, NEVER, None if prior is None else _parts(prior[1]))
    last = count
    for rows, held_labels in held_out:
        if index.keys() >= set(held_labels):
            trainer.add(rows, _numbers(held_labels, index))
            last += 1
    draw = random.Random(settings.seed)  # noqa: S311  # nothing secret: the same each time
    best, best_loss, since = trainer.weights(), trainer.loss(count, last), 0
    if prior is None:
        best_loss = float("inf")
    for number in range(1, settings.passes + 1):
        order = list(range(count))
        draw.shuffle(order)
        trainer.run_pass(np.array(order, np.uint32), settings.rate, settings.c2)
        loss = trainer.loss(count, last)
        if report is not None:
            report(number, loss)
        since += 1
        if loss < best_loss:
            best, best_loss, since = trainer.weights(), loss, 0
        if since >= settings.patience:
            break
    keys, starts, owners, values, steps = best
    square = steps.reshape(len(names), len(names))
    return names, Weights(keys, starts, owners, values, square)


def averaged(fits: Sequence[tuple[list[str], Weights]]) -> tuple[list[str], Weights]:
    """The mean weights of models with the same labels; a weight that one lacks counts as 0."""
    labels = fits[0][0]
    if any(own != labels for own, _ in fits):
        raise ValueError("models with different labels have no mean")
    if len(fits) == 1:
        return fits[0]
    count = len(labels)
    places = [
        (np.repeat(own.keys, np.diff(own.starts)), own.labels.astype(np.uint64), own.weights)
        for _, own in fits
    ]
    keys, place = np.unique(np.concatenate([own for own, _, _ in places]), return_inverse=True)
    cells = place.astype(np.int64) * count + np.concatenate([own for _, own, _ in places]).astype(
        np.int64
    )
    used, inverse = np.unique(cells, return_inverse=True)
    sums = np.bincount(inverse, weights=np.concatenate([own for _, _, own in places]))
    starts = np.searchsorted(used, np.arange(len(keys) + 1) * count).astype(np.uint32)
    steps = np.mean([own.transitions for _, own in fits], axis=0)
    first = fits[0][1]
    return labels, Weights(
        keys,
        starts,
        (used % count).astype(first.labels.dtype),
        (sums / len(fits)).astype(first.weights.dtype),
        steps.astype(first.transitions.dtype),
    )


def packed(
    labels: Sequence[str],
    templates: Templates,
    weights: Weights,
    *,
    settings: Settings,
    record: dict[str, Any],
) -> bytes:
    """A model file of trained weights, without those that change next to nothing."""
    full_record = {**record, "algorithm": "averaged sgd", "settings": asdict(settings)}
    return pack_model(labels, templates, without_small(weights, settings.least), full_record)


def without_small(weights: Weights, least: float) -> Weights:
    """Weights without those whose absolute value is at most `least`."""
    large = np.abs(weights.weights) > least
    owners = np.repeat(np.arange(len(weights.keys)), np.diff(weights.starts))[large]
    counts = np.bincount(owners, minlength=len(weights.keys))
    used = counts > 0
    return Weights(
        weights.keys[used],
        np.concatenate(([0], np.cumsum(counts[used]))).astype(np.uint32),
        weights.labels[large],
        weights.weights[large],
        weights.transitions,
    )


def _numbers(labels: Sequence[str], index: dict[str, int]) -> NDArray[np.uint8]:
    return np.array([index[label] for label in labels], np.uint8)


def _parts(weights: Weights) -> tuple[Any, ...]:
    return (
        weights.keys, weights.starts, weights.labels, weights.weights, weights.transitions
    )  # fmt: skip
