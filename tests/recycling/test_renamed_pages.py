"""Pages that come back under another id: all pairs are the reference of neighbours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import Pattern, Store
from rowen.recycling import renamed_pages
from rowen.recycling.renamed_pages import DISTANCE, all_pairs, neighbouring_pairs

ROOMS = Pattern(r"(?P<room>CS \d{3})", name="rooms")
NEAR = st.lists(st.integers(0, 2**64 - 1), max_size=3).flatmap(
    lambda bases: st.lists(
        st.tuples(st.sampled_from(bases or [0]), st.sets(st.integers(0, 63), max_size=6)),
        max_size=30,
    )
)


def fingerprints(pairs):
    return np.array([base ^ sum(1 << bit for bit in bits) for base, bits in pairs], np.uint64)


def distance(one, other):
    return (int(one) ^ int(other)).bit_count()


@given(NEAR, NEAR)
def test_pairs_are_near_and_no_page_is_in_two(new, gone):
    new, gone = fingerprints(new), fingerprints(gone)
    if not len(new) or not len(gone):
        return
    for way in (all_pairs, neighbouring_pairs):
        pairs = list(way(new, gone))
        assert all(distance(new[at], gone[origin]) <= DISTANCE for at, origin in pairs)
        assert len({at for at, _ in pairs}) == len({origin for _, origin in pairs}) == len(pairs)


@given(NEAR, NEAR)
def test_among_few_pages_all_are_neighbours_and_the_nearest_are_paired_first(new, gone):
    new, gone = fingerprints(new), fingerprints(gone)[:6]
    if not len(new) or not len(gone):
        return
    near = sorted(
        (distance(one, other), at, origin)
        for at, one in enumerate(new)
        for origin, other in enumerate(gone)
        if distance(one, other) <= DISTANCE
    )
    expected, used, taken = [], set(), set()
    for _, at, origin in near:
        if at not in used and origin not in taken:
            used.add(at)
            taken.add(origin)
            expected.append((at, origin))
    assert list(neighbouring_pairs(new, gone)) == expected


@pytest.mark.parametrize(("differing", "least"), [(0, 1.0), (3, 1.0), (6, 0.99), (10, 0.9)])
def test_planted_neighbours_are_found_among_many(differing, least):
    chance = np.random.default_rng(1)
    gone = chance.integers(0, 2**64, 20_000, np.uint64)
    new = gone[::-1].copy()
    for number in range(len(new)):
        for bit in chance.choice(64, differing, replace=False):
            new[number] ^= np.uint64(1 << int(bit))
    pairs = dict(neighbouring_pairs(new, gone))
    right = sum(pairs.get(number) == len(gone) - 1 - number for number in range(len(new)))
    assert right >= least * len(new)


def test_pages_of_one_template_are_paired_in_bounded_time_and_each_once():
    # All begin alike in most orders: neither side finds all of its equals.
    template = np.full(30_000, 2**63 + 12345, np.uint64)
    pairs = list(neighbouring_pairs(template, template.copy()))
    assert len({origin for _, origin in pairs}) == len(pairs) > 0


def pages(names):
    return {
        f"{name}.html": "\n".join(f"{name} line {line}, CS {100 + line}" for line in range(40))
        for name in names
    }


def test_a_large_night_finds_renames_and_gives_the_records_of_a_rebuild(tmp_path, monkeypatch):
    monkeypatch.setattr(renamed_pages, "RENAMES_COMPARED", 2)
    before = pages(f"page{number}" for number in range(12))
    after = {f"moved/{name}": text + "\nCS 999" for name, text in before.items()}
    store, rebuilt = Store(tmp_path / "store"), Store(tmp_path / "rebuilt")
    store.run([ROOMS], before)
    report = store.run([ROOMS], after, allow_shrink=1)
    rebuilt.run([ROOMS], after)
    assert report.pages["renamed"] == 12
    assert store.records("rooms").equals(rebuilt.records("rooms"))
    assert not any("renamed pages" in line for line in report.warnings)


def test_the_report_says_that_renames_were_not_searched(tmp_path, monkeypatch):
    monkeypatch.setattr(renamed_pages, "RENAMES_SEARCHED", 3)
    store = Store(tmp_path / "store")
    store.run([ROOMS], pages(["a", "b", "c", "d", "e"]))
    after = {f"new/{name}": text + "!" for name, text in pages(["a", "b", "c", "d", "e"]).items()}
    report = store.run([ROOMS], after, allow_shrink=1)
    assert report.pages["renamed"] == 0
    assert any("5 pages are new and 5 are gone" in line for line in report.problems())
