"""Fixtures of the tests that drive Chromium."""

import atexit
import os
import shutil
from functools import cache

import pytest
from playwright.sync_api import sync_playwright
from studying import Desk

VIEWPORT = {"width": 1280, "height": 800}


@cache
def _browser():
    """One for all folders of tests: a process can drive Playwright only once."""
    path = shutil.which("chromium")
    assert path, "these tests need chromium: apt-get install chromium"
    # Chromium's own sandbox can't be set up by root.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    # Without a graphics card every frame would be drawn by an emulation of one.
    options.append("--disable-gpu")
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=path, args=options)
    atexit.register(playwright.stop)
    atexit.register(browser.close)
    return browser


@pytest.fixture(scope="session")
def chromium():
    return _browser()


@pytest.fixture
def open_window(chromium):
    """Opens windows of the studio, each of a person of their own."""
    opened = []

    def begin(url, **look):
        context = chromium.new_context(viewport=VIEWPORT, **look)
        context.set_default_timeout(60_000)
        opened.append((context, Desk(context.new_page(), url)))
        return opened[-1][1]

    yield begin
    for context, desk in opened:
        assert not desk.errors, desk.errors
        context.close()
