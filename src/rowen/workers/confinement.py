"""What a process that reads documents may not do, whoever has taken it over.

By its own limits it can't write or keep more memory than it may; by seccomp (a list of the system
calls that stay) it can't open, find or change any file, nor reach the network or other processes;
and Landlock refuses the same once more, by what is opened and not by how.
"""

import os
import resource
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from rowen import _core
from rowen.limits import PROCESS_FILES


@dataclass(frozen=True, slots=True)
class Confinement:
    """What is in force for a process."""

    seccomp: bool
    """Whether the kernel refuses all calls but those of a list."""
    landlock: int
    """The version of Landlock that refuses files, 0 where the kernel has none."""
    memory: bool
    """Whether the kernel limits its memory."""

    def __and__(self, other: "Confinement") -> "Confinement":
        """What is in force for both."""
        return Confinement(
            self.seccomp and other.seccomp,
            min(self.landlock, other.landlock),
            self.memory and other.memory,
        )


def confine(memory: int, *, libraries: bool = False) -> Confinement:
    """Give up all but computing, for good; tells what of it the system sees to.

    From now on this process uses what it has open, and so much memory. With `libraries` it may load
    further code from where Python and its packages are installed, and have threads, as plugins need
    it; that takes Landlock, and is refused without.
    """
    sys.dont_write_bytecode = True
    limited = _limit_memory(memory)
    _give_up(resource.RLIMIT_CORE, 0)  # a crash leaves no file of its memory
    _give_up(resource.RLIMIT_FSIZE, 0)
    _give_up(resource.RLIMIT_NOFILE, PROCESS_FILES)
    _core.drop_privileges()
    landlock = _core.landlock([str(path) for path in _libraries()] if libraries else [])
    seccomp = _core.confine(libraries and landlock > 0) == 0
    if not seccomp:
        _give_up(resource.RLIMIT_NPROC, 0)  # no new programs at least, though no new threads either
    return Confinement(seccomp, max(0, landlock), limited)


def limit(kind: int, most: int) -> None:
    """Set a limit that may be raised again, but not above one that the process has anyway."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (_lower(most, hard), hard))


def close_others(kept: int) -> None:
    """Close all descriptors but one, and those of the standard streams."""
    os.closerange(3, kept)
    os.closerange(kept + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _libraries() -> list[Path]:
    """Where code is installed: nothing else lies there."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    own = [Path(sysconfig.get_path(name)) for name in names]
    shared = [Path(folder) for folder in ("/lib", "/lib64", "/usr/lib", "/usr/lib64")]
    return [path for path in (*own, Path(__file__).parent.parent, *shared) if path.is_dir()]


def _limit_memory(most: int) -> bool:
    """Let the process grow until `most` is in use; what is only reserved by now does not count."""
    if sys.platform != "linux":
        return False
    pages = [int(number) for number in Path("/proc/self/statm").read_text("ascii").split()]
    reserved, used = (count * resource.getpagesize() for count in pages[:2])
    _give_up(resource.RLIMIT_AS, reserved + max(0, most - used))
    return True


def _give_up(kind: int, most: int) -> None:
    lowest = _lower(most, resource.getrlimit(kind)[1])
    resource.setrlimit(kind, (lowest, lowest))


def _lower(most: int, hard: int) -> int:
    return most if hard == resource.RLIM_INFINITY else min(most, hard)
