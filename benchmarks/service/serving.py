"""`rowen serve` in a process of its own, and what it costs."""

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

import rowen

_SCHEDULED = 2
"""Of the clocks that Linux has for each process (clock_getcpuclockid), that of the scheduler."""


class Served:
    """A service with one worker and a folder of its own, as long as the context lasts."""

    def __init__(self, *options: str) -> None:
        self._options = options
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        log = folder / "log"
        command = [
            *(sys.executable, "-m", "rowen", "serve", "--port", "0", "--workers", "1"),
            *("--data", str(folder / "data"), *self._options),
        ]
        with log.open("wb") as file:
            self._process = subprocess.Popen(command, stderr=file)
        self._stack.callback(self._process.wait)
        self._stack.callback(self._process.terminate)
        while not (found := re.search('http://[^,"]+', log.read_text())):
            if self._process.poll() is not None:
                raise SystemExit(log.read_text())
            time.sleep(0.01)
        self.url = found[0]
        self.client = self._stack.enter_context(rowen.Client(self.url))
        self._warm_up()
        return self

    def __exit__(self, *_failure: object) -> None:
        self._stack.close()

    @property
    def pid(self) -> int:
        """The process that answers."""
        return self._process.pid

    def seconds(self) -> float:
        """Processor time of the service and its workers so far."""
        return sum(map(seconds_of, self._processes()))

    def memory(self) -> int:
        """Bytes that they have in memory now."""
        return sum(map(_memory, self._processes()))

    def _processes(self) -> list[int]:
        found, new = [], [self.pid]
        while new:
            found.append(new.pop())
            for task in Path(f"/proc/{found[-1]}/task").iterdir():
                with suppress(FileNotFoundError):  # a thread that has ended
                    new += map(int, (task / "children").read_text().split())
        return found

    def _warm_up(self) -> None:
        """Have the worker load its models."""
        document = self.client.submit(b"%PDF-1.7 none")
        with suppress(rowen.InputError):
            self.client.header(document)


def seconds_of(pid: int) -> float:
    """Processor time of a process so far, by its own clock: /proc counts hundredths of a second."""
    return time.clock_gettime((~pid << 3) | _SCHEDULED)


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
