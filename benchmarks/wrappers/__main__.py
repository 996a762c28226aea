"""`python -m benchmarks.wrappers [PART ...]`: all parts, or those that are named."""

import argparse

from benchmarks.optional import optional, told
from benchmarks.wrappers import PARTS, run_parts

parser = argparse.ArgumentParser(prog="python -m benchmarks.wrappers", description=__doc__)
parser.add_argument("part", nargs="*", choices=PARTS, default=[], help=", ".join(PARTS))
chosen = parser.parse_args().part or PARTS
for tables in run_parts(chosen):
    print(tables, end="\n\n", flush=True)
if optional("matplotlib") is None:
    print(f"No plots: {told('matplotlib')}")
