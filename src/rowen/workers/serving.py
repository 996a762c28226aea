"""A worker's life: tasks in, results out, until the one who asks is gone."""

import os
import socket
from contextlib import suppress
from typing import Any

from rowen.workers.confinement import close_others, confine
from rowen.workers.failures import failure_of
from rowen.workers.frames import Bounds, Channel, GoneError
from rowen.workers.work import Asker, Work

_TRUSTED = Bounds(2**32 - 1, 2**63)
"""What comes from the one who asks is as large as it is."""


def serve(end: socket.socket, work: Work[Any, Any], memory: int, *, plugins: bool) -> None:
    """Do as one is told; what is not confined yet is done before the first document comes."""
    close_others(end.fileno())
    if plugins and work.load_plugins is not None:
        work.load_plugins()
    channel = Channel(end, _TRUSTED, takes_descriptors=True)
    said, heard = work.from_worker, work.to_worker
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


def _answer(work: Work[Any, Any], given: object, asker: Asker) -> list[bytes]:
    said = work.from_worker
    try:
        return said.pack("done", work.do(given, asker))
    except MemoryError:
        return said.pack("full")
    except Exception as error:  # noqa: BLE001  # it is raised again where it is seen
        return said.pack("failed", failure_of(error))
