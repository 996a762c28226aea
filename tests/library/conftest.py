import pytest

from rowen.library.library import Library


@pytest.fixture
def library(tmp_path):
    opened = Library(tmp_path)
    yield opened
    opened.close()
