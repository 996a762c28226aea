import importlib.metadata
import subprocess
import sys

import pytest

from rowen.cli import main
from rowen.cli.app import COMMANDS, app


@pytest.mark.parametrize(
    "arguments", [["--version"], ["extract", "--version"], ["demo", "--version"]]
)
def test_every_command_prints_the_version(rowen, arguments):
    assert rowen(*arguments).stdout == f"rowen {importlib.metadata.version('rowen')}\n"


def test_help_lists_every_command_and_the_exit_codes(rowen):
    shown = rowen("--help").stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert "130" in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_common_options_and_a_help_text(name):
    command = app.get_command(None, name)
    options = {option for parameter in command.params for option in parameter.opts}
    assert {"-q", "-v", "--version"} <= options
    assert command.help
    assert command.short_help
    for parameter in command.params:
        assert parameter.param_type_name == "argument" or parameter.help


def test_an_unknown_command_is_a_usage_error(rowen):
    answer = rowen("exract")
    assert answer.returncode == 2
    assert answer.stderr.startswith("rowen: No such command 'exract'")
    assert answer.stderr.count("\n") == 1


def test_a_bug_of_ours_is_one_line_and_1(monkeypatch, capsys):
    def broken(*_arguments, **_options):
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(app, "invoke", broken)
    assert main(["extract"]) == 1
    shown = capsys.readouterr().err
    assert shown == (
        "rowen: internal error: ZeroDivisionError: two lines; run with -v and please report it\n"
    )
    assert main(["extract", "-v"]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_completion(rowen, shell):
    assert "_ROWEN_COMPLETE" in rowen("completion", shell).stdout


def test_completion_prints_a_script_for_the_shell(rowen, monkeypatch):
    monkeypatch.setenv("_ROWEN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "rowen ext")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert rowen().stdout == "plain,extract\n"


HEAVY = {"click", "numpy", "pyarrow", "turbohtml", "regex", "ahocorasick_rs", "rich", "fastwarc"}


@pytest.mark.parametrize(
    "code", ["import rowen", "from rowen.cli import main; main(['--version'])"]
)
def test_nothing_heavy_is_imported_before_it_is_needed(code):
    probe = f"import sys; {code}; print(sorted(sys.modules), file=sys.stderr)"
    answer = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60
    )
    assert not HEAVY & set(eval(answer.stderr))


INTERRUPTED = """
import rowen.cli

def main():
    try:
        exec("raise KeyboardInterrupt")  # as while the code of a dataclass is made
    except KeyboardInterrupt:
        return 130

rowen.cli.main = main
rowen.cli.run()
"""


def test_an_interrupt_in_generated_code_ends_with_130_too(tmp_path):
    (tmp_path / "interrupted.py").write_text(INTERRUPTED)
    ran = subprocess.run([sys.executable, "-m", "interrupted"], cwd=tmp_path, check=False)
    assert ran.returncode == 130
