"""The extraction service: CiteSeerExtractor's measurements, and how much it serves.

`serving` runs `rowen serve` in a process of its own and looks at its processor time and memory;
`load` asks for kept answers from another process; a module a part asks its question. Processor
time is that of the service and its workers: it depends least on what else the machine does.
Lookups among millions of fingerprints, and precision and recall, are in `benchmarks.duplicates`.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module

from benchmarks.service.papers import PAPERS

PARTS = ("stages", "matching", "corpus", "throughput", "storing")


def run_parts(names: Sequence[str] = PARTS, *, documents: int | None = None) -> Iterator[str]:
    """The tables of some parts, each as soon as it is there."""
    if not PAPERS:
        yield "### service\n\nThe shared data is not there."
        return
    for name in names:
        part = import_module(f"benchmarks.service.{name}")
        found: str = part.run() if documents is None else part.run(documents)
        yield found


def run() -> str:
    """All tables."""
    return "\n\n".join(run_parts())
