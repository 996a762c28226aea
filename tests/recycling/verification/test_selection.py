"""Which pages a run checks: those with copied records, by a share or by what they cost."""

from verifying import Counting, Here, failing, pages, run

from rowen import Page
from rowen.recycling.verification.budget import LEAST_SECONDS, choose_within


def test_verify_takes_a_rotating_share_of_the_pages_with_copied_records(tmp_path):
    extractor = Counting()
    snapshot = [*pages(0), Page("always new", id="x")]
    run(tmp_path, [extractor], snapshot, engine=Here())
    seen: list[str] = []
    for _ in range(10):
        extractor.calls.clear()
        report = run(tmp_path, [extractor], snapshot, engine=Here(), verify=0.1)
        assert report.checked == len(extractor.calls) == 5
        assert report.tallies["counting"].checked == 5
        seen += extractor.calls
    assert set(seen) == {page.id for page in snapshot}
    extractor.calls.clear()
    assert run(tmp_path, [extractor], snapshot, engine=Here(), verify=0).checked == 0
    assert extractor.calls == []
    assert run(tmp_path, [extractor], snapshot, engine=Here(), verify=1).checked == 41
    assert sorted(extractor.calls) == sorted(page.id for page in snapshot)


def test_pages_that_were_extracted_as_a_whole_are_not_checked(tmp_path):
    extractor = Counting()
    run(tmp_path, [extractor], pages(0), engine=Here())
    report = run(tmp_path, [extractor], pages(1), engine=Here(), verify=1, matcher="none")
    assert report.checked == 0
    report = run(tmp_path, [extractor], pages(2), engine=Here(), verify=1, matcher="line")
    assert report.checked == 40


def test_pages_that_failed_are_not_checked(tmp_path):
    run(tmp_path, [failing("raises")], pages(0))
    report = run(tmp_path, [failing("raises")], pages(0), verify=1)
    assert (report.checked, report.failed) == (0, 40)


def test_by_default_the_cost_of_pages_decides_how_many_are_checked(tmp_path, monkeypatch):
    extractor = Counting()
    run(tmp_path, [extractor], pages(0), engine=Here())
    budgets = []

    def remember(state, candidates, price, seconds, *, in_parts):
        check = choose_within(state, candidates, price, seconds, in_parts=in_parts)
        budgets.append((seconds, sum(check.paid.values()), len(candidates.pages)))
        return check

    monkeypatch.setattr("rowen.recycling.verification.selection.choose_within", remember)
    for _ in range(3):
        run(tmp_path, [extractor], pages(0), engine=Here())
        seconds, _, candidates = budgets[-1]
        assert candidates == 40
        assert seconds >= LEAST_SECONDS
