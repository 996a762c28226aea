"""Code or settings that change under a version are reported. Without a version, code counts."""

import json

import pytest
from verifying import Lying, changing, pages, run

import rowen
from rowen import ExtractorError, Records, Store
from rowen.extractors.identity import PYTHON
from rowen.recycling import intake


@pytest.fixture(autouse=True)
def partitions(monkeypatch):
    monkeypatch.setattr(intake, "_partitions", lambda *_: 3)


def test_code_that_changed_under_its_version_is_reported_until_something_is_done(tmp_path):
    first = changing(0, version="7")
    assert run(tmp_path, [first], pages(0)).warnings == []
    assert run(tmp_path, [first], pages(0)).warnings == []
    for _ in range(2):
        (warning,) = run(tmp_path, [changing(10, version="7")], pages(0), verify=0).warnings
        assert "version is still '7'" in warning
    assert "warnings" in Store(tmp_path).snapshot().report
    assert run(tmp_path, [changing(10, version="8")], pages(0)).warnings == []
    assert run(tmp_path, [changing(10, version="8")], pages(0), verify=1).differed == []
    assert Store(tmp_path).records("changing").num_rows == 20 * 40


def test_settings_that_changed_under_a_version_are_reported(tmp_path):
    run(tmp_path, [rowen.Pattern("(?P<a>CS)", version="1")], pages(0))
    report = run(tmp_path, [rowen.Pattern("(?P<a>CSS?)", version="1")], pages(0), verify=0)
    assert "'pattern'" in report.warnings[0]


def test_a_class_that_changed_under_its_version_is_reported(tmp_path):
    run(tmp_path, [Lying()], pages(0))

    def extract(self, page):
        del self
        return Records([rowen.Record(page, {"room": (0, 3)})])

    changed = type("Lying", (Lying,), {"extract": extract})()
    assert "'lying'" in run(tmp_path, [changed], pages(0), verify=0).warnings[0]


def test_without_a_version_an_edit_is_enough(tmp_path):
    run(tmp_path, [changing(0)], pages(0))
    report = run(tmp_path, [changing(10)], pages(0))
    assert (report.warnings, report.differed) == ([], [])
    assert Store(tmp_path).records("changing").num_rows == 20 * 40
    assert run(tmp_path, [changing(10)], pages(0)).tallies["changing"].extracted_characters == 0


def test_a_store_of_an_earlier_version_is_read(tmp_path):
    run(tmp_path, [changing(0, version="7")], pages(0))
    (file,) = tmp_path.glob("snapshots/*/manifest.json")
    content = json.loads(file.read_text())
    assert content["code"]["changing"].startswith(f"python {PYTHON}: ")
    del content["code"], content["checks"]
    file.write_text(json.dumps(content))
    report = run(tmp_path, [changing(10, version="7")], pages(0), verify=0)
    assert report.warnings == []


def test_a_package_that_is_not_installed_is_reported_at_once():
    with pytest.raises(ExtractorError, match="not an installed package"):
        changing(0, depends=["nothing-of-that-name"])
