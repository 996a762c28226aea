"""What looking for duplicates costs where there are none: 4.26 against 4.35 s in the paper."""

from typing import TYPE_CHECKING

from benchmarks.measure import Table
from benchmarks.service.papers import some
from benchmarks.service.serving import Served, knows_reuse

if TYPE_CHECKING:
    from rowen.client.calls import Reusing

DOCUMENTS = 24
ROUNDS = 2


def run(documents: int = DOCUMENTS) -> str:
    """The table: the same papers, each new to its service, in interleaved rounds."""
    title = f"service: matching {documents} papers without duplicates (target: at most 2%)"
    if not knows_reuse():
        return f"### {title}\n\nThis version can't leave it out."
    papers = [path.read_bytes() for path in some(documents)]
    ways: tuple[Reusing, ...] = ("off", "near")
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for reuse in ways:
            best[reuse] = min(best[reuse], _cost(papers, reuse))
    table = Table(title, ("", "processor seconds a paper", "the paper's"))
    table.add("without matching", f"{best['off'] / documents:.4f}", "4.26")
    table.add("with matching", f"{best['near'] / documents:.4f}", "4.35")
    table.add("more", f"{best['near'] / best['off'] - 1:.2%}", "2.1%")
    return str(table)


def _cost(papers: list[bytes], reuse: "Reusing") -> float:
    with Served() as served:
        ids = [served.client.submit(paper).id for paper in papers]
        before = served.seconds()
        for one in ids:
            served.client.header(one, reuse=reuse)
        return served.seconds() - before
