"""`python -m benchmarks.recycle [PART ...]`: all parts, or those that are named.

The first three parts look at the same runs, which are made once if they are asked for together.
"""

import argparse
import sys
import time

from benchmarks.optional import optional, told
from benchmarks.recycle import PARTS, run_parts
from benchmarks.recycle.corpora import CORPORA
from benchmarks.recycle.trial import Effort

usual = Effort()
parser = argparse.ArgumentParser(prog="python -m benchmarks.recycle", description=__doc__)
parser.add_argument("part", nargs="*", choices=PARTS, default=[], help=", ".join(PARTS))
parser.add_argument("--corpus", action="append", choices=CORPORA, help="all where none is named")
parser.add_argument("--snapshots", type=int, default=usual.snapshots, help="at most so many")
parser.add_argument("--slow-snapshots", type=int, default=usual.slow, help="of slow extractors")
parser.add_argument("--rounds", type=int, default=usual.rounds, help="of quick extractors")
given = parser.parse_args()
effort = Effort(tuple(given.corpus or CORPORA), given.snapshots, given.slow_snapshots, given.rounds)
begin = time.monotonic()
for tables in run_parts(given.part or PARTS, effort):
    print(tables, end="\n\n", flush=True)
    print(f"{time.monotonic() - begin:.0f} s so far", file=sys.stderr, flush=True)
if optional("matplotlib") is None:
    print(f"No plots: {told('matplotlib')}")
