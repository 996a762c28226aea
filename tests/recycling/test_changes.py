"""Differences between snapshots: applied to the old records they give the new ones."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
import pytest
from effort import cases
from hypothesis import given, settings

import rowen
from rowen import Page, Pattern, Store
from rowen.recycling import intake

LETTERS = Pattern("(?P<letter>[a-c])", name="letters")
SNAPSHOTS = st.dictionaries(st.sampled_from("pqrst"), st.text("abc-", max_size=6), min_size=1)


def told(store: Store, number: int) -> Counter[tuple[str, str, str]]:
    return Counter(
        (page.id, str(record.values), str(record.spans))
        for page, records in store.each("letters", number)
        for record in records
    )


@settings(max_examples=cases(30, 2_000))
@given(SNAPSHOTS, SNAPSHOTS, st.tuples(st.integers(1, 8), st.integers(1, 8)))
def test_what_came_went_and_moved_makes_the_new_records_of_the_old(old, new, partitions):
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        store = Store(Path(place))
        for pages, count in zip((old, new), partitions, strict=True):
            patch.setattr(intake, "_partitions", lambda *_, count=count: count)
            store.run(
                [LETTERS], [Page(text, id=page_id) for page_id, text in pages.items()], jobs=1
            )
        records = told(store, 0)
        for change in store.differences("letters", 0, 1):
            where = change["page"], str(change["values"]), str(change["spans"])
            before = change.get("before", change)
            if change["change"] != "came":
                records[before["page"], where[1], str(before["spans"])] -= 1
            if change["change"] != "went":
                records[where] += 1
        assert +records == told(store, 1)
        assert all(count >= 0 for count in records.values())


def test_records_of_a_page_that_failed_before_came(tmp_path):
    failing = True

    @rowen.extractor(name="first", version="1")
    def first(text):
        if failing and text == "b":
            raise ValueError("not yet")
        yield {"first": (0, 1)}

    pages = [Page("a", id="a"), Page("b", id="b")]
    store = Store(tmp_path)
    store.run([first], pages)
    failing = False
    store.run([first], pages)
    assert [(change["change"], change["page"]) for change in store.differences("first")] == [
        ("came", "b")
    ]
    assert [change["change"] for change in store.differences("first", 1, 0)] == ["went"]
