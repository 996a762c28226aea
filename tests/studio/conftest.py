import os
import shutil
from importlib.resources import files

import pytest
from playwright.sync_api import expect, sync_playwright
from serving import Server
from studying import Desk
from viewing import Viewer

expect.set_options(timeout=60_000)  # other tests may take all of the machine


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One that most tests share."""
    shared = Server(tmp_path_factory.mktemp("studio") / "data")
    yield shared
    assert shared.end() == 0, shared.log.read_text()


@pytest.fixture(scope="session")
def chromium():
    path = shutil.which("chromium")
    assert path, "these tests need chromium: apt-get install chromium"
    # Chromium's own sandbox can't be set up by root.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


@pytest.fixture
def viewer(server, chromium):
    """The two views of a page side by side, without the studio around them."""
    window = chromium.new_page(viewport={"width": 1280, "height": 800})
    yield Viewer(window, server.url)
    window.close()


@pytest.fixture(scope="session")
def shared_viewer(server, chromium):
    """One that is used for many pages, one after the other."""
    window = chromium.new_page(viewport={"width": 1280, "height": 800})
    yield Viewer(window, server.url)
    window.close()


@pytest.fixture
def open_window(chromium):
    """Opens windows of the studio, each of a person of their own."""
    opened = []

    def begin(url, **look):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, **look)
        context.set_default_timeout(60_000)
        opened.append((context, Desk(context.new_page(), url)))
        return opened[-1][1]

    yield begin
    for context, desk in opened:
        assert not desk.errors
        context.close()


@pytest.fixture
def desk(server, open_window):
    return open_window(server.url)


@pytest.fixture
def bookshop(tmp_path):
    """Three small pages that list books; one book of the last has no price."""
    folder = tmp_path / "bookshop"
    folder.mkdir()
    for name in ("novels", "poetry", "travel"):
        page = files("rowen.samples") / "bookshop" / f"{name}.html"
        (folder / f"{name}.html").write_bytes(page.read_bytes())
    return folder
