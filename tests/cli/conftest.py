import subprocess
import sys

import pytest

from rowen.cli import main

RULES = """
[extractor]
name = "rooms"
kind = "pattern"
pattern = '(?P<room>CS\\s*\\d{3})(?: at (?P<time>\\d+[ap]m))?'
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with rules and two pages."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(RULES)
    (tmp_path / "a.html").write_text("<p>CS 105 at 2pm</p>")
    (tmp_path / "b.html").write_text("<p>CS 310, CS 417 at 4pm</p>")
    return tmp_path


@pytest.fixture
def rowen(folder):
    """The installed command in a process of its own."""

    def run(*arguments, **options):
        return subprocess.run(
            [sys.executable, "-m", "rowen", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            **options,
        )

    return run


@pytest.fixture
def command(folder, capsys):  # noqa: ARG001  # works in that folder
    """The same in this process, which is quicker."""

    def run(*arguments):
        capsys.readouterr()
        code = main(arguments)
        shown = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, shown.out, shown.err)

    return run
