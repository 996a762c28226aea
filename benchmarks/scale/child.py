"""One night in a process of its own: `... benchmarks.scale.child loop|run PAGES STORE JOBS`."""

import json
import resource
import sys
import time
from pathlib import Path

import regex

from rowen import Pattern, Store

PATTERN = r"CS (?P<room>\d{3}), (?P<time>\d [ap]m)"


def loop(pages: str) -> int:
    """What a script would do."""
    compiled = regex.compile(PATTERN)
    records = []
    with Path(pages).open() as file:
        for line in file:
            page = json.loads(line)
            records += [
                (page["id"], match["room"], match["time"])
                for match in compiled.finditer(page["text"])
            ]
    return len(records)


def main(what: str, pages: str, store: str, jobs: str) -> None:
    """Print what it took as a line of JSON."""
    begin, start = time.perf_counter(), _cpu()
    if what == "loop":
        loop(pages)
    else:
        Store(store).run([Pattern(PATTERN, name="rooms")], pages, jobs=int(jobs))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    wall = time.perf_counter() - begin
    print(json.dumps({"cpu": _cpu() - start, "memory": memory, "wall": wall}))


def _cpu() -> float:
    """Of this process and of its workers that have ended."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
