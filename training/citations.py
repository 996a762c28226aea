"""Trains the model that takes reference strings apart: `python -m training.citations`."""

import argparse
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.citations.features import TEMPLATES, feature_rows
from rowen.citations.tokens import Token, tokens_of
from training.crf import train_steps
from training.data import SHARED, digest_of, rows
from training.synthesis import distorted, stock_of, synthetic

SILVER = "refs/silver_pdf.jsonl.xz"
FILES = ("refs/train.jsonl.xz", SILVER)
DEV = "refs/dev.jsonl.xz"
SEED = 7
ROUNDS, C2, SEEN = 8, 1.0, 2
DISTORTED, SYNTHETIC = 5, 3  # one such string for so many annotated ones
MODEL = Path(__file__).parents[1] / "src" / "rowen" / "crf" / "models" / "citations.model"


def labels_of(row: dict[str, Any], tokens: Sequence[Token]) -> list[str]:
    """A row's labels on our tokens: B- where a field begins, I- inside it, O outside of all."""
    at = {
        place: label
        for (start, end), label in zip(row["spans"], row["labels"], strict=True)
        for place in range(start, end)
    }
    labels, before = [], "O"
    for token in tokens:
        label = at.get(token.start, "O")
        labels.append("O" if label == "O" else f"{'I' if label == before else 'B'}-{label}")
        before = before if label == "O" else label
    return labels


def repaired(row: dict[str, Any]) -> dict[str, Any]:
    """A row in which a book's own title is no container.

    Part of the annotated strings call it one where the book is what is cited; most don't.
    """
    labels = set(row["labels"])
    book = labels & {"publisher", "location"} and not labels & {"title", "volume", "issue"}
    if not book or "container" not in labels:
        return row
    repaired_labels = ["title" if label == "container" else label for label in row["labels"]]
    return {**row, "labels": repaired_labels}


def strings(
    files: Sequence[str], without: frozenset[str] = frozenset(), *, step: int = 1
) -> list[dict[str, Any]]:
    """What is learned from, in an order drawn by chance: annotated strings but those of some
    documents (each, or one in `step`), some of them distorted, and synthetic ones.
    """
    draw = random.Random(SEED)  # noqa: S311  # nothing secret: the same each time
    annotated = [row for file in files for row in rows(file) if row["doc"] not in without]
    real = [repaired(row) for row in annotated[::step]]
    bad = [distorted(row, draw) for row in draw.sample(real, len(real) // DISTORTED)]
    examples = [*real, *bad, *synthetic(stock_of(real), len(real) // SYNTHETIC)]
    draw.shuffle(examples)
    return examples


def sequences(
    examples: Iterable[dict[str, Any]],
) -> Iterator[tuple[NDArray[np.uint64], list[str]]]:
    """The labelled tokens of strings."""
    for row in examples:
        if tokens := tokens_of(row["raw"]):
            yield feature_rows(tokens), labels_of(row, tokens)


def trained(
    files: Sequence[str],
    *,
    without: frozenset[str] = frozenset(),
    step: int = 1,
    rounds: int = ROUNDS,
) -> bytes:
    """The file of a model that has learned from some files, but not from some documents."""
    return train_steps(
        sequences(strings(files, without, step=step)), TEMPLATES, rounds=rounds, c2=C2, seen=SEEN,
        record={
            "data": {file: digest_of(SHARED / file) for file in files},
            "without": sorted(without), "step": step, "seed": SEED,
            "distorted": 1 / DISTORTED, "synthetic": 1 / SYNTHETIC,
        },
    )  # fmt: skip


def main() -> None:
    """Train on all but what scores are measured on, or on that as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--with-dev", action="store_true", help="learn from refs/dev, too")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    started = time.process_time()
    model = trained((*FILES, DEV) if options.with_dev else FILES)
    options.output.write_bytes(model)
    print(
        f"{options.output}: {len(model):,} bytes, {time.process_time() - started:.0f} CPU seconds"
    )


if __name__ == "__main__":
    main()
