"""A guest: the process that a cluster's worker starts for each partition.

A worker of a cluster has many threads, so it can't be forked safely; and it can neither interrupt
an extractor nor survive its crash. So it starts a fresh process, the guest, which does the
partition with the local engine. Whatever an extractor does there has the same effect as on one
machine.
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
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Any

from rowen.engines.local import Local
from rowen.engines.luggage import Luggage
from rowen.extractors.function import Function
from rowen.model.errors import ExtractorError, RowenError, StoreError
from rowen.recycling.engine import Tick
from rowen.recycling.outcome import Outcome
from rowen.recycling.task import Job, Task
from rowen.workers.work import WORKER_DEATHS

Answer = Outcome | Exception
"""Errors are returned as values. One that is raised is the cluster's own."""

_LOCK = Lock()
_RUNS: dict[str, str] = {}
"""By store, the one run that may write to it, as far as this worker knows."""
_GUESTS: dict[int, tuple[str, "subprocess.Popen[bytes]"]] = {}
"""By process number, the guests of this worker and the stores that they write to."""


def admit(store: str, run: str) -> None:
    """Let only this run write to a store from here, and end the guests of other runs.

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
    """The topic of Dask's events about the progress of a run."""
    return f"rowen-{run}"


def do_in_guest(task: Task, *, luggage: Luggage, run: str, rowen: str) -> Answer:
    """Do a partition in a guest; the luggage has the task's jobs."""
    where = socket.gethostname()
    if (other := _other_version(rowen)) is not None:
        return other
    for _ in range(WORKER_DEATHS + 1):
        answer = _ask_guest(task, luggage, run)
        if answer is not None:
            return answer
    return StoreError(
        f"processes died {WORKER_DEATHS + 1} times in partition {task.partition} on {where}, and "
        "no single page was the cause: is there enough memory?"
    )


def load_in_guest(luggage: Luggage, *, rowen: str) -> Exception | None:
    """Load extractors in a guest, and do nothing with them; the reason if they can't be used."""
    if (other := _other_version(rowen)) is not None:
        return other
    ours, theirs = Pipe()
    with ours, TemporaryDirectory(prefix="rowen-") as folder:
        luggage.unpack(folder)
        with theirs:
            guest = _start(theirs.fileno())
        try:
            ours.send((None, luggage.parcels, folder))
            answer: Exception | None = ours.recv()
        except (EOFError, OSError):
            return ExtractorError(
                f"a process ended while it loaded the extractors on the worker on "
                f"{socket.gethostname()}"
            )
        finally:
            guest.kill()
            guest.wait()
    return answer


def _other_version(rowen: str) -> StoreError | None:
    if (here := version("rowen")) == rowen:
        return None
    where = socket.gethostname()
    return StoreError(f"the worker on {where} has Rowen {here}, but the run has {rowen}")


def _ask_guest(task: Task, luggage: Luggage, run: str) -> Answer | None:
    """A guest's answer to a task; None if it died."""
    ours, theirs = Pipe()
    with ours, TemporaryDirectory(prefix="rowen-") as folder:
        luggage.unpack(folder)
        with theirs, _LOCK:
            # Under the lock of `admit`: a task of a run that was ended can't start after its guests
            # ended.
            if _RUNS.setdefault(task.uri, run) != run:
                return StoreError(f"this run was ended and must not write to {task.uri}")
            guest = _start(theirs.fileno())
            _GUESTS[guest.pid] = (task.uri, guest)
        try:
            with suppress(EOFError, OSError):
                ours.send((task, luggage.parcels, folder))
                # The pipe first: a guest may have sent its answer and ended since.
                while ours.poll(0.5) or guest.poll() is None:
                    if not ours.poll():
                        continue
                    message: Answer | int = ours.recv()
                    if not isinstance(message, int):
                        return message
                    _report_progress(run, task.partition, message)
            return None
        finally:
            with _LOCK:
                del _GUESTS[guest.pid]
            guest.kill()
            guest.wait()


def _report_progress(run: str, partition: int, pages: int) -> None:
    """Send the number of finished pages of a partition to whoever watches the run."""
    from distributed import get_worker

    with suppress(ValueError):  # not on a worker of a cluster
        get_worker().log_event(topic_of(run), {"partition": partition, "pages": pages})


def _start(pipe: int) -> "subprocess.Popen[bytes]":
    """Start a guest with this process' import path. Ctrl-C at a terminal does not reach it."""
    code = f"import sys; sys.path[:] = {sys.path!r}; import {__name__} as guest; guest.main({pipe})"
    return subprocess.Popen(  # noqa: S603  # this very interpreter
        [sys.executable, "-c", code],
        pass_fds=[pipe],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def main(end: int) -> None:
    """The main function of a guest: one task in, numbers of finished pages and the answer out."""
    pipe: Connection[Any, Any] = Connection(end)
    task, parcels, folder = pipe.recv()
    sys.path.insert(0, folder)
    Thread(target=_end_with, args=(pipe,), daemon=True).start()
    jobs = _loaded(parcels)
    if isinstance(jobs, Exception) or task is None:
        pipe.send(jobs if isinstance(jobs, Exception) else None)
        return
    pipe.send(_answer(replace(task, jobs=jobs), pipe.send))


def _end_with(pipe: "Connection[Any, Any]") -> None:
    """End this process when the worker ends; nothing else comes from it any more."""
    with suppress(EOFError, OSError):
        pipe.recv_bytes()
    os._exit(1)


def _differing_extractor(jobs: Sequence[Job]) -> str | None:
    """The name of an extractor whose code differs here from that of the run, if there is one."""
    for job in jobs:
        if job.code is not None and isinstance(job.extractor, Function):
            digest, surroundings = job.code
            # Other code could give other records: a store must not have records of two codes in one
            # version.
            if job.extractor.identity(surroundings).digest != digest:
                return job.name
    return None


def _loaded(parcels: Sequence[bytes]) -> tuple[Job, ...] | ExtractorError:
    try:
        jobs = tuple(pickle.loads(parcel) for parcel in parcels)  # noqa: S301  # ours
    except Exception as error:  # noqa: BLE001  # what an extractor needs may fail in any way
        return ExtractorError(
            f"an extractor can't be loaded on the worker on {socket.gethostname()}: "
            f"{type(error).__name__}: {error}"
        )
    if (name := _differing_extractor(jobs)) is not None:
        return ExtractorError(
            f"the code of extractor {name!r} on the worker on {socket.gethostname()} differs from "
            "that of the run: install the same version of its package there, and the same Python"
        )
    return jobs


def _answer(task: Task, tick: Tick) -> Answer:
    try:
        (outcome,) = Local(1, always_fork=True).outcomes([task], tick)
    except (RowenError, RuntimeError) as error:
        return error
    return outcome
