"""Measuring: interleaved rounds, the best of each, and tables to keep."""

import time
from collections.abc import Callable, Mapping


def best_of(
    ways: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """The least seconds that each way took; rounds are interleaved, for machines are noisy.

    With `time.process_time` as the clock what else runs on the machine counts still less.
    """
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            start = clock()
            way()
            best[name] = min(best[name], clock() - start)
    return best


class Table:
    """A titled table that prints as Markdown, for RESULTS.md."""

    def __init__(self, title: str, columns: tuple[str, ...]) -> None:
        self.title = title
        self.rows = [columns, tuple("---" for _ in columns)]

    def add(self, *cells: str) -> None:
        """A row."""
        self.rows.append(cells)

    def __str__(self) -> str:
        return f"### {self.title}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in self.rows)
