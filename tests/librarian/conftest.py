import pytest
from browser_fixtures import chromium, open_window
from playwright.sync_api import expect
from service_fixtures import start
from serving import Server

__all__ = ["chromium", "open_window", "start"]

expect.set_options(timeout=60_000)  # other tests may take all of the machine


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One without stores that the tests of a file share."""
    shared = Server(tmp_path_factory.mktemp("home") / "data")
    yield shared
    assert shared.end() == 0, shared.log.read_text()
