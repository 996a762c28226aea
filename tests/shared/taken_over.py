"""A worker that has been taken over: it writes to its socket what it likes."""

import json
import os
import pickle
import time
from collections.abc import Mapping
from typing import Literal

from rowen.workers import Work
from rowen.workers.frames import PREFIX, Frame, packed


class Bomb:
    """What runs a command where it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def frame(name, data, *blobs):
    return b"".join(packed(Frame(name, data, blobs)))


def raw(head, blobs=b"", *, length=None, blob_length=None):
    written = json.dumps(head).encode() if not isinstance(head, bytes) else head
    prefix = PREFIX.pack(
        len(written) if length is None else length,
        len(blobs) if blob_length is None else blob_length,
    )
    return prefix + written + blobs


ANSWERS = {
    "nothing": lambda _: b"",
    "zeros": lambda _: bytes(1000),
    "noise": lambda _: bytes(range(256)) * 40,
    "pickle": lambda path: pickle.dumps(Bomb(path)),
    "pickle with its length": lambda path: _prefixed(pickle.dumps(Bomb(path))),
    "pickle as a head": lambda path: raw(pickle.dumps(Bomb(path))),
    "pickle as a blob": lambda path: frame("done", 0, pickle.dumps(Bomb(path))),
    "huge head": lambda _: PREFIX.pack(2**32 - 1, 0) + bytes(10_000),
    "huge blobs": lambda _: PREFIX.pack(10, 2**64 - 1) + bytes(10_000),
    "head of another length": lambda _: raw(["done", [1], []], length=3),
    "blobs of other lengths": lambda _: raw(["done", 0, [5]], b"abc"),
    "negative lengths": lambda _: raw(["done", 0, [-1, 4]], b"abc"),
    "lengths that are no numbers": lambda _: raw(["done", 0, [True, "2"]], b"abc"),
    "many lengths": lambda _: raw(["done", 0, [0] * 100_000]),
    "no list": lambda _: raw({"done": 1}),
    "no name": lambda _: raw([1, 2, []]),
    "unknown name": lambda _: frame("exec", "import os"),
    "ready again": lambda _: frame("ready", [True, 7, True]),
    "deep": lambda _: raw(b"[" * 500_000),
    "long number": lambda _: raw(b"[" + b"9" * 500_000 + b",0,[]]"),
    "not a number": lambda _: raw(b'["more",NaN,[]]'),
    "infinite": lambda _: raw(b'["more",1e999,[]]'),
    "forever": lambda _: frame("more", 1e15),
    "a little too long": lambda _: frame("more", 31.0),
    "backwards": lambda _: frame("more", -1.0),
    "a text for a time": lambda _: frame("more", "10"),
    "another type": lambda _: frame("done", "text"),
    "too many fields": lambda _: frame("done", [0, 0], b"a", b"b"),
    "a blob twice": lambda _: frame("done", {"a": 0, "b": 0}, b"a"),
    "a blob too many": lambda _: frame("done", {"a": 0}, b"a", b"b"),
    "another key": lambda _: frame("done", {"z": 0}, b"a"),
    "unknown error": lambda _: frame("failed", ["Failed", ["SystemExit", "a", {}, []]]),
    "private error": lambda _: frame("failed", ["Failed", ["__class__", "a", {}, []]]),
    "error of a store": lambda _: frame("failed", ["Failed", ["StoreError", "a", {}, []]]),
    "odd attribute": lambda _: frame(
        "failed", ["Failed", ["InputError", "a", {"exit_code": "1"}, []]]
    ),
    "many questions": lambda _: frame("question", 1) * 1000,
    "much time": lambda _: frame("more", 1.0) * 1000,
    "no UTF-8": lambda _: raw(b'["done","\xff",[]]'),
}  # fmt: skip


def _prefixed(content):
    return len(content).to_bytes(4, "big") + content


def write(task, asker):
    """Write an answer in place of the one that is due, in a way of one's own."""
    name, detail = task
    end = asker._channel._end.fileno()
    if name == "close":
        os.close(end)
        time.sleep(60)
    elif name == "half":
        os.write(end, frame("done", {"a": 0}, b"x" * 1000)[:-1])
        time.sleep(60)
    elif name == "dribble":
        _slowly(end, frame("done", {"a": 0}, b"x" * 100_000), 0.01)
    elif name == "drops":
        _slowly(end, frame("done", {"a": 0}, b"x" * 10_000_000), 0.0)
    elif name == "endless":
        _endlessly(end, bytes(65536))
    elif name == "endless messages":
        _endlessly(end, frame("question", 1))
    elif name == "announced and endless":
        os.write(end, PREFIX.pack(1000, 2**30 - 1))
        _endlessly(end, bytes(65536))
    elif name == "twice":
        answer = frame("done", {"a": 0}, b"first")
        os.write(end, answer + answer)
        time.sleep(60)
    elif name == "good":
        return {"a": detail.encode()}
    else:
        _all(end, ANSWERS[name](detail))
        time.sleep(60)
    return {}


def _all(end, content):
    view = memoryview(content)
    while view:
        try:
            view = view[os.write(end, view) :]
        except BlockingIOError:
            time.sleep(0.001)


def _slowly(end, content, pause):
    for place in range(len(content)):
        _all(end, content[place : place + 1])
        if pause:
            time.sleep(pause)


def _endlessly(end, content):
    while True:
        _all(end, content)


TAKEN_OVER = Work(
    do=write,
    task=tuple[str, str],
    result=Mapping[Literal["a", "b"], bytes],
    question=int,
    reply=None,
    longest=30.0,
)
