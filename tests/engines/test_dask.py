"""The Dask engine, with a scheduler and workers in processes of their own."""

import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import distributed
import pytest
from dask import config as dask_config
from hanging import Hanging
from verifying import record_files

import rowen
from rowen import Example, Page, Record, Store, Window
from rowen.engines import dask, guest, luggage
from rowen.engines.dask import Dask
from rowen.engines.luggage import Luggage
from rowen.model import errors
from rowen.recycling import intake
from rowen.recycling.task import Job

NOTHING = Luggage([], {})


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as made:
        yield made


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as made:
        made.wait_for_workers(2, timeout=60)
        yield made


@pytest.fixture(autouse=True)
def partitions(monkeypatch):
    """So many that every worker has some, though the pages are few and small."""
    monkeypatch.setattr(intake, "_partitions", lambda *_: 4)


def pages(day: int = 0, count: int = 24) -> list[Page]:
    return [
        Page(f"room CS {number} at 2pm\n" * 3 + f"day {day if number % 3 else 0}", id=f"{number}")
        for number in range(count)
    ]


def test_gives_the_very_files_of_the_local_engine_and_of_scratch(client, tmp_path):
    crew = [
        Hanging(Window(6, 2), 1, name="windows"),
        Hanging(Window(3, 1), 2, name="raising", fails="raises"),
        Hanging(Window(3, 1), 3, name="stopping", fails="stops"),
    ]
    for day in range(2):
        spread = Store(tmp_path / "dask").run(crew, pages(day), engine=Dask(client))
        local = Store(tmp_path / "local").run(crew, pages(day), jobs=2)
        Store(tmp_path / f"fresh{day}").run(crew, pages(day), jobs=1, scratch=True)
        assert spread.pages == local.pages
        assert sorted(spread.failures) == sorted(local.failures)
        made = record_files(tmp_path / "dask", day)
        assert len(made) == 12
        assert (
            made == record_files(tmp_path / "local", day) == record_files(tmp_path / f"fresh{day}")
        )


def test_workers_find_a_store_that_is_given_by_a_relative_path(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    room = rowen.Pattern(r"(?P<room>CS \d+)", name="room")
    Store("store").run([room], pages(), engine=Dask(client))
    assert len(record_files(tmp_path / "store")) == 4


def closure(word: str):
    @rowen.extractor(name="closure")
    def find(text):
        return [{"word": found.span()} for found in re.finditer(word, text)]

    return find


def travellers(folder: Path) -> list:
    """Extractors of every kind."""
    page = Page("room CS 105 at 2pm\nroom CS 310 at 4pm\n", id="p")
    rooms = [
        Record(page, {"room": found.span(1)}) for found in re.finditer(r"room (.*) at", page.text)
    ]
    rowen.learn([Example(page, rooms)], "lr").save(folder / "wrapper.json")
    room = rowen.Pattern(r"(?P<room>CS \d+)", name="room")
    hour = rowen.Pattern(r"(?P<hour>\d[ap]m)", name="hour")
    return [
        room,
        rowen.Dictionary(["2pm", "3pm"], name="hours"),
        rowen.Relation({"room": room, "hour": hour}, name="booking", distance=20),
        rowen.load(folder / "wrapper.json"),
        closure("room"),
        rowen.extractor(name="lambda")(lambda text: [{"all": (0, len(text))}]),
    ]


def test_extractors_of_every_kind_travel(client, tmp_path):
    crew = travellers(tmp_path)
    Store(tmp_path / "dask").run(crew, pages(), engine=Dask(client))
    Store(tmp_path / "local").run(crew, pages(), jobs=1)
    assert len(record_files(tmp_path / "dask")) == 4 * len(crew)
    assert record_files(tmp_path / "dask") == record_files(tmp_path / "local")


def bounded(least: int):
    """Under one version, whatever it does."""

    @rowen.extractor(name="bounded", version="1", locality=rowen.Segments("\n"))
    def find(text):
        for found in re.finditer(r"CS (\d+)", text):
            if int(found[1]) >= least:
                yield {"room": found.span()}

    return find


def test_copies_are_checked_and_an_extractor_that_differs_is_extracted_again(client, tmp_path):
    store = Store(tmp_path / "dask")
    store.run([bounded(0)], pages(0), engine=Dask(client), matcher="line")
    report = store.run([bounded(5)], pages(1), engine=Dask(client), matcher="line", verify=1)
    assert [one.cause for one in report.differed] == ["changed"]
    Store(tmp_path / "fresh").run([bounded(5)], pages(1), jobs=1, scratch=True)
    assert record_files(tmp_path / "dask", 1) == record_files(tmp_path / "fresh")
    report = store.run([bounded(5)], pages(2), engine=Dask(client), matcher="line", verify=1)
    assert report.differed == []
    assert report.checked >= 8


MODULE = """
import rowen
from helped import helping

@rowen.extractor(name="helped")
def find(text):
    return helping.records(text)
"""


def look(place):
    sys.path.insert(0, place)


def forget(place):
    sys.path.remove(place)


def test_a_worker_that_has_other_code_is_reported(client, tmp_path, monkeypatch):
    """What an installed package has is found by its name there, and must be the same."""
    here, there = (tmp_path / name / "site-packages" for name in ("here", "there"))
    for place, end in ((here, 3), (there, 4)):
        (place / "helped").mkdir(parents=True)
        (place / "helped" / "__init__.py").write_text(MODULE)
        (place / "helped" / "helping.py").write_text(
            f"def records(text):\n    return [{{'all': (0, {end})}}]\n"
        )
    monkeypatch.syspath_prepend(str(here))
    import helped

    try:
        client.run(look, str(there))
        with pytest.raises(errors.ExtractorError, match="code of extractor 'helped' on the worker"):
            Store(tmp_path / "store").run([helped.find], unread(), engine=Dask(client))
        client.run(forget, str(there))
        client.run(look, str(here))
        Store(tmp_path / "store").run([helped.find], pages(), engine=Dask(client))
        assert Store(tmp_path / "store").records("helped").num_rows == 24
    finally:
        client.run(forget, str(here))
        for name in ("helped", "helped.helping"):
            sys.modules.pop(name, None)


def waiting(folder: Path):
    """An extractor that says when it is at work, and goes on when it is told to."""

    @rowen.extractor(name="waiting")
    def find(text):
        (folder / f"at-{os.getpid()}").touch()
        while not (folder / "go").exists():
            time.sleep(0.02)
        return [{"all": (0, len(text))}]

    return find


def await_files(folder: Path, pattern: str) -> list[Path]:
    until = time.monotonic() + 60
    while not (found := list(folder.glob(pattern))):
        assert time.monotonic() < until, f"no {pattern} came"
        time.sleep(0.02)
    return found


def gone(process: int) -> bool:
    """Whether a process has ended; one that nobody waited for has, too."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def await_end(process: int) -> None:
    until = time.monotonic() + 60
    while not gone(process):
        assert time.monotonic() < until, "a process did not end"
        time.sleep(0.02)


def in_background(work):
    """Do something in a thread; what it gave, or raised, is in the answer."""
    answer = SimpleNamespace(value=None, error=None)

    def run():
        try:
            answer.value = work()
        except BaseException as error:  # noqa: BLE001  # looked at by the test
            answer.error = error

    answer.thread = threading.Thread(target=run)
    answer.thread.start()
    return answer


def test_progress_is_reported_within_a_partition(client, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "_partitions", lambda *_: 1)
    go = tmp_path / "go"
    heard = []

    @rowen.extractor(name="last")
    def waits_at_the_last(text):
        while "CS 23 " in text and not go.exists():
            time.sleep(0.02)
        return []

    def watch(step, done, total):
        if step == "extracting":
            assert total == 24
            heard.append(done)
            if done == 23:
                go.touch()

    store = Store(tmp_path / "store")
    store.run([waits_at_the_last], pages(), engine=Dask(client), progress=watch)
    assert heard[0] == 0
    assert heard[-1] == max(heard) == 24
    assert 23 in heard


def test_a_worker_that_is_killed_changes_nothing(client, tmp_path):
    find = waiting(tmp_path)
    run = in_background(lambda: Store(tmp_path / "dask").run([find], pages(), engine=Dask(client)))
    (busy,) = (int(one.name[3:]) for one in await_files(tmp_path, "at-*")[:1])
    for worker in client.run(os.getpid).values():
        os.kill(worker, signal.SIGKILL)
    await_end(busy)
    (tmp_path / "go").touch()
    run.thread.join()
    assert run.error is None
    Store(tmp_path / "local").run([find], pages(), jobs=1)
    assert record_files(tmp_path / "dask") == record_files(tmp_path / "local")


def test_pages_on_which_an_extractor_takes_its_process_down_or_hangs_are_failed(client, tmp_path):
    @rowen.extractor(name="deadly")
    def deadly(text):
        if "CS 7 " in text:
            os.kill(os.getpid(), signal.SIGKILL)
        while "CS 8 " in text:
            pass
        return [{"all": (0, len(text))}]

    options = {"page_seconds": 0.5}
    spread = Store(tmp_path / "dask").run([deadly], pages(), engine=Dask(client), **options)
    local = Store(tmp_path / "local").run([deadly], pages(), jobs=2, **options)
    assert {page for _, page, _ in spread.failures} == {"7", "8"}
    assert sorted(spread.failures) == sorted(local.failures)
    assert record_files(tmp_path / "dask") == record_files(tmp_path / "local")


def test_errors_come_back_as_they_were_raised_and_the_store_stays_as_it_was(client, tmp_path):
    store = Store(tmp_path / "store")
    raising = Hanging(Window(3, 1), 3, name="raising", fails="raises")
    with pytest.raises(rowen.ExtractionError) as caught:
        store.run([raising], pages(), engine=Dask(client), strict=True)
    assert caught.value.extractor == "raising"
    assert caught.value.page in {page.id for page in pages()}
    assert "can't stand" in caught.value.reason
    assert store.snapshots() == []
    assert not record_files(tmp_path / "store")


class Loud:
    """Can be sent, but not unpacked anywhere else than where it was made."""

    def __reduce__(self):
        return _refuse, (os.getpid(),)


def _refuse(home: int) -> Loud:
    if os.getpid() != home:
        raise ModuleNotFoundError("No module named 'model'")
    return Loud()


def test_an_extractor_that_cannot_travel_is_named(client, tmp_path):
    lock = threading.Lock()
    stuck = rowen.extractor(name="stuck")(lambda text: [] if lock else [text])
    with pytest.raises(rowen.ExtractorError, match="'stuck' can't be sent.*pickle"):
        Store(tmp_path / "store").run([stuck], unread(), engine=Dask(client))
    loud = Loud()
    lost = rowen.extractor(name="lost")(lambda text: [] if loud else [text])
    with pytest.raises(rowen.ExtractorError, match="can't be loaded on the worker.*No module"):
        Store(tmp_path / "store").run([lost], unread(), engine=Dask(client))


def unread():
    """A snapshot of a run that must fail before it reads any page."""
    pytest.fail("the snapshot was read")
    yield


MODULES = {
    "market.py": """
        import re
        import rowen
        import market_words
        from market_rules.prices import PRICE

        @rowen.extractor(name="market")
        def market(text):
            import market_late
            if "never" in text:
                import market_there
            for found in re.finditer(market_words.WORD, text):
                yield {"word": found.span(), "price": market_late.first(PRICE, text)}

        class Hours:
            name, version, locality, fields = "hours", "1", rowen.WholePage(), ("hour",)

            def extract(self, page):
                found = re.finditer(market_words.HOUR, page.text)
                return rowen.Records([rowen.Record(page, {"hour": one.span()}) for one in found])
        """,
    "market_there.py": "import only_there",
    "market_words.py": "WORD, HOUR = 'room', r'\\d[ap]m'",
    "market_late.py": "import re\ndef first(rule, text): return re.search(rule, text).span()",
    "market_rules/__init__.py": "",
    "market_rules/prices.py": """
        from pathlib import Path
        PRICE = (Path(__file__).parent / "data" / "price.txt").read_text().strip()
        """,
    "market_rules/data/price.txt": "CS .*2pm",
}


def test_modules_of_the_author_travel_to_workers_that_lack_them(client, tmp_path, monkeypatch):
    for name, content in MODULES.items():
        path = tmp_path / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(content))
    monkeypatch.syspath_prepend(tmp_path / "lib")
    import market

    hours = market.Hours()
    chain = rowen.Chain(hours, rowen.Pattern(r"(?P<all>CS.*)", name="lines"), "all", name="chain")
    crew = [market.market, hours, chain]
    assert "market_there.py" in luggage.packed([Job(market.market)]).files
    assert all(own is None for own in client.run(_where, "market").values())
    old = tmp_path / "old"
    old.mkdir()
    (old / "market_words.py").write_text("WORD = HOUR = 'no'")
    client.run(look, str(old))
    Store(tmp_path / "dask").run(crew, pages(), engine=Dask(client))
    client.run(forget, str(old))
    Store(tmp_path / "local").run(crew, pages(), jobs=1)
    assert Store(tmp_path / "dask").records("market").num_rows == 72
    assert record_files(tmp_path / "dask") == record_files(tmp_path / "local")
    assert not list(Path(tempfile.gettempdir()).glob("rowen-*/market.py"))


def _where(module):
    from importlib.util import find_spec

    return find_spec(module)


def test_modules_that_are_too_large_to_travel_are_refused_before_anything_starts(
    client, tmp_path, monkeypatch
):
    monkeypatch.setattr(luggage, "MODULE_BYTES", 100)
    crew = [Hanging(Window(6, 2), 1, name="windows")]
    with pytest.raises(
        rowen.ExtractorError, match="can't be sent to the Dask workers: it has more"
    ):
        Store(tmp_path / "store").run(crew, unread(), engine=Dask(client))


def test_a_worker_of_another_version_is_refused():
    answer = guest.do_in_guest(None, luggage=NOTHING, run="", rowen="0.0.1")
    assert isinstance(answer, rowen.StoreError)
    assert "but the run has 0.0.1" in str(answer)


def test_a_run_that_is_given_up_works_no_more(client, tmp_path):
    find = waiting(tmp_path)
    store = Store(tmp_path / "store")

    class Impatient(Dask):
        def _collect(self, client, futures, progress):  # noqa: ARG002
            await_files(tmp_path, "at-*")
            raise KeyboardInterrupt
            yield

    with pytest.raises(KeyboardInterrupt):
        store.run([find], pages(), engine=Impatient(client))
    for one in tmp_path.glob("at-*"):
        await_end(int(one.name[3:]))
    assert store.snapshots() == []
    (tmp_path / "go").touch()
    store.run([find], pages(), engine=Dask(client))
    assert store.snapshot().pages == 24


CLIENT = """
import sys, time, os
from pathlib import Path
import rowen
from rowen.engines.dask import Dask
from rowen.engines.luggage import Luggage

address, folder = sys.argv[1:]

@rowen.extractor(name="room")
def waiting(text):
    Path(f"{folder}/at-{os.getpid()}").touch()
    time.sleep(600)

rowen.Store(f"{folder}/store").run([waiting], ["CS 1"], engine=Dask(address))
"""


def test_what_a_killed_run_left_on_the_workers_is_ended_by_the_next(cluster, client, tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT, cluster.scheduler_address, str(tmp_path)]
    ) as process:
        (busy, *_) = (int(one.name[3:]) for one in await_files(tmp_path, "at-*"))
        process.kill()
    assert not gone(busy)
    room = rowen.Pattern(r"(?P<room>CS \d+)", name="room")
    Store(tmp_path / "store").run([room], pages(), engine=Dask(client))
    await_end(busy)


def test_only_the_newest_run_may_write_to_a_store():
    task = SimpleNamespace(uri="place", partition=0)
    guest.admit("place", "first")
    guest.admit("place", "second")
    answer = guest.do_in_guest(task, luggage=NOTHING, run="first", rowen=rowen.__version__)
    assert isinstance(answer, rowen.StoreError)
    assert "must not write to place" in str(answer)


def test_without_a_scheduler_workers_are_started_here_and_ended(tmp_path):
    before = set(multiprocessing.active_children())
    room = rowen.Pattern(r"(?P<room>CS \d+)", name="room")
    report = Store(tmp_path / "store").run([room], pages(), engine=Dask(jobs=1))
    assert report.tallies["room"].records == 72
    assert set(multiprocessing.active_children()) <= before


def test_a_cluster_without_workers_and_one_that_is_not_there_are_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(dask, "CLUSTER_SECONDS", 0.5)
    store = Store(tmp_path / "store")
    room = rowen.Pattern(r"(?P<room>CS \d+)", name="room")
    with distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as cluster:
        address = cluster.scheduler_address
        with pytest.raises(
            rowen.StoreError, match="has no worker, and none joined within 0.5 seconds"
        ):
            store.run([room], pages(), engine=Dask(address))
    with (
        dask_config.set({"distributed.comm.timeouts.connect": "0.5s"}),
        pytest.raises(rowen.StoreError, match=f"can't reach a Dask scheduler at '{address}'"),
    ):
        store.run([room], pages(), engine=Dask(address))
    with pytest.raises(rowen.StoreError, match="can't reach a Dask scheduler at 'nothing://x'"):
        store.run([room], pages(), engine=Dask("nothing://x"))
    assert store.snapshots() == []


def test_workers_that_all_go_away_end_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr(dask, "CLUSTER_SECONDS", 1.0)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        store = Store(tmp_path / "store")
        run = in_background(lambda: store.run([waiting(tmp_path)], pages(), engine=Dask(client)))
        await_files(tmp_path, "at-*")
        cluster.scale(0)
        run.thread.join()
    assert isinstance(run.error, rowen.StoreError)
    assert "all workers of the Dask cluster are gone" in str(run.error)
    assert store.snapshots() == []


@contextmanager
def by_hand(folder: Path):
    """A scheduler and a worker, started as on a cluster; the scheduler's process and address."""
    ask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    where = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    known = ["--scheduler-file", "scheduler.json"]
    with ExitStack() as started:
        scheduler = started.enter_context(
            subprocess.Popen([*ask, "scheduler", *where, "--port", "0", *known], **quiet)
        )
        started.callback(scheduler.kill)
        await_files(folder, "scheduler.json")
        worker = started.enter_context(
            subprocess.Popen([*ask, "worker", *where, "--nthreads", "1", *known], **quiet)
        )
        started.callback(worker.terminate)
        yield scheduler, json.loads((folder / "scheduler.json").read_text())["address"]


def test_a_scheduler_that_is_killed_ends_the_run(tmp_path):
    with (
        dask_config.set({"distributed.comm.timeouts.connect": "5s"}),
        by_hand(tmp_path) as (scheduler, address),
    ):
        store = Store(tmp_path / "store")
        engine = Dask(address)
        run = in_background(lambda: store.run([waiting(tmp_path)], pages(), engine=engine))
        (busy, *_) = await_files(tmp_path, "at-*")
        scheduler.kill()
        run.thread.join()
    assert isinstance(run.error, rowen.StoreError)
    assert "the Dask scheduler was lost" in str(run.error)
    assert store.snapshots() == []
    await_end(int(busy.name[3:]))


def kinds(root: type[errors.RowenError]) -> list[type[errors.RowenError]]:
    return [root, *(one for child in root.__subclasses__() for one in kinds(child))]


ARGUMENTS = {
    "DocumentError": (("page", "reason"), {}),
    "LimitError": (("page", "reason"), {}),
    "LabelError": (("page", "reason"), {"record": "2.1", "field": "name"}),
    "ExtractionError": (("extractor", "page", "reason"), {}),
    "NoConsistentWrapper": (("reason",), {"field": "name", "pages": ("a", "b")}),
    "SearchCutShort": (("reason",), {"pages": ("a",)}),
    "QuotaError": (("bytes", 10, 11), {}),
    "HungError": ((), {}),
    "MissingPackageError": (("a webhook",), {"package": "httpx", "extra": "client"}),
}


@pytest.mark.parametrize(
    "kind", sorted(set(kinds(errors.RowenError)), key=lambda one: one.__name__)
)
def test_every_error_survives_the_way_from_a_worker(kind):
    given, named = ARGUMENTS.get(kind.__name__, (("message",), {}))
    error = kind(*given, **named)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (str(again), again.args, again.__dict__) == (str(error), error.args, error.__dict__)
