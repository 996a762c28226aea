"""A clock that is set by years while the service runs changes what it says about time, only."""

import shutil
import socket
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pdfs import pdf

YEAR = 365 * 24 * 3600
SOURCE = Path(__file__).parents[1] / "shared" / "clock.c"


class Clock:
    """What a service takes for the time."""

    def __init__(self, folder):
        self._file = folder / "ahead"
        self.set(0)
        library = folder / "clock.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        self.env = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(self._file)}

    def set(self, years):
        """Ahead by so many years."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("q", years * YEAR))


@pytest.fixture
def clock(tmp_path):
    if sys.platform != "linux" or shutil.which("cc") is None:
        pytest.skip("no clock can be set here")
    return Clock(tmp_path)


def test_jumps_of_the_clock_break_nothing(start, clock, paper, tmp_path):
    server = start(tmp_path / "data", env=clock.env)
    this_year = datetime.now(UTC).year
    long_paper = pdf([[(72, 780 - 5 * i, 4, "word " * 40) for i in range(150)]] * 4)
    key = {"headers": {"idempotency-key": "k"}, "params": {"output": "json"}}
    first = server.post(paper, **key).json()
    header = server.get(f"/{first['id']}/header")
    for turn, years in enumerate((20, -30, 0, 7)):
        with socket.create_connection(server.address, timeout=60) as line:
            line.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345")
            reading = server.add(long_paper + b"%d" % turn)
            with ThreadPoolExecutor(1) as threads:
                answer = threads.submit(server.get, f"/{reading}/text")
                clock.set(years)  # in the middle of an upload and of a reading
                assert answer.result().status_code == 200
            line.sendall(b"67890")
            assert line.recv(1000).startswith(b"HTTP/1.1 201 ")
        document = server.post(b"text %d" % turn, params={"output": "json"}).json()
        assert abs(int(document["created"][:4]) - this_year - years) <= 1
        assert server.post(paper, **key).json() == first
        repeated = server.get(f"/{first['id']}/header")
        assert repeated.content == header.content
        assert repeated.headers["rowen-reuse"] == f"exact; source={first['id']}"
        unchanged = {"if-none-match": header.headers["etag"]}
        assert server.get(f"/{first['id']}/header", headers=unchanged).status_code == 304
        assert server.get("/readyz").json()["status"] == "ok"
    server.end()
    clock.set(-30)
    server = start(tmp_path / "data", env=clock.env)
    assert server.post(paper, **key).json()["id"] == first["id"]
    assert server.get(f"/{first['id']}/file").content == paper
    assert server.get(f"/{first['id']}/header").headers["rowen-reuse"]
