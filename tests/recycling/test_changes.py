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
            incoming = [Page(text, id=page_id) for page_id, text in pages.items()]
            store.run([LETTERS], incoming, jobs=1, allow_shrink=1)
        records = told(store, 0)
        for change in store.differences("letters", 0, 1):
            where = change["page"], str(change["values"]), str(change["spans"])
            before = {**change, **change.get("before", {})}
            if change["change"] != "came":
                records[before["page"], str(before["values"]), str(before["spans"])] -= 1
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


LINES = Pattern(r"(?P<title>\w+): (?P<price>\d+)", name="lines", schema={"price": "integer"})
KEYED = Pattern(
    r"(?P<title>\w+): (?P<price>\d+)",
    name="lines",
    schema={"title": {"key": True}, "price": "integer"},
)


def changes_of(tmp_path, extractor, *snapshots):
    store = Store(tmp_path)
    for pages in snapshots:
        store.run([extractor], pages, jobs=1, allow_shrink=1)
    return [
        (
            change["change"],
            change["page"],
            change["values"]["title"],
            change["values"]["price"],
            change.get("before", {}).get("values", {}).get("price"),
            change.get("matched"),
        )
        for change in store.differences("lines")
    ]


def test_a_key_identifies_a_record_also_on_another_page(tmp_path):
    before = {"p": "Emma: 7 Ivanhoe: 3", "q": "Walden: 5", "r": "Utopia: 1"}
    after = {"p": "Ivanhoe: 3", "q": "Walden: 6 Emma: 8", "r": "Kim: 1"}
    assert sorted(changes_of(tmp_path, KEYED, before, after)) == [
        ("came", "r", "Kim", 1, None, None),
        ("changed", "q", "Emma", 8, 7, "key"),
        ("changed", "q", "Walden", 6, 5, "key"),
        ("moved", "p", "Ivanhoe", 3, None, None),
        ("went", "r", "Utopia", 1, None, None),
    ]


def test_without_a_key_records_of_a_page_that_share_a_value_of_their_own_are_likely_the_same(
    tmp_path,
):
    before = {"p": "Emma: 7 Ivanhoe: 3 Kim: 3", "q": "Walden: 5"}
    after = {"p": "Emma: 8 Utopia: 3 Kim: 3", "q": "Walden: 6"}
    assert changes_of(tmp_path, LINES, before, after) == [
        ("moved", "p", "Kim", 3, None, None),
        ("changed", "p", "Emma", 8, 7, "likely"),
        # Both cost 3, and so does Kim: that says nothing.
        ("came", "p", "Utopia", 3, None, None),
        ("went", "p", "Ivanhoe", 3, None, None),
        ("changed", "q", "Walden", 6, 5, "likely"),
    ]


def test_the_only_record_of_a_page_is_the_same_before_and_after(tmp_path):
    ((kind, _, title, _, _, matched),) = changes_of(
        tmp_path, LINES, {"p": "Emma: 7"}, {"p": "Walden: 8"}
    )
    assert (kind, title, matched) == ("changed", "Walden", "likely")


@settings(max_examples=cases(30, 2_000))
@given(st.data(), st.booleans())
def test_changes_make_the_new_records_of_the_old_with_and_without_keys(data, keyed):
    texts = st.lists(
        st.tuples(st.sampled_from(["Emma", "Kim", "Walden"]), st.integers(1, 3)), max_size=4
    ).map(lambda lines: " ".join(f"{title}: {price}" for title, price in lines))
    snapshots = st.dictionaries(st.sampled_from("pqr"), texts, min_size=1)
    old, new = data.draw(snapshots), data.draw(snapshots)
    with TemporaryDirectory() as place:
        store = Store(Path(place))
        for pages in (old, new):
            store.run([KEYED if keyed else LINES], pages, jobs=1, allow_shrink=1)
        rows = [
            Counter(
                (page.id, str(record.values), str(record.spans))
                for page, records in store.each("lines", number)
                for record in records
            )
            for number in (0, 1)
        ]
        for change in store.differences("lines", 0, 1):
            before = {**change, **change.get("before", {})}
            if change["change"] != "came":
                rows[0][before["page"], str(before["values"]), str(before["spans"])] -= 1
                assert rows[0][before["page"], str(before["values"]), str(before["spans"])] >= 0
            if change["change"] != "went":
                rows[0][change["page"], str(change["values"]), str(change["spans"])] += 1
            if change["change"] == "changed":
                assert change["fields"]
                if keyed:
                    assert "title" not in change["fields"]
        assert +rows[0] == rows[1]


def test_comparing_reads_each_group_of_texts_once(tmp_path, monkeypatch):
    from rowen.storage.snapshots import text_groups, texts

    monkeypatch.setattr(texts, "TEXT_GROUP_BYTES", 4000)
    rooms = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
    store = rowen.Store(tmp_path / "store")
    for day in range(2):
        pages = {
            f"{number}": f"{number}: CS {100 + number + day * (number % 2)}\n" + "text " * 80
            for number in range(120)
        }
        store.run([rooms], pages)
    read = []
    whole = text_groups.Groups._read

    def counted(groups, number):
        read.append((id(groups), number))
        return whole(groups, number)

    monkeypatch.setattr(text_groups.Groups, "_read", counted)
    assert len(list(store.differences("rooms"))) == 60
    assert len(read) == len(set(read)) > 4
