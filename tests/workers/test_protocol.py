"""Frames and schemas: what was sent comes back, and nothing else does."""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.model.errors import DocumentError, NoConsistentWrapper, RowenError
from rowen.service.reading import WORK as SERVICE
from rowen.service.reading import Check, Read, Search, Show, received
from rowen.studio.tasks import WORK as STUDIO
from rowen.workers.confinement import Confinement
from rowen.workers.failures import Failed, error_of, failure_of
from rowen.workers.frames import Bounds, Channel, Frame, GoneError, LateError, packed
from rowen.workers.schema import Blobs, ProtocolError, schema_of
from rowen.workers.work import Messages

EXAMPLES = 20_000 if os.environ.get("ROWEN_EXPLORE") else 100
BOUNDS = Bounds(10_000, 10_000)


@dataclass(frozen=True)
class Leaf:
    number: int
    text: str | None
    content: bytes


@dataclass(frozen=True)
class Tree:
    leaves: tuple[Leaf, ...]
    named: Mapping[Literal["a", "b"], float]
    either: Leaf | str | None
    pairs: list[tuple[int, bool]]
    anything: dict[str, Any]


MESSAGES = Messages({"tree": Tree, "leaf": Leaf, "nothing": None, "bytes": bytes})

texts = st.text(st.characters(), max_size=20)  # lone surrogates, too
numbers = st.integers(-(2**63), 2**63)
leaves = st.builds(Leaf, numbers, st.none() | texts, st.binary(max_size=50))
plain = st.recursive(
    st.none() | st.booleans() | numbers | texts | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
finite = st.floats(-1e15, 1e15)
trees = st.builds(
    Tree,
    st.lists(leaves, max_size=4).map(tuple),
    st.dictionaries(st.sampled_from("ab"), finite),
    leaves | texts | st.none(),
    st.lists(st.tuples(numbers, st.booleans()), max_size=3),
    st.dictionaries(texts, plain, max_size=3),
)


def heard(content, bounds=BOUNDS):
    """What one who listens hears of some bytes, before nobody is there any more."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(content)
        theirs.close()
        return Channel(ours, bounds).receive(monotonic() + 60)


@given(trees)
@settings(max_examples=EXAMPLES, deadline=None)
def test_what_was_sent_comes_back(tree):
    frame = heard(b"".join(MESSAGES.pack("tree", tree)), Bounds(2**20, 2**20))
    assert MESSAGES.value(frame) == tree


@given(st.binary(max_size=300))
@settings(max_examples=EXAMPLES, deadline=None)
def test_any_bytes_are_a_message_or_a_clean_error(content):
    with suppress(ProtocolError, GoneError):
        MESSAGES.value(heard(content))


@given(trees, st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_messages_with_changed_bytes_are_messages_or_clean_errors(tree, data):
    content = bytearray(b"".join(MESSAGES.pack("tree", tree)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[place] = data.draw(st.integers(0, 255))
        else:
            content[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
        content = content or bytearray(1)
    try:
        value = MESSAGES.value(heard(bytes(content), Bounds(2**20, 2**20)))
    except (ProtocolError, GoneError):
        return
    assert isinstance(value, Tree | Leaf | bytes | None)


@given(st.sampled_from(["ready", "more", "question", "done", "failed", "full", "task"]), plain)
@settings(max_examples=EXAMPLES, deadline=None)
@pytest.mark.parametrize("work", [SERVICE, STUDIO], ids=["service", "studio"])
def test_any_data_is_what_the_service_expects_or_a_clean_error(work, name, data):
    with suppress(ProtocolError):
        work.from_worker.value(Frame(name, data))


contents = st.dictionaries(
    st.sampled_from(["text", "header", "citations", "body", "records", "report", "version"]),
    st.dictionaries(
        st.sampled_from(
            ["text", "xml", "tei", "json", "jsonl", "bibtex", "csl", "html", "profile"]
        ),
        st.sampled_from([b"", b"text", b"\xff", bytes(48), bytes(56)]),
    ),
)
tasks = st.sampled_from(
    [Read("a", "b"), Read("a", "b", b"key", near=True), Search(None, "a", "b", "c"),
     Check("a", "b"), Show("a", "b")]
)  # fmt: skip


@given(tasks, contents)
@settings(max_examples=EXAMPLES, deadline=None)
def test_stages_are_those_that_were_asked_for(task, stages):
    try:
        assert received(task, stages) == stages
    except ValueError:
        return
    match task:
        case Read():
            assert "text" in stages
        case Search():
            assert set(stages["records"]) == {"json", "jsonl"}
        case Show():
            assert set(stages) == {"report"}
        case Check():
            stages["version"]["text"].decode()


def test_a_length_is_refused_before_anything_is_read():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall((2**31).to_bytes(4, "big") + bytes(8))
        with pytest.raises(ProtocolError, match="too large"):
            Channel(ours, BOUNDS).receive(monotonic() + 60)


def test_descriptors_are_not_taken_where_nobody_asked_for_them(tmp_path):
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None  # noqa: PTH112, PTH208
    ours, theirs = socket.socketpair()
    with ours, theirs, (tmp_path / "a").open("w") as file:
        content = b"".join(MESSAGES.pack("nothing"))
        socket.send_fds(theirs, [content], [file.fileno()] * 10)
        assert MESSAGES.value(Channel(ours, BOUNDS).receive(monotonic() + 60)) is None
    if before is not None:
        assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_one_who_never_reads_is_late():
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(LateError):
        Channel(ours, BOUNDS).send([bytes(10_000_000)], until=monotonic() + 0.2)


@pytest.mark.parametrize("kind", [set[int], object, complex, int | bytes, list[object]])
def test_other_types_are_no_messages(kind):
    with pytest.raises(TypeError):
        schema_of(kind)


@given(texts, texts)
def test_errors_come_back_as_they_were_but_for_what_steers_a_screen(page, reason):
    error = error_of(failure_of(DocumentError(page, reason)))
    assert type(error) is DocumentError
    if page.isprintable() and reason.isprintable():
        assert (error.page, error.reason, str(error)) == (page, reason, f"{page}: {reason}")
    assert str(error).isprintable()
    assert isinstance(error.reason.encode(), bytes)  # no lone surrogates


def test_errors_keep_what_their_class_has():
    error = error_of(failure_of(NoConsistentWrapper("because", field="a", pages=("b", "c"))))
    assert (error.field, error.pages, error.reason) == ("a", ("b", "c"), "because")
    assert error.exit_code == 3


def test_errors_that_are_not_listed_are_reported_like_their_base():
    class OwnError(DocumentError):
        pass

    assert type(error_of(failure_of(OwnError("a", "b")))) is DocumentError
    assert type(error_of(failure_of(RowenError("a")))) is RuntimeError


def test_texts_of_errors_are_bounded():
    failure = Failed("InputError", "x" * 10**6, {"reason": "y" * 10**6}, ("z",) * 10**5)
    assert len(str(error_of(failure))) <= 10_000


def test_what_is_in_force_for_all_is_the_least():
    both = Confinement(seccomp=True, landlock=7, memory=True) & Confinement(
        seccomp=False, landlock=3, memory=True
    )
    assert both == Confinement(seccomp=False, landlock=3, memory=True)


def test_a_frame_of_many_blobs_is_sent_whole():
    blobs = tuple(bytes([number % 256]) * number for number in range(2000))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        from threading import Thread

        frame = packed(Frame("bytes", None, blobs))
        sending = Thread(target=lambda: Channel(theirs, BOUNDS).send(frame, until=monotonic() + 60))
        sending.start()
        got = Channel(ours, Bounds(2**20, 2**30)).receive(monotonic() + 60)
        sending.join()
    assert got.blobs == blobs
    assert Blobs([]).finish() is None


def test_an_end_that_is_closed_is_not_taken_for_a_message():
    ours, theirs = socket.socketpair()
    with ours:
        channel = Channel(ours, BOUNDS)
        with theirs:
            assert channel.is_quiet
        with pytest.raises(GoneError):
            _ = channel.is_quiet


def test_a_message_is_noticed_though_its_sender_is_gone_and_stays_to_be_read():
    ours, theirs = socket.socketpair()
    with ours:
        channel = Channel(ours, BOUNDS)
        with theirs:
            theirs.sendall(b"".join(packed(Frame("nothing", None))))
            assert not channel.is_quiet
        assert not channel.is_quiet
        assert channel.receive(monotonic() + 60) == Frame("nothing", None)
