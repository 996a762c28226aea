"""A process of its own for each partition that a cluster's worker is given.

A worker of a cluster has many threads and may not be forked safely, nor can it interrupt or survive
an extractor. So it starts a fresh process, the guest, which does the partition with the local
engine: whatever an extractor does there, it is dealt with as on one machine.
"""

import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any

from rowen.engines.base import Tick
from rowen.engines.local import Local
from rowen.engines.partition import Outcome, Task
from rowen.extractors.function import Function
from rowen.limits import WORKER_DEATHS
from rowen.model.errors import ExtractorError, RowenError, StoreError

Answer = Outcome | Exception
"""Errors are handed back as values, so that one which is raised is the cluster's."""

_LOCK = Lock()
_RUNS: dict[str, str] = {}
"""The one run that may write to each store, as far as this worker was told."""
_GUESTS: dict[int, tuple[str, "subprocess.Popen[bytes]"]] = {}
"""The store that each guest of this worker writes to."""


def admit(store: str, run: str) -> None:
    """From now on only this run may write to a store from here; the guests of others are ended.

    A worker goes on with a task whose client was killed. It must not write into the next run.
    """
    with _LOCK:
        if _RUNS.get(store) == run:
            return
        _RUNS[store] = run
        for place, guest in _GUESTS.values():
            if place == store:
                guest.kill()
                guest.wait()


def topic_of(run: str) -> str:
    """Where Dask's workers tell how far the partitions of a run are."""
    return f"rowen-{run}"


def do_apart(task: Task, *, parcels: Sequence[bytes], run: str, rowen: str) -> Answer:
    """The work on a partition in a guest; `parcels` are the task's jobs as they travel."""
    where = socket.gethostname()
    if (here := version("rowen")) != rowen:
        return StoreError(f"the worker on {where} has Rowen {here}, and not {rowen} as the run has")
    for _ in range(WORKER_DEATHS + 1):
        answer = _ask_guest(task, parcels, run)
        if answer is not None:
            return answer
    return StoreError(
        f"processes died {WORKER_DEATHS + 1} times at partition {task.partition} on {where}, at no "
        "page in particular: is there enough memory?"
    )


def _ask_guest(task: Task, parcels: Sequence[bytes], run: str) -> Answer | None:
    """What a guest makes of a task; None where it died."""
    ours, theirs = Pipe()
    with ours:
        with theirs, _LOCK:
            if _RUNS.setdefault(task.uri, run) != run:
                return StoreError(f"this run may no longer write to {task.uri}: it was ended")
            guest = _start(theirs.fileno())
            _GUESTS[guest.pid] = (task.uri, guest)
        try:
            with suppress(EOFError, OSError):
                ours.send((task, parcels))
                while ours.poll(0.5) or guest.poll() is None:
                    if not ours.poll():
                        continue
                    answer: Answer | int = ours.recv()
                    if not isinstance(answer, int):
                        return answer
                    _tell(run, task.partition, answer)
            return None
        finally:
            with _LOCK:
                del _GUESTS[guest.pid]
            guest.kill()
            guest.wait()


def _tell(run: str, partition: int, pages: int) -> None:
    """Let whoever watches the run know how many pages of a partition are done."""
    from distributed import get_worker

    with suppress(ValueError):  # there is no cluster around
        get_worker().log_event(topic_of(run), {"partition": partition, "pages": pages})


def _start(pipe: int) -> "subprocess.Popen[bytes]":
    """A guest finds modules where this process does; Ctrl-C at a terminal is not meant for it."""
    code = f"import sys; sys.path[:] = {sys.path!r}; import {__name__} as guest; guest.main({pipe})"
    return subprocess.Popen(  # noqa: S603  # this very interpreter
        [sys.executable, "-c", code],
        pass_fds=[pipe],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def main(end: int) -> None:
    """A guest's life: one task in, its answer out, and before it how many pages are done."""
    pipe: Connection[Any, Any] = Connection(end)
    task, parcels = pipe.recv()
    Thread(target=_end_with, args=(pipe,), daemon=True).start()
    pipe.send(_answer(task, parcels, pipe.send))


def _end_with(pipe: "Connection[Any, Any]") -> None:
    """Nothing more comes from the worker but its end."""
    with suppress(EOFError, OSError):
        pipe.recv_bytes()
    os._exit(1)


def _other_code(task: Task) -> str | None:
    """An extractor that refers to something else here than where it came from."""
    for job in task.jobs:
        if job.code is not None and isinstance(job.extractor, Function):
            digest, surroundings = job.code
            if job.extractor.identity(surroundings).digest != digest:
                return job.name
    return None


def _answer(task: Task, parcels: Sequence[bytes], tick: Tick) -> Answer:
    try:
        task = replace(task, jobs=tuple(pickle.loads(one) for one in parcels))  # noqa: S301  # ours
    except Exception as error:  # noqa: BLE001  # what an extractor needs may fail in any way
        return ExtractorError(
            f"an extractor can't be loaded on the worker on {socket.gethostname()}: "
            f"{type(error).__name__}: {error}"
        )
    if (other := _other_code(task)) is not None:
        return ExtractorError(
            f"extractor {other!r} is other code on the worker on {socket.gethostname()} than in "
            "the run: install the same version of its package there, and the same Python"
        )
    try:
        (outcome,) = Local(1, apart=True).outcomes([task], tick)
    except (RowenError, RuntimeError) as error:
        return error
    return outcome
