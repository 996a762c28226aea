"""Nights that die in the middle, at any file that they write or remove, equal a rebuild."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from here import Here
from s3_server import S3
from verifying import record_files

from rowen import Page, Pattern, Segments, Store, extractor
from rowen.recycling import intake
from rowen.recycling import run as runs
from rowen.storage.place import Place
from rowen.storage.snapshots import texts

ROOMS = Pattern(r"(?P<room>CS \d{3})", name="rooms")


@extractor(name="lines", version="1", locality=Segments("\n"))
def lines(text: str) -> Iterator[dict[str, tuple[int, int]]]:
    start = 0
    for line in text.split("\n"):
        if len(line) % 2:
            yield {"line": (start, start + len(line))}
        start += len(line) + 1


class Died(BaseException):  # says what it is
    pass


@contextmanager
def dying(after: int) -> Iterator[None]:
    """Whoever writes or removes a file after so many others dies, and cleans nothing up."""
    left = after

    def fatal(name: str):
        whole = getattr(Place, name)

        def some(*arguments):
            nonlocal left
            left -= 1
            if left < 0:
                raise Died
            return whole(*arguments)

        return patch.object(Place, name, some)

    with (
        fatal("writing"),
        fatal("remove"),
        patch.object(runs, "remove_files", lambda *_: None),
    ):
        yield


def nights(chance: random.Random) -> list[dict[str, str]]:
    """Edits, copies, renamed pages, and pages that come back."""

    def line() -> str:
        return f"room CS {chance.randint(100, 999)}" + "!" * chance.randint(0, 3)

    pages = {f"p{number}": "\n".join(line() for _ in range(40)) for number in range(12)}
    made = [pages]
    for _ in range(4):
        pages = dict(pages)
        for page in chance.sample(sorted(pages), 4):
            parts = pages[page].split("\n")
            parts[chance.randrange(len(parts))] = line()
            pages[page] = "\n".join(parts)
        pages[f"copy{len(made)}"] = pages["p1"]
        pages["p2"] = chance.choice(made)["p2"]
        pages[f"renamed{len(made)}"] = pages.pop(min(pages))
        made.append(pages)
    return made


def run(store: Store, pages: dict[str, str]) -> None:
    incoming = [Page(text, id=page) for page, text in pages.items()]
    store.run([ROOMS, lines], incoming, engine=Here(), allow_shrink=1)


def live_through(store: Store, seed: int, compare) -> None:
    chance = random.Random(seed)
    kept: list[tuple[int, dict[str, str]]] = []
    for pages in nights(chance):
        for _ in range(3):
            try:
                with dying(chance.randint(0, 14)):
                    run(store, pages)
            except Died:
                assert [each.number for each in store.snapshots()] == [each for each, _ in kept]
            else:
                break
        else:
            run(store, pages)
        kept.append((store.snapshot().number, pages))
        if chance.random() < 0.4:
            try:
                with dying(chance.randint(0, 8)):
                    store.drop(keep=2)
            except Died:
                pass
            left = {each.number for each in store.snapshots()}
            kept = [each for each in kept if each[0] in left]
        for number, expected in kept:
            assert {page.id: page.text for page in store.pages(number)} == expected
    for number, expected in kept:
        compare(number, expected)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(intake, "_partitions", lambda *_: 2)
    monkeypatch.setattr(texts, "LEAST_SAVING", 0)


@pytest.mark.parametrize("seed", range(6))
def test_nights_in_a_folder_that_die_equal_a_rebuild(tmp_path, seed):
    def compare(number: int, pages: dict[str, str]) -> None:
        run(Store(tmp_path / f"fresh{number}"), pages)
        rebuilt = record_files(tmp_path / f"fresh{number}")
        assert record_files(tmp_path / "store", number) == rebuilt

    live_through(Store(tmp_path / "store"), seed, compare)


@pytest.mark.slow
@pytest.mark.service
def test_nights_in_object_storage_that_die_equal_a_rebuild(tmp_path):
    pytest.importorskip("moto.server", reason="the local S3 server is not installed")
    server = S3()
    try:
        store = Store(server.uri("nights/store"))

        def compare(number: int, pages: dict[str, str]) -> None:
            fresh = Store(tmp_path / f"fresh{number}")
            run(fresh, pages)
            for name in ("rooms", "lines"):
                assert list(store.records(name, number)) == list(fresh.records(name))

        live_through(store, 1, compare)
    finally:
        server.end()
