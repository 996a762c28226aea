"""Trains the model that tells what each line of a paper is: `python -m training.zones`."""

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, groupby
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
from training.translation import translated

ITERATIONS = 60
_ENDS = 3  # pages at both ends of a paper, which are always used
_LANGUAGES = {
    "de": 4, "fr": 2, "es": 2, "pt": 1, "it": 1, "ru": 2, "zh": 2, "ja": 1, "ar": 1,
}  # fmt: skip
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


LabelledRows = tuple[NDArray[np.uint64], list[str]]


def sequences(without: frozenset[str] = frozenset(), *, seed: int = 1) -> Iterator[LabelledRows]:
    """The labelled lines of papers, of copies in other languages, and of annotated headers.

    Papers of the groups `without` are left out. `seed` chooses languages and words.
    """
    chance = random.Random(seed)  # noqa: S311 - no secret depends on it
    codes = list(chain.from_iterable([code] * count for code, count in _LANGUAGES.items()))
    for number, (gold, layout) in enumerate(papers()):
        if not layout.lines or group_of(gold) in without:
            continue
        labels = labels_of(gold, layout)
        full = bool(gold.get("body_paragraphs"))
        yield from _pieces(layout, labels, whole=full)
        if full or number % 3 == 0:
            copy = translated(layout, labels, chance.choice(codes), chance)
            yield from _pieces(copy, labels, whole=False)
        if number % 4 == 1:
            yield from _pieces(*_without_heading(layout, labels), whole=False)
    yield from headers()


def _pieces(layout: Layout, labels: Sequence[str], *, whole: bool) -> Iterator[LabelledRows]:
    """The lines of a paper; of its middle only every third page, unless it is wanted whole."""
    rows = feature_rows(layout)
    last = max(layout.lines[-1].page - _ENDS, _ENDS)
    kept = [whole or not _ENDS <= line.page <= last or line.page % 3 == 0 for line in layout.lines]
    for keep, group in groupby(range(len(kept)), kept.__getitem__):
        indexes = list(group)
        if keep:
            yield rows[indexes], [labels[i] for i in indexes]


def _without_heading(layout: Layout, labels: Sequence[str]) -> tuple[Layout, list[str]]:
    """A paper whose references follow the body without a heading, as in journals of physics."""
    kept = [i for i, label in enumerate(labels) if label != "reference heading"]
    return (
        Layout([layout.lines[i] for i in kept], layout.pages), [labels[i] for i in kept],
    )  # fmt: skip


def trained(
    without: frozenset[str] = frozenset(),
    *,
    iterations: int = ITERATIONS,
    seed: int = 1,
    record: dict[str, Any] | None = None,
) -> bytes:
    """A model file, trained on all papers but those of some groups."""
    return train(
        sequences(without, seed=seed), TEMPLATES, iterations=iterations, c1=0.15, c2=0.02, seen=3,
        record=record or {},
    )  # fmt: skip


def main() -> None:
    """Train on all papers, or without those of some groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--seed", type=int, default=1, help="chooses the words of made-up papers")
    parser.add_argument("--without", action="append", default=[], metavar="GROUP")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    started = time.monotonic()
    model = trained(
        frozenset(options.without), iterations=options.iterations, seed=options.seed,
        record={
            "data": {name: digest_of(SHARED / name) for name in ("pdf", "headers")},
            "without": options.without,
            "seed": options.seed,
        },
    )  # fmt: skip
    options.output.write_bytes(model)
    print(f"{options.output}: {len(model):,} bytes, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
