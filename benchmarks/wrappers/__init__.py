"""Wrapper induction on the shared labelled sites, in the spirit of chapter 7 of the thesis.

The way that the data takes: `sites` reads the labelled pages (`made_up` makes some), `trial` learns
from some and compares with others, a module a part asks its question, `benchmarks.figures` draws
the answers.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module

from benchmarks.wrappers.sites import there

PARTS = (
    "quality",
    "marks",
    "discover",
    "details",
    "growth",
    "fields",
    "coverage",
    "examples",
    "prediction",
    "learning",
    "naive",
    "extraction",
    "values",
    "comparison",
    "list_peers",
    "finders",
    "trust",
    "modern",
    "exports",
)
OWN_PAGES = ("modern", "details", "exports", "list_peers", "discover", "finders")
"""Parts that need no shared data: their pages are in the repository."""


def run_parts(names: Sequence[str] = PARTS) -> Iterator[str]:
    """The tables of some parts, each as soon as it is there."""
    if not there():
        yield "### wrappers\n\nThe shared data is not there."
        names = [name for name in names if name in OWN_PAGES]
    for name in names:
        found: str = import_module(f"benchmarks.wrappers.{name}").run()
        yield found


def run() -> str:
    """All tables."""
    return "\n\n".join(run_parts())
