"""What one who has taken over a process that reads documents would try."""

import ctypes
import encodings.idna  # noqa: F401  # which names of hosts need
import errno
import fcntl
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rowen.workers import Work

IO_URING_SETUP, PIDFD_OPEN, CLONE3, OPENAT2 = 425, 434, 435, 437  # on every machine
ADD_KEY, BPF = (248, 321) if os.uname().machine == "x86_64" else (217, 280)
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
        try:
            writing = threads.submit(_write, folder)
        except RuntimeError as error:  # so Python tells that there are no threads
            raise OSError(errno.EPERM, "thread") from error
        writing.result()


def _write(folder):
    (folder / "new").write_text("written")


def _own_descriptors():
    """Leave none but the three standard streams, the socket and the document: EPERM if so."""
    descriptors = []
    for number in range(256):
        try:
            os.lseek(number, 0, os.SEEK_CUR)
            descriptors.append(number)
        except OSError as error:
            if error.errno != errno.EBADF:
                descriptors.append(number)
    if len(descriptors) <= 5:
        raise OSError(errno.EPERM, "nothing else is open")


def _send_signal_by_descriptor():
    """A socket that sends a signal when something comes."""
    fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())


def _more_memory(_folder):
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most * 2, most * 2))
    except ValueError as error:  # so Python tells it
        raise OSError(errno.EPERM, "more memory") from error


def _environment(_folder):
    if not os.environ:
        raise OSError(errno.EPERM, "no environment")


TEMPTATIONS = {
    "read": lambda folder: (folder / "old").read_text(),
    "open a folder": lambda folder: os.open(folder, os.O_RDONLY),
    "list": lambda folder: list(folder.iterdir()),
    "users": lambda _: Path("/etc/passwd").read_text(),
    "environ": lambda _: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "own environ": lambda _: Path("/proc/self/environ").read_bytes(),
    "memory file": lambda _: Path(f"/proc/{os.getppid()}/mem").read_bytes(),
    "own memory file": lambda _: Path("/proc/self/mem").read_bytes(),
    "descriptor again": lambda _: Path("/proc/self/fd/0").read_bytes(),
    "descriptors of others": lambda _: list(Path(f"/proc/{os.getppid()}/fd").iterdir()),
    "processes": lambda _: list(Path("/proc").iterdir()),
    "device": lambda _: Path("/dev/urandom").read_bytes(),
    "other descriptors": lambda _: _own_descriptors(),
    "environment": _environment,
    "more memory": _more_memory,
    "owner of a socket": lambda _: _send_signal_by_descriptor(),
    "lock": lambda _: fcntl.lockf(3, fcntl.LOCK_SH),
    "descriptor of a process": lambda _: _bare(PIDFD_OPEN, os.getppid(), 0),
    "message to others": lambda _: _called("sendmsg", 3, None, 0),
    "shared memory": lambda _: _called("shmget", 1, 4096, 0o1600),
    "queue": lambda _: _called("msgget", 1, 0o1600),
    "keys": lambda _: _bare(ADD_KEY, b"user", b"a", b"b", 1, -2),
    "programs in the kernel": lambda _: _bare(BPF, 0, None, 0),
    "namespace": lambda _: _called("unshare", 0x10000000),
    "mount": lambda folder: _called("mount", b"none", os.fsencode(folder), b"tmpfs", 0, None),
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


def tempt(task, _allow):
    """Try one thing: the error's number, or None where nothing was in the way."""
    name, folder = task
    try:
        TEMPTATIONS[name](Path(folder))
    except OSError as error:
        return error.errno
    return None


TEMPT = Work(do=tempt, task=tuple[str, str], result=int | None)
