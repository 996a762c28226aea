import os
import shutil

import pytest
from playwright.sync_api import sync_playwright
from serving import Server
from viewing import Viewer


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
