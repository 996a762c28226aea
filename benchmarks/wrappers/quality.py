"""How well wrappers do on what they were not shown, by class; spans are compared exactly."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from benchmarks.measure import Table
from benchmarks.wrappers.sites import DETAIL, LISTS, Label, Marked, Site, sites
from benchmarks.wrappers.trial import Score, score, try_learn

SHOWN = ("auto", "token", "m-hlrt", "m-lr", "hlrt", "lr")


class Task(NamedTuple):
    """What is marked on a site, and what is to be found then."""

    marked: Sequence[Marked]
    asked: Sequence[Marked]
    partial: bool = False

    @property
    def known(self) -> Label:
        """The records that were marked on the page that is asked about."""
        return self.marked[0][1] if self.partial else ()


Choice: TypeAlias = Callable[[Site], Task | None]


def detail(site: Site) -> Task | None:
    """Two pages marked, the others asked."""
    return Task(site.pages[:2], site.pages[2:])


def listed(site: Site) -> Task | None:
    """Three pages marked, the others asked."""
    return Task(site.pages[:3], site.pages[3:]) if len(site.pages) > 3 else None


def first_records(site: Site) -> Task | None:
    """The first three records of one page marked, its others asked."""
    for page, label in site.pages:
        if len(label) > 4:
            return Task([(page, label[:3])], [(page, label)], partial=True)
    return None


KINDS: dict[str, tuple[Sequence[str], Choice]] = {
    "detail pages, 2 marked": (DETAIL, detail),
    "lists, 3 pages marked": (LISTS, listed),
    "one page, 3 records marked": (LISTS, first_records),
}


def tasks(kind: str) -> list[Task]:
    """The tasks of a kind, one a site that has enough pages or records."""
    collections, choose = KINDS[kind]
    chosen = (choose(site) for site in sites(*collections))
    return [task for task in chosen if task is not None]


def run() -> str:
    """Mean over sites of the values' F1, and of the records that are right in every field."""
    table = Table("wrappers: F1 of values / records right", ("kind", "sites", *SHOWN))
    for kind in KINDS:
        given = tasks(kind)
        cells = []
        for name in SHOWN:
            scores = [_score(task, name) for task in given]
            f1 = sum(one.f1 for one in scores) / len(scores)
            whole = sum(one.whole_part for one in scores) / len(scores)
            cells.append(f"{f1:.3f} / {whole:.3f}")
        table.add(kind, str(len(given)), *cells)
    return str(table)


def _score(task: Task, name: str) -> Score:
    wrapper = try_learn(task.marked, name, partial=task.partial)
    total = Score()
    for page, label in task.asked:
        total = total.plus(score(wrapper, page, label, task.known))
    return total
