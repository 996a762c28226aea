"""Recycling on the shared corpora that change: figures 8 to 12 of the Cyclex paper, in spirit.

`python -m benchmarks.recycle [CORPUS...]`. All plans of a table run in one process, snapshot after
snapshot, each in a store of its own; a run's time is the engine's own, from reading the new pages
to committed results. From scratch means: no digests, no matching.
"""

import re
import shutil
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from benchmarks.measure import Table
from benchmarks.shared import DATA
from rowen import Pattern, Segments, Store, Window, extractor
from rowen.extractors.base import Extractor
from rowen.extractors.locality import Locality
from rowen.runs.report import Report

CORPORA = ("k8s", "ota_html")
PLANS = ("scratch", "none", "line", "anchor", "suffix", "auto")
SNAPSHOTS = 5
"""So many of a corpus are run; from scratch, a slow extractor takes 20 seconds for each."""

SLOW_PLANS = ("scratch", "line", "anchor", "auto")
NAME = r"\b(?P<name>(?:[A-Z][a-z]{2,20} ){1,3}[A-Z][a-z]{2,20})\b"
"""Names of up to four words: some 30 MB a second, never across a line."""

_MARKS = "\n\t\r <>\"'()[]{},;|="


def slowed(locality: Locality, name: str) -> Extractor:
    """An extractor at about 0.5 MB a second, by real work on every stretch of its text."""
    words = re.compile(r"[A-Z][a-z]{2,20}\d?")

    @extractor(name=name, locality=locality)
    def slow(text: str) -> Iterator[dict[str, tuple[int, int]]]:
        for start in range(0, len(text), 64):
            data = text[start : start + 64].encode("utf-8", "replace")
            # This stands for a model, as much work a character whatever the stretch.
            for _ in range(110 * len(data) // 64):
                data = blake2b(data).digest()
        for found in words.finditer(text):
            yield {"word": found.span()}

    return slow


def extractors() -> dict[str, tuple[Extractor, Sequence[str]]]:
    """What is run, and by which plans."""
    return {
        "cheap pattern": (Pattern(NAME, name="names"), PLANS),
        "slow, window of 22 + 1": (slowed(Window(22, 1), "slow-window"), SLOW_PLANS),
        "slow, segments": (slowed(Segments(_MARKS), "slow-segments"), SLOW_PLANS),
    }


def unpack(corpus: str, folder: Path) -> list[Path]:
    """The snapshots of a corpus, in order of time."""
    with tarfile.open(DATA / "evolving" / f"{corpus}.tar.xz") as tar:
        tar.extractall(folder, filter="data")
    (root,) = (
        [one for one in folder.iterdir() if one.is_dir()]
        if not (folder / "00").exists()
        else [folder]
    )
    return sorted(one for one in root.iterdir() if one.is_dir())


def run_plan(own: Extractor, plan: str, snapshots: Sequence[Path], folder: Path) -> list[Report]:
    """The report of each snapshot but the first, whose results are the same for all plans."""
    start = folder / f"{own.name}-start"
    if not start.exists():
        Store(start).run([own], snapshots[0], jobs=1)
    place = folder / f"{own.name}-{plan}"
    shutil.copytree(start, place)
    store = Store(place)
    options: dict[str, Any] = (
        {"matcher": "none", "scratch": True} if plan == "scratch" else {"matcher": plan}
    )
    return [store.run([own], one, jobs=1, **options) for one in snapshots[1:]]


def same_records(own: Extractor, plans: Sequence[str], folder: Path, count: int) -> int:
    """How many snapshots have other records than from scratch."""
    stores = {plan: Store(folder / f"{own.name}-{plan}") for plan in plans}
    wrong = 0
    for number in range(count):
        wanted = stores["scratch"].records(own.name, number)
        wrong += sum(not stores[plan].records(own.name, number).equals(wanted) for plan in plans)
    return wrong


def spent(reports: Sequence[Report], *steps: str) -> float:
    """Seconds of these steps over all snapshots."""
    return sum(report.seconds.get(step, 0.0) for report in reports for step in steps)


def measure(corpus: str) -> list[Table]:
    """A table for the totals, and one by snapshot."""
    totals = Table(
        f"recycle: {corpus}, all snapshots but the first",
        (
            "extractor",
            "plan",
            "seconds",
            "times as fast",
            "match + extract + copy",
            "times as fast",
            "extracted",
            "worst snapshot",
        ),
    )
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        snapshots = unpack(corpus, folder / "corpus")
        for name, (own, plans) in extractors().items():
            reports = {plan: run_plan(own, plan, snapshots, folder) for plan in plans}
            _add(totals, name, own, reports)
            wrong = same_records(own, plans, folder, len(snapshots))
            totals.add(name, f"{wrong} snapshots differ from scratch", *[""] * 6)
    return [totals]


def _add(table: Table, name: str, own: Extractor, reports: dict[str, list[Report]]) -> None:
    work = ("match", "extract", "copy", "plan", "compare")
    base, base_work = spent(reports["scratch"], "total"), spent(reports["scratch"], *work)
    whole = sum(one.characters for one in reports["scratch"])
    for plan, own_reports in reports.items():
        seconds, own_work = spent(own_reports, "total"), spent(own_reports, *work)
        extracted = sum(one.tallies[own.name].extracted_characters for one in own_reports)
        worst = max(
            one.seconds["total"] / other.seconds["total"]
            for one, other in zip(own_reports, reports["scratch"], strict=True)
        )
        table.add(
            name,
            plan,
            f"{seconds:.2f}",
            f"{base / seconds:.1f}",
            f"{own_work:.3f}",
            f"{base_work / own_work:.1f}",
            f"{extracted / whole:.1%}",
            f"{worst:.2f}",
        )


def run(corpora: Sequence[str] = CORPORA) -> str:
    """All tables."""
    return "\n\n".join(str(table) for corpus in corpora for table in measure(corpus))


if __name__ == "__main__":
    begin = time.monotonic()
    for corpus in sys.argv[1:] or CORPORA:
        print(run([corpus]), end="\n\n", flush=True)
    print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr)
