"""How cost and memory grow with the number of pages: `python -m benchmarks.scale`.

Made-up pages of 2 KB with one record, in nights of which each edits 3% of the pages of the one
before. Each night is a process of its own; its processor time counts, with that of its workers, and
its largest memory. Beside the first night stands the bare loop that a script would be: `json` reads
the same lines, `regex` searches each text.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.scale.nights import write_nights

SIZES = (1_000, 10_000, 100_000)
NIGHTS = 3


class Cost(NamedTuple):
    """What a process took."""

    cpu: float
    memory: int
    """Bytes of the process itself, at most."""
    wall: float


def run(sizes: tuple[int, ...] = SIZES, *, jobs: tuple[int, ...] = (1, 2)) -> str:
    """The tables, and the figures."""
    table = Table(
        f"scale: pages of 2 KB, {NIGHTS} nights, 3% edited; processor time",
        (
            "pages",
            "jobs",
            "loop, us/page",
            "first / loop",
            "first / later",
            "us/page first",
            "us/page later",
            "MB first",
            "MB later",
            "bytes stored a page",
            "a later night",
        ),
    )
    times: dict[str, list[tuple[float, float]]] = {}
    memory: dict[str, list[tuple[float, float]]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as given:
            folder = Path(given)
            nights = write_nights(folder, size, NIGHTS)
            loop = _measured("loop", nights[0], folder / "none", 1)
            for number in jobs:
                store = folder / f"store{number}"
                costs, stored = [], []
                for night in nights:
                    costs.append(_measured("run", night, store, number))
                    stored.append(_bytes(store))
                later = min(costs[1:], key=lambda cost: cost.cpu)
                table.add(
                    f"{size:,}",
                    f"{number}",
                    f"{1e6 * loop.cpu / size:.1f}",
                    f"{costs[0].cpu / loop.cpu:.1f}",
                    f"{costs[0].cpu / later.cpu:.1f}",
                    f"{1e6 * costs[0].cpu / size:.1f}",
                    f"{1e6 * later.cpu / size:.1f}",
                    f"{costs[0].memory / 1e6:.0f}",
                    f"{later.memory / 1e6:.0f}",
                    f"{stored[0] / size:.0f}",
                    f"{(stored[-1] - stored[0]) / (NIGHTS - 1) / size:.1f}",
                )
                for label, cost in (("first night", costs[0]), ("later night", later)):
                    name = f"{label}, jobs {number}"
                    times.setdefault(name, []).append((size, 1e6 * cost.cpu / size))
                    memory.setdefault(name, []).append((size, cost.memory / 1e6))
    figures.lines(
        "scale-time",
        times,
        title="processor time per page",
        axes=("pages", "microseconds"),
        logarithmic=True,
    )
    figures.lines(
        "scale-memory",
        memory,
        title="memory of the process that runs",
        axes=("pages", "MB"),
        logarithmic=True,
    )
    return str(table)


def _measured(what: str, pages: Path, store: Path, jobs: int) -> Cost:
    command = [
        sys.executable,
        "-m",
        "benchmarks.scale.child",
        what,
        str(pages),
        str(store),
        str(jobs),
    ]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return Cost(**json.loads(answer.stdout.splitlines()[-1]))


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
