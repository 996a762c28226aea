"""The template process, which forks all workers of a pool.

It loads everything once and never reads a document, so that its copies are clean and start in a few
milliseconds. It has no environment and no threads, and takes commands only from the process that
started it. When that ends, the template ends, and its copies with it.
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
from rowen.workers.loading import load_lazy
from rowen.workers.serving import serve
from rowen.workers.work import Work

PROCESS_START_SECONDS = 60.0
"""Limit: how long a worker may take to start, on a very busy machine."""


_COMMAND = struct.Struct("!cQi")  # what to do, the number of the command, the id of a worker
_COPY, _COPY_WITH_PLUGINS, _REAP = b"c", b"p", b"r"
_ANSWER = struct.Struct("!Qi")  # the number of the command, the id of a worker
_START = 0  # in place of a number, where the template can't start; commands count from 1
_FAILED = -1
_REASON_BYTES = 20_000

_ENVIRONMENT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "ROWEN_CITATIONS_MODEL")
"""Variables that Python may need to start, and the one that names a model; no others pass."""


class TemplateError(RuntimeError):
    """Workers can't be started: an internal error, or a machine without resources."""


class Template:
    """The template as its parent sees it; for many threads."""

    def __init__(self, work: Work[Any, Any], memory: int) -> None:
        self._control, theirs = socket.socketpair()
        self._control.settimeout(PROCESS_START_SECONDS)
        self._lock = Lock()
        self._commands = 0
        module, name = work.place
        where = f"{theirs.fileno()}, {module!r}, {name!r}, {memory}"
        path = f"import sys; sys.path[:] = {sys.path!r}"
        # The parent's path, so that the same packages are found, wherever it was started.
        code = f"{path}; from {__name__} import run; run({where})"
        passed = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        fixed = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}  # fork copies only one thread
        with theirs:
            # A session of its own: Ctrl-C at a terminal goes only to the parent.
            self.process = subprocess.Popen(  # noqa: S603  # the interpreter that runs this
                [sys.executable, "-c", code],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                env={**passed, **fixed},
            )

    def copy(self, end: socket.socket, *, plugins: bool) -> int:
        """Fork a worker that serves this end of a socket; its id. Raises TemplateError or
        OSError.
        """
        rights = socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [end.fileno()])
        with self._lock:
            command = self._command(_COPY_WITH_PLUGINS if plugins else _COPY)
            self._control.sendmsg([command], [rights])
            return self._answer()

    def reap(self, pid: int) -> None:
        """Kill a worker and wait for its end; until then no other process gets its id."""
        with self._lock, suppress(OSError, TemplateError):
            self._control.sendall(self._command(_REAP, pid))
            self._answer()

    def end(self) -> None:
        """Kill the template, and its copies with it."""
        self.process.kill()
        self.process.wait()
        self._control.close()

    def _command(self, name: bytes, pid: int = 0) -> bytes:
        self._commands += 1
        return _COMMAND.pack(name, self._commands, pid)

    def _answer(self) -> int:
        """The answer to the last command.

        An earlier one may have come too late, when nobody waited for it any more. It must not pass
        for this one: 0, the answer to a reap, as an id means all processes of this group.
        """
        number = _START
        while number != self._commands:
            data = self._control.recv(_ANSWER.size, socket.MSG_WAITALL)
            if len(data) < _ANSWER.size:
                raise TemplateError("the process that starts workers has ended")
            number, answer = _ANSWER.unpack(data)
            if answer == _FAILED:
                reason = self._control.recv(_REASON_BYTES).decode("utf-8", "replace")
                raise TemplateError(reason)
        return int(answer)


def run(control: int, module: str, name: str, memory: int) -> None:
    """The main function of the template process."""
    with socket.socket(fileno=control) as commands:
        try:
            work: Work[Any, Any] = getattr(import_module(module), name)
            load_lazy()
            if work.warm is not None:
                work.warm()
        except BaseException:
            reason = traceback.format_exc().encode("utf-8", "replace")[-_REASON_BYTES:]
            commands.sendall(_ANSWER.pack(_START, _FAILED) + reason)
            raise
        # Libraries may need variables while they load; the workers get none.
        os.environ.clear()
        gc.collect()
        gc.freeze()  # collections in the copies don't write to shared memory
        _obey(commands, work, memory)


def _obey(commands: socket.socket, work: Work[Any, Any], memory: int) -> None:
    room = socket.CMSG_SPACE(array("i").itemsize)
    here = os.getpid()
    while True:
        data, ancillary, _, _ = commands.recvmsg(_COMMAND.size, room)
        if len(data) < _COMMAND.size:
            return
        command, number, pid = _COMMAND.unpack(data)
        if command == _REAP:
            os.kill(pid, SIGKILL)
            # Only now may the system use the id for another process, which a late kill would hit.
            os.waitpid(pid, 0)
            commands.sendall(_ANSWER.pack(number, 0))
            continue
        with socket.socket(fileno=array("i", ancillary[0][2])[0]) as end:
            pid = os.fork()
            if pid == 0:
                _live(end, work, memory, parent=here, plugins=command == _COPY_WITH_PLUGINS)
        commands.sendall(_ANSWER.pack(number, pid))


def _live(
    end: socket.socket, work: Work[Any, Any], memory: int, *, parent: int, plugins: bool
) -> None:
    """The main function of a copy; it never returns."""
    try:
        if end_with(parent):
            serve(end, work, memory, plugins=plugins)
    finally:
        os._exit(1)
