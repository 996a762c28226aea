"""`python -m benchmarks.compare OTHER_TREE [--rounds N] [WORD ...]`: two trees, by turns.

The same jobs run in this tree and in another one, a former main for example, each with its own
`.venv`. Both take turns, and only processor time counts, so that little of what else runs on the
machine shows. Words choose the jobs whose names have one of them. What reads `slower` took more
than 5% longer at the median, and in most rounds: measure it again before you believe it.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from benchmarks.jobs import JOBS
from benchmarks.measure import Table

HERE = Path(__file__).resolve().parents[1]
ROUNDS = 5
ALLOWED = 1.05


class Runner:
    """A job in the interpreter of a tree; the jobs are those of this tree, `rowen` is its own."""

    def __init__(self, tree: Path, job: str) -> None:
        command = [str(tree / ".venv" / "bin" / "python"), "-m", "benchmarks.jobs", job]
        # equal hashes, so that sets have the same order in both
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            command, cwd=HERE, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def seconds(self) -> float:
        """Of one round."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(file=self._process.stdin, flush=True)
            return float(self._process.stdout.readline())
        except (ValueError, BrokenPipeError):
            raise SystemExit(self._process.communicate()[1]) from None

    def close(self) -> None:
        """End it."""
        self._process.communicate()


def compare(job: str, other: Path, rounds: int) -> tuple[list[float], list[float]]:
    """The seconds of each round in the other tree and in this one; the first is thrown away."""
    with ExitStack() as stack:
        runners = [Runner(other, job), Runner(HERE, job)]
        for runner in runners:
            stack.callback(runner.close)
        found = [[runner.seconds() for runner in runners] for _ in range(rounds + 1)]
    return [one[0] for one in found[1:]], [one[1] for one in found[1:]]


def verdict(ratios: Sequence[float]) -> str:
    """`slower` or `faster` where both the median and most rounds say so."""
    middle = median(ratios)
    if middle > ALLOWED and sum(one > 1 for one in ratios) > len(ratios) * 0.7:
        return "slower"
    if middle < 1 / ALLOWED and sum(one < 1 for one in ratios) > len(ratios) * 0.7:
        return "faster"
    return ""


def main() -> None:
    """Print a row for each job as soon as it is done."""
    parser = argparse.ArgumentParser(prog="benchmarks.compare", description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    chosen = [name for name in JOBS if not asked.words or any(one in name for one in asked.words)]
    columns = ("job", "other, s", "this, s", "this / other", "lowest to highest round", "")
    table = Table("compare: processor seconds a round, medians", columns)
    print(table, flush=True)
    for name in chosen:
        others, ours = compare(name, asked.other.resolve(), asked.rounds)
        ratios = [this / other for this, other in zip(ours, others, strict=True)]
        ratio = median(ratios)
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        row = (name, f"{median(others):.3f}", f"{median(ours):.3f}", f"{ratio:.3f}", spread)
        print(f"| {' | '.join((*row, verdict(ratios)))} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
