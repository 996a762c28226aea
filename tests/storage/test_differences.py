"""Differences give back the bytes they were made of, and chains are what walking them gives."""

import hypothesis.strategies as st
import numpy as np
import pytest
from effort import cases
from hypothesis import given, settings

from rowen.storage.place import Place
from rowen.storage.snapshots import columns
from rowen.storage.snapshots.differences import compressed, restored
from rowen.storage.snapshots.texts import Base, join_spots, spots_of

BYTES = st.one_of(st.binary(max_size=200), st.binary(max_size=40).map(lambda data: data * 50))
BASES = st.lists(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=4
    ).map(lambda places: Base(tuple(places), tuple(range(len(places))))),
    max_size=6,
)


@settings(max_examples=cases(200, 5_000))
@given(BYTES, BYTES, st.integers(0, 200), st.booleans())
def test_a_difference_gives_back_the_new_bytes(old, new, cut, related):
    new = old[:cut] + new + old[cut:] if related else new
    assert restored(compressed(new, old), old) == new


def test_a_small_edit_of_a_large_text_is_a_small_difference():
    old = np.random.default_rng(1).bytes(5_000_000)
    new = old[:2_000_000] + b"edited" + old[2_000_007:]
    assert len(compressed(new, old)) < 1_000
    assert restored(compressed(new, old), old) == new


def test_what_is_no_difference_is_refused():
    with pytest.raises(ValueError, match="decompressed"):
        restored(b"\x00nothing of ours", b"old")


@settings(max_examples=cases(200, 5_000))
@given(BASES, st.sets(st.integers(0, 4)), st.data())
def test_chains_are_what_walking_them_gives(bases, folders, data):
    spots = join_spots([spots_of(bases[:2]), spots_of(bases[2:])])
    expected = [
        next(
            (at for at, place in enumerate(base.places) if place[0] not in folders),
            len(base.places),
        )
        for base in bases
    ]
    assert spots.links_within(folders).tolist() == expected
    numbers = data.draw(st.lists(st.integers(0, len(bases) - 1))) if bases else []
    chosen = spots.of(np.array(numbers, np.intp))
    assert [chosen.base(at) for at in range(len(numbers))] == [bases[each] for each in numbers]


KINDS = st.sampled_from([np.int8, np.int32, np.int64, np.bool_])
TABLES = st.lists(st.tuples(KINDS, st.lists(st.integers(0, 1), max_size=20)), max_size=3)


@settings(max_examples=cases(60, 2_000))
@given(st.lists(st.tuples(TABLES, st.booleans()), min_size=1, max_size=5), st.integers(0, 9))
def test_files_of_columns_come_back_with_and_without_bases(tmp_path_factory, nights, whole):
    place = Place(tmp_path_factory.mktemp("columns"))
    written = []
    for number, (table, based) in enumerate(nights):
        arrays = {str(at): np.array(values, kind) for at, (kind, values) in enumerate(table)}
        rising = [name for name, array in arrays.items() if array.dtype == np.int32]
        columns.write_columns(
            place,
            f"snapshots/{number:06}",
            "f",
            arrays,
            {"é": number},
            rising=rising,
            base=number - 1 if based and number else None,
        )
        written.append(arrays)
    if whole < len(nights):
        columns.make_whole(place, f"snapshots/{whole:06}")
    for number, arrays in enumerate(written):
        read = columns.read_columns(place, f"snapshots/{number:06}", "f")
        assert read is not None
        assert read.notes == {"é": number}
        assert read.arrays.keys() == arrays.keys()
        for name, array in arrays.items():
            assert read.arrays[name].dtype == array.dtype
            assert read.arrays[name].tolist() == array.tolist()
