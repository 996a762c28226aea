"""A difference names its cause, and says what to do."""

import json

import pytest
from verifying import changing, failing, pages, run

import rowen
from rowen import Segments, Store, WholePage, Window
from rowen.recycling.verification.difference import Cause


@pytest.mark.parametrize("locality", [Segments("\n"), WholePage(), Window(8, 3)])
@pytest.mark.parametrize("day", [0, 1])
def test_a_function_that_changed_under_its_version_is_reported_and_extracted_again(
    tmp_path, day, locality, engine
):
    run(tmp_path, [changing(0, locality, version="7")], pages(0), **engine)
    report = run(tmp_path, [changing(10, locality, version="7")], pages(day), verify=1, **engine)
    if isinstance(locality, WholePage) and day:
        assert report.differed == []  # all pages changed, and were extracted as a whole
        return
    (difference,) = report.differed
    assert difference.cause is Cause.CHANGED
    assert "version (7)" in difference.message
    assert Store(tmp_path).records("changing").num_rows == 20 * 40
    assert json.loads(json.dumps(report.to_dict()))["differed"][0]["cause"] == "changed"
    assert Store(tmp_path).snapshot().report["differed"][0]["page"] == difference.page
    assert run(tmp_path, [changing(10, locality, version="7")], pages(day), verify=1).differed == []


def test_a_function_that_depends_on_more_than_the_text_is_reported(tmp_path, engine):
    @rowen.extractor(name="random", version="1", locality=Segments("\n"))
    def random(text):
        from itertools import combinations_with_replacement
        from secrets import randbits

        # Each of many spans, or not: two calls practically never agree by chance.
        for span in combinations_with_replacement(range(min(len(text), 8)), 2):
            if randbits(1):
                yield {"a": span}

    run(tmp_path, [random], pages(0), **engine)
    (difference,) = run(tmp_path, [random], pages(1), verify=1, **engine).differed
    assert difference.cause is Cause.RANDOM
    assert "different records at each call" in difference.message


def test_an_extractor_that_raises_when_it_is_checked_has_changed(tmp_path, engine):
    run(tmp_path, [failing("")], pages(0), **engine)
    report = run(tmp_path, [failing("raises")], pages(0), verify=0.1, **engine)
    assert [difference.cause for difference in report.differed] == [Cause.CHANGED]
    assert "failed: ValueError" in report.differed[0].message
    assert report.failed == 40
