"""The process that all workers of a pool are copies of.

It loads everything once and reads no document ever, so that its copies are clean, and take a few
milliseconds to make. It has no environment, no threads, and hears only the process that started
it. When that ends, it ends, and the copies with it.
"""

import gc
import os
import socket
import struct
import subprocess
import sys
import traceback
from array import array
from contextlib import suppress
from importlib import import_module
from signal import SIGKILL
from threading import Lock
from typing import Any

from rowen._core import end_with
from rowen.limits import PROCESS_START_SECONDS
from rowen.workers.loading import load_lazy
from rowen.workers.serving import serve
from rowen.workers.work import Work

_COMMAND = struct.Struct("!ci")
_COPY, _COPY_WITH_PLUGINS, _REAP = b"c", b"p", b"r"
_ANSWER = struct.Struct("!i")
_FAILED = -1
_REASON_BYTES = 20_000

_ENVIRONMENT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME")
"""What Python may need to start at all; nothing else is passed on."""


class TemplateError(RuntimeError):
    """Workers can't be started: a bug, or a machine that has no more to give."""


class Template:
    """The process, for the one who starts it; for many threads."""

    def __init__(self, work: Work[Any, Any], memory: int) -> None:
        self._control, theirs = socket.socketpair()
        self._control.settimeout(PROCESS_START_SECONDS)
        self._lock = Lock()
        module, name = work.place
        where = f"{theirs.fileno()}, {module!r}, {name!r}, {memory}"
        path = f"import sys; sys.path[:] = {sys.path!r}"
        code = f"{path}; from {__name__} import run; run({where})"
        kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        fixed = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}  # only one thread can be copied
        with theirs:
            # A session of its own: Ctrl-C at a terminal is for the one who asked.
            self.process = subprocess.Popen(  # noqa: S603  # this very interpreter
                [sys.executable, "-c", code],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                env={**kept, **fixed},
            )

    def copy(self, end: socket.socket, *, plugins: bool) -> int:
        """The id of a new worker that serves this end of a socket; TemplateError, OSError."""
        command = _COMMAND.pack(_COPY_WITH_PLUGINS if plugins else _COPY, 0)
        rights = socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [end.fileno()])
        with self._lock:
            self._control.sendmsg([command], [rights])
            return self._answer()

    def reap(self, pid: int) -> None:
        """End a worker and wait for its end: until then no other process has its id."""
        with self._lock, suppress(OSError, TemplateError):
            self._control.sendall(_COMMAND.pack(_REAP, pid))
            self._answer()

    def end(self) -> None:
        """Leave nothing of it, nor of its copies."""
        self.process.kill()
        self.process.wait()
        self._control.close()

    def _answer(self) -> int:
        data = self._control.recv(_ANSWER.size, socket.MSG_WAITALL)
        if len(data) < _ANSWER.size:
            raise TemplateError("the process that starts workers is gone")
        (answer,) = _ANSWER.unpack(data)
        if answer == _FAILED:
            reason = self._control.recv(_REASON_BYTES).decode("utf-8", "replace")
            raise TemplateError(reason)
        return int(answer)


def run(control: int, module: str, name: str, memory: int) -> None:
    """The life of the process."""
    with socket.socket(fileno=control) as commands:
        try:
            work: Work[Any, Any] = getattr(import_module(module), name)
            load_lazy()
            if work.warm is not None:
                work.warm()
        except BaseException:
            reason = traceback.format_exc().encode("utf-8", "replace")[-_REASON_BYTES:]
            commands.sendall(_ANSWER.pack(_FAILED) + reason)
            raise
        os.environ.clear()
        gc.collect()
        gc.freeze()  # copies don't write to what they share
        _obey(commands, work, memory)


def _obey(commands: socket.socket, work: Work[Any, Any], memory: int) -> None:
    room = socket.CMSG_SPACE(array("i").itemsize)
    here = os.getpid()
    while True:
        data, ancillary, _, _ = commands.recvmsg(_COMMAND.size, room)
        if len(data) < _COMMAND.size:
            return
        command, pid = _COMMAND.unpack(data)
        if command == _REAP:
            os.kill(pid, SIGKILL)
            os.waitpid(pid, 0)
            commands.sendall(_ANSWER.pack(0))
            continue
        with socket.socket(fileno=array("i", ancillary[0][2])[0]) as end:
            pid = os.fork()
            if pid == 0:
                _live(end, work, memory, parent=here, plugins=command == _COPY_WITH_PLUGINS)
        commands.sendall(_ANSWER.pack(pid))


def _live(
    end: socket.socket, work: Work[Any, Any], memory: int, *, parent: int, plugins: bool
) -> None:
    """What a copy does; it never comes back."""
    try:
        if end_with(parent):
            serve(end, work, memory, plugins=plugins)
    finally:
        os._exit(1)
