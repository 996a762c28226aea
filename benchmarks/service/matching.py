"""What looking for duplicates costs where there are none: 4.26 against 4.35 s in the paper."""

from contextlib import ExitStack

from benchmarks.measure import Table
from benchmarks.service.papers import some
from benchmarks.service.serving import Served

DOCUMENTS = 60


def run(documents: int = DOCUMENTS) -> str:
    """The table: each paper is read by a service that matches, and by one that does not."""
    papers = some(documents)
    spent = {"without": 0.0, "with": 0.0}
    with ExitStack() as stack:
        services = {
            "without": stack.enter_context(Served("--no-near")),
            "with": stack.enter_context(Served()),
        }
        for number, paper in enumerate(papers):
            for way in list(spent)[:: -1 if number % 2 else 1]:
                served = services[way]
                document = served.client.submit(paper)
                before = served.seconds()
                served.client.header(document)
                spent[way] += served.seconds() - before
    table = Table(
        f"service: matching {len(papers)} papers without duplicates (target: at most 2%)",
        ("", "processor seconds a paper", "the paper's"),
    )
    table.add("without matching", f"{spent['without'] / len(papers):.4f}", "4.26")
    table.add("with matching", f"{spent['with'] / len(papers):.4f}", "4.35")
    table.add("more", f"{spent['with'] / spent['without'] - 1:.2%}", "2.1%")
    return str(table)
