"""Learning against the naive algorithm of figure 4.6, which the tests keep as a reference."""

import gc
import resource
import runpy
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Table, best_of
from benchmarks.wrappers.limited import NotDone, limited
from benchmarks.wrappers.made_up import pages
from rowen import Example, learn

REFERENCE = Path(__file__).resolve().parents[2] / "tests" / "induction" / "reference_tabular.py"
OUTER: dict[str, tuple[str, ...]] = {
    "lr": (),
    "hlrt": ("head", "tail"),
    "oclr": ("open", "close"),
    "hoclrt": ("head", "tail", "open", "close"),
}
SIZES = (400, 800, 1600)
SECONDS = 12.0
ROUNDS = 3
TARGET = 50
"""So many times faster learning should be."""


def run() -> str:
    """Two pages of three records of two fields, of growing size."""
    table = Table(
        f"wrappers: learning against figure 4.6, two pages CPU seconds (target: {TARGET} times)",
        ("class", "characters a page", "naive, s", "rowen, s", "times", "target"),
    )
    for name in OUTER:
        for size in SIZES:
            _compare(table, name, size)
    return str(table)


def _compare(table: Table, name: str, size: int) -> None:
    marked = pages(size, "plain", 2, records=3, fields=2)
    rows = [
        (page.text, [tuple(map(tuple, record.values())) for record in label], False)
        for page, label in marked
    ]
    reference = runpy.run_path(str(REFERENCE))["learn"]

    def naive() -> float:
        """The best of some rounds, without what a fresh process pays for its first steps."""
        gc.freeze()
        return _seconds(lambda: reference(rows, OUTER[name]), ROUNDS)

    examples = [Example(*one) for one in marked]
    mine = _seconds(lambda: learn(examples, name), 7 * ROUNDS)
    more = ""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        theirs = limited(naive, SECONDS)
    except NotDone:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        theirs, more = spent / ROUNDS, "> "
    times = theirs / mine
    met = "met" if times >= TARGET else "MISSED"
    told = (f"{more}{theirs:.4f}", f"{mine:.4f}", f"{more}{times:.1f}", met)
    table.add(name, str(size), *told)


def _seconds(work: Callable[[], object], rounds: int) -> float:
    return best_of({"work": work}, rounds=rounds, clock=time.process_time)["work"]
