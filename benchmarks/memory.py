"""Memory of runs over a snapshot that is far larger than it: summed over all processes.

`python -m benchmarks.memory FOLDER --gigabytes 2`: the pages of a folder, repeated and perturbed
until they are so many bytes, are taken in twice, the second time with some of them changed.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rowen.sources import open_source

RULES = """
[[extractor]]
name = "links"
kind = "pattern"
pattern = '\\[(?P<text>[^\\]\\n]+)\\]\\((?P<target>[^)\\n]+)\\)'

[[extractor]]
name = "numbers"
kind = "pattern"
pattern = '(?P<number>\\d+)'
"""
EDITED = 0.1
"""The share of pages that are edited in the second snapshot."""


def write_snapshot(texts: list[str], path: Path, size: int, *, edited: float) -> None:
    """Pages until there are enough; each copy differs from the others in some of its lines."""
    written = 0
    with path.open("w") as file:
        for number in range(sys.maxsize):
            chance = random.Random(number)
            lines = texts[number % len(texts)].split("\n")
            for _ in range(3):
                lines.insert(chance.randrange(len(lines) + 1), f"line {chance.random()}")
            if chance.random() < edited:
                lines.insert(chance.randrange(len(lines) + 1), "an edited line")
            line = json.dumps({"id": f"page-{number}", "text": "\n".join(lines)})
            file.write(line + "\n")
            written += len(line)
            if written > size:
                return


def family(pid: int) -> Iterator[int]:
    """A process and all that descend from it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from family(int(child))


def memory(pid: int) -> int:
    """The bytes that a process and its descendants have; what they share counts once."""
    total = 0
    for one in family(pid):
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def measure(folder: Path, snapshot: Path, jobs: int) -> None:
    """One run; the most memory that it had at any moment."""
    rules = folder / "rules.toml"
    rules.write_text(RULES)
    command = [sys.executable, "-m", "rowen", "run", str(rules), "--snapshot", str(snapshot)]
    command += ["--store", str(folder / "store"), "--jobs", str(jobs), "--keep", "1"]
    begin = time.monotonic()
    most = 0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            try:
                most = max(most, memory(process.pid))
            except (FileNotFoundError, ProcessLookupError):
                continue  # one ended just now
            time.sleep(0.1)
    size = snapshot.stat().st_size
    print(
        f"{snapshot.name}: {size / 2**30:.2f} GB in {time.monotonic() - begin:.0f} s, "
        f"{most / 2**20:.0f} MB at most with {jobs} jobs, exit code {process.returncode}"
    )


def main() -> None:
    """Both runs, in a folder that is removed afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="pages to repeat")
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    texts = [page.text for page in open_source(given.folder).pages(on_error=lambda _: None)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for snapshot, edited in (("first", 0.0), ("second", EDITED)):
            path = folder / f"{snapshot}.jsonl"
            write_snapshot(texts, path, int(given.gigabytes * 2**30), edited=edited)
            measure(folder, path, given.jobs)
            path.unlink()


if __name__ == "__main__":
    main()
