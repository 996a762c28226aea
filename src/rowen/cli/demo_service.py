"""A temporary service in a separate process, for `rowen demo`."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

from rowen.model.errors import StoreError

_ADDRESS = re.compile(r"http://[^,\s\"]+")


class Served:
    """A client of the service."""

    def __init__(self, url: str) -> None:
        self._url = url

    def submit(self, content: bytes) -> str:
        """Submit a document and return its id."""
        request = Request(f"{self._url}/?output=json", content)  # noqa: S310  # a local service
        with urlopen(request) as answer:  # noqa: S310  # the same
            return str(json.load(answer)["id"])

    def reuse_of(self, document: str) -> str | None:
        """Get the header of a document; the `Rowen-Reuse` of the response, if any."""
        with urlopen(f"{self._url}/{document}/header") as answer:  # noqa: S310  # the same
            reuse: str | None = answer.headers["Rowen-Reuse"]
            return reuse


@contextmanager
def served(data: Path) -> Iterator[Served]:
    """Run a service on this machine within the context."""
    command = [sys.executable, "-m", "rowen", "serve", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603  # our own
    assert process.stderr is not None
    try:
        address = _ADDRESS.search(process.stderr.readline())
        if address is None:
            raise StoreError("the service could not be started")
        yield Served(address[0])
    finally:
        process.terminate()
        process.stderr.close()
        process.wait()
