"""A run that finds a wrong copy extracts all pages of that extractor anew."""

import re

import pytest
from verifying import (
    NIGHTS,
    Counting,
    Here,
    Lying,
    coming_and_going,
    failing,
    nightly,
    pages,
    record_files,
    run,
)

import rowen
from rowen import Page, Records, Segments, Store, WholePage, Window
from rowen.recycling.verification import budget
from rowen.recycling.verification.difference import Cause


def test_a_wrong_locality_is_found_and_all_pages_are_extracted_again(tmp_path, engine):
    honest = rowen.Pattern(r"(?P<room>CS \d+)", name="honest")
    run(tmp_path / "s", [Lying(), honest], pages(0), **engine)
    report = run(tmp_path / "s", [Lying(), honest], pages(1), verify=0.05, **engine)
    (difference,) = report.differed
    assert (difference.extractor, difference.cause) == ("lying", Cause.LOCALITY)
    assert "looks further than its locality says" in difference.message
    assert report.checked >= 1
    run(tmp_path / "fresh", [Lying(), honest], pages(1), scratch=True)
    assert record_files(tmp_path / "s", 1) == record_files(tmp_path / "fresh", 0)
    # From now on its changed pages are extracted as a whole: no night has wrong records.
    report = run(tmp_path / "s", [Lying(), honest], pages(2), verify=1, **engine)
    assert report.differed == []
    assert "too narrow" in report.warnings[0]
    run(tmp_path / "fresh2", [Lying(), honest], pages(2), scratch=True)
    assert record_files(tmp_path / "s", 2) == record_files(tmp_path / "fresh2", 0)
    # Until it declares another.
    wider = Lying()
    wider.locality = WholePage()
    assert run(tmp_path / "s", [wider, honest], pages(3), **engine).warnings == []


def test_harm_that_an_earlier_run_did_is_reported_as_a_wrong_locality(tmp_path):
    run(tmp_path, [Lying()], pages(0))
    run(tmp_path, [Lying()], pages(1), verify=0)
    report = run(tmp_path, [Lying()], pages(1), verify=0.05)
    assert [difference.cause for difference in report.differed] == [Cause.LOCALITY]


def test_copies_are_checked_by_default(tmp_path):
    """How many pages a night has time for hangs on the machine; some night has time for one."""
    run(tmp_path, [Lying()], pages(0))
    differences = [run(tmp_path, [Lying()], pages(1)).differed for _ in range(6)]
    assert any(differences)


def test_an_extractor_that_runs_out_of_time_is_reported_and_keeps_its_records(tmp_path, engine):
    run(tmp_path, [failing("")], pages(0), **engine)
    report = run(tmp_path, [failing("sleeps")], pages(0), verify=0.01, page_seconds=1, **engine)
    assert report.differed == []
    assert [reason[:11] for _, _, reason in report.unchecked] == ["took longer"]
    assert report.failed == 0
    assert Store(tmp_path).records("failing").num_rows == 40


class Particular(Counting):
    """Like the one before, but for rooms of one page, which it passes over since it has changed."""

    def __init__(self, page="", locality=Counting.locality):
        super().__init__()
        self.page = page
        self.locality = locality

    def extract(self, page):
        page = Page.of(page)
        matches = re.finditer(r"CS (\d+) of (\d+);", page.text)
        spans = [match.span() for match in matches if match[2] != self.page]
        return Records(rowen.Record(page, {"room": span}) for span in spans)


@pytest.mark.parametrize("locality", [Segments("\n"), WholePage(), Window(14, 1)])
@pytest.mark.parametrize("page", ["3", "17"])
def test_a_function_that_changed_on_one_page_is_found_within_a_turn(
    tmp_path, monkeypatch, locality, page
):
    """Whole pages for one that needs them, stretches for others, as little is allowed."""
    chosen = nightly(monkeypatch, 0.5)
    run(tmp_path, [Particular(locality=locality)], coming_and_going(0), engine=Here())
    changed = Particular(page=page, locality=locality)
    differences = []
    for night in range(1, 2 * NIGHTS):
        report = run(tmp_path, [changed], coming_and_going(night), engine=Here())
        differences = report.differed
        if differences:
            break
    assert [(difference.page, difference.cause) for difference in differences] == [
        (page, Cause.CHANGED)
    ]
    in_parts = any(len(check.parts) for _, check in chosen)
    assert in_parts == (not isinstance(locality, WholePage))
    turn = chosen[0][1].runs if isinstance(locality, WholePage) else chosen[0][1].part_runs
    assert len(chosen) <= 1.3 * turn + 1  # pages that come make it longer
    held = [memory for memory, check in chosen if len(check.pages)]
    assert sum(held) >= 0.9 * len(held)


def test_a_wrong_locality_is_found_though_little_is_allowed(tmp_path, monkeypatch):
    """Its harm is on changed pages, which have a ring of their own, and are extracted whole."""
    nightly(monkeypatch, 0.5)
    run(tmp_path, [Lying()], coming_and_going(0), engine=Here())
    for night in range(1, NIGHTS):
        differences = run(tmp_path, [Lying()], coming_and_going(night), engine=Here()).differed
        if differences:
            break
    assert [difference.cause for difference in differences] == [Cause.LOCALITY]


def test_stretches_show_a_wrong_locality_though_the_page_has_the_right_records(
    tmp_path, monkeypatch
):
    class Looking(Lying):
        def extract(self, page):
            page = Page.of(page)
            wide = int(page.text.startswith("first"))
            spans = [match.span() for match in re.finditer(r"CS \d+", page.text)]
            return Records(rowen.Record(page, {"room": (a, b + wide)}) for a, b in spans)

    monkeypatch.setattr(budget, "_SHARES_IN_PARTS", {"changed": 0.0, "all": 1e-9, "parts": 1.0})
    nightly(monkeypatch, 0.3)
    run(tmp_path, [Looking()], pages(0), engine=Here())
    differences = []
    while not differences and Store(tmp_path).snapshot().number < NIGHTS:
        differences = run(tmp_path, [Looking()], pages(0), engine=Here()).differed
    assert [difference.cause for difference in differences] == [Cause.LOCALITY]
