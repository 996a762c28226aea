"""How much one service process answers: kept results, and new documents."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx

from benchmarks.measure import Table
from benchmarks.service.papers import some
from benchmarks.service.serving import Served, seconds_of

SECONDS = 5
TEXT = "A line of a text that is somewhat longer than a header of a paper is.\n" * 150


def run(seconds: int = SECONDS) -> str:
    """Both tables."""
    return f"{_reads(seconds)}\n\n{_uploads()}"


def _reads(seconds: int) -> Table:
    table = Table(
        "service: kept answers of one process (target: 2,000 a second)",
        ("what", "bytes", "a second of its processor time", "a second", "median ms", "99% ms"),
    )
    with Served() as served:
        paper = served.client.submit(some(1)[0])
        for stage in ("header", "citations", "text"):
            path = f"/{paper.id}/{stage}"
            size = len(httpx.get(f"{served.url}{path}", timeout=300).content)
            for where, fresh in (("in memory", []), ("in the store", ["fresh"])):
                ask = [served.url, str(seconds), path, *fresh]
                _measure(table, served, f"{stage}, {where}", size, ask)
    return table


def _measure(table: Table, served: Served, what: str, size: int, ask: Sequence[str]) -> None:
    command = [sys.executable, "-m", "benchmarks.service.load", *ask]
    before = seconds_of(served.pid)
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    cost = seconds_of(served.pid) - before
    table.add(
        what,
        f"{size:,}",
        f"{told['answers'] / cost:,.0f}",
        f"{told['answers'] / told['seconds']:,.0f}",
        f"{told['median'] * 1e3:.1f}",
        f"{told['p99'] * 1e3:.1f}",
    )


def _uploads() -> Table:
    table = Table(
        "service: new documents, eight clients at once",
        ("what", "MB each", "a second of its processor time", "a second", "MB/s"),
    )
    papers = [path.read_bytes() for path in some(40)]
    for what, contents in (
        ("texts", [f"{n}\n{TEXT}".encode() for n in range(400)]),
        ("papers", papers),
    ):
        with Served() as served, ThreadPoolExecutor(8) as threads:
            before, begin = seconds_of(served.pid), time.perf_counter()
            list(threads.map(served.client.submit, contents))
            took, cost = time.perf_counter() - begin, seconds_of(served.pid) - before
        size = sum(map(len, contents)) / 1e6
        table.add(
            what,
            f"{size / len(contents):.2f}",
            f"{len(contents) / cost:,.0f}",
            f"{len(contents) / took:,.0f}",
            f"{size / took:.0f}",
        )
    return table
