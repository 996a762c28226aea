"""Stores elsewhere than in a folder: on a server that speaks S3, and under URIs."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from s3_server import S3

import rowen
from rowen import Page, Store
from rowen.cli import main
from rowen.engines.dask import Dask
from rowen.engines.local import Local
from rowen.recycling import intake
from rowen.storage import claims
from rowen.storage.claim_keeper import keep
from rowen.storage.place import Place

pytest.importorskip("moto.server", reason="the local S3 server is not installed")


@pytest.fixture(scope="module")
def server():
    started = S3()
    yield started
    started.end()


@pytest.fixture
def bucket(server, request):
    """The URI of an empty folder in a bucket, put together with what follows."""
    return lambda name="store": server.uri(f"{request.node.name}/{name}")


@pytest.fixture(autouse=True)
def partitions(monkeypatch):
    monkeypatch.setattr(intake, "_partitions", lambda *_: 4)


ROOMS = rowen.Pattern(r"(?P<room>CS \d+)", name="rooms")


def pages(day: int = 0) -> list[Page]:
    texts = [f"room CS {number}\n" + f"day CS {day * (number % 3)}\n" for number in range(24)]
    return [Page(text, id=f"{number}é") for number, text in enumerate(texts)]


def contents(place: Place, folder: str) -> dict[str, bytes]:
    """All files of columns of a folder."""
    names = [name for name in place.names(folder) if name.endswith(".columns")]
    return {name: place.read(f"{folder}/{name}") for name in names}


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_store_on_s3_is_that_of_a_folder_to_the_byte(bucket, tmp_path, jobs):
    remote, local = Store(bucket()), Store(tmp_path / "store")
    for day in range(3):
        for store in (remote, local):
            report = store.run([ROOMS], pages(day), engine=Local(jobs, always_fork=True))
            assert report.snapshot == day
        folder = f"snapshots/{day:06}"
        assert len(contents(remote.place, folder)) == 9
        assert contents(remote.place, folder) == contents(local.place, folder)
    assert list(Store(bucket(), create=False).records("rooms")) == list(local.records("rooms"))
    assert list(remote.differences("rooms")) == list(local.differences("rooms"))
    assert remote.drop() == 2
    assert remote.place.names("snapshots") == ["000002"]
    assert list(remote.records("rooms")) == list(local.records("rooms"))


def test_workers_of_dask_write_to_s3(bucket, tmp_path):
    remote, local = Store(bucket()), Store(tmp_path / "store")
    remote.run([ROOMS], pages(), engine=Dask(jobs=1))
    local.run([ROOMS], pages())
    folder = "snapshots/000000"
    assert contents(remote.place, folder) == contents(local.place, folder)


def test_a_snapshot_exists_once_its_manifest_is_there(bucket):
    store = Store(bucket())
    store.run([ROOMS], pages())
    store.place.write_json("snapshots/000001/pages-0007.parquet", "of a run that was killed")
    assert [snapshot.number for snapshot in store.snapshots()] == [0]
    store.run([ROOMS], pages(1))
    assert [snapshot.number for snapshot in store.snapshots()] == [0, 1]
    assert "pages-0007.columns" not in store.place.names("snapshots/000001")


def test_a_run_that_fails_leaves_nothing(bucket):
    store = Store(bucket())
    broken = rowen.extractor(name="broken")(lambda text: text / 0)
    with pytest.raises(rowen.ExtractionError):
        store.run([broken], pages(), strict=True)
    assert store.place.names("snapshots") == []
    assert store.place.names("locks") == []


def test_of_two_runs_at_once_the_second_is_refused(bucket):
    store = Store(bucket())

    def late():
        yield from pages()
        with pytest.raises(rowen.StoreError, match="another run .process .* on .* since .*remove"):
            Store(bucket()).run([ROOMS], pages())
        with pytest.raises(rowen.StoreError, match="another run"):
            Store(bucket()).drop()

    store.run([ROOMS], late())
    assert store.place.names("locks") == []
    store.run([ROOMS], pages())
    assert [snapshot.number for snapshot in store.snapshots()] == [0, 1]


def test_the_claim_of_a_run_that_was_killed_is_named_and_can_be_removed(bucket):
    store = Store(bucket())
    store.place.write_json("locks/old.json", [])
    left = r"if it was killed, its claim runs out in \d+ seconds, or remove rowen/.*/locks/old.json"
    with pytest.raises(rowen.StoreError, match=left):
        store.run([ROOMS], pages())
    store.place.files.delete(store.place.path("locks/old.json"))
    store.run([ROOMS], pages())


HANGING = """
import sys, time
import rowen

def pages():
    yield rowen.Page("room CS 1", id="a")
    print("running", flush=True)
    time.sleep(600)

rowen.Store(sys.argv[1]).run([rowen.Pattern("(?P<room>CS .)", name="rooms")], pages(), jobs=1)
"""


@pytest.fixture
def hanging():
    """Starts a run that never ends, and gives its process and that of its keeper."""
    started = []

    def start(uri):
        run = subprocess.Popen(
            [sys.executable, "-c", HANGING, uri], stdout=subprocess.PIPE, text=True
        )
        started.append(run)
        assert run.stdout.readline() == "running\n"
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        if not children.exists():
            pytest.skip("the system does not tell the children of a process")
        (keeper,) = map(int, children.read_text().split())
        return run, keeper

    yield start
    for run in started:
        run.kill()
        run.wait()
        run.stdout.close()


def test_the_claim_of_a_run_that_is_killed_is_withdrawn(bucket, hanging):
    store = Store(bucket())
    run, _ = hanging(bucket())
    with pytest.raises(rowen.StoreError, match=f"another run .process {run.pid} on"):
        store.run([ROOMS], pages())
    run.kill()
    while store.place.names("locks"):
        time.sleep(0.1)
    store.run([ROOMS], pages())
    assert [snapshot.number for snapshot in store.snapshots()] == [0]


def test_the_claim_of_a_machine_that_died_runs_out(bucket, hanging, monkeypatch):
    store = Store(bucket())
    store.run([ROOMS], pages())
    run, keeper = hanging(bucket())
    os.kill(keeper, signal.SIGKILL)
    run.kill()
    with pytest.raises(rowen.StoreError, match=r"its claim runs out in \d+ seconds"):
        store.run([ROOMS], pages(1))
    monkeypatch.setattr(claims, "CLAIM_SECONDS", 1)
    time.sleep(3)  # the server's clock has seconds only
    store.run([ROOMS], pages(1))
    assert store.place.names("locks") == []
    # If the other was only asleep, it goes on with number 1, and finds its claim gone.
    assert store.place.names("snapshots") == ["000000", "000002"]
    assert [snapshot.number for snapshot in store.snapshots()] == [0, 2]


def test_a_claim_is_renewed_while_a_run_goes_on(bucket, monkeypatch):
    monkeypatch.setattr(claims, "CLAIM_SECONDS", 3)
    store = Store(bucket())

    def late():
        yield from pages()
        time.sleep(6)
        with pytest.raises(rowen.StoreError, match="another run"):
            Store(bucket()).run([ROOMS], pages())

    store.run([ROOMS], late())
    assert [snapshot.number for snapshot in store.snapshots()] == [0]


def test_a_run_that_lost_its_claim_keeps_nothing(bucket):
    store = Store(bucket())

    def late():
        yield from pages()
        (claim,) = store.place.names("locks")
        store.place.delete(f"locks/{claim}")
        store.place.write_json("snapshots/000001/of-another-run.json", {})

    with pytest.raises(rowen.StoreError, match="could not be renewed in time.*nothing was stored"):
        store.run([ROOMS], late())
    assert store.place.names("snapshots") == ["000001"]


def test_a_claim_that_ran_out_is_not_renewed(bucket, monkeypatch):
    place = Store(bucket()).place
    place.write_json("locks/old.json", {})
    before = place.changed("locks/old.json")
    clock = iter([0.0, 1000.0])
    monkeypatch.setattr(time, "time", lambda: next(clock))
    reading, writing = os.pipe()
    with os.fdopen(reading) as standing, os.fdopen(writing):
        monkeypatch.setattr(sys, "stdin", standing)
        keep(place.uri, "locks/old.json", 1.0)
    assert place.changed("locks/old.json") == before


@pytest.mark.parametrize("name", ["with space", "with%20space", "straße/日本", "slash/", "[a]<b>|"])
def test_names_in_uris_may_be_written_as_they_are(bucket, name):
    store = Store(bucket(name))
    store.run([ROOMS], pages())
    plain = name.replace("%20", " ").rstrip("/")
    assert store.place.root.endswith(f"/{plain}")
    assert Store(bucket(name), create=False).snapshot().pages == 24


def test_what_is_missing_or_wrong_is_reported(bucket, server):
    with pytest.raises(rowen.StoreError, match="no store at s3://rowen/.*`rowen run` creates one"):
        Store(bucket(), create=False)
    with pytest.raises(rowen.StoreError, match="bucket does not exist"):
        Store(f"s3://nowhere/store?{server.options}")
    with pytest.raises(rowen.StoreError, match="can't open nothing://store"):
        Store("nothing://store")
    with pytest.raises(rowen.UsageError, match="AWS_SECRET_ACCESS_KEY") as caught:
        Store(f"s3://me:hidden@rowen/store?{server.options}")
    assert "hidden" not in str(caught.value)


def test_commands_take_the_uri_of_a_store(bucket, tmp_path, capsys):
    (tmp_path / "a.txt").write_text("room CS 105")
    rules = tmp_path / "rooms.json"
    ROOMS.save(rules)
    options = ["--snapshot", str(tmp_path / "a.txt"), "--store", bucket(), "--jobs", "1"]
    assert main(["run", str(rules), *options]) == 0
    capsys.readouterr()
    assert main(["records", "--extractor", "rooms", "--store", bucket()]) == 0
    assert '"room": "CS 105"' in capsys.readouterr().out


@pytest.mark.parametrize("name", ["with space", "straße", "100%25"])
def test_a_file_uri_is_a_folder_with_a_lock(tmp_path, name):
    store = Store(f"file://{tmp_path}/{name}")
    assert Path(store.place.root) == tmp_path / name.replace("%25", "%")
    assert store.place.is_local
    store.run([ROOMS], pages(), jobs=1)
    assert Store(tmp_path / name.replace("%25", "%"), create=False).snapshot().pages == 24


@pytest.mark.parametrize("name", ["with space", "straße", "100%", "a?b#c", "%20"])
def test_a_path_is_taken_as_it_is(tmp_path, name):
    store = Store(tmp_path / name)
    store.run([ROOMS], pages(), jobs=2)
    assert (tmp_path / name / "store.json").exists()


def test_names_are_on_the_disk_before_a_snapshot_exists_and_after(tmp_path, monkeypatch):
    finished = []
    fsync, replace = os.fsync, Path.replace

    def syncing(number):
        finished.append(("sync", Path(f"/proc/self/fd/{number}").readlink()))
        fsync(number)

    def replacing(path, target):
        finished.append(("name", target))
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", syncing)
    monkeypatch.setattr(Path, "replace", replacing)
    root = tmp_path / "store"
    Store(root).run([ROOMS], pages(), jobs=1)
    assert finished.index(("name", root / "store.json")) < finished.index(("sync", root))
    manifest = finished.index(("name", root / "snapshots/000000/manifest.json"))
    files = [
        path
        for kind, path in finished
        if kind == "name" and path.suffix in {".parquet", ".columns"}
    ]
    assert len(files) >= 8
    for path in files:
        assert ("sync", path.parent) in finished[finished.index(("name", path)) : manifest]
    tops = {root / path.relative_to(root).parts[0] for path in files}
    for path in (root / "snapshots/000000", *tops, root):
        assert ("sync", path) in finished[manifest:]


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A server that counts its requests."""
    started = S3(tmp_path_factory.mktemp("s3") / "log")
    yield started
    started.end()


def asked(server, work) -> list[tuple[str, str]]:
    """The requests of some work, without their parameters."""
    before = len(server.requests())
    work()
    return [(method, address.partition("?")[0]) for method, address in server.requests()[before:]]


def test_each_object_of_a_run_is_written_with_one_request(counted):
    store = Store(counted.uri("writes"))
    for day in range(3):
        requests = asked(counted, lambda d=day: store.run([ROOMS], pages(d), jobs=1))
        written = [address for method, address in requests if method in {"PUT", "POST"}]
        assert len(written) == len(set(written))
        assert {method for method, _ in requests} <= {"PUT", "GET", "HEAD", "DELETE"}


def test_neighbouring_texts_are_read_with_one_request(counted, monkeypatch):
    monkeypatch.setattr(intake, "_partitions", lambda *_: 1)
    store = Store(counted.uri("reads"))
    # Texts that can't be compressed, in a dozen groups.
    texts = {f"{number}": random.Random(number).randbytes(50_000).hex() for number in range(30)}
    store.run([ROOMS], texts, jobs=1)
    size = store.place.size("texts/000000/0000.parquet")
    assert size > 1_400_000
    requests = asked(counted, lambda: [page.text for page in store.pages()])
    reads = [method for method, address in requests if address.endswith(".parquet")]
    # What is in the file, and all groups together.
    assert reads.count("HEAD") == 1
    assert reads.count("GET") <= 3
    assert {page.id: page.text for page in store.pages()} == texts


def test_what_could_not_be_written_to_the_end_is_not_there(counted):
    place = Place(counted.uri("whole"))

    def fail_halfway():
        with place.writing("a/b") as stream:
            stream.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_halfway()
    assert not place.exists("a/b")
    with place.writing("a/b") as stream:
        stream.write(bytes(9_000_000))
    assert place.read("a/b") == bytes(9_000_000)
