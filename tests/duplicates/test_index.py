"""The index of simhashes: finds what a look at all of them finds, whatever came and went before."""

import random

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rowen import NearDuplicates, UsageError

IDS = st.one_of(st.text(max_size=5), st.integers(-300, 1 << 70))
CENTRES = [0, (1 << 64) - 1, 0x0123456789ABCDEF]


def near(centre, flips):
    for bit in flips:
        centre ^= 1 << bit
    return centre


FINGERPRINTS = st.builds(
    near, st.sampled_from(CENTRES), st.lists(st.integers(0, 63), max_size=6)
) | st.integers(0, (1 << 64) - 1)


def slow_query(documents, fingerprint, distance):
    """The nearest first, of the same distance those that were added first; an id but once."""
    nearest = {}
    for name, other in documents:
        apart = (other ^ fingerprint).bit_count()
        if apart <= distance and apart < nearest.get(name, 65):
            nearest[name] = apart
    return sorted(nearest.items(), key=lambda one: one[1])


class Index(RuleBasedStateMachine):
    """Additions, removals and questions in any order."""

    def __init__(self):
        super().__init__()
        self.indexes = {k: NearDuplicates(distance=k) for k in (0, 3, 7, 12, 64)}
        self.documents = []

    @rule(name=IDS, fingerprint=FINGERPRINTS)
    def add(self, name, fingerprint):
        for index in self.indexes.values():
            index.add(name, fingerprint)
        self.documents.append((name, fingerprint))

    @precondition(lambda self: self.documents)
    @rule(data=st.data())
    def remove(self, data):
        document = data.draw(st.sampled_from(self.documents))
        for index in self.indexes.values():
            assert index.remove(*document)
            assert not index.remove(*document)
        self.documents = [one for one in self.documents if one != document]

    @rule(fingerprint=FINGERPRINTS)
    def query(self, fingerprint):
        for distance, index in self.indexes.items():
            expected = slow_query(self.documents, fingerprint, distance)
            assert dict(index.query(fingerprint)) == dict(expected)
            assert [apart for _, apart in index.query(fingerprint)] == [one[1] for one in expected]

    @invariant()
    def counts(self):
        assert all(len(index) == len(self.documents) for index in self.indexes.values())


TestIndex = Index.TestCase
TestIndex.settings = settings(max_examples=40, stateful_step_count=30)


@pytest.mark.parametrize("distance", [0, 1, 3, 5, 7, 9])
def test_the_tables_of_many_documents_find_all_within_the_distance(distance):
    drawn = random.Random(distance)
    index = NearDuplicates(distance=distance)
    documents = [(number, drawn.getrandbits(64)) for number in range(30_000)]
    for name, fingerprint in documents:
        index.add(name, fingerprint)
    index.query(0)
    for name, fingerprint in documents[::3]:
        assert index.remove(name, fingerprint)
    kept = [one for number, one in enumerate(documents) if number % 3]
    late = [(f"late {number}", drawn.getrandbits(64)) for number in range(500)]
    for name, fingerprint in late:
        index.add(name, fingerprint)
    kept += late
    assert len(index) == len(kept)
    for name, fingerprint in drawn.sample(kept, 200) + late[:20]:
        asked = near(fingerprint, drawn.sample(range(64), distance))
        assert dict(index.query(asked))[name] == distance
    for _, fingerprint in drawn.sample(documents, 5):
        asked = near(fingerprint, drawn.sample(range(64), distance // 2))
        assert index.query(asked) == slow_query(kept, asked, distance)


def test_an_exact_match_comes_first():
    index = NearDuplicates()
    index.add("near", 0b111)
    index.add("same", 0)
    assert index.query(0) == [("same", 0), ("near", 3)]


def test_many_documents_take_less_than_a_hundred_bytes_each():
    index = NearDuplicates()
    for number in range(200_000):
        index.add(f"{number:022d}", number * 0x9E3779B97F4A7C15 % (1 << 64))
    index.query(0)
    assert index.memory < 100 * 200_000


def test_what_is_no_fingerprint_and_no_distance_is_refused():
    with pytest.raises(UsageError, match="64 bits"):
        NearDuplicates().add("a", 1 << 64)
    with pytest.raises(UsageError, match="64 bits"):
        NearDuplicates().query(-1)
    with pytest.raises(UsageError, match="65536 bytes"):
        NearDuplicates().add("x" * 65_536, 0)
    with pytest.raises(UsageError, match="from 0 to 64 bits, not 65"):
        NearDuplicates(distance=65)
