import sys

import pytest

from rowen import ExtractorError, Pattern
from rowen.extractors.plugin import find_extractors

MODULE = """
import rowen
rooms = rowen.Pattern(r"(?P<room>CS \\\\d{3})", name="rooms")
class Shelf:
    inner = rooms
number = 7
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "shelf_for_tests.py").write_text(MODULE.replace("\\\\", "\\"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield "shelf_for_tests"
    sys.modules.pop("shelf_for_tests", None)


def test_an_attribute_of_a_module_in_this_folder_is_found(module):
    assert find_extractors(f"{module}:rooms")[0].name == "rooms"
    assert find_extractors(f"{module}:Shelf.inner")[0].name == "rooms"


@pytest.mark.parametrize(
    ("attribute", "complaint"),
    [("none", "AttributeError"), ("number", "not an extractor"), ("Shelf", "not an extractor")],
)
def test_what_is_no_extractor_is_refused(module, attribute, complaint):
    with pytest.raises(ExtractorError, match=complaint):
        find_extractors(f"{module}:{attribute}")


def test_a_module_that_is_not_there_is_refused():
    with pytest.raises(ExtractorError, match="ModuleNotFoundError"):
        find_extractors("no_such_module:x")


def test_a_file_is_loaded(tmp_path):
    Pattern("(?P<x>a)", name="letters").save(tmp_path / "e.json")
    assert find_extractors(str(tmp_path / "e.json"))[0].name == "letters"


def test_another_file_is_refused(tmp_path):
    (tmp_path / "page.html").write_text("x")
    with pytest.raises(ExtractorError, match="must end in .json or .toml"):
        find_extractors(str(tmp_path / "page.html"))


def test_an_unknown_name_is_refused_with_what_there_is():
    with pytest.raises(ExtractorError, match="'nobody' is not an extractor: give .* plugin"):
        find_extractors("nobody")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    info = tmp_path / "shelf-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[rowen.extractors]\nshelf-rooms = shelf_plugin:rooms\nshelf-broken = shelf_plugin:none\n"
    )
    (tmp_path / "shelf_plugin.py").write_text(
        'import rowen\nrooms = rowen.Pattern("(?P<x>a)", name="r")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("shelf_plugin", None)


@pytest.mark.usefixtures("installed")
def test_an_installed_plugin_is_found_by_its_name():
    assert find_extractors("shelf-rooms")[0].name == "r"


@pytest.mark.usefixtures("installed")
def test_a_broken_plugin_is_refused_with_its_error():
    with pytest.raises(ExtractorError, match="can't load plugin 'shelf-broken': AttributeError"):
        find_extractors("shelf-broken")
