"""What a process that reads files from anywhere may not do, whoever has taken it over."""

import resource
import sys

from rowen import _core
from rowen.limits import PROCESS_FILES


def confine() -> bool:
    """Give up writing, the network and other programs; tells whether the system sees to all of it.

    From now on this process reads files, answers over the pipes that it has, and has threads.
    """
    sys.dont_write_bytecode = True
    _give_up(resource.RLIMIT_CORE, 0)  # a crash leaves no file of its memory
    _give_up(resource.RLIMIT_FSIZE, 0)
    _give_up(resource.RLIMIT_NOFILE, PROCESS_FILES)
    if _core.confine() == 0:
        return True
    _give_up(resource.RLIMIT_NPROC, 0)  # no new programs at least, though no new threads either
    return False


def limit(kind: int, most: int) -> None:
    """Set a limit that may be raised again, but not above one that the process has anyway."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (_lower(most, hard), hard))


def _give_up(kind: int, most: int) -> None:
    lowest = _lower(most, resource.getrlimit(kind)[1])
    resource.setrlimit(kind, (lowest, lowest))


def _lower(most: int, hard: int) -> int:
    return most if hard == resource.RLIM_INFINITY else min(most, hard)
