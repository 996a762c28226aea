"""Histories: the values that records had over time, found through the change feed."""

from tempfile import TemporaryDirectory

import hypothesis.strategies as st
import pytest
from effort import cases
from hypothesis import given, settings

from rowen import Pattern, Store
from rowen.errors import StoreError

PRICES = Pattern(
    r"(?P<title>\w+): (?P<price>\d+)",
    name="prices",
    schema={"title": {"key": True}, "price": "integer"},
)


def store_of(place, *nights):
    store = Store(place)
    for pages in nights:
        store.run([PRICES], pages, jobs=1, allow_shrink=1)
    return store


def shown(versions):
    return [
        (version.page, version.values["price"], version.snapshot, version.until_snapshot)
        for version in versions
    ]


def test_when_did_this_price_change(tmp_path):
    store = store_of(
        tmp_path,
        {"p": "Emma: 7", "q": "Kim: 2"},
        {"p": "Emma: 7", "q": "Kim: 3"},
        {"p": "Emma: 8", "q": "Kim: 3"},
        {"p": "-", "q": "Kim: 3 Emma: 8"},
        {"p": "-", "q": "Kim: 3"},
        {"p": "Emma: 9", "q": "Kim: 3"},
    )
    versions = store.history("prices", key={"title": "Emma"})
    assert shown(versions) == [("p", 7, 0, 2), ("p", 8, 2, 3), ("q", 8, 3, 4), ("p", 9, 5, None)]
    assert [version.record for version in versions] == [0, 0, 0, 1]
    assert {version.name for version in versions} == {"Emma"}
    of_field = store.history("prices", key={"title": "Emma"}, field="price")
    assert shown(of_field) == [("p", 7, 0, 2), ("q", 8, 2, 4), ("p", 9, 5, None)]
    assert len(store.history("prices")) == 6
    assert store.history("prices", key={"title": "Walden"}) == []


def test_the_feed_goes_on_after_a_snapshot(tmp_path):
    store = store_of(tmp_path, {"p": "Emma: 7"}, {"p": "Emma: 8"}, {"p": "Emma: 9"})
    changes = list(store.changes("prices"))
    assert [(change["snapshot"], change["change"]) for change in changes] == [
        (0, "came"),
        (1, "changed"),
        (2, "changed"),
    ]
    assert list(store.changes("prices", since=1)) == changes[2:]
    assert list(store.changes("prices", since=2)) == []
    store.drop(keep=2)
    with pytest.raises(StoreError, match="snapshot 0"):
        list(store.changes("prices", since=0))
    with pytest.raises(StoreError, match="its extractors: prices"):
        list(store.changes("others"))
    with pytest.raises(StoreError, match="its extractors: prices"):
        store.history("others")


@settings(max_examples=cases(25, 1_000))
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from("pq"),
            st.dictionaries(st.sampled_from(["Emma", "Kim"]), st.integers(1, 3)).map(
                lambda prices: " ".join(f"{title}: {price}" for title, price in prices.items())
            ),
            min_size=1,
        ),
        min_size=1,
        max_size=5,
    )
)
def test_versions_at_a_snapshot_are_its_records(nights):
    with TemporaryDirectory() as place:
        store = store_of(place, *nights)
        versions = store.history("prices")
        for number in range(len(nights)):
            alive = [
                (version.page, dict(version.values))
                for version in versions
                if version.snapshot <= number
                and (version.until_snapshot is None or version.until_snapshot > number)
            ]
            records = [
                (page.id, record.values)
                for page, own in store.each("prices", number)
                for record in own
            ]
            assert sorted(alive, key=str) == sorted(records, key=str)
