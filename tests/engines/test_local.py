"""Whatever an extractor does to its process, other pages keep their records."""

import ctypes
import multiprocessing as mp
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

import rowen
from rowen import Page, Record, Records, Store, WholePage, Window
from rowen.engines import processes
from rowen.engines.local import Local
from rowen.model.errors import ExtractionError, ExtractorError
from rowen.model.span import Span
from rowen.records.records import Rows
from rowen.recycling.engine import Tick
from rowen.recycling.outcome import Outcome
from rowen.recycling.task import Task
from rowen.storage.place import PARTIAL


def sleep_in_native_code() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    ctypes.CDLL(None).sleep(600)


def sleep_in_python() -> None:
    while True:
        with suppress(Exception):  # as careless code does
            time.sleep(600)


def raise_at_length() -> None:
    raise ValueError("\udcff" + "x" * 100_000)


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "raises": (raise_at_length, "failed: ValueError: \N{REPLACEMENT CHARACTER}xxx"),
    "exits": (sys.exit, "failed: SystemExit"),
    "dies": (lambda: os._exit(3), "crashed its process"),
    "is killed": (lambda: os.kill(os.getpid(), signal.SIGKILL), "crashed its process"),
    "hangs": (sleep_in_python, "took longer than 2 seconds"),
    "hangs in native code": (sleep_in_native_code, "took too long and could not be"),
}
# Long enough that a good page never takes it, however busy the machine is.
PAGE_SECONDS = 2


@pytest.fixture
def hasty(monkeypatch):
    """Doesn't wait long for what never comes back."""
    monkeypatch.setattr(processes, "_GRACE", 0.3)


def extractor(bad: Callable[[], object], locality=WholePage()) -> rowen.Extractor:  # noqa: B008
    @rowen.extractor(name="words", version="1", locality=locality)
    def words(text: str) -> Iterator[dict[str, object]]:
        yield {"word": (0, 3)}
        if "bad" in text:
            bad()

    return words


PAGES = [
    Page(f"{'bad' if number in {2, 5} else 'good'} page\n", id=f"{number}") for number in range(9)
]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("how", BAD)
@pytest.mark.usefixtures("hasty")
def test_a_page_on_which_an_extractor_fails_is_recorded_with_the_reason(tmp_path, how, jobs):
    bad, reason = BAD[how]
    store = Store(tmp_path)
    report = store.run([extractor(bad)], PAGES, jobs=jobs, page_seconds=PAGE_SECONDS)
    assert report.failed == 2
    failures = dict(store.failures("words"))
    assert sorted(failures) == ["2", "5"]
    assert all(one.startswith(reason) and len(one) < 1000 for one in failures.values())
    found = {page.id: len(records) for page, records in store.each("words")}
    assert found == {page.id: int("bad" not in page.text) for page in PAGES}


@pytest.mark.parametrize("how", BAD)
@pytest.mark.usefixtures("hasty")
def test_a_strict_run_keeps_nothing(tmp_path, how):
    bad, reason = BAD[how]
    with pytest.raises(ExtractionError, match=reason):
        Store(tmp_path).run([extractor(bad)], PAGES, strict=True, page_seconds=PAGE_SECONDS)
    assert Store(tmp_path).snapshots() == []
    assert list((tmp_path / "snapshots").iterdir()) == []


def test_a_run_on_which_workers_die_too_often_gives_up(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "DEADLY_PAGES", 1)
    with pytest.raises(ExtractorError, match="crashed its process"):
        Store(tmp_path).run([extractor(lambda: os._exit(3))], PAGES, jobs=2)
    assert Store(tmp_path).snapshots() == []


def test_a_page_that_failed_is_tried_again(tmp_path):
    store = Store(tmp_path)
    store.run([extractor(raise_at_length)], PAGES)
    assert store.run([extractor(lambda: None)], PAGES).failed == 0
    assert store.failures("words") == []
    assert store.records("words").num_rows == len(PAGES)


def outside(page: Page) -> dict[str, Records]:
    size = len(page.text)
    wrong = [(0, size + 1), (-5, 2), (3, 2), (-1, 4), (2**30, 2**30 + 1), (2**40, 2**40)]
    return {
        f"{kind} {start} {end}": made
        for start, end in wrong
        for kind, made in {
            "rows": Records(Rows(page, ("a", "b"), [((0, 1), (-1, -1)), ((0, 1), (start, end))])),
            "record": Records([Record.trusted(page, {"a": Span.trusted((start, end))})]),
        }.items()
    }


@pytest.mark.parametrize("which", outside(PAGES[0]))
@pytest.mark.parametrize("locality", [WholePage(), Window(9, 2)])
def test_spans_outside_the_page_are_not_kept(tmp_path, which, locality):
    class Outside:
        name = "outside"
        version = "1"
        fields = ("a", "b")

        def __init__(self):
            self.locality = locality

        def extract(self, page):
            return outside(page)[which] if "bad" in page.text else Records()

    store = Store(tmp_path)
    for more in ("", "and some more of the same"):
        pages = [Page(page.text + more, id=page.id) for page in PAGES]
        report = store.run([Outside()], pages, matcher="anchor", jobs=1)
        assert report.failed == 2
        assert [page for page, _ in store.failures("outside")] == ["2", "5"]


def test_a_worker_that_is_killed_changes_nothing(tmp_path):
    """The first worker at page 5 dies, whatever the extractor does."""

    @rowen.extractor(name="words", version="1")
    def words(text: str) -> Iterator[dict[str, object]]:
        yield {"word": (0, 3)}
        if "bad" in text and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("one", "two"):
        assert Store(tmp_path / name).run([words], PAGES, jobs=2).failed == 0
    one, two = (files(tmp_path / name) for name in ("one", "two"))
    assert one == two


def files(store: Path) -> dict[str, bytes]:
    # A worker that is killed while it writes leaves a partial file, to which nothing refers.
    whole = (path for path in store.rglob("*-0000.*") if path.suffix != PARTIAL)
    return {path.name: path.read_bytes() for path in whole}


class Harsh(Local):
    """Kills all of its workers after each of the first outcomes."""

    def outcomes(
        self, tasks: Sequence[Task], tick: Tick | None = None
    ) -> Generator[Outcome, None, None]:
        for number, outcome in enumerate(super().outcomes(tasks, tick)):
            if number < 2:
                for child in mp.active_children():
                    child.kill()
            yield outcome


def test_workers_that_are_killed_between_pages_are_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr("rowen.recycling.intake._partitions", lambda *_: 8)
    own = extractor(lambda: None)
    assert Store(tmp_path / "one").run([own], PAGES, engine=Harsh(2)).failed == 0
    Store(tmp_path / "two").run([own], PAGES, jobs=1)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_bug_in_a_worker_is_a_bug_here(tmp_path, monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(processes, "work", broken)
    with pytest.raises(RuntimeError, match="ZeroDivisionError: ours"):
        Store(tmp_path).run([extractor(lambda: None)], PAGES, jobs=1)
    assert Store(tmp_path).snapshots() == []
