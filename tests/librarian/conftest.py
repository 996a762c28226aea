import pytest
from browser_fixtures import chromium
from playwright.sync_api import expect
from service_fixtures import start
from serving import Server

__all__ = ["chromium", "start"]

expect.set_options(timeout=60_000)  # other tests may take all of the machine


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One that the tests of a file share."""
    shared = Server(tmp_path_factory.mktemp("library") / "data")
    yield shared
    assert shared.end() == 0, shared.log.read_text()


@pytest.fixture
def open_library(chromium):
    """Opens the library for a person of their own: the context of the browser, and the window."""
    opened = []

    def begin(url, *, waits=True, **look):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **look})
        context.set_default_timeout(60_000)
        window = context.new_page()
        errors = []
        window.on("pageerror", lambda error: errors.append(str(error)))
        opened.append((context, errors))
        window.goto(f"{url}/library")
        if waits:
            window.wait_for_selector("#query")
        return context, window

    yield begin
    for context, errors in opened:
        context.close()
        assert errors == []
