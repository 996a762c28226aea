"""Learning against the naive algorithm of figure 4.6, which the tests keep as a reference."""

import gc
import runpy
from pathlib import Path

from benchmarks.measure import Table, best_of
from benchmarks.wrappers.limited import NotDone, limited
from benchmarks.wrappers.made_up import pages
from rowen import Example, learn

REFERENCE = Path(__file__).resolve().parents[2] / "tests" / "wrappers" / "reference_tabular.py"
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
        f"wrappers: learning against figure 4.6, two pages (target: {TARGET} times)",
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
        return best_of({name: lambda: reference(rows, OUTER[name])}, rounds=ROUNDS)[name]

    examples = [Example(*one) for one in marked]
    mine = best_of({name: lambda: learn(examples, name)}, rounds=7 * ROUNDS)[name]
    more = ""
    try:
        theirs = limited(naive, SECONDS)
    except NotDone:
        theirs, more = SECONDS / ROUNDS, "> "
    times = theirs / mine
    met = "met" if times >= TARGET else "MISSED"
    told = (f"{more}{theirs:.4f}", f"{mine:.4f}", f"{more}{times:.1f}", met)
    table.add(name, str(size), *told)
