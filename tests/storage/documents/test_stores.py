"""Every kind of store does what a simple one in memory does; and what is special to some."""

import os
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from threading import Event
from time import monotonic, sleep

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    rule,
    run_state_machine_as_test,
)
from pyarrow import fs
from redis_server import Valkey
from s3_server import S3

from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.storage.documents.copies import Copies
from rowen.storage.documents.guard import Guard, budget
from rowen.storage.documents.object_documents import ObjectDocuments
from rowen.storage.documents.object_results import ObjectResults
from rowen.storage.documents.redis import SharedRedis
from rowen.storage.documents.redis_results import RedisResults
from rowen.storage.documents.sqlite import EmbeddedStore
from rowen.storage.documents.store import Result, SavedExtractor, Setback, SplitStore, Usage
from rowen.storage.place import Place

KINDS = ["embedded", "embedded+redis", "folder", "folder+redis", "s3", "s3+redis"]


@pytest.fixture(scope="module")
def s3():
    pytest.importorskip("moto.server", reason="the local S3 server is not installed")
    server = S3()
    yield server
    server.end()


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    server = Valkey(tmp_path_factory.mktemp("redis") / "valkey")
    shared = SharedRedis(server.url)
    yield shared
    shared.close()
    server.kill()


@pytest.fixture
def make(request, tmp_path):
    """Makes stores: those of one name share what can be shared; each has a folder of its own."""
    opened = []

    def begin(kind, name="shared"):
        where, _, cached = kind.partition("+")
        scratch = tmp_path / f"data{len(opened)}"
        if where == "embedded":
            documents = results = EmbeddedStore(scratch)
        else:
            uri = (
                tmp_path / name
                if where == "folder"
                else request.getfixturevalue("s3").uri(f"{tmp_path.name}/{name}")
            )
            documents = ObjectDocuments(Place(uri), scratch, realm="r")
            results = ObjectResults(Place(uri), realm="r")
        opened.append(documents)
        if cached:
            results = RedisResults(
                request.getfixturevalue("redis"), realm=f"{tmp_path.name}-{name}"
            )
        return documents if documents is results else SplitStore(documents, results)

    yield begin
    for store in opened:
        store.close()


def add(store, data, *, key=None):
    draft = store.draft()
    try:
        draft.write(data)
        return store.keep(draft, media_type="text/plain", name="a.txt", key=key)
    finally:
        draft.discard()


def read(store, document):
    with store.reading(document) as path:
        return path.read_bytes()


CONTENTS = st.sampled_from([b"a", b"bb", b"ccc"])
STAGES = st.sampled_from(["text", "citations", "records abc", "records def"])
VERSIONS = st.sampled_from(["1", "2"])
KEYS = st.sampled_from([None, None, "k", "l"])
NAMES = st.sampled_from(["a", "b" * 255])


class Model(RuleBasedStateMachine):
    """Does everything twice: with the store, and with dictionaries."""

    store = None
    ids = Bundle("ids")

    def __init__(self):
        super().__init__()
        self.documents, self.keys, self.results, self.setbacks = {}, {}, {}, {}
        self.extractors, self.older = {}, {}

    def holders(self, digest):
        return {document.id for document in self.documents.values() if document.digest == digest}

    @rule(target=ids, content=CONTENTS, key=KEYS)
    def add(self, content, key):
        earlier = self.documents.get(self.keys.get(key))
        if earlier is not None:
            if earlier.digest == sha256(content).hexdigest():
                assert add(self.store, content, key=key) == earlier
            else:
                with pytest.raises(UsageError):
                    add(self.store, content, key=key)
            return earlier
        document = add(self.store, content, key=key)
        assert document.id not in self.documents
        self.documents[document.id] = document
        if key is not None:
            self.keys[key] = document.id
        return document

    @rule(document=ids)
    def look(self, document):
        stored = self.documents.get(document.id)
        assert self.store.document(document.id) == stored
        if stored is not None:
            content = read(self.store, document)
            assert sha256(content).hexdigest() == stored.digest

    @rule(key=st.sampled_from(["k", "l"]))
    def by_key(self, key):
        assert self.store.by_key(key) == self.documents.get(self.keys.get(key))

    @rule()
    def usage(self):
        sizes = [document.size for document in self.documents.values()]
        also = [len(extractor.content) for extractor in self.extractors.values()]
        assert self.store.usage() == Usage(len(sizes), sum(sizes) + sum(also))

    @rule(document=consumes(ids))
    def delete(self, document):
        stored = self.documents.pop(document.id, None)
        assert self.store.delete(document.id) == (stored is not None)
        assert self.store.document(document.id) is None
        if not self.holders(document.digest):
            for table in (self.results, self.setbacks, self.older):
                for key in [key for key in table if key[0] == document.digest]:
                    del table[key]

    @rule(document=ids, stage=STAGES, version=VERSIONS, content=CONTENTS)
    def put_results(self, document, stage, version, content):
        forms = {"json": content, "text": content * 2}
        self.store.put_results(document, stage, version, forms)
        if self.holders(document.digest):
            others = [key for key in self.results if key[:2] == (document.digest, stage)]
            for key in others:
                self.older[key] = self.results.pop(key)
            self.results[document.digest, stage, version] = forms

    @rule(document=ids, stage=STAGES, version=VERSIONS)
    def result(self, document, stage, version):
        expected = self.results.get((document.digest, stage, version))
        for form in ("json", "text", "xml"):
            result = self.store.result(document.digest, stage, form, version)
            if expected is None or form == "xml":
                older = self.older.get((document.digest, stage, version), {})
                assert result is None or result.content == older[form]  # it need not be forgotten
            else:
                assert result.content == expected[form]
                assert result.source in self.holders(document.digest)

    @rule(document=ids, version=VERSIONS, count=st.integers(1, 2))
    def put_setback(self, document, version, count):
        setback = Setback(count, "why", final=count > 1)
        self.store.put_setback(document, version, setback)
        if document.id in self.documents:
            self.setbacks[document.digest, version] = setback

    @rule(document=ids, version=VERSIONS)
    def setback(self, document, version):
        expected = self.setbacks.get((document.digest, version))
        assert self.store.setback(document.digest, version) == expected

    @rule(name=NAMES, content=st.sampled_from(["x", "y"]))
    def put_extractor(self, name, content):
        extractor = SavedExtractor(name, "toml", content, "digest")
        assert self.store.put_extractor(extractor) == (name not in self.extractors)
        self.extractors[name] = extractor

    @rule(name=NAMES)
    def delete_extractor(self, name):
        assert self.store.delete_extractor(name) == (name in self.extractors)
        self.extractors.pop(name, None)

    @rule(name=NAMES)
    def extractor(self, name):
        assert self.store.extractor(name) == self.extractors.get(name)
        assert self.store.extractors() == sorted(self.extractors)

    @rule()
    def check(self):
        self.store.check()


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_does_what_one_in_memory_does(make, kind):
    runs = iter(range(1_000_000))

    class Run(Model):
        def __init__(self):
            super().__init__()
            self.store = make(kind, name=f"run{next(runs)}")

    few = settings(
        max_examples={"embedded": 30, "folder": 15, "s3": 5}[kind.partition("+")[0]],
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Run, settings=few)


def left(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "reserve")
    return sorted(str(path.relative_to(folder)) for path in files)


def test_services_that_share_documents_lose_none_while_others_are_deleted(make, tmp_path):
    stores = [make("folder"), make("folder")]
    chance = random.Random(6)
    documents, failures = [], []

    def come_and_go(store, seed):
        chance = random.Random(seed)
        for _ in range(25):
            document = add(store, b"the same")
            if chance.random() < 0.8:
                assert store.delete(document.id)
            else:
                documents.append(document)

    with ThreadPoolExecutor(4) as threads:
        for future in [threads.submit(come_and_go, stores[n % 2], n) for n in range(4)]:
            future.result()
    assert documents
    for document in documents:
        assert read(chance.choice(stores), document) == b"the same"
        assert stores[0].document(document.id) == document
    for document in documents:
        assert chance.choice(stores).delete(document.id)
    assert left(tmp_path / "shared") == failures


@pytest.mark.parametrize("kind", ["folder", "s3"])
def test_a_key_makes_one_document_also_at_two_services(make, kind):
    stores = [make(kind), make(kind)]
    with ThreadPoolExecutor(2) as threads:
        together = [threads.submit(add, store, b"abc", key="k") for store in stores]
        assert together[0].result() == together[1].result()


@pytest.mark.parametrize("kind", ["folder+redis", "s3", "s3+redis"])
def test_services_see_what_others_did(make, kind):
    first, second = make(kind), make(kind)
    document = add(first, b"abc" * 1000)
    assert second.document(document.id) == document
    assert read(second, document) == b"abc" * 1000
    first.put_results(document, "text", "1", {"text": b"found"})
    assert second.result(document.digest, "text", "text", "1") == Result(b"found", document.id)
    second.put_extractor(SavedExtractor("a", "toml", "x", "1"))
    assert first.extractors() == ["a"]
    second.delete(document.id)
    assert first.document(document.id) is None
    assert first.result(document.digest, "text", "text", "1") is None
    with pytest.raises(FileNotFoundError), first.reading(document):
        pass


class Killed(BaseException):
    """What comes after it is not done."""


class MortalPlace(Place):
    """One whose service dies after so many steps."""

    steps = None

    def _step(self):
        if self.steps is not None:
            if self.steps == 0:
                raise Killed
            self.steps -= 1

    def read(self, name):
        self._step()
        return super().read(name)

    def names(self, folder):
        self._step()
        return super().names(folder)

    def size(self, name):
        self._step()
        return super().size(name)

    @contextmanager
    def writing(self, name):
        self._step()
        with super().writing(name) as stream:
            yield stream
            self._step()

    def delete(self, name):
        self._step()
        super().delete(name)

    def remove(self, folder):
        self._step()
        super().remove(folder)


def keep(store, documents):
    documents.append(add(store, b"new"))


def keep_equal(store, documents):
    documents.append(add(store, b"abc"))


def keep_by_key(store, documents):
    documents.append(add(store, b"new", key="k"))


def delete(store, documents):
    store.delete(documents.pop().id)


def delete_equal(store, documents):
    store.delete(documents.pop(0).id)


@pytest.mark.parametrize("act", [keep, keep_equal, keep_by_key, delete, delete_equal])
def test_what_a_killed_service_leaves_is_cleaned_up(tmp_path, monkeypatch, act):
    for steps in range(100):
        folder = tmp_path / str(steps)
        place = MortalPlace(folder / "shared")
        dying = ObjectDocuments(place, folder / "dying", realm="r")
        documents = [add(dying, data, key=data.hex()) for data in (b"abc", b"abc ", b"def")]
        documents[1:1] = [add(dying, b"abc")]
        place.steps = steps
        try:
            act(dying, documents)
            survived = True
        except Killed:
            survived = False
        dying.close()
        with monkeypatch.context() as later:
            later.setattr("rowen.storage.documents.object_homes.ARRIVAL_SECONDS", -1.0)
            after = ObjectDocuments(Place(folder / "shared"), folder / "after", realm="r")
        for document in documents:
            assert after.document(document.id) == document
            assert sha256(read(after, document)).hexdigest() == document.digest
        for file in (folder / "shared").rglob("documents/*/*.json"):
            if "contents" not in str(file):
                assert after.delete(file.stem)  # also one that nobody has heard of
        names = [name for name in left(folder / "shared") if "/keys/" not in name]
        assert names == [], f"after {steps} steps"
        after.close()
        if survived:
            break
    assert 10 < steps < 99


def test_damaged_bytes_are_never_given(make, s3, tmp_path):
    store = make("s3")
    document = add(store, b"abc")
    place = Place(s3.uri(f"{tmp_path.name}/shared"))
    (home,) = place.names(f"tenants/r/contents/{document.digest[:2]}/{document.digest}")
    name = f"tenants/r/contents/{document.digest[:2]}/{document.digest}/{home}/file"
    with place.writing(name) as stream:
        stream.write(b"abd")
    with pytest.raises(StoreError, match="damaged"), store.reading(document):
        pass


def test_copies_make_room_but_not_while_they_are_read(tmp_path):
    copies = Copies(tmp_path / "copies", most=10)
    fetched = []

    def reading(content):
        def fetch(path):
            fetched.append(content)
            path.write_bytes(content)

        return copies.reading(sha256(content).hexdigest(), fetch)

    with reading(b"a" * 6) as first:
        with reading(b"b" * 6) as second:
            assert first.read_bytes() == b"a" * 6
        assert not second.exists()
        with reading(b"a" * 6) as copy:
            assert copy == first
    assert first.exists()
    with reading(b"c" * 3), reading(b"a" * 6):
        pass
    assert fetched == [b"a" * 6, b"b" * 6, b"c" * 3]


def test_storage_that_is_gone_is_reported_without_its_address(s3, tmp_path, make):
    store = make("s3")
    document = add(store, b"abc")
    documents = ObjectDocuments(Place(s3.uri(tmp_path.name)), tmp_path / "own", realm="r")
    documents._files._place.files.system = fs.S3FileSystem(
        endpoint_override="http://127.0.0.1:1", scheme="http",
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=1),
    )  # fmt: skip
    with pytest.raises(StoreError, match="^documents can't be stored or read now$"):
        documents.document(document.id)
    with pytest.raises(StoreError, match="^documents can't be stored or read now$"):
        documents.check()
    documents.close()


def test_a_full_disk_is_reported(small_disk, tmp_path):
    documents = ObjectDocuments(Place(small_disk), tmp_path / "own", realm="r")
    document = add(documents, b"first")
    with pytest.raises(OutputError, match="disk is full"):
        add(documents, os.urandom(2 * 1024 * 1024))
    assert read(documents, document) == b"first"
    documents.close()


def test_all_can_be_deleted_from_a_full_disk(small_disk, tmp_path):
    documents = ObjectDocuments(Place(small_disk / "shared"), tmp_path / "own", realm="r")
    stored = [add(documents, os.urandom(20_000)) for _ in range(8)]
    with (small_disk / "others").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(512)):
            pass
    with pytest.raises(OutputError, match="full"):
        documents.check()
    for document in stored:
        assert documents.delete(document.id)
        assert documents.document(document.id) is None
    documents.check()
    assert add(documents, b"again")
    documents.close()


@contextmanager
def hanging(place):
    """While it lasts, what the place is asked for is not answered."""
    ended = Event()
    real_read, place.read = place.read, lambda _: ended.wait()
    try:
        yield
    finally:
        ended.set()
        place.read = real_read


def test_storage_that_hangs_is_not_waited_for_twice(tmp_path, monkeypatch):
    monkeypatch.setattr("rowen.storage.documents.guard.STORE_SECONDS", 0.3)
    monkeypatch.setattr("rowen.storage.documents.guard.STORE_REST_SECONDS", 0.3)
    place, guard = Place(tmp_path / "shared"), Guard()
    documents = ObjectDocuments(place, tmp_path / "own", realm="r", guard=guard)
    document = add(documents, b"abc")
    with hanging(place):
        for least, most in ((0.3, 2.0), (0.0, 0.25)):
            begun = monotonic()
            with pytest.raises(StoreError, match="does not answer"):
                documents.document(document.id)
            assert least <= monotonic() - begun < most
    sleep(0.4)
    assert documents.document(document.id) == document
    documents.close()


def test_all_steps_of_a_request_have_their_time_together(tmp_path):
    place = Place(tmp_path / "shared")
    documents = ObjectDocuments(place, tmp_path / "own", realm="r")
    document = add(documents, b"abc")
    real_read = place.read
    place.read = lambda name: [sleep(0.1), real_read(name)][1]
    begun = monotonic()
    with budget(0.35), pytest.raises(StoreError, match="does not answer"):  # noqa: PT012
        while True:
            documents.document(document.id)
    assert 0.3 < monotonic() - begun < 2
    assert documents.document(document.id) == document, "slow is not hung"
    documents.close()


@pytest.mark.parametrize("kind", ["folder"])
def test_whatever_is_changed_of_a_document_on_its_storage_is_noticed(make, kind, tmp_path):
    store = make(kind)
    document = add(store, b"the bytes")
    store.put_results(document, "text", "1", {"text": b"found"})
    chance = random.Random(6)
    for path in sorted((tmp_path / "shared").rglob("*")):
        if not path.is_file() or path.name == "reserve":
            continue
        content = path.read_bytes()
        for _ in range(20 if content else 0):
            changed = bytearray(content)
            changed[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
            path.write_bytes(changed)
            with suppress(StoreError):
                assert store.document(document.id) == document
            with suppress(StoreError):
                assert read(store, document) == b"the bytes"
            with suppress(StoreError):
                result = store.result(document.digest, "text", "text", "1")
                assert result is None or result.content == b"found"
        path.write_bytes(content)
    assert read(store, document) == b"the bytes"
