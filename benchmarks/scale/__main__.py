"""`python -m benchmarks.scale [--pages N]...`: larger sizes take minutes and gigabytes."""

import argparse

from benchmarks.scale import SIZES, run

parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
parser.add_argument("--pages", type=int, action="append", help="sizes of the snapshot")
parser.add_argument("--jobs", type=int, action="append", help="numbers of processes")
given = parser.parse_args()
print(run(tuple(given.pages or SIZES), jobs=tuple(given.jobs or (1, 2))))
