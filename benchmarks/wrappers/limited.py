"""Work of others in a process of its own, with a limit on time and memory."""

import multiprocessing
import resource
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

MEMORY = 3 << 30
PATIENCE = 4
"""So many times the CPU time it may take by the clock: machines are shared."""

T = TypeVar("T")


class NotDone(Exception):  # noqa: N818  # an answer, too
    """What the work ended with instead of a result."""


def limited(work: Callable[[], T], seconds: float) -> T:
    """The result, or `NotDone` with the reason: an error of the work's, CPU time, or memory."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(work, there, int(seconds)))
    process.start()
    there.close()
    try:
        if not here.poll(PATIENCE * seconds):
            raise NotDone(f"no end after {seconds:.0f} s")
        result: T | NotDone = here.recv()
    except EOFError:
        process.join()
        late = process.exitcode == -signal.SIGXCPU
        raise NotDone(f"no end after {seconds:.0f} s" if late else "the process died") from None
    finally:
        process.kill()
        process.join()
        here.close()
    if isinstance(result, NotDone):
        raise result
    return result


def _run(work: Callable[[], object], there: Connection, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    try:
        result = work()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is told
        result = NotDone(type(error).__name__)
    there.send(result)
