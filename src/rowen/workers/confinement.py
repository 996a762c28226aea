"""Confines a process that reads documents, also after a document has taken it over.

Resource limits bound its memory and forbid writing files. Seccomp allows only a list of system
calls, so that it can't open, find or change files, or use the network or other processes. Landlock
forbids the same again, by the file that is opened and not by the system call.
"""

import os
import resource
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from rowen import _core

PROCESS_FILES = 64
"""Limit: how many files a worker may have open. It needs a socket and the document."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """What is in force for a process."""

    seccomp: bool
    """Whether the kernel refuses all system calls but those of a list."""
    landlock: int
    """The version of Landlock in force, 0 where the kernel has none."""
    memory: bool
    """Whether the kernel limits its memory."""

    def __and__(self, confinement: "Confinement") -> "Confinement":
        """What is in force for both."""
        return Confinement(
            self.seccomp and confinement.seccomp,
            min(self.landlock, confinement.landlock),
            self.memory and confinement.memory,
        )


def confine(memory: int, *, libraries: bool = False) -> Confinement:
    """Give up all rights but computing, for good; returns what the system enforces.

    From now on this process can use only what it has open, and `memory` bytes. With `libraries` it
    may load code from where Python and its packages are installed, and start threads, as plugins
    need it. That takes Landlock, and is refused without.
    """
    sys.dont_write_bytecode = True
    limited = _limit_memory(memory)
    _give_up(resource.RLIMIT_CORE, 0)  # no core dump, which would hold the document
    # No byte can be written to a file, not even through a descriptor that it has inherited.
    _give_up(resource.RLIMIT_FSIZE, 0)
    _give_up(resource.RLIMIT_NOFILE, PROCESS_FILES)
    # A service may run as root: its workers keep no capability, and can't be traced by others.
    _core.drop_privileges()
    landlock = _core.landlock([str(path) for path in _libraries()] if libraries else [])
    seccomp = _core.confine(libraries and landlock > 0) == 0
    if not seccomp:
        _give_up(resource.RLIMIT_NPROC, 0)  # at least no new programs, at the cost of no threads
    return Confinement(seccomp, max(0, landlock), limited)


def limit(kind: int, most: int) -> None:
    """Set a limit that can be raised again, up to the hard limit of the process."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (_lower(most, hard), hard))


def close_others(descriptor: int) -> None:
    """Close all descriptors but this one and the standard streams."""
    os.closerange(3, descriptor)
    os.closerange(descriptor + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _libraries() -> list[Path]:
    """The folders of installed code, which have no data."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    own = [Path(sysconfig.get_path(name)) for name in names]
    shared = [Path(folder) for folder in ("/lib", "/lib64", "/usr/lib", "/usr/lib64")]
    return [path for path in (*own, Path(__file__).parent.parent, *shared) if path.is_dir()]


def _limit_memory(most: int) -> bool:
    """Let the process use at most this much; address space that is only reserved does not count."""
    if sys.platform != "linux":
        return False
    # RLIMIT_AS counts reserved address space, of which libraries take gigabytes without using it.
    pages = [int(number) for number in Path("/proc/self/statm").read_text("ascii").split()]
    reserved, used = (count * resource.getpagesize() for count in pages[:2])
    _give_up(resource.RLIMIT_AS, reserved + max(0, most - used))
    return True


def _give_up(kind: int, most: int) -> None:
    lowest = _lower(most, resource.getrlimit(kind)[1])
    resource.setrlimit(kind, (lowest, lowest))


def _lower(most: int, hard: int) -> int:
    return most if hard == resource.RLIM_INFINITY else min(most, hard)
