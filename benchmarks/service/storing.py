"""A duplicate that is sent again, against storing the file."""

import os
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Table
from benchmarks.service.serving import Served

SIZES = (100_000, 1_000_000, 10_000_000)
ROUNDS = 15


def run(rounds: int = ROUNDS) -> str:
    """The table."""
    table = Table(
        "service: an exact duplicate against storing the file, median ms (target: 1.3 times)",
        ("MB", "a durable file, no service", "new upload", "duplicate", "duplicate / new"),
    )
    with Served() as served, tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            content = b"%PDF-1.7\n" + os.urandom(size)
            served.client.submit(content)
            times: dict[str, list[float]] = {"file": [], "new": [], "again": []}
            for number in range(rounds):
                begin = time.perf_counter()
                _store(content, Path(folder) / f"{number}")
                stored = time.perf_counter()
                served.client.submit(content + b"%d" % number)
                new = time.perf_counter()
                served.client.submit(content)
                times["file"].append(stored - begin)
                times["new"].append(new - stored)
                times["again"].append(time.perf_counter() - new)
            middle = {name: statistics.median(found) * 1e3 for name, found in times.items()}
            table.add(
                f"{size / 1e6:g}",
                *(f"{value:.1f}" for value in middle.values()),
                f"{middle['again'] / middle['new']:.2f}",
            )
    return str(table)


def _store(content: bytes, path: Path) -> None:
    """Under a temporary name, synced, renamed, and the folder synced."""
    draft = path.with_suffix(".new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
    handle = os.open(path.parent, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
