"""`python -m benchmarks.service [PART ...]`: all parts, or those that are named."""

import sys
import time

from benchmarks.optional import optional, told
from benchmarks.parts import parser
from benchmarks.service import PARTS, run_parts

arguments = parser("benchmarks.service", __doc__, PARTS)
arguments.add_argument("--documents", type=int, help="how many a part takes, for longer runs")
given = arguments.parse_args()
begin = time.monotonic()
for tables in run_parts(given.part, documents=given.documents):
    print(tables, end="\n\n", flush=True)
    print(f"{time.monotonic() - begin:.0f} s so far", file=sys.stderr, flush=True)
if optional("matplotlib") is None:
    print(f"No plots: {told('matplotlib')}")
