"""A service of its own for a while, as a command that shows one needs it."""

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
    """What can be asked of it."""

    def __init__(self, url: str) -> None:
        self._url = url

    def submit(self, content: bytes) -> str:
        """Submit a document, and give its id."""
        asked = Request(f"{self._url}/?output=json", content)  # noqa: S310  # this machine's own
        with urlopen(asked) as answer:  # noqa: S310  # the same
            return str(json.load(answer)["id"])

    def reuse_of(self, document: str) -> str | None:
        """Ask for a header, and tell what the answer says of where it came from."""
        with urlopen(f"{self._url}/{document}/header") as answer:  # noqa: S310  # the same
            found: str | None = answer.headers["Rowen-Reuse"]
            return found


@contextmanager
def served(data: Path) -> Iterator[Served]:
    """A service on this machine, until it is left."""
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
