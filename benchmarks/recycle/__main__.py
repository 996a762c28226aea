"""`python -m benchmarks.recycle [PART ...]`: all parts, or those that are named.

The first three parts look at the same runs, which are made once if they are asked for together.
"""

import sys
import time

from benchmarks.optional import optional, told
from benchmarks.parts import parser
from benchmarks.recycle import PARTS, run_parts
from benchmarks.recycle.corpora import CORPORA
from benchmarks.recycle.trial import Effort

usual = Effort()
arguments = parser("benchmarks.recycle", __doc__, PARTS)
arguments.add_argument("--corpus", action="append", choices=CORPORA, help="all where none is named")
arguments.add_argument("--snapshots", type=int, default=usual.snapshots, help="at most so many")
arguments.add_argument("--slow-snapshots", type=int, default=usual.slow, help="of slow extractors")
arguments.add_argument("--rounds", type=int, default=usual.rounds, help="of quick extractors")
given = arguments.parse_args()
effort = Effort(tuple(given.corpus or CORPORA), given.snapshots, given.slow_snapshots, given.rounds)
begin = time.monotonic()
for tables in run_parts(given.part, effort):
    print(tables, end="\n\n", flush=True)
    print(f"{time.monotonic() - begin:.0f} s so far", file=sys.stderr, flush=True)
if optional("matplotlib") is None:
    print(f"No plots: {told('matplotlib')}")
