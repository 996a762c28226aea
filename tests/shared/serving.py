"""The extraction service in a process of its own, for tests."""

import atexit
import json
import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import httpx
from prefork import Original

CODE = """
import json, signal, sys
from importlib import import_module
from pathlib import Path
given = json.loads(sys.argv[1])
for place, value in given.pop("limits", {}).items():
    module, _, name = place.partition(":")
    assert hasattr(import_module(module), name)
    setattr(import_module(module), name, value)
from rowen.service.settings import Settings
from rowen.home.applications import applications
from rowen.logs import set_up_logs
from rowen.service.server import listen, serve
signal.signal(signal.SIGTERM, signal.default_int_handler)  # as the command has it
listener = listen("127.0.0.1", given.pop("port"))
set_up_logs(quiet=False, verbose=False)
print(f"serving on http://127.0.0.1:{listener.getsockname()[1]},", file=sys.stderr, flush=True)
paths = {name: Path(given[name]) for name in ("data", "auth") if name in given}
shown = {name: given.pop(name) for name in ("stores", "fetch") if name in given}
shown["folders"] = [Path(folder) for folder in given.pop("folders", ())]
serve(Settings(**{**given, **paths}), listener, extensions=applications(**shown))
"""


@cache
def _original():
    original = Original(
        "rowen.logs rowen.service.server rowen.service.settings rowen.home.applications"
    )
    atexit.register(original.end)
    return original


class Server:
    """A service in a process of its own, and a client of it.

    In that process `limits` (by module and name) are set, and `env` is added to the environment.
    """

    def __init__(self, data, *, env=None, **settings):
        self.data = data
        options = json.dumps({"data": str(data), "workers": 1, "port": 0, **settings}, default=str)
        self.log = data.with_name(f"{data.name}.log")
        # What has data or a cache with others must be another process than they are in every way.
        alone = env or data.exists() or settings.keys() & {"limits", "redis", "files"}
        with self.log.open("wb") as log:
            self.process = (
                subprocess.Popen(
                    [sys.executable, "-c", CODE, options],
                    stderr=log,
                    env={**os.environ, **(env or {})},
                )
                if alone
                else _original().copy(CODE, options, self.log)
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
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024

    def number(self, name):
        """What a metric says."""
        match = re.search(rf"^{re.escape(name)} (\S+)$", self.get("/metrics").text, re.MULTILINE)
        return float(match[1]) if match else 0.0

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
    children = []
    with suppress(FileNotFoundError):  # it has ended
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(FileNotFoundError):  # a thread that has ended
                children += (task / "children").read_text().split()
    return [int(child) for child in children]
