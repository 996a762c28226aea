"""The notebooks of examples/notebooks run from top to bottom, with the shared data and without."""

import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
SHARED = Path(os.environ.get("ROWEN_SHARED", ROOT.parent / "shared"))
SECONDS = 300
"""For one cell: fifty PDFs are read on machines with other work."""

pytestmark = [
    pytest.mark.slow,
    # jupyter_client's own: it opens sockets that the collector of garbage closes.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:jupyter_client"),
]


def run(path, folder, monkeypatch, shared):
    """The notebook with its outputs."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ROWEN_SHARED", str(shared))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    book = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(book, timeout=SECONDS, kernel_name="python3", resources=resources).execute()
    return book


def shown(book, kind):
    return [
        output["data"][kind]
        for cell in book.cells
        for output in cell.get("outputs", [])
        if kind in output.get("data", {})
    ]


def test_there_are_three_notebooks_and_none_has_outputs():
    assert [path.stem for path in NOTEBOOKS] == ["corpus", "papers", "site"]
    for path in NOTEBOOKS:
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        cells = [cell for cell in book.cells if cell.cell_type == "code"]
        assert all(not cell.outputs and cell.execution_count is None for cell in cells)
        assert path.stat().st_size < 20_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_without_the_shared_data(path, tmp_path, monkeypatch):
    book = run(path, tmp_path, monkeypatch, tmp_path / "nowhere")
    assert shown(book, "image/png"), "it draws something"
    assert any("<table" in html for html in shown(book, "text/html"))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not there")
@pytest.mark.parametrize("name", ["corpus", "papers"])
def test_a_notebook_runs_on_real_data(name, tmp_path, monkeypatch):
    path = next(path for path in NOTEBOOKS if path.stem == name)
    book = run(path, tmp_path, monkeypatch, SHARED)
    assert shown(book, "image/png")
