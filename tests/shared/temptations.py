"""What one who has taken over a process that reads documents would try."""

import ctypes
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

IO_URING_SETUP, CLONE3, OPENAT2 = 425, 435, 437  # on every machine
LIBRARY = ctypes.CDLL(None, use_errno=True)


def _called(name, *arguments):
    if getattr(LIBRARY, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def _bare(number, *arguments):
    """By its number: the C library has no function for it, or another one behind that name."""
    _called("syscall", ctypes.c_long(number), *arguments)


def _fork():
    if os.fork() == 0:
        os._exit(0)


def _open_otherwise(folder):
    how = ctypes.create_string_buffer(24)
    _bare(OPENAT2, -100, os.fsencode(folder / "old"), how, len(how))


def _listen(_folder):
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))


def _thread(folder):
    with ThreadPoolExecutor(1) as threads:
        threads.submit(_write, folder).result()


def _write(folder):
    (folder / "new").write_text("written")


TEMPTATIONS = {
    "connect": lambda _: socket.create_connection(("127.0.0.1", 9)),
    "listen": _listen,
    "datagram": lambda _: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "local socket": lambda _: socket.socket(socket.AF_UNIX),
    "raw": lambda _: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "netlink": lambda _: socket.socket(16, socket.SOCK_RAW),
    "pair": lambda _: socket.socketpair(),
    "fork": lambda _: _fork(),
    "program": lambda _: subprocess.run([sys.executable, "-c", "pass"], check=True),
    "spawn": lambda _: os.posix_spawn("/bin/true", ["true"], {}),
    "execute": lambda _: os.execv("/bin/true", ["true"]),
    "write": _write,
    "write over": lambda folder: (folder / "old").write_text("written"),
    "append": lambda folder: (folder / "old").open("a"),
    "both ways": lambda folder: (folder / "old").open("r+"),
    "cut": lambda folder: os.truncate(folder / "old", 0),
    "create": lambda folder: _called("creat", os.fsencode(folder / "new"), 0o600),
    "unnamed": lambda folder: os.open(folder, os.O_TMPFILE | os.O_RDWR),
    "temporary": lambda folder: tempfile.TemporaryFile(dir=folder).close(),
    "in memory": lambda _: os.memfd_create("a"),
    "null": lambda _: Path("/dev/null").write_text("a"),
    "thread that writes": _thread,
    "remove": lambda folder: (folder / "old").unlink(),
    "rename": lambda folder: (folder / "old").rename(folder / "new"),
    "folder": lambda folder: (folder / "new").mkdir(),
    "remove folder": lambda folder: (folder / "empty").rmdir(),
    "link": lambda folder: (folder / "new").hardlink_to(folder / "old"),
    "symbolic link": lambda folder: (folder / "new").symlink_to(folder / "old"),
    "pipe with a name": lambda folder: os.mkfifo(folder / "new"),
    "rights": lambda folder: (folder / "old").chmod(0o777),
    "owner": lambda folder: os.chown(folder / "old", 1, 1),
    "times": lambda folder: os.utime(folder / "old", (0, 0)),
    "attribute": lambda folder: os.setxattr(folder / "old", "user.a", b"b"),
    "root": os.chroot,
    "user": lambda _: os.setuid(os.getuid()),
    "trace": lambda _: _called("ptrace", 16, os.getppid(), None, None),
    "signal": lambda _: os.kill(os.getppid(), signal.SIGURG),
    "limits of others": lambda _: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE),
    "ring": lambda _: _bare(IO_URING_SETUP, 1, ctypes.create_string_buffer(256)),
    "other way to open": _open_otherwise,
    "other way to clone": lambda _: _bare(CLONE3, ctypes.create_string_buffer(64), 64),
    "memory of others": lambda _: _called("process_vm_readv", os.getppid(), None, 0, None, 0, 0),
    "session": lambda _: os.setsid(),
    "priority": lambda _: os.nice(1),
    "name of the machine": lambda _: socket.sethostname(socket.gethostname()),
    "shared mapping": lambda folder: mmap.mmap(os.open(folder / "old", os.O_RDWR), 0),
}  # fmt: skip


def tempt(given, _allow):
    """Try one thing: the error's number, or None where nothing was in the way."""
    name, folder = given
    try:
        TEMPTATIONS[name](Path(folder))
    except OSError as error:
        return error.errno
    return None


def read_along(folder, _allow):
    """What reading needs all the same: files, threads, modules and libraries not loaded before."""
    found = []
    thread = threading.Thread(target=lambda: found.append((Path(folder) / "old").read_text()))
    thread.start()
    thread.join()
    before = set(sys.modules)
    import curses  # from files, at this moment

    assert "curses" not in before
    return found[0], sorted(path.name for path in Path(folder).iterdir()), bool(curses)
