"""Rowen beside its peers on some of the sites; peers give texts, so texts are compared for all."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from benchmarks.measure import Table
from benchmarks.optional import optional, told
from benchmarks.wrappers.limited import NotDone, limited
from benchmarks.wrappers.peers.autoscraper import AutoScraper
from benchmarks.wrappers.peers.base import Peer
from benchmarks.wrappers.peers.mlscraper import MlScraper
from benchmarks.wrappers.peers.scrapling import Scrapling
from benchmarks.wrappers.quality import KINDS, Task, tasks
from benchmarks.wrappers.sites import DETAIL, Marked
from benchmarks.wrappers.texts import Record, columns_of, record_of
from benchmarks.wrappers.trial import Score
from rowen import Example, Page, learn

SAMPLE = 3
"""So many sites of each kind, evenly spread: peers take long."""
ASKED = 3
"""So many of a site's other pages."""
SECONDS = 15.0
"""For one site, learning and extraction together."""

Scores: TypeAlias = list[Score | NotDone]


class Rowen:
    """`auto`, seen as its peers are."""

    def __init__(self, marked: Sequence[Marked], *, several: bool, partial: bool = False) -> None:
        del several  # it sees that for itself
        self.wrapper = learn([Example(*one, partial=partial) for one in marked])

    def extract(self, page: Page) -> list[Record]:
        """The texts of its spans."""
        return [record_of(page, record.spans) for record in self.wrapper.extract(page)]


TOOLS: dict[str, type[Peer]] = {
    "rowen": Rowen,
    "autoscraper": AutoScraper,
    "mlscraper": MlScraper,
    "scrapling": Scrapling,
}


def run() -> str:
    """F1 of values and records right, and how often a tool gave nothing at all."""
    logging.disable(logging.WARNING)
    usable = {name: tool for name, tool in TOOLS.items() if optional(name) is not None}
    table = Table(
        f"wrappers: beside peers, {SAMPLE} sites of each kind, texts compared: "
        "F1 of values / records right (sites without an answer)",
        ("kind", *usable),
    )
    notes = []
    for kind in KINDS:
        chosen = _spread(tasks(kind))
        cells = []
        for name, tool in usable.items():
            scores = [_try(tool, task, several=KINDS[kind][0] is not DETAIL) for task in chosen]
            cells.append(_cell(scores))
            reasons = Counter(str(one) for one in scores if isinstance(one, NotDone))
            why = ", ".join(f"{count} x {reason}" for reason, count in reasons.items())
            notes += [f"- {kind}, {name}: {why}"] if why else []
        table.add(kind, *cells)
    logging.disable(logging.NOTSET)
    versions = [f"- {told(name)}" for name in TOOLS]
    return "\n".join([f"{table}\n", *versions, *notes])


def _spread(found: list[Task]) -> list[Task]:
    step = max(len(found) // SAMPLE, 1)
    return found[::step][:SAMPLE]


def _try(tool: Callable[..., Peer], task: Task, *, several: bool) -> Score | NotDone:
    asked = task.asked[:ASKED]

    def work() -> list[list[Record]]:
        if tool is Rowen:
            learned: Peer = Rowen(task.marked, several=several, partial=task.partial)
        else:  # none knows that a page may have more than what is marked
            learned = tool(task.marked, several=several)
        return [learned.extract(page) for page, _ in asked]

    try:
        found = limited(work, SECONDS)
    except NotDone as reason:
        return reason
    total = Score()
    for (page, label), records in zip(asked, found, strict=True):
        known = [record_of(page, record) for record in task.known]
        wanted = [record_of(page, record) for record in label if record not in task.known]
        total = total.plus(compare(records, wanted, known))
    return total


def compare(found: list[Record], wanted: list[Record], known: list[Record]) -> Score:
    """Values as a multiset of the page, less those that were marked on it."""
    given = _values(found) - _values(known)
    asked = _values(wanted)
    whole = Counter(map(_key, wanted)) & Counter(map(_key, found))
    right = (given & asked).total()
    return Score(right, given.total(), asked.total(), whole.total(), len(wanted))


def _values(records: list[Record]) -> Counter[tuple[str, str]]:
    columns = columns_of(records)
    return Counter((name, text) for name, texts in columns.items() for text in texts)


def _key(record: Record) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(sorted((name, tuple(sorted(texts))) for name, texts in record.items() if texts))


def _cell(scores: Scores) -> str:
    """A site without an answer counts 0."""
    done = [one for one in scores if isinstance(one, Score)]
    f1 = sum(one.f1 for one in done) / len(scores)
    whole = sum(one.whole_part for one in done) / len(scores)
    return f"{f1:.2f} / {whole:.2f} ({len(scores) - len(done)})"
