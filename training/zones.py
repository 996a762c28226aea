"""Trains the model that tells what each line of a paper is: `python -m training.zones`."""

import argparse
import json
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.papers.zones.features import TEMPLATES, feature_rows
from rowen.pdf import Layout, read_layout
from training.alignment import labels_of
from training.crf import train
from training.data import SHARED, digest_of
from training.headers import headers

MODEL = Path(__file__).parents[1] / "src" / "rowen" / "crf" / "models" / "zones.model"


@cache
def papers() -> list[tuple[dict[str, Any], Layout]]:
    """Each paper's gold and its lines; without title and authors gold would teach wrong things."""
    golds = [
        json.loads(path.read_text("utf-8"))
        for path in sorted((SHARED / "pdf" / "gold").glob("*.json"))
    ]
    return [
        (gold, read_layout(SHARED / "pdf" / gold["pdf"]))
        for gold in golds
        if gold.get("title") and gold.get("authors")
    ]


def group_of(gold: dict[str, Any]) -> str:
    """What papers share a template: held out together, or not at all."""
    return str(gold["journal"] if gold["source"] == "pmc" else gold["source"])


def sequences(
    without: frozenset[str] = frozenset(),
) -> Iterator[tuple[NDArray[np.uint64], list[str]]]:
    """The labelled lines of all papers but those of some groups, and of annotated headers."""
    for gold, layout in papers():
        if layout.lines and group_of(gold) not in without:
            yield feature_rows(layout), labels_of(gold, layout)
    yield from headers()


def main() -> None:
    """Train on all papers, or without those of some groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--without", action="append", default=[], metavar="GROUP")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    started = time.monotonic()
    model = train(
        sequences(frozenset(options.without)), TEMPLATES, iterations=options.iterations,
        c1=0.15, c2=0.02, seen=2,
        record={
            "data": {name: digest_of(SHARED / name) for name in ("pdf", "headers")},
            "without": options.without,
        },
    )  # fmt: skip
    options.output.write_bytes(model)
    print(f"{options.output}: {len(model):,} bytes, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
