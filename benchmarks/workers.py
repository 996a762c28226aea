"""What workers cost: reading papers in them, and a new one for another tenant.

`python -m benchmarks.workers`
"""

import time
from importlib.resources import files
from pathlib import Path

from rowen.papers.subprocess import PDF_MEMORY_BYTES
from rowen.service.reading import WORK, Check, Read
from rowen.text.sniffing import PDF
from rowen.workers import Pool

ROUNDS = 10
CHECK = Check("toml", "kind = 'pattern'\npattern = '(?P<word>a)'")


def main() -> None:
    """Print seconds and milliseconds; processor time is the worker's, as the system counts it."""
    papers = sorted((Path(str(files("rowen.samples"))) / "papers").glob("*.pdf"))
    read = Read(PDF, "0" * 64, key=bytes(16))
    with Pool(WORK, processes=1, seconds=100.0, memory=PDF_MEMORY_BYTES) as pool:
        start = time.perf_counter()
        for paper in papers:
            pool.call(read, name=paper.name, file=paper)
        print(f"first {len(papers)} papers: {time.perf_counter() - start:.2f} s")
        (worker,) = pool._all  # noqa: SLF001  # whose time is to be read
        before, own, start = _cpu(worker.pid), time.process_time(), time.perf_counter()
        for _ in range(ROUNDS):
            for paper in papers:
                pool.call(read, name=paper.name, file=paper)
        count = ROUNDS * len(papers)
        print(f"a paper: {(time.perf_counter() - start) / count * 1000:.1f} ms")
        print(
            f"  processor time of the worker: {(_cpu(worker.pid) - before) / count * 1000:.1f} ms"
        )
        print(f"  of the one who waits: {(time.process_time() - own) / count * 1000:.2f} ms")
        for kind, tenants in (("same", [""] * ROUNDS), ("new", list(map(str, range(ROUNDS))))):
            start = time.perf_counter()
            for tenant in tenants:
                pool.call(CHECK, name="a definition", tenant=tenant)
            print(f"{kind} tenant: {(time.perf_counter() - start) / ROUNDS * 1000:.1f} ms a call")


def _cpu(pid: int) -> float:
    shown = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(shown[11]) + int(shown[12])) / 100


if __name__ == "__main__":
    main()
