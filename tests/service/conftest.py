import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from pdfs import pdf
from redis_server import Valkey
from serving import Server

from rowen.service.redis import SharedRedis

PAPERS = Path(str(files("rowen.samples"))) / "papers"


@pytest.fixture
def start(tmp_path):
    """Starts services, each with a folder of its own unless it is told one."""
    started = []

    def begin(data=None, **settings):
        started.append(Server(data or tmp_path / f"data{len(started)}", **settings))
        return started[-1]

    yield begin
    for server in started:
        server.end()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One that most tests share."""
    shared = Server(tmp_path_factory.mktemp("service") / "data")
    yield shared
    assert shared.end() == 0, shared.log.read_text()


@pytest.fixture(scope="session")
def paper():
    return (PAPERS / "jcon.00187.pdf").read_bytes()


@pytest.fixture(scope="session")
def long_paper():
    """One that takes a second or two to read."""
    lines = [(72, 780 - 5 * i, 4, "word " * 40) for i in range(150)]
    return pdf([lines] * 8)


@pytest.fixture
def small_disk(tmp_path):
    if os.geteuid() or not shutil.which("mount"):
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], check=False)
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def valkey(tmp_path):
    server = Valkey(tmp_path / "valkey")
    yield server
    server.kill()


@pytest.fixture
def shared(valkey):
    opened = SharedRedis(valkey.url)
    yield opened
    opened.close()
