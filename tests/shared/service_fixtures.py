"""Fixtures that the tests of the service and of its stores share."""

import os
import shutil
import subprocess

import pytest
from redis_server import Valkey
from serving import Server

from rowen.storage.documents.redis import SharedRedis


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
