"""The GitHub Action and the pre-commit hook run as their files say."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from rowen.cli.demo import _lay_out

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))

pytestmark = pytest.mark.slow


@pytest.fixture
def environment(tmp_path):
    """What GitHub gives to a step, and Rowen on the path."""
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }


@pytest.fixture
def shop(tmp_path, environment):
    """A wrapper, pages that it fits, and a redesign."""
    _lay_out(tmp_path / "demo")
    pages = tmp_path / "demo" / "bookshop"
    command = ["rowen", "discover", str(pages), "--table", "1", "-o", "wrapper.json"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    redesign = tmp_path / "redesign"
    redesign.mkdir()
    (redesign / "travel.html").write_text("<h1>Travel</h1><p>We are moving.</p>", "utf-8")
    return tmp_path


def step(environment, folder, **inputs):
    """Run the action's own script with its inputs, as GitHub puts them into the environment."""
    given = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()} | inputs
    (check,) = [one for one in ACTION["runs"]["steps"] if one.get("id") == "check"]
    own = {
        name: given[re.search(r"inputs\.(\w+)", value)[1]] for name, value in check["env"].items()
    }
    return subprocess.run(
        [check["shell"], "-e", "-o", "pipefail", "-c", check["run"]],
        cwd=folder, env={**environment, **own}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_action_passes_while_the_wrapper_fits(shop, environment):
    ran = step(environment, shop, wrapper="wrapper.json", pages="demo/bookshop")
    assert ran.returncode == 0, ran.stderr
    report = (shop / "output").read_text().partition("report=")[2].strip()
    assert json.loads(Path(report).read_text())["drift"] is False


def test_the_action_fails_after_a_redesign_and_says_why(shop, environment):
    ran = step(environment, shop, wrapper="wrapper.json", pages="demo/bookshop redesign")
    assert ran.returncode == 5
    assert "::error file=wrapper.json::" in ran.stdout
    assert "travel.html  0 records" in (shop / "summary").read_text()
    report = (shop / "output").read_text().partition("report=")[2].strip()
    assert json.loads(Path(report).read_text())["drift"] is True


def test_inputs_are_words_and_never_commands(shop, environment):
    pages = "demo/bookshop $(touch hacked) ; touch hacked"
    assert step(environment, shop, wrapper="wrapper.json", pages=pages).returncode != 0
    assert not (shop / "hacked").exists()
    # GitHub would paste an input that stands in the script itself.
    assert all("${{" not in one["run"] for one in ACTION["runs"]["steps"])


def test_the_hook_runs_its_entry_with_the_arguments_of_the_example(shop, environment):
    assert HOOK["pass_filenames"] is False
    example = (ROOT / "docs" / "continuous-integration.md").read_text("utf-8")
    assert f"- id: {HOOK['id']}" in example
    for pages, code in (("demo/bookshop", 0), ("redesign", 5)):
        command = [*shlex.split(HOOK["entry"]), "wrapper.json", pages]
        ran = subprocess.run(command, cwd=shop, env=environment, capture_output=True, check=False)
        assert ran.returncode == code, ran.stderr
    assert re.search(HOOK["files"], "pages/travel.html")
    assert not re.search(HOOK["files"], "module.py")
