"""Recycling on the shared corpora that change: figures 8 to 12 of the Cyclex paper, in spirit.

The way that the data takes: `corpora` unpacks the snapshots, `tasks` are the extractors, `trial`
runs plans over snapshots, each in a store of its own, a module a part asks its question, and
`benchmarks.figures` draws the answers. A run's time is the engine's own, from reading the new pages
to committed results; the plan `scratch` knows neither digests nor matching.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module

from benchmarks.recycle.corpora import there
from benchmarks.recycle.trial import Effort

PARTS = (
    "runtime",
    "decomposition",
    "optimizer",
    "locality",
    "statistics",
    "checks",
    "storage",
    "secrets",
    "chain",
    "links",
    "small",
)


def run_parts(names: Sequence[str] = PARTS, effort: Effort | None = None) -> Iterator[str]:
    """The tables of some parts, each as soon as it is there."""
    if not there():
        yield "### recycle\n\nThe shared data is not there."
        return
    for name in names:
        found: str = import_module(f"benchmarks.recycle.{name}").run(effort or Effort())
        yield found


def run() -> str:
    """All tables."""
    return "\n\n".join(run_parts())
