"""Every public name has a docstring with an example, and each example does what it shows."""

import doctest
import inspect
import sys
from pathlib import Path

import pytest
from serving import Server

import rowen
import rowen.errors
import rowen.recognizers
import rowen.testing
import rowen.types
from rowen.cli.demo import _lay_out

NAMES = [
    name
    for name in rowen.__all__
    if inspect.isfunction(thing := getattr(rowen, name))
    or (inspect.isclass(thing) and not issubclass(thing, rowen.RowenError))
]
CLIENTS = ["AsyncClient", "Client"]


def run_examples(thing, **names):
    """How many examples a docstring has; they must give what it shows."""
    home = sys.modules[thing.__module__] if not inspect.ismodule(thing) else thing
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    examples = doctest.DocTestParser().get_doctest(
        inspect.getdoc(thing) or "", {**vars(home), **names}, repr(thing), home.__file__, 0
    )
    printed = []
    runner.run(examples, out=printed.append)
    assert not runner.failures, "".join(printed)
    return len(examples.examples)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to write in, which has the sample pages."""
    _lay_out(tmp_path / "rowen-demo")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in CLIENTS])
@pytest.mark.usefixtures("folder")
def test_the_example_of_a_public_name_runs(name):
    assert run_examples(getattr(rowen, name))


@pytest.mark.parametrize(
    "thing",
    [
        getattr(module, name)
        for module in (rowen.types, rowen.recognizers, rowen.testing)
        for name in module.__all__
        if inspect.isfunction(getattr(module, name)) or inspect.isclass(getattr(module, name))
    ],
    ids=lambda thing: thing.__name__,
)
@pytest.mark.usefixtures("folder")
def test_the_example_of_a_name_in_a_public_module_runs(thing):
    assert run_examples(thing)


@pytest.mark.parametrize(
    "module", [rowen.errors, rowen.recognizers], ids=lambda module: module.__name__
)
def test_the_example_of_a_public_module_runs(module):
    assert run_examples(module)


@pytest.mark.service
def test_the_examples_of_the_clients_run(tmp_path):
    server = Server(tmp_path / "data")
    try:
        assert server.get("/livez").status_code == 200
        for name in CLIENTS:
            assert run_examples(getattr(rowen, name), url=server.url)
    finally:
        server.end()


def test_every_public_name_is_in_the_api_reference():
    text = (Path(__file__).parents[1] / "docs" / "api.md").read_text("utf-8")
    listed = {line.removeprefix("::: rowen.") for line in text.splitlines() if line.startswith(":")}
    errors = set(rowen.errors.__all__)
    assert set(rowen.__all__) - {"__version__"} - errors <= listed
