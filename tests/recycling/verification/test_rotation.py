"""The ring goes on where the last run stopped, and the texts of the next pages are in memory."""

import pytest
from verifying import SECOND, Counting, Here, copied, nightly, pages, places, run

from rowen.recycling.verification.budget import choose_within
from rowen.recycling.verification.rotation import Arcs, State
from rowen.storage.snapshots import texts


def test_pages_are_held_in_memory_where_the_ring_comes_by_next():
    state = State()
    state.places = dict.fromkeys(state.places, 2**64 - 10)
    arcs = Arcs.of([state], None, 1.0)
    assert (5).to_bytes(8, "big") + bytes(8) in arcs
    assert (2**64 - 11).to_bytes(8, "big") + bytes(8) not in arcs
    assert bytes(16) not in Arcs.of([state], None, 0.0)
    assert bytes(16) not in Arcs.of([], None, 1.0)


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {"all": -5, "saved": float("inf"), "turn": "x"},
        {"all": 2**70, "saved": {"all": "much", "parts": float("nan")}, "reach": {"all": -7}},
        {"changed": 1, "all": 2, "saved": 0.5},  # as stores had it before
    ],
)
def test_what_a_manifest_has_is_taken_as_far_as_it_makes_sense(stored):
    state = State.of(stored)
    check = choose_within(state, copied(places(9)), SECOND, 1.0, in_parts=True)
    assert len(check.pages) <= 2
    Arcs.of([state], None, 1.0)
    if stored and stored.get("saved") == 0.5:
        assert State.of(stored).saved["all"] == 0.5


def test_a_run_that_was_killed_leaves_the_ring_where_it_was(tmp_path, monkeypatch):
    nightly(monkeypatch, 1.0)
    extractor = Counting()
    run(tmp_path, [extractor], pages(0), engine=Here())
    run(tmp_path, [extractor], pages(0), engine=Here())

    class Dying(Here):
        def outcomes(self, tasks, tick=None):
            yield from super().outcomes(tasks, tick)
            raise KeyboardInterrupt

    extractor.calls.clear()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, [extractor], pages(0), engine=Dying())
    lost = list(extractor.calls)
    extractor.calls.clear()
    report = run(tmp_path, [extractor], pages(0), engine=Here())
    assert lost
    assert extractor.calls == lost
    assert "all pages in about" in "\n".join(report.lines())


def test_nothing_is_read_for_pages_that_came_by(tmp_path, monkeypatch):
    """The text is kept in memory where it is read from the source."""
    nightly(monkeypatch, 1.0)
    extractor = Counting()
    for _ in range(2):
        run(tmp_path, [extractor], pages(0), engine=Here())
    read = []
    monkeypatch.setattr(texts.TextsReader, "_file", lambda *where: read.append(where))
    for _ in range(9):
        assert run(tmp_path, [extractor], pages(0), engine=Here()).checked
    assert read == []
