"""What the tests of `rowen.recycling.verification` share: pages, extractors and a fixed budget."""

import json
import re
import time
from pathlib import Path

import numpy as np

import rowen
from rowen import Page, Records, Segments, Store
from rowen.recycling.verification.budget import Check, Copied, Price, choose_within
from rowen.recycling.verification.rotation import State
from rowen.storage.place import Place
from rowen.storage.snapshots.columns import read_raw

NIGHTS = 60


SECOND = Price(1e-3, 0.0, 0.0)
"""A page of a thousand characters takes a second."""


def places(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)


def copied(where, pages=None, *, changed=(), sizes=None, held=None) -> Copied:
    count = len(where)
    return Copied(
        where,
        np.full(count, 1000, np.int64) if sizes is None else sizes,
        np.arange(count) if pages is None else pages,
        np.array(changed, np.intp),
        np.ones(count, np.bool_) if held is None else held,
    )


def stored_and_read(state: State) -> State:
    return State.of(json.loads(json.dumps(state.to_dict())))


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
        match = re.search(r"first (\d)", page.text)
        wide = int(match[1]) if match else 0
        spans = [match.span() for match in re.finditer(r"CS \d+", page.text)]
        return Records(rowen.Record(page, {"room": (a, b + wide)}) for a, b in spans)


def record_files(store: Path, number: int = 0) -> dict[str, bytes]:
    """What the files of records of a snapshot hold: the same bytes for the same records."""
    folder = f"snapshots/{number:06}"
    names = [file.stem for file in (store / folder).glob("records-*")]
    return {name: read_raw(Place(store), folder, name) or b"" for name in names}


def run(store: Path, crew, snapshot, **options):
    return Store(store).run(crew, snapshot, **{"matcher": "line", "jobs": 1, **options})


def changing(least: int, locality=None, **options):
    @rowen.extractor(name="changing", locality=locality or Segments("\n"), **options)
    def find(text):
        for match in re.finditer(r"CS \d+", text):
            if int(match[0][3:]) >= least:
                yield {"room": match.span()}

    return find


def failing(how):
    @rowen.extractor(name="failing", version="1", locality=Segments("\n"))
    def find(_text):
        if how == "raises":
            raise ValueError("no")
        if how == "sleeps":
            time.sleep(60)
        yield {"all": (0, 1)}

    return find


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
            rowen.Record(page, {"room": match.span()})
            for match in re.finditer(r"CS \d+", page.text)
        )


class Here:
    """Works in this process, so that calls can be counted."""

    def outcomes(self, tasks, _tick=None):
        from rowen.recycling.partition import work

        for task in tasks:
            yield work(task)


def nightly(monkeypatch, seconds: float) -> list[tuple[bool, Check]]:
    """Have runs spend so much, whatever the machine does; gives what they choose."""
    chosen: list[tuple[bool, Check]] = []

    def choose(state, candidates, _price, _seconds, *, in_parts):
        assert candidates.held[candidates.changed].all()
        check = choose_within(state, candidates, SECOND, seconds, in_parts=in_parts)
        chosen.append((bool(candidates.held[check.pages].all()), check))
        return check

    def settled(_state, _check, _spent):
        """By the estimate, which is exact here."""

    monkeypatch.setattr("rowen.recycling.verification.selection.choose_within", choose)
    monkeypatch.setattr("rowen.recycling.preparation.settle", settled)
    return chosen


def coming_and_going(night: int) -> list[Page]:
    """Some pages come and go, some change, and the rest stay as they are."""
    numbers = {*range(30), *range(40 + night % 5, 60, 3)}
    changed = range(30, 36)
    return [
        Page(
            f"first {night % 10 if number in changed else 0} of page\n"
            + "".join(f"room CS {room} of {number}; is there\n" for room in range(30)),
            id=f"{number}",
        )
        for number in (*numbers, *changed)
    ]
