"""How long each representation takes, when it is first asked for and when it is kept."""

import statistics
import time
from collections.abc import Callable

from benchmarks.measure import Table
from benchmarks.service.papers import some
from benchmarks.service.serving import Served

DOCUMENTS = 10


def run(documents: int = DOCUMENTS) -> str:
    """The table; a paper is submitted to a new service for each stage."""
    table = Table(
        f"service: {documents} papers, median seconds until an answer",
        ("what", "first asked for", "processor time", "kept"),
    )
    papers = [path.read_bytes() for path in some(documents)]
    for stage in ("header", "citations", "body", "text"):
        with Served() as served:
            ask = getattr(served.client, stage)
            ids = [served.client.submit(paper).id for paper in papers]
            before = served.seconds()
            first = [_timed(ask, one) for one in ids]
            cost = (served.seconds() - before) / len(ids)
            kept = [_timed(ask, one) for one in ids]
        table.add(
            stage,
            f"{statistics.median(first):.3f}",
            f"{cost:.3f} (mean)",
            f"{statistics.median(kept):.4f}",
        )
    return f"{table}\n\nOne reading gives all stages: the others are kept then."


def _timed(ask: Callable[[str], object], document: str) -> float:
    begin = time.perf_counter()
    ask(document)
    return time.perf_counter() - begin
