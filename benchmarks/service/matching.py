"""What looking for duplicates costs where there are none: 4.26 against 4.35 s in the paper."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.measure import Table
from benchmarks.service.papers import some
from benchmarks.service.serving import Served

DOCUMENTS = 60

ROUNDS = 3
"""Each with new services. Of each paper the least time counts: what else the machine does only
adds."""

OPTIONS = {"without": ("--no-near",), "with": ()}


def run(documents: int = DOCUMENTS) -> str:
    """The table: each paper is read by a service that matches, and by one that does not."""
    papers = some(documents)
    rounds = [_seconds(papers, turn) for turn in range(ROUNDS)]
    spent = {
        way: sum(min(times) for times in zip(*(seconds[way] for seconds in rounds), strict=True))
        for way in OPTIONS
    }
    single = (f"{sum(seconds['with']) / sum(seconds['without']) - 1:.2%}" for seconds in rounds)
    table = Table(
        f"service: matching {len(papers)} papers without duplicates (target: at most 2%)",
        ("", "processor seconds a paper", "the paper's"),
    )
    table.add("without matching", f"{spent['without'] / len(papers):.4f}", "4.26")
    table.add("with matching", f"{spent['with'] / len(papers):.4f}", "4.35")
    table.add("more", f"{spent['with'] / spent['without'] - 1:.2%}", "2.1%")
    table.add("more, by round", ", ".join(single), "")
    return str(table)


def _seconds(papers: Sequence[Path], turn: int) -> dict[str, list[float]]:
    """Processor seconds of each paper, by the way in which it is read."""
    spent: dict[str, list[float]] = {way: [] for way in OPTIONS}
    with ExitStack() as stack:
        services = {way: stack.enter_context(Served(*options)) for way, options in OPTIONS.items()}
        for number, paper in enumerate(papers, turn):
            for way in list(OPTIONS)[:: -1 if number % 2 else 1]:
                served = services[way]
                document = served.client.submit(paper)
                before = served.seconds()
                served.client.header(document)
                spent[way].append(served.seconds() - before)
    return spent
