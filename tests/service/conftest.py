from importlib.resources import files
from pathlib import Path

import pytest
from pdfs import pdf
from service_fixtures import shared, small_disk, start, valkey
from serving import Server

__all__ = ["shared", "small_disk", "start", "valkey"]

PAPERS = Path(str(files("rowen.samples"))) / "papers"


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One that most tests share."""
    shared = Server(tmp_path_factory.mktemp("service") / "data")
    yield shared
    assert shared.end() == 0, shared.log.read_text()


@pytest.fixture(scope="session")
def paper():
    return (PAPERS / "jcon.00187.pdf").read_bytes()


@pytest.fixture(scope="session")
def long_paper():
    """One that takes a second or two to read."""
    return _paper_of(pages=8)


@pytest.fixture(scope="session")
def very_long_paper():
    """One that is still being read after a few more requests, however busy the machine is."""
    return _paper_of(pages=40)


def _paper_of(*, pages):
    lines = [(72, 780 - 5 * i, 4, "word " * 40) for i in range(150)]
    return pdf([lines] * pages)
