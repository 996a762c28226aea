"""The main loop of a worker: tasks in, results out, until the parent is gone."""

import os
import socket
from contextlib import suppress
from typing import Any

from rowen.workers.confinement import close_others, confine
from rowen.workers.failures import failure_of
from rowen.workers.frames import Bounds, Channel, GoneError
from rowen.workers.work import Asker, Work

_TRUSTED = Bounds(2**32 - 1, 2**63)
"""The parent is trusted: its messages have no limits."""


def serve(end: socket.socket, work: Work[Any, Any], memory: int, *, plugins: bool) -> None:
    """Serve tasks; the process is confined before the first document comes."""
    # Among them the template's socket, with which a worker could start and kill others.
    close_others(end.fileno())
    if plugins and work.load_plugins is not None:
        work.load_plugins()
    channel = Channel(end, _TRUSTED, takes_descriptors=True)
    said, heard = work.from_worker, work.to_worker
    # Last: what was loaded before needs files.
    confinement = confine(memory, libraries=plugins)
    with suppress(GoneError):
        channel.send(said.pack("ready", confinement))
        while True:
            frame, descriptor = channel.receive_with_descriptor()
            try:
                answer = _answer(work, heard.value(frame), Asker(work, channel, descriptor))
            finally:
                if descriptor is not None:
                    os.close(descriptor)
            channel.send(answer)


def _answer(work: Work[Any, Any], task: object, asker: Asker) -> list[bytes]:
    said = work.from_worker
    try:
        return said.pack("done", work.do(task, asker))
    except MemoryError:
        return said.pack("full")
    except Exception as error:  # noqa: BLE001  # the parent raises it again
        return said.pack("failed", failure_of(error))
