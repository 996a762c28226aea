"""The examples run, and show what they claim."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from rowen.testing import check_locality

EXAMPLES = Path(__file__).parents[1] / "examples"
PLUGIN = EXAMPLES / "plugin"


def run(*arguments, **environment):
    ran = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_rooms_are_paired_with_their_times():
    assert run(EXAMPLES / "rooms.py").splitlines()[-3:] == [
        "CS 105   2 pm",
        "CS 310   4 pm",
        "CS 77B   9:30 am",
    ]


def test_a_wrong_declaration_of_an_own_extractor_is_caught():
    told = run(EXAMPLES / "own_extractor.py")
    assert "['0378-5955', '0028-0836', '1476-4687']\n['2434-561X']\n" in told
    assert "Window(scope=9, context=1) held in" in told
    assert "'careless' looks further than Window(scope=9, context=0)" in told


def test_the_plugin_is_found_by_its_name(tmp_path):
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    ((name, target),) = project["entry-points"]["rowen.extractors"].items()
    installed = tmp_path / "rowen_issn-1.dist-info"  # what an installer would leave behind
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: rowen-issn\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(f"[rowen.extractors]\n{name} = {target}\n")
    page = tmp_path / "page.txt"
    page.write_text("Print ISSN 0378-5955; not an ISSN: 0378-5954.\n")
    places = os.pathsep.join([str(tmp_path), str(PLUGIN)])
    told = run("-m", "rowen", "extract", name, page, "-f", "csv", PYTHONPATH=places)
    assert told.splitlines() == ["page,issn", f"{page},0378-5955"]


def test_the_plugin_looks_no_further_than_it_says(monkeypatch):
    monkeypatch.syspath_prepend(PLUGIN)
    from rowen_issn import issn

    pages = ["0378-5955-0028-0836-1476-4687 0378-5955 (0028-0836)", "2434-561X2434-561X/2434-561X"]
    assert check_locality(issn, pages, trials=500) > 1000
