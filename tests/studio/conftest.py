from importlib.resources import files

import pytest
from browser_fixtures import VIEWPORT, chromium, open_window
from playwright.sync_api import expect
from service_fixtures import start
from serving import Server
from studying import Desk
from viewing import Viewer

__all__ = ["chromium", "open_window", "start"]

expect.set_options(timeout=60_000)  # other tests may take all of the machine


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One that most tests share."""
    shared = Server(tmp_path_factory.mktemp("studio") / "data")
    yield shared
    assert shared.end() == 0, shared.log.read_text()


@pytest.fixture(scope="session")
def shared_viewer(server, chromium):
    """The two views of a page side by side, without the studio around them; for many pages."""
    window = chromium.new_page(viewport=VIEWPORT)
    yield Viewer(window, server.url)
    window.close()


@pytest.fixture
def viewer(shared_viewer):
    """The same views, with nothing left of what others did in them."""
    shared_viewer.window.set_viewport_size(VIEWPORT)
    shared_viewer.window.mouse.move(0, 0)
    shared_viewer.reload()
    return shared_viewer


@pytest.fixture
def lone_viewer(server, chromium):
    """The same in a window that no other test has."""
    window = chromium.new_page(viewport=VIEWPORT)
    yield Viewer(window, server.url)
    window.close()


@pytest.fixture(scope="session")
def shared_window(chromium):
    context = chromium.new_context(viewport=VIEWPORT)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def desk(server, shared_window):
    """The studio for a person who comes for the first time.

    The window is that of other tests, because a new one takes a second; nothing is left in it.
    """
    desk = Desk(shared_window, server.url)
    shared_window.mouse.move(0, 0)
    yield desk
    desk.leave()
    assert not desk.errors


@pytest.fixture
def bookshop(tmp_path):
    """Three small pages that list books; one book of the last has no price."""
    folder = tmp_path / "bookshop"
    folder.mkdir()
    for name in ("novels", "poetry", "travel"):
        page = files("rowen.samples") / "bookshop" / f"{name}.html"
        (folder / f"{name}.html").write_bytes(page.read_bytes())
    return folder
