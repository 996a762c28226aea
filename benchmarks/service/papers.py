"""Papers to submit."""

import random
from pathlib import Path

from benchmarks.shared import DATA

PAPERS = sorted((DATA / "scholar" / "pdf").glob("*/*.pdf"))


def some(count: int) -> list[Path]:
    """So many papers of all collections, the same ones each time."""
    return random.Random(7).sample(PAPERS, min(count, len(PAPERS)))


def copy_of(paper: bytes, number: int) -> bytes:
    """The same paper in other bytes, as another download of it may be."""
    return paper + b"\n%% copy %d\n" % number
