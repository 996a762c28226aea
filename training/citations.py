"""Trains the model that takes reference strings apart: `python -m training.citations`."""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.scholar.citations.columns import TEMPLATES, columns_of
from rowen.scholar.citations.tokens import Token, tokens_of
from training.chains import train
from training.data import SHARED, digest_of, rows

FILES = ("refs/train.jsonl.xz", "refs/silver_pdf.jsonl.xz")
DEV = "refs/dev.jsonl.xz"
MODEL = Path(__file__).parents[1] / "src" / "rowen" / "scholar" / "models" / "citations.model"


def labels_of(row: dict[str, Any], tokens: Sequence[Token]) -> list[str]:
    """A row's labels on our tokens: B- where a field begins, I- inside it, O outside of all."""
    at = {
        place: label
        for (start, end), label in zip(row["spans"], row["labels"], strict=True)
        for place in range(start, end)
    }
    found, before = [], "O"
    for token in tokens:
        label = at.get(token.start, "O")
        found.append("O" if label == "O" else f"{'I' if label == before else 'B'}-{label}")
        before = before if label == "O" else label
    return found


def sequences(files: Sequence[str]) -> Iterator[tuple[NDArray[np.uint64], list[str]]]:
    """The labelled strings of some files."""
    for file in files:
        for row in rows(file):
            if tokens := tokens_of(row["raw"]):
                yield columns_of(tokens), labels_of(row, tokens)


def main() -> None:
    """Train on all but what scores are measured on, or on that as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--with-dev", action="store_true", help="learn from refs/dev, too")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    files = (*FILES, DEV) if options.with_dev else FILES
    started = time.monotonic()
    model = train(
        sequences(files), TEMPLATES, iterations=options.iterations, c1=0.1, c2=0.02, seen=2,
        record={"data": {file: digest_of(SHARED / file) for file in files}},
    )  # fmt: skip
    options.output.write_bytes(model)
    print(f"{options.output}: {len(model):,} bytes, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
