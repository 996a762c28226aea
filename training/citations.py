"""Trains the model that takes reference strings apart: `python -m training.citations`."""

import argparse
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.citations.adaptation import Annotated, sequence_of
from rowen.citations.features import FEATURES_FORM, TEMPLATES
from rowen.citations.fields import NUMBERS, numbers_in
from rowen.crf.tagger import unpack_model
from rowen.crf.training import Settings, averaged, fit, packed
from training.calibration import calibrated
from training.data import SHARED, digest_of, rows
from training.foreign import WORDS, foreign, languages
from training.prose import passages, unlabelled
from training.synthesis import distorted, stock_of, synthetic

SILVER = "refs/silver_pdf.jsonl.xz"
FILES = ("refs/train.jsonl.xz", SILVER)
DEV = "refs/dev.jsonl.xz"
SETTINGS = Settings(rate=0.005, c2=1.0, seen=2, passes=8, patience=2, least=0.02, seed=7)
DISTORTED, SYNTHETIC, FOREIGN, PROSE = 5, 3, 5, 16  # one such string for so many annotated ones
ROUNDS = 1  # trainings of which the mean is taken
HELD_OUT = 12  # one document in so many decides when to stop, and how sure a field is
MODEL = Path(__file__).parents[1] / "src" / "rowen" / "crf" / "models" / "citations.model"


def repaired(row: dict[str, Any]) -> dict[str, Any]:
    """A row in which a book's own title is no container, and pages behind an issue are pages.

    Part of the annotated strings call the book one where it is what is cited; most don't. A tenth
    of those with `31(3):491-514` call 491 an issue and 514 a volume.
    """
    row = _with_numbers(row)
    labels = set(row["labels"])
    book = labels & {"publisher", "location"} and not labels & {"title", "volume", "issue"}
    if not book or "container" not in labels:
        return row
    repaired_labels = ["title" if label == "container" else label for label in row["labels"]]
    return {**row, "labels": repaired_labels}


def _with_numbers(row: dict[str, Any]) -> dict[str, Any]:
    numbers = numbers_in(row["raw"])
    if numbers is None or not set(NUMBERS) & set(row["labels"]):
        return row
    labels = list(row["labels"])
    for k, (start, end) in enumerate(row["spans"]):
        for i, name in enumerate(NUMBERS, 1):
            if numbers.start(i) <= start and end <= numbers.end(i):
                labels[k] = name
    return {**row, "labels": labels}


def annotated(
    files: Sequence[str], without: frozenset[str] = frozenset(), *, step: int = 1
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Annotated strings but those of some documents (each, or one in `step`): those to learn from,
    and those of documents that are held out.
    """
    chosen = [row for file in files for row in rows(file) if row["doc"] not in without]
    real = [repaired(row) for row in chosen[::step]]
    return [row for row in real if not _held_out(row)], [row for row in real if _held_out(row)]


def _held_out(row: dict[str, Any]) -> bool:
    return sha256(row["doc"].encode()).digest()[0] % HELD_OUT == 0


def strings(
    real: Sequence[dict[str, Any]], without: frozenset[str] = frozenset(), *, seed: int
) -> list[dict[str, Any]]:
    """What is learned from: annotated strings, some of them distorted, synthetic ones in many
    styles and languages, and texts that are no references.
    """
    draw = random.Random(seed)  # noqa: S311  # nothing secret: the same each time
    bad = [distorted(row, draw) for row in draw.sample(list(real), len(real) // DISTORTED)]
    stock = stock_of(real)
    return [
        *real,
        *bad,
        *synthetic(stock, len(real) // SYNTHETIC, seed),
        *foreign(languages(), stock.works, len(real) // FOREIGN, seed),
        *unlabelled(passages(without), len(real) // PROSE, seed),
    ]


def sequences(
    examples: Iterable[dict[str, Any]],
) -> Iterator[tuple[NDArray[np.uint64], list[str]]]:
    """The labelled tokens of strings."""
    for row in examples:
        features, labels = sequence_of(
            Annotated(row["raw"], tuple(row["spans"]), tuple(row["labels"]), "")
        )
        if labels:
            yield features, labels


def trained(
    files: Sequence[str],
    *,
    without: frozenset[str] = frozenset(),
    step: int = 1,
    settings: Settings = SETTINGS,
    seed: int | None = None,
    rounds: int = ROUNDS,
) -> bytes:
    """The file of a model that has learned from some files, but not from some documents.

    `seed` replaces that of the settings, in training and in what is synthetic. The weights are the
    means of `rounds` trainings with seeds of their own: what one draw of synthetic strings and one
    order change by chance, others change in other ways.
    """
    if seed is not None:
        settings = replace(settings, seed=seed)
    real, held = annotated(files, without, step=step)
    fits = []
    for number in range(rounds):
        own = replace(settings, seed=settings.seed + 100 * number)
        examples = strings(real, without, seed=own.seed)
        fits.append(
            fit(sequences(examples), sequences(held), TEMPLATES, settings=own, report=_tell)
        )
    labels, weights = averaged(fits)
    record = {
        "features": FEATURES_FORM,
        "data": {file: digest_of(SHARED / file) for file in files},
        "words": digest_of(WORDS),
        "without": sorted(without), "step": step,
        "distorted": 1 / DISTORTED, "synthetic": 1 / SYNTHETIC, "foreign": 1 / FOREIGN,
        "prose": 1 / PROSE, "held out": 1 / HELD_OUT, "rounds": rounds,
    }  # fmt: skip
    model = packed(labels, TEMPLATES, weights, settings=settings, record=record)
    others = list(unlabelled(passages(without), len(held) // PROSE, settings.seed + 1))
    record["calibration"] = calibrated(unpack_model(model), held, [row["raw"] for row in others])
    return packed(labels, TEMPLATES, weights, settings=settings, record=record)


def _tell(number: int, loss: float) -> None:
    print(f"pass {number}: {loss:.3f}", flush=True)


def main() -> None:
    """Train on all but what scores are measured on, or on that as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--with-dev", action="store_true", help="learn from refs/dev, too")
    parser.add_argument("--seed", type=int, help="another seed")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="trainings of which to average")
    options = parser.parse_args()
    started = time.process_time()
    files = (*FILES, DEV) if options.with_dev else FILES
    model = trained(files, seed=options.seed, rounds=options.rounds)
    options.output.write_bytes(model)
    print(
        f"{options.output}: {len(model):,} bytes, {time.process_time() - started:.0f} CPU seconds"
    )


if __name__ == "__main__":
    main()
