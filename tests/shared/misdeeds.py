"""Work that a sandbox has to bear."""

import ctypes
import os
import time
from dataclasses import replace

from rowen.model.errors import DocumentError
from rowen.workers import Work

_DONE = []


def misbehave(deed, allow):
    """Do what is asked for; the answer is this process' id."""
    _DONE.append(deed)
    kind, _, detail = deed.partition(" ")
    if kind == "crash":
        ctypes.string_at(0)
    elif kind == "crash-later" and len(_DONE) > 1:
        os.abort()
    elif kind == "hang":
        time.sleep(3600)
    elif kind == "longer":
        allow(3600.0)
        time.sleep(float(detail))
    elif kind == "hog":
        bytearray(int(detail) << 20)
    elif kind == "refuse":
        raise DocumentError(detail, "is refused")
    elif kind == "fail":
        raise ValueError(detail)
    elif kind == "ask":
        return [allow.ask(number) for number in range(int(detail))]
    elif kind == "leave":
        os._exit(0)
    return os.getpid()


def hang():
    time.sleep(3600)


def die():
    os._exit(1)


MISDEEDS = Work(
    do=misbehave,
    task=str,
    result=int | list[int | None],
    question=int,
    reply=int | None,
    longest=3600.0,
)

# With plugins, a process hangs or ends after it was copied and before it says that it is ready.
HANGS_AT_START = replace(MISDEEDS, load_plugins=hang)
DIES_AT_START = replace(MISDEEDS, load_plugins=die)
