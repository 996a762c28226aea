"""`rowen studio` as a person starts it."""

import json
import re
import signal
import subprocess
import sys
import time

import httpx
import pytest

COMMAND = [sys.executable, "-m", "rowen", "studio", "--no-browser", "--port", "0"]


def run(*arguments, cwd):
    """Start it, give its address, and end it."""
    log = cwd / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen([*COMMAND, *arguments], stderr=errors, cwd=cwd)
    try:
        found = None
        while found is None:
            assert process.poll() is None, log.read_text()
            found = re.search("the studio is at (http[^;]+);", log.read_text())
            time.sleep(0.02)
        yield found[1]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130 or process.returncode == 0, log.read_text()


@pytest.fixture
def crawl(tmp_path):
    folder = tmp_path / "my crawl"
    folder.mkdir()
    (folder / "a.html").write_text("<p>one</p>")
    (folder / "b.html").write_bytes('<meta charset="latin1"><p>ä</p>'.encode("latin1"))
    return folder


def test_pages_are_in_a_project_that_is_opened(crawl, tmp_path):
    for _ in range(2):  # the second time they are there already
        for url in run(str(crawl), cwd=tmp_path):
            address, _, name = url.partition("#")
            assert name == "my%20crawl"
            assert "Rowen Studio" in httpx.get(address, timeout=60).text
            project = f"{address}/api/projects/{name}"
            assert httpx.get(project, timeout=60).json()["pages"] == ["a.html", "b.html"]
            text = httpx.get(f"{project}/pages/b.html/source", timeout=60).json()["text"]
            assert text == '<meta charset="latin1"><p>ä</p>'
    kept = json.loads((tmp_path / "rowen-data/studio/my crawl/project.json").read_text())
    assert kept["pages"] == ["a.html", "b.html"]


def test_a_project_has_the_name_that_is_given(crawl, tmp_path):
    for url in run(str(crawl / "a.html"), "--project", "shop", "--data", "here", cwd=tmp_path):
        assert url.endswith("/studio#shop")
    assert (tmp_path / "here/studio/shop/pages/a.html").read_text() == "<p>one</p>"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["none.html"], 4, "no such file or folder"),
        (["--project", "../up"], 2, "the name of a project may have letters"),
        (["https://example.com/"], 4, "Rowen does not download pages, save them first"),
    ],
)
def test_what_can_not_be_opened_is_reported(tmp_path, arguments, code, told):
    ran = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert ran.returncode == code
    assert told in ran.stderr
    assert not (tmp_path / "rowen-data").exists()
