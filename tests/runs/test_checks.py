"""A run checks a rotating sample of what it copied, and never ignores a difference."""

import json
import re
import time
from pathlib import Path

import numpy as np
import pytest

import rowen
from rowen import ExtractorError, Page, Records, Segments, Store, UsageError, WholePage, Window
from rowen.engines.checking import Cause
from rowen.extractors.identity import PYTHON
from rowen.runs import checks, intake
from rowen.runs.checks import State, choose_share, choose_within

NIGHTS = 60


def places(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)


def test_every_page_is_checked_within_sixty_nights_of_two_in_a_hundred():
    count = 1234
    where = places(count)
    state = State()
    seen: set[int] = set()
    for _ in range(NIGHTS):
        tonight = choose_share(state, where, np.arange(count), 0.02)
        assert len(tonight) == 25
        state = State.of(json.loads(json.dumps(state.to_dict())))
        seen.update(tonight.tolist())
    assert len(seen) == count


@pytest.mark.parametrize("share", [0, 0.05, 0.5, 1])
def test_the_budget_is_kept_and_every_page_has_its_turn(share):
    """Whatever changes, and however dear single pages are."""
    count = 500
    where = places(count)
    chance = np.random.default_rng(2)
    costs = chance.exponential(1.0, count)
    budget = 0.02 * float(costs.sum())
    state = State()
    seen: set[int] = set()
    with_changes = spent = 0.0
    everything = np.arange(count)
    for night in range(1, NIGHTS + 1):
        changed = np.flatnonzero(chance.random(count) < share)
        tonight = choose_within(
            state, where, everything, changed=changed, costs=costs, seconds=budget
        )
        assert len(set(tonight.tolist())) == len(tonight)
        with_changes += len(np.intersect1d(tonight, changed)) / NIGHTS / len(tonight)
        spent += float(costs[tonight].sum())
        assert spent <= night * budget + 1e-9
        seen.update(tonight.tolist())
    assert len(seen) == count
    assert with_changes > 1.5 * share or share in {0, 0.5, 1}


def test_a_page_that_is_dearer_than_a_night_waits_until_enough_is_saved():
    state = State()
    nobody = np.empty(0, np.intp)
    costs = np.array([1.0])
    counts = [
        len(choose_within(state, places(1), np.arange(1), changed=nobody, costs=costs, seconds=0.3))
        for _ in range(8)
    ]
    assert counts == [0, 0, 0, 1, 0, 0, 0, 1]


def pages(day: int, count: int = 40) -> list[Page]:
    """Each has a line that changes every night, and rooms that stay."""
    rooms = "".join(f"room CS {number} is there\n" for number in range(30))
    return [Page(f"first {day} of page\n{rooms}", id=f"{number}") for number in range(count)]


class Lying:
    """Says that it goes by lines, and numbers the records by the page's first line."""

    name = "lying"
    version = "1"
    fields = ("room",)
    locality: object = Segments("\n")

    def extract(self, page):
        page = Page.of(page)
        found = re.search(r"first (\d)", page.text)
        wide = int(found[1]) if found else 0
        spans = [one.span() for one in re.finditer(r"CS \d+", page.text)]
        return Records(rowen.Record(page, {"room": (a, b + wide)}) for a, b in spans)


@pytest.fixture(params=["local 1", "local 2"])
def engine(request):
    return {"engine": "local", "jobs": int(request.param[-1])}


def kept(store: Path, number: int) -> dict[str, bytes]:
    files = (store / "snapshots" / f"{number:06}").glob("records-*")
    return {file.name: file.read_bytes() for file in files}


def run(store: Path, crew, snapshot, **options):
    return Store(store).run(crew, snapshot, **{"matcher": "line", "jobs": 1, **options})


@pytest.fixture(autouse=True)
def partitions(monkeypatch):
    monkeypatch.setattr(intake, "_partitions", lambda *_: 3)


def test_a_wrong_locality_is_found_and_all_pages_are_extracted_anew(tmp_path, engine):
    honest = rowen.Pattern(r"(?P<room>CS \d+)", name="honest")
    run(tmp_path / "s", [Lying(), honest], pages(0), **engine)
    report = run(tmp_path / "s", [Lying(), honest], pages(1), verify=0.05, **engine)
    (found,) = report.differed
    assert (found.extractor, found.cause) == ("lying", Cause.LOCALITY)
    assert "looks further than its locality says" in found.message
    assert report.checked >= 1
    run(tmp_path / "fresh", [Lying(), honest], pages(1), scratch=True)
    assert kept(tmp_path / "s", 1) == kept(tmp_path / "fresh", 0)
    # From now on its changed pages are extracted as a whole: no night has wrong records.
    report = run(tmp_path / "s", [Lying(), honest], pages(2), verify=1, **engine)
    assert report.differed == []
    assert "too narrow" in report.warnings[0]
    run(tmp_path / "fresh2", [Lying(), honest], pages(2), scratch=True)
    assert kept(tmp_path / "s", 2) == kept(tmp_path / "fresh2", 0)
    # Until it declares another.
    wider = Lying()
    wider.locality = WholePage()
    assert run(tmp_path / "s", [wider, honest], pages(3), **engine).warnings == []


def test_harm_that_an_earlier_run_did_is_told_as_a_wrong_locality(tmp_path):
    run(tmp_path, [Lying()], pages(0))
    run(tmp_path, [Lying()], pages(1), verify=0)
    report = run(tmp_path, [Lying()], pages(1), verify=0.05)
    assert [one.cause for one in report.differed] == [Cause.LOCALITY]


def test_nobody_has_to_ask_for_it(tmp_path):
    """How many pages a night has time for hangs on the machine; some night has time for one."""
    run(tmp_path, [Lying()], pages(0))
    found = [run(tmp_path, [Lying()], pages(1)).differed for _ in range(6)]
    assert any(found)


def changing(least: int, locality=None, **options):
    @rowen.extractor(name="changing", locality=locality or Segments("\n"), **options)
    def find(text):
        for found in re.finditer(r"CS \d+", text):
            if int(found[0][3:]) >= least:
                yield {"room": found.span()}

    return find


@pytest.mark.parametrize("locality", [Segments("\n"), WholePage(), Window(8, 3)])
@pytest.mark.parametrize("day", [0, 1])
def test_a_function_that_changed_under_its_version_is_told_and_extracted_anew(
    tmp_path, day, locality, engine
):
    run(tmp_path, [changing(0, locality, version="7")], pages(0), **engine)
    report = run(tmp_path, [changing(10, locality, version="7")], pages(day), verify=1, **engine)
    if isinstance(locality, WholePage) and day:
        assert report.differed == []  # all pages changed, and were extracted as a whole
        return
    (found,) = report.differed
    assert found.cause is Cause.CHANGED
    assert "version (7)" in found.message
    assert Store(tmp_path).records("changing").num_rows == 20 * 40
    assert json.loads(json.dumps(report.to_dict()))["differed"][0]["cause"] == "changed"
    assert Store(tmp_path).snapshot().report["differed"][0]["page"] == found.page
    assert run(tmp_path, [changing(10, locality, version="7")], pages(day), verify=1).differed == []


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

    other = type("Lying", (Lying,), {"extract": extract})()
    assert "'lying'" in run(tmp_path, [other], pages(0), verify=0).warnings[0]


def test_without_a_version_an_edit_is_enough(tmp_path):
    run(tmp_path, [changing(0)], pages(0))
    report = run(tmp_path, [changing(10)], pages(0))
    assert (report.warnings, report.differed) == ([], [])
    assert Store(tmp_path).records("changing").num_rows == 20 * 40
    assert run(tmp_path, [changing(10)], pages(0)).tallies["changing"].extracted_characters == 0


def test_a_function_that_is_not_one_of_the_text_is_told(tmp_path, engine):
    @rowen.extractor(name="random", version="1", locality=Segments("\n"))
    def random(text):
        from time import perf_counter_ns

        yield {"a": (0, perf_counter_ns() % 97 % (len(text) + 1))}

    run(tmp_path, [random], pages(0), **engine)
    (found,) = run(tmp_path, [random], pages(1), verify=1, **engine).differed
    assert found.cause is Cause.RANDOM
    assert "other records at each call" in found.message


def failing(how):
    @rowen.extractor(name="failing", version="1", locality=Segments("\n"))
    def find(_text):
        if how == "raises":
            raise ValueError("no")
        if how == "sleeps":
            time.sleep(60)
        yield {"all": (0, 1)}

    return find


def test_an_extractor_that_raises_when_it_is_checked_has_changed(tmp_path, engine):
    run(tmp_path, [failing("")], pages(0), **engine)
    report = run(tmp_path, [failing("raises")], pages(0), verify=0.1, **engine)
    assert [one.cause for one in report.differed] == [Cause.CHANGED]
    assert "failed: ValueError" in report.differed[0].message
    assert report.failed == 40


def test_one_that_has_no_time_is_told_and_keeps_its_records(tmp_path, engine):
    run(tmp_path, [failing("")], pages(0), **engine)
    report = run(tmp_path, [failing("sleeps")], pages(0), verify=0.01, page_seconds=0.2, **engine)
    assert report.differed == []
    assert [reason[:11] for _, _, reason in report.unchecked] == ["took longer"]
    assert report.failed == 0
    assert Store(tmp_path).records("failing").num_rows == 40


def test_pages_that_failed_are_not_checked(tmp_path):
    run(tmp_path, [failing("raises")], pages(0))
    report = run(tmp_path, [failing("raises")], pages(0), verify=1)
    assert (report.checked, report.failed) == (0, 40)


class Counting:
    """Writes down the pages that it was given as a whole."""

    version = "1"
    fields = ("room",)
    locality = Segments("\n")

    def __init__(self, name="counting"):
        self.name = name
        self.calls: list[str] = []

    def extract(self, page):
        page = Page.of(page)
        self.calls.append(page.id)
        return Records(
            rowen.Record(page, {"room": one.span()}) for one in re.finditer(r"CS \d+", page.text)
        )


class Here:
    """Works in this process, so that calls can be counted."""

    def outcomes(self, tasks, _tick=None):
        from rowen.engines.partition import work

        for task in tasks:
            yield work(task)


def test_verify_takes_a_rotating_share_of_the_pages_with_copied_records(tmp_path):
    one = Counting()
    snapshot = [*pages(0), Page("always new", id="x")]
    run(tmp_path, [one], snapshot, engine=Here())
    seen: list[str] = []
    for _ in range(10):
        one.calls.clear()
        report = run(tmp_path, [one], snapshot, engine=Here(), verify=0.1)
        assert report.checked == len(one.calls) == 5
        assert report.tallies["counting"].checked == 5
        seen += one.calls
    assert set(seen) == {page.id for page in snapshot}
    one.calls.clear()
    assert run(tmp_path, [one], snapshot, engine=Here(), verify=0).checked == 0
    assert one.calls == []
    assert run(tmp_path, [one], snapshot, engine=Here(), verify=1).checked == 41
    assert sorted(one.calls) == sorted(page.id for page in snapshot)


def test_pages_that_were_extracted_as_a_whole_are_not_checked(tmp_path):
    one = Counting()
    run(tmp_path, [one], pages(0), engine=Here())
    report = run(tmp_path, [one], pages(1), engine=Here(), verify=1, matcher="none")
    assert report.checked == 0
    report = run(tmp_path, [one], pages(2), engine=Here(), verify=1, matcher="line")
    assert report.checked == 40


def test_by_default_it_goes_by_what_pages_cost(tmp_path, monkeypatch):
    one = Counting()
    run(tmp_path, [one], pages(0), engine=Here())
    budgets = []

    def remember(state, where, copied, *, changed, costs, seconds):
        chosen = choose_within(state, where, copied, changed=changed, costs=costs, seconds=seconds)
        budgets.append((seconds, float(costs[chosen].sum()), len(copied)))
        return chosen

    monkeypatch.setattr("rowen.runs.run.choose_within", remember)
    for _ in range(3):
        report = run(tmp_path, [one], pages(0), engine=Here())
        seconds, _, candidates = budgets[-1]
        assert candidates == 40
        assert 0 < seconds <= max(checks.LEAST_SECONDS, 0.02 * report.seconds["total"])
    assert sum(spent for _, spent, _ in budgets) <= sum(seconds for seconds, *_ in budgets)


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_is_a_share(tmp_path, share):
    with pytest.raises(UsageError, match="from 0 to 1"):
        run(tmp_path, [Counting()], pages(0), verify=share)


def test_a_snapshot_may_be_a_mapping_of_ids_to_texts(tmp_path):
    snapshot = {"page-a": "CS 1", "page-b": Page("CS 2", id="whatever")}
    run(tmp_path, [Counting()], snapshot)
    found = {page.id: page.text for page in Store(tmp_path).pages()}
    assert found == {"page-a": "CS 1", "page-b": "CS 2"}


@pytest.mark.parametrize("wrong", [{"a": 1}, {1: "a"}, [1], [("a", "b")], [None], [b"x"]])
def test_what_is_no_page_is_refused(tmp_path, wrong):
    with pytest.raises(UsageError, match="a snapshot"):
        run(tmp_path, [Counting()], wrong)
    assert Store(tmp_path).snapshots() == []


def test_a_store_of_an_earlier_version_is_read(tmp_path):
    run(tmp_path, [changing(0, version="7")], pages(0))
    (file,) = tmp_path.glob("snapshots/*/manifest.json")
    content = json.loads(file.read_text())
    assert content["code"]["changing"].startswith(f"python {PYTHON}: ")
    del content["code"], content["checks"]
    file.write_text(json.dumps(content))
    report = run(tmp_path, [changing(10, version="7")], pages(0), verify=0)
    assert report.warnings == []


def test_a_package_that_is_not_installed_is_told_at_once():
    with pytest.raises(ExtractorError, match="not an installed package"):
        changing(0, depends=["nothing-of-that-name"])
