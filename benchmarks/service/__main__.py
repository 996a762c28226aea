"""`python -m benchmarks.service [PART ...]`: all parts, or those that are named."""

import argparse
import sys
import time

from benchmarks.optional import optional, told
from benchmarks.service import PARTS, run_parts

parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
parser.add_argument("part", nargs="*", choices=PARTS, default=[], help=", ".join(PARTS))
parser.add_argument("--documents", type=int, help="how many a part takes, for longer runs")
given = parser.parse_args()
begin = time.monotonic()
for tables in run_parts(given.part or PARTS, documents=given.documents):
    print(tables, end="\n\n", flush=True)
    print(f"{time.monotonic() - begin:.0f} s so far", file=sys.stderr, flush=True)
if optional("matplotlib") is None:
    print(f"No plots: {told('matplotlib')}")
