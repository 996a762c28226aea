"""`python -m benchmarks.wrappers [PART ...]`: all parts, or those that are named."""

from benchmarks.optional import optional, told
from benchmarks.parts import parser
from benchmarks.wrappers import PARTS, run_parts

arguments = parser("benchmarks.wrappers", __doc__, PARTS)
chosen = arguments.parse_args().part
for tables in run_parts(chosen):
    print(tables, end="\n\n", flush=True)
if optional("matplotlib") is None:
    print(f"No plots: {told('matplotlib')}")
