"""Whole nights of a pattern on HTML that has no finite window, against nights from scratch.

`<a href>` reads 2 GB a second, so that the rest of a night decides: reading, decoding, digests, and
what is stored. Each night runs three times by each way, from a copy of its store; the least counts.
"""

import shutil
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import Table
from benchmarks.recycle.corpora import snapshots, workspace
from benchmarks.recycle.trial import Effort
from rowen import Pattern, Store
from rowen.recycling.report import Report

ROUNDS = 3
LINKS = Pattern('<a [^>]*href="(?P<link>[^"]*)"', name="links")
WAYS: dict[str, dict[str, Any]] = {
    "scratch": {"scratch": True, "matcher": "none"},
    "none": {"matcher": "none"},
    "anchor": {"matcher": "anchor"},
    "auto": {"matcher": "auto"},
}


def run(effort: Effort) -> str:
    """A row for each corpus and way."""
    table = Table(
        "recycle: <a href>, CPU seconds of all nights but the first",
        ("corpus", "way", "seconds", "of scratch", "worst night", "extracted", "MB stored"),
    )
    for corpus in effort.corpora:
        first, *nights = effort_nights(corpus, effort)
        places = {way: workspace() / f"links-{corpus}-{way}" for way in WAYS}
        for place in places.values():
            Store(place).run([LINKS], first, jobs=1)
        spent: dict[str, list[float]] = {way: [] for way in WAYS}
        extracted = dict.fromkeys(WAYS, 0)
        for night in nights:
            for way, place in places.items():
                seconds, report = _night(place, night, WAYS[way])
                spent[way].append(seconds)
                extracted[way] += report.tallies["links"].extracted_characters
        for way, place in places.items():
            pairs = zip(spent["scratch"], spent[way], strict=True)
            table.add(
                corpus,
                way,
                f"{sum(spent[way]):.3f}",
                f"{sum(spent['scratch']) / sum(spent[way]):.2f}x",
                f"{min(scratch / own for scratch, own in pairs):.2f}x",
                f"{extracted[way]:,}",
                f"{sum(one.stat().st_size for one in place.rglob('*') if one.is_file()) / 1e6:.1f}",
            )
    return str(table)


def effort_nights(corpus: str, effort: Effort) -> tuple[Path, ...]:
    """The snapshots of a corpus, as many as are asked for."""
    return snapshots(corpus)[: effort.snapshots]


def _night(place: Path, night: Path, options: dict[str, Any]) -> tuple[float, Report]:
    """The least seconds of some rounds; the store of the last one stays."""
    trial, least = place.with_suffix(".trial"), float("inf")
    for _ in range(ROUNDS):
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(place, trial)
        begin = time.process_time()
        report = Store(trial).run([LINKS], night, jobs=1, **options)
        least = min(least, time.process_time() - begin)
    shutil.rmtree(place)
    trial.rename(place)
    return least, report
