"""The extraction service in a process of its own, for tests."""

import json
import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx

CODE = """
import json, signal, sys
from pathlib import Path
import rowen.limits
given = json.loads(sys.argv[1])
for name, value in given.pop("limits", {}).items():
    assert hasattr(rowen.limits, name)
    setattr(rowen.limits, name, value)
from rowen.service.app import Settings
from rowen.service.logs import set_up_logs
from rowen.service.server import listen, serve
signal.signal(signal.SIGTERM, signal.default_int_handler)  # as the command has it
listener = listen("127.0.0.1", given.pop("port"))
set_up_logs(quiet=False, verbose=False)
print(f"serving on http://127.0.0.1:{listener.getsockname()[1]},", file=sys.stderr, flush=True)
paths = {name: Path(given[name]) for name in ("data", "auth") if name in given}
serve(Settings(**{**given, **paths}), listener)
"""


class Server:
    """A service in a process of its own, and a client of it.

    In that process `limits` are set, and `env` is added to the environment.
    """

    def __init__(self, data, *, env=None, **settings):
        self.data = data
        given = json.dumps({"data": str(data), "workers": 1, "port": 0, **settings}, default=str)
        self.log = data.with_name(f"{data.name}.log")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CODE, given],
                stderr=log,
                env={**os.environ, **(env or {})},
            )
        url = None
        while url is None:
            assert self.process.poll() is None, self.log.read_text()
            url = re.search("http://[^,]+", self.log.read_text())
            time.sleep(0.01)
        self.url = url[0]
        host, port = self.url.removeprefix("http://").split(":")
        self.address = host, int(port)
        self.client = httpx.Client(base_url=self.url, timeout=120)
        self.get, self.put, self.delete = self.client.get, self.client.put, self.client.delete

    def post(self, data, **options):
        return self.client.post("/", content=data, **options)

    def add(self, data):
        """The id of a new document."""
        answer = self.post(data, params={"output": "json"})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def memory(self):
        """How many bytes of memory the service has used at most."""
        told = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.search(r"VmHWM:\s+(\d+) kB", told)[1]) * 1024

    def number(self, name):
        """What a metric says."""
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    def templates(self):
        """The processes that workers are copied from."""
        return _children(self.process.pid)

    def workers(self):
        """The worker processes."""
        return [worker for template in self.templates() for worker in _children(template)]

    def end(self):
        self.client.close()
        self.process.terminate()
        return self.process.wait()


def _children(pid):
    found = []
    with suppress(FileNotFoundError):  # it has ended
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(FileNotFoundError):  # a thread that has ended
                found += (task / "children").read_text().split()
    return [int(child) for child in found]
