"""Training a linear-chain CRF: weights from labelled sequences.

Each pass takes the sequences in a new order. After it the mean weights are scored on sequences that
were held out, and training ends when they have not improved for some passes:

    pass         1      2      3      4      5
    mean of      1      2     2-3    2-4    2-5     from the second pass on, all of them
    held out   3.91   3.55   3.48   3.50   3.52     the mean of passes 2 and 3 is the result

Made-up sequences may be drawn anew for each pass: what one draw has by chance others don't have,
and the mean forgets it.

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
    mean_from: int = 0
    """The first pass of which the mean is taken, with all after it; 0 for the last pass alone."""
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
    draws: Sequence[Sequences] = (),
) -> tuple[list[str], Weights]:
    """Labels and weights; `report` gets each pass and its mean loss on what was held out.

    Each pass also takes one of the `draws`, in turn.
    """
    trained = [(rows, list(labels)) for rows, labels in sequences]
    always = range(len(trained))
    parts: list[range] = []
    for draw in draws:
        first = len(trained)
        trained += [(rows, list(labels)) for rows, labels in draw]
        parts.append(range(first, len(trained)))
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
    chance = random.Random(settings.seed)  # noqa: S311  # nothing secret: the same each time
    best, best_loss, since = trainer.weights(), trainer.loss(count, last), 0
    if prior is None:
        best_loss = float("inf")
    for number in range(1, settings.passes + 1):
        order = [*always, *(parts[number % len(parts)] if parts else ())]
        chance.shuffle(order)
        together = 0 < settings.mean_from < number
        trainer.run_pass(np.array(order, np.uint32), settings.rate, settings.c2, together=together)
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
