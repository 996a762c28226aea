"""How long `import rowen`, the smallest commands and a run without changes take.

The run is that of a cheap pattern on a corpus of 735 files of 10 KB, none of which has changed. Its
processor time counts, as that of a bare interpreter beside it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from urllib.request import urlopen

from benchmarks.measure import Table, best_of

FILES = 735
SERVICE_ROUNDS = 7

WAYS = {
    "python -c pass": ["-c", "pass"],
    "import rowen": ["-c", "import rowen"],
    "rowen --version": ["-m", "rowen", "--version"],
    "rowen --help": ["-m", "rowen", "--help"],
}

_RULES = """[extractor]
name = "names"
kind = "pattern"
pattern = '(?P<name>(?:[A-Z][a-z]{2,20} ){1,3}[A-Z][a-z]{2,20})'
"""


def run() -> Table:
    """Best of several rounds each, interleaved."""
    table = Table(
        "start: time to the first answer", ("what", "milliseconds", "less the interpreter")
    )
    _add(table, WAYS, rounds=15)
    return table


def run_without_changes() -> Table:
    """The same of a run that finds nothing to do, in processor time."""
    table = Table(
        f"start: rowen run on {FILES} unchanged files, CPU",
        ("what", "milliseconds", "less the interpreter"),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rules.toml").write_text(_RULES)
        (folder / "corpus").mkdir()
        for number in range(FILES):
            text = f"Page {number} was written by Ada Lovelace, and nobody else.\n" * 175
            (folder / "corpus" / f"{number:04}.txt").write_text(text)
        command = ["-m", "rowen", "run", str(folder / "rules.toml"), "-q"]
        command += ["--snapshot", str(folder / "corpus"), "--store", str(folder / "store")]
        _call(command)
        ways = {"python -c pass": ["-c", "pass"], "rowen run": command}
        _add(table, ways, rounds=7, clock=_cpu)
    return table


def run_service() -> Table:
    """How long a service takes until it answers for the first time, in its own processor time."""
    table = Table(
        "start: rowen serve until its first answer (target: 1,500)",
        ("what", "milliseconds of its processor", "milliseconds"),
    )
    rounds = [_first_answer() for _ in range(SERVICE_ROUNDS)]
    cpu, wall = (min(values) * 1000 for values in zip(*rounds, strict=True))
    table.add(f"best of {SERVICE_ROUNDS}", f"{cpu:.0f}", f"{wall:.0f}")
    return table


def _first_answer() -> tuple[float, float]:
    """Seconds of the process and of the clock until a new service answers."""
    with tempfile.TemporaryDirectory() as data:
        begin = time.perf_counter()
        command = [sys.executable, "-m", "rowen", "serve", "--port", "0", "--data", data]
        service = subprocess.Popen([*command, "--workers", "1"], stderr=subprocess.PIPE, text=True)
        try:
            assert service.stderr is not None
            address = json.loads(service.stderr.readline())["address"]
            while not _answers(address):
                time.sleep(0.02)
            wall = time.perf_counter() - begin
            fields = Path(f"/proc/{service.pid}/stat").read_text().rpartition(")")[2].split()
            ticks = int(fields[11]) + int(fields[12])  # in user mode and in the kernel
            return ticks / os.sysconf("SC_CLK_TCK"), wall
        finally:
            service.terminate()
            service.wait()


def _answers(address: str) -> bool:
    try:
        urlopen(f"{address}/livez").close()
    except OSError:  # it does not listen yet
        return False
    return True


def _add(table: Table, ways: dict[str, list[str]], *, rounds: int, clock: object = None) -> None:
    calls = {name: lambda words=words: _call(words) for name, words in ways.items()}
    options = {} if clock is None else {"clock": clock}
    seconds = best_of(calls, rounds=rounds, **options)
    bare = seconds["python -c pass"]
    for name, took in seconds.items():
        table.add(name, f"{took * 1000:.0f}", f"{(took - bare) * 1000:.0f}")


def _call(words: list[str]) -> None:
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)


def _cpu() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    print(run(), run_without_changes(), run_service(), sep="\n\n")
