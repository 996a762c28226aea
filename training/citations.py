"""Trains the model that takes reference strings apart: `python -m training.citations`."""

import argparse
import random
import re
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
from rowen.crf.training import Settings, fit, packed
from training.calibration import calibrated
from training.data import SHARED, digest_of, rows
from training.foreign import WORDS, foreign, languages
from training.prose import passages, unlabelled
from training.synthesis import distorted, stock_of, synthetic

SILVER = "refs/silver_pdf.jsonl.xz"
FILES = ("refs/train.jsonl.xz", SILVER)
DEV = "refs/dev.jsonl.xz"
SETTINGS = Settings(
    rate=0.005, c2=1.0, seen=2, passes=10, mean_from=3, patience=2, least=0.02, seed=7
)
DISTORTED, SYNTHETIC, FOREIGN, PROSE = 5, 3, 5, 16  # one such string for so many annotated ones
DRAWS = 4  # of made-up strings: each pass takes one
HELD_OUT = 12  # one document in so many decides when to stop, and how sure a field is
_REST = 12  # tokens behind the last field that are too many for a note
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
MODEL = Path(__file__).parents[1] / "src" / "rowen" / "crf" / "models" / "citations.model"


def repaired(row: dict[str, Any]) -> dict[str, Any]:
    """A row in which a book's own title is no container, a year is no issue or volume, and what
    follows the last field by mistake is left out.

    Part of the annotated strings call the book one where it is what is cited; most don't. A tenth
    of those with `31(3):491-514` call 491 an issue and 514 a volume.
    """
    row = _without_rest(_with_date(_with_numbers(row)))
    labels = set(row["labels"])
    book = labels & {"publisher", "location"} and not labels & {"title", "volume", "issue"}
    if not book or "container" not in labels:
        return row
    repaired_labels = ["title" if label == "container" else label for label in row["labels"]]
    return {**row, "labels": repaired_labels}


def _with_date(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose only year is its date: `J. Webs 2 (2005) 46`, `J. Webs. 2010;105`."""
    labels, raw = list(row["labels"]), row["raw"]
    if "date" in labels:
        return row
    years = [
        k for k, (start, end) in enumerate(row["spans"])
        if _YEAR.fullmatch(raw[start:end])
        and (labels[k] == "issue" or (labels[k] == "volume" and raw[end : end + 1] == ";"))
    ]  # fmt: skip
    if len(years) == 1:
        labels[years[0]] = "date"
    return {**row, "labels": labels}


def _without_rest(row: dict[str, Any]) -> dict[str, Any]:
    """A row without a long text behind its last field: the next reference, or the next part."""
    last = max((k for k, label in enumerate(row["labels"]) if label != "O"), default=-1)
    behind = len(row["labels"]) - last - 1
    end = row["spans"][last][1]
    if last < 0 or behind < max(_REST, 0.3 * len(row["labels"])) or "//" in row["raw"][end:]:
        return row
    # The full stop stays.
    kept = last + 1 + (row["raw"][end : end + 1] == ".")
    return {
        **row, "raw": row["raw"][: row["spans"][kept - 1][1]],
        "spans": row["spans"][:kept], "labels": row["labels"][:kept],
    }  # fmt: skip


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


def made_up(
    real: Sequence[dict[str, Any]], without: frozenset[str] = frozenset(), *, seed: int
) -> list[dict[str, Any]]:
    """What is learned from beside annotated strings: some of them distorted, synthetic ones in many
    styles and languages, and texts that are no references.
    """
    draw = random.Random(seed)  # noqa: S311  # nothing secret: the same each time
    bad = [distorted(row, draw) for row in draw.sample(list(real), len(real) // DISTORTED)]
    stock = stock_of(real)
    return [
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
) -> bytes:
    """The file of a model that has learned from some files, but not from some documents.

    `seed` replaces that of the settings, in training and in what is synthetic. Each pass has other
    synthetic strings: what one draw of them has by chance, others don't have.
    """
    if seed is not None:
        settings = replace(settings, seed=seed)
    real, held = annotated(files, without, step=step)
    draws = [
        sequences(made_up(real, without, seed=settings.seed + 100 * number))
        for number in range(DRAWS)
    ]
    labels, weights = fit(
        sequences(real), sequences(held), TEMPLATES,
        settings=settings, report=_tell, draws=draws,
    )  # fmt: skip
    record = {
        "features": FEATURES_FORM,
        "data": {file: digest_of(SHARED / file) for file in files},
        "words": digest_of(WORDS),
        "without": sorted(without), "step": step,
        "distorted": 1 / DISTORTED, "synthetic": 1 / SYNTHETIC, "foreign": 1 / FOREIGN,
        "prose": 1 / PROSE, "held out": 1 / HELD_OUT, "draws": DRAWS,
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
    options = parser.parse_args()
    started = time.process_time()
    files = (*FILES, DEV) if options.with_dev else FILES
    model = trained(files, seed=options.seed)
    options.output.write_bytes(model)
    print(
        f"{options.output}: {len(model):,} bytes, {time.process_time() - started:.0f} CPU seconds"
    )


if __name__ == "__main__":
    main()
