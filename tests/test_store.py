"""What the store offers around runs: progress, and an explanation without a run."""

from pathlib import Path

import pytest

import rowen
from rowen import Page, Pattern, Store, UsageError

ROOMS = Pattern(r"(?P<room>CS \d{3})", name="rooms")
TEXTS = {f"{number}.txt": f"Room CS {number}\n" * 50 for number in range(100, 107)}


def steps_of(
    store: Store, snapshot: object, **options: object
) -> list[tuple[str, int, int | None]]:
    heard: list[tuple[str, int, int | None]] = []
    store.run([ROOMS], snapshot, progress=lambda *step: heard.append(step), **options)
    return heard


def test_progress_counts_the_pages_of_each_step(tmp_path):
    heard = steps_of(Store(tmp_path), TEXTS, jobs=1)
    reading = [step for step in heard if step[0] == "reading"]
    assert reading == [("reading", count, None) for count in range(8)]
    extracting = [step for step in heard if step[0] == "extracting"]
    assert heard == reading + extracting
    assert extracting[0] == ("extracting", 0, 7)
    assert extracting[-1] == ("extracting", 7, 7)
    assert [done for _, done, _ in extracting] == sorted(done for _, done, _ in extracting)


def test_progress_has_no_work_to_count_where_nothing_changed(tmp_path):
    Store(tmp_path).run([ROOMS], TEXTS, jobs=1)
    heard = steps_of(Store(tmp_path), TEXTS, jobs=1)
    assert {step for step in heard if step[0] == "extracting"} == {("extracting", 0, 0)}


def test_a_source_says_how_many_pages_come(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    heard = steps_of(Store(tmp_path / "store"), folder, jobs=1)
    assert heard[0] == ("reading", 0, 7)
    assert ("reading", 7, 7) in heard


def files_under(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_an_explanation_extracts_and_stores_nothing(tmp_path):
    calls = []

    @rowen.extractor(name="watched", locality=rowen.Segments("\n"))
    def watched(text):
        calls.append(text)
        return []

    store = Store(tmp_path)
    store.run([watched], TEXTS, engine=InThisProcess())
    before = files_under(tmp_path)
    calls.clear()
    changed = {name: text + "one line more" for name, text in TEXTS.items()}
    report = store.explain([watched], changed, matcher="anchor")
    assert report.pages["changed"] == 7
    assert report.plans["watched"]["matcher"] == "anchor"
    assert set(report.plans["watched"]["estimates"]) == {"none", "line", "anchor", "suffix"}
    assert report.explanation()[0].startswith("snapshot 1: 7 pages")
    assert calls == []
    assert files_under(tmp_path) == before
    assert len(store.snapshots()) == 1


class InThisProcess:
    """So that calls can be counted."""

    def outcomes(self, tasks, _tick=None):
        from rowen.recycling.partition import work

        for task in tasks:
            yield work(task)


def test_an_unknown_engine_is_refused_before_anything_is_read(tmp_path):
    def snapshot():
        raise AssertionError("read")
        yield Page("")

    with pytest.raises(UsageError, match="unknown engine 'wrong'; choose from local, dask"):
        Store(tmp_path).run([ROOMS], snapshot(), engine="wrong")
