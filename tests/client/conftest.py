import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import pytest
from service_fixtures import start
from serving import Server

import rowen

__all__ = ["start"]
PAPERS = Path(str(files("rowen.samples"))) / "papers"


class Awaited:
    """An `AsyncClient` that is called as the other one is, so that both have the same tests."""

    def __init__(self, *args, **options):
        self._client = rowen.AsyncClient(*args, **options)
        self._runner = asyncio.Runner()
        # Of its own: the thread of tests may have the event loop of a browser.
        self._thread = ThreadPoolExecutor(1)

    def _run(self, coroutine):
        return self._thread.submit(self._runner.run, coroutine).result()

    def __getattr__(self, name):
        method = getattr(self._client, name)
        assert inspect.iscoroutinefunction(method)
        return lambda *args, **options: self._run(method(*args, **options))

    def __enter__(self):
        self._run(self._client.__aenter__())
        return self

    def __exit__(self, *failure):
        self._run(self._client.__aexit__(*failure))
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()


@pytest.fixture(params=[rowen.Client, Awaited], ids=["sync", "async"])
def connect(request):
    """Makes clients of both kinds."""
    return request.param


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    shared = Server(tmp_path_factory.mktemp("client") / "data")
    yield shared
    assert shared.end() == 0, shared.log.read_text()


@pytest.fixture
def client(connect, server):
    with connect(server.url) as made:
        yield made


@pytest.fixture(scope="session")
def paper():
    return PAPERS / "jcon.00187.pdf"
