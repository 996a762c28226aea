"""Near-duplicates in a real Redis: what a list of all would answer, and nothing without Redis."""

import random
from itertools import count

import hypothesis.strategies as st
import pytest
from fingerprints import reference_nearest, sketched
from hypothesis import given, settings
from pdfs import pdf
from redis_server import Valkey

from rowen.storage.documents.redis import SharedRedis
from rowen.storage.documents.redis_neighbours import NEAR_BUCKET, NEAR_CANDIDATES, RedisNeighbours

REALMS = count()


@pytest.fixture(scope="module")
def valkey(tmp_path_factory):
    server = Valkey(tmp_path_factory.mktemp("valkey"))
    yield server
    server.kill()


def opened(valkey, realm=None):
    index = RedisNeighbours(SharedRedis(valkey.url), realm=realm or f"realm{next(REALMS)}")
    assert index.key is not None
    return index


# Codes of one seed differ in 6 of 64 bits at most: these the tables find for certain.
FINGERPRINTS = st.builds(
    lambda seed, code, rest: sketched(seed, *code, *rest),
    st.integers(0, 3),
    st.lists(st.integers(0, 63), max_size=3),
    st.lists(st.integers(64, 255), max_size=20),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), FINGERPRINTS),
        st.tuples(st.just("remove"), st.integers(0, 20)),
        st.tuples(st.just("vanish"), st.integers(0, 20)),
        st.tuples(st.just("match"), FINGERPRINTS),
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_the_tables_answer_as_a_list_of_all_does(valkey, steps):
    index, entered = opened(valkey), {}
    for number, (step, given_) in enumerate(steps):
        if step == "add":
            index.add(f"{number + 1:032x}", given_)
            entered[f"{number + 1:032x}"] = given_
        elif step == "match":
            found = [one.id for one in index.nearest(given_, entered.get)]
            assert found == reference_nearest(entered, given_)
        elif entered:
            own = sorted(entered)[given_ % len(entered)]
            fingerprint = entered.pop(own)
            if step == "remove":
                index.remove(own, fingerprint)


def names_of(valkey, index):
    """Those of the buckets."""
    names = valkey.client().keys(index._prefix + b"*")
    return {one for one in names if one[len(index._prefix)] < 4}


def test_what_is_removed_or_gone_leaves_nothing_in_the_tables(valkey):
    index = opened(valkey)
    index.add("a" * 32, sketched(1))
    assert len(names_of(valkey, index)) == 4
    index.remove("b" * 32, sketched(1))
    assert index.nearest(sketched(1), lambda _: sketched(1))[0].id == "a" * 32
    index.remove("a" * 32, None)  # can't be found without its fingerprint
    assert len(names_of(valkey, index)) == 4
    index.remove("a" * 32, sketched(1))
    assert names_of(valkey, index) == set()
    index.add("c" * 32, sketched(2))
    assert index.nearest(sketched(2), lambda _: None) == []  # nothing is known of it any more
    assert names_of(valkey, index) == set()


def test_services_share_the_key_and_the_tables_and_realms_share_nothing(valkey):
    one, two, other = opened(valkey, "shared"), opened(valkey, "shared"), opened(valkey)
    assert one.key == two.key != other.key
    one.add("a" * 32, sketched(3))
    assert two.nearest(sketched(3), lambda _: sketched(3))[0].id == "a" * 32
    assert other.nearest(sketched(3), lambda _: sketched(3)) == []


def test_of_many_that_are_alike_the_newest_are_found(valkey):
    index = opened(valkey)
    for number in range(NEAR_CANDIDATES + 9):
        index.add(f"{number + 1:032x}", sketched(4))
    found = index.nearest(sketched(4), lambda _: sketched(4))
    assert [int(one.id, 16) for one in found] == [NEAR_CANDIDATES + 9 - n for n in range(3)]


def test_a_bucket_takes_so_many_and_no_more(valkey):
    index = opened(valkey)
    full = bytes(8 * NEAR_BUCKET)
    index.add("a" * 32, sketched(5))
    names = sorted(names_of(valkey, index))
    valkey.client().set(names[0], full)
    index.add("b" * 32, sketched(5))
    assert valkey.client().get(names[0]) == full
    assert len(valkey.client().get(names[1])) == 16


def test_a_redis_that_lost_everything_is_filled_again(tmp_path):
    valkey = Valkey(tmp_path / "valkey")
    try:
        index = opened(valkey, "realm")
        key = index.key
        index.add("a" * 32, sketched(6))
        valkey.client().flushall()
        assert index.nearest(sketched(6), lambda _: sketched(6)) == []
        assert index.key not in {None, key}
        index.add("a" * 32, sketched(6))
        assert index.nearest(sketched(6), lambda _: sketched(6))[0].id == "a" * 32
        valkey.client().flushall()
        index.add("b" * 32, sketched(6))  # its fingerprint has the old key
        assert valkey.client().dbsize() == 0
        valkey.kill()
        assert index.key is None
        assert index.nearest(sketched(6), lambda _: sketched(6)) == []
        index.add("c" * 32, sketched(6))
        index.remove("a" * 32, sketched(6))
    finally:
        valkey.kill()


def paper_of(words, late=""):
    lines = [(18, "A Paper That Is Shared"), (12, "Ada Example")]
    lines += [(10, " ".join(words[at : at + 12])) for at in range(0, len(words), 12)]
    lines += [
        (10, "References"),
        (10, "[1] C. Third. Forests. Journal of Woods, 2001."),
        (10, late),
    ]
    pages = [lines[at : at + 45] for at in range(0, len(lines), 45)]
    return pdf(
        [[(72, 740 - 15 * n, size, text) for n, (size, text) in enumerate(page)] for page in pages]
    )


def test_services_on_one_redis_answer_for_each_other_and_go_on_without_it(start, tmp_path):
    valkey = Valkey(tmp_path / "valkey")
    try:
        sharing = {"redis": valkey.url, "files": str(tmp_path / "files")}
        one, two = start(**sharing), start(**sharing)
        words = [f"word{random.Random(7).getrandbits(30) + n}" for n in range(600)]
        data = paper_of(words)
        first = one.add(data)
        assert "rowen-reuse" not in one.get(f"/{first}/header").headers
        second = two.add(data + b"% saved again")
        for server in (two, one):
            answer = server.get(f"/{second}/header")
            assert answer.headers["rowen-reuse"].startswith(f"near; source={first}; distance=0;")
        valkey.client().flushall()
        again = two.get(f"/{second}/header")
        assert (again.status_code, "rowen-reuse" in again.headers) == (200, False)
        third = two.add(data + b"% and again")  # with the key that is the new one
        assert "rowen-reuse" not in two.get(f"/{third}/citations").headers
        fourth = two.add(data + b"% once more")
        answer = two.get(f"/{fourth}/citations")
        assert answer.headers["rowen-reuse"].startswith(f"near; source={third}; distance=0;")
        valkey.kill()
        assert one.get(f"/{fourth}/header").status_code == 200
        assert two.get(f"/{second}/citations").status_code == 200
        assert one.delete(f"/{third}").status_code == 200
        assert one.get(f"/{fourth}/citations").status_code == 200
    finally:
        valkey.kill()
