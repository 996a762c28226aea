"""Processes that are copies of one that has imported what they need, which takes a second.

Only for what no test tells from a process that was started by itself: a copy has the hash seed and
the environment of the one that it is copied from, and none of its threads.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Lock

_ORIGINAL = """
import importlib, json, os, sys
for name in sys.argv[1].split():
    importlib.import_module(name)
running = {}
for line in sys.stdin:
    asked = json.loads(line)
    if "ended" in asked:
        pid = asked["ended"]
        if running[pid] is None:
            found, status = os.waitpid(pid, os.WNOHANG)
            running[pid] = os.waitstatus_to_exitcode(status) if found else None
        answer = running[pid]
    else:
        answer = os.fork()
        if answer == 0:
            break
        running[answer] = None
    print(json.dumps(answer), flush=True)
else:
    os._exit(0)
output = os.open(asked["output"], os.O_WRONLY | os.O_APPEND)
nothing = os.open(os.devnull, os.O_RDONLY)
for old, new in ((nothing, 0), (output, 1), (output, 2)):
    os.dup2(old, new)
os.chdir(asked["folder"])
sys.argv = ["-c", asked["argument"]]
exec(asked["code"], {"__name__": "__main__"})
"""


class Original:
    """A process that has imported some modules."""

    def __init__(self, modules):
        self._lock = Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ORIGINAL, modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def copy(self, code, argument, output):
        """A copy of it that runs code, with all that it prints at the end of a file."""
        request = {
            "code": code,
            "argument": argument,
            "output": str(output),
            "folder": str(Path.cwd()),
        }
        return Copy(self, self.ask(request))

    def ask(self, request):
        with self._lock:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def end(self):
        self._process.communicate()


class Copy:
    """As much of `subprocess.Popen` as the tests use."""

    def __init__(self, original, pid):
        self._original = original
        self.pid = pid
        self.returncode = None

    def poll(self):
        if self.returncode is None:
            self.returncode = self._original.ask({"ended": self.pid})
        return self.returncode

    def wait(self):
        while self.poll() is None:
            time.sleep(0.005)
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)
