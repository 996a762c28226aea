"""Updates: pages that a crawl does not have stay as they were, and records are those of scratch."""

import tempfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from effort import cases
from hypothesis import given, settings

from rowen import Page, Pattern, Store
from rowen.errors import InputError, UsageError
from rowen.model import DocumentError
from rowen.recycling import intake
from rowen.sources.base import CrawlNote, Source
from rowen.storage.snapshots import texts

LETTERS = Pattern("(?P<letter>[a-c])", name="letters")
IDS = st.sampled_from("pqrstu")
TEXTS = st.text("abc-", max_size=6)
STATES = st.sampled_from(["fetched", "absent", "unchanged", "gone", "failed", "unreadable"])


class Crawl(Source):
    """Pages, and notes about others."""

    name = "a crawl"

    def __init__(self, entries):
        self.entries = entries

    def found(self):
        yield from self.entries


def crawl_of(night):
    """What a crawler stores of a night: texts by id, or what became of a page instead."""
    for page_id, (state, text) in night.items():
        if state == "fetched":
            yield Page(text, id=page_id)
        elif state == "unreadable":
            yield DocumentError(page_id, "is no text")
        elif state != "absent":
            yield CrawlNote(page_id, state, "the server answered 503")


def expected_after(pages, night):
    """The pages after an update, as a person would reckon."""
    after = dict(pages)
    for page_id, (state, text) in night.items():
        if state == "fetched":
            after[page_id] = text
        elif state == "gone":
            after.pop(page_id, None)
    return after


def records_of(store, number=-1):
    return sorted(
        (page.id, page.text, [record.values for record in records])
        for page, records in store.each("letters", number)
    )


@settings(max_examples=cases(40, 3_000))
@given(
    st.dictionaries(IDS, TEXTS, min_size=1),
    st.lists(st.dictionaries(IDS, st.tuples(STATES, TEXTS)), min_size=1, max_size=4),
    st.lists(st.integers(1, 8), min_size=5, max_size=5),
    st.integers(0, 8),
    st.booleans(),
)
def test_an_update_is_a_whole_snapshot_of_what_is_known(
    first, nights, partitions, folders, scratch
):
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        # With few folders of earlier texts, the texts of kept pages are written again.
        patch.setattr(texts, "TEXT_FOLDERS", folders)
        store = Store(Path(place))
        store.run([LETTERS], first, jobs=1)
        pages = dict(first)
        for number, night in enumerate(nights, start=1):
            count = partitions[number]
            patch.setattr(intake, "_partitions", lambda *_, count=count: count)
            pages = expected_after(pages, night)
            crawl = Crawl(list(crawl_of(night)))
            if not pages:
                with pytest.raises(InputError, match="no pages"):
                    store.run([LETTERS], crawl, update=True, jobs=1, scratch=scratch)
                return
            report = store.run([LETTERS], crawl, update=True, jobs=1, scratch=scratch)
            assert records_of(store) == sorted(
                (page_id, text, [record.values for record in LETTERS.extract(text)])
                for page_id, text in pages.items()
            )
            fetched = sum(state == "fetched" for state, _ in night.values())
            assert report.pages["all"] == len(pages)
            assert report.pages.get("kept", 0) == len(pages) - fetched
            assert not report.differed


def test_half_a_crawl_is_refused_and_an_update_takes_it(tmp_path):
    store = Store(tmp_path)
    pages = {f"{number}.html": f"a{number}" for number in range(20)}
    store.run([LETTERS], pages)
    half = dict(list(pages.items())[:10])
    with pytest.raises(InputError, match=r"50% are missing.*--update.*--allow-shrink 0\.5"):
        store.run([LETTERS], half)
    assert len(store.snapshots()) == 1
    store.run([LETTERS], half, update=True)
    assert list(store.differences("letters")) == []
    store.run([LETTERS], pages)
    assert list(store.differences("letters")) == []
    assert store.run([LETTERS], half, allow_shrink=0.5).pages["gone"] == 10


def test_a_page_that_failed_tonight_keeps_its_last_version_and_is_named(tmp_path):
    store = Store(tmp_path)
    store.run([LETTERS], {"p": "a", "q": "b"})
    crawl = Crawl([Page("c", id="p"), CrawlNote("q", "failed", "the server answered 503")])
    report = store.run([LETTERS], crawl, update=True)
    assert report.kept == ["q: the server answered 503; its last version is kept"]
    assert report.unreadable == []
    crawl = Crawl([DocumentError("q", "is no text"), DocumentError("z", "is no text")])
    report = store.run([LETTERS], crawl, update=True)
    assert report.kept == ["q: is no text; its last version is kept"]
    assert report.unreadable == ["z: is no text"]
    assert records_of(store) == [("p", "c", [{"letter": "c"}]), ("q", "b", [{"letter": "b"}])]


def test_an_update_without_any_page_keeps_all_and_says_so(tmp_path):
    store = Store(tmp_path)
    store.run([LETTERS], {"p": "a", "q": "b"})
    report = store.run([LETTERS], {}, update=True)
    assert report.warnings == ["the crawl has no pages: all 2 pages of the store are kept"]
    assert store.run([LETTERS], Crawl([CrawlNote("p", "unchanged")]), update=True).warnings == []
    assert [entry[0] for entry in records_of(store)] == ["p", "q"]


def test_unchanged_pages_stay_without_an_update_too(tmp_path):
    store = Store(tmp_path)
    store.run([LETTERS], {"p": "a", "q": "b", "r": "c"})
    crawl = Crawl([CrawlNote("p", "unchanged"), Page("b", id="q"), CrawlNote("z", "unchanged")])
    report = store.run([LETTERS], crawl, allow_shrink=1)
    assert [entry[0] for entry in records_of(store)] == ["p", "q"]
    assert report.unreadable == [
        "z: unchanged, as the crawl says, but the store has no earlier version"
    ]


def test_a_text_outweighs_what_else_is_said_of_a_page(tmp_path):
    store = Store(tmp_path)
    store.run([LETTERS], {"p": "a"})
    crawl = Crawl([CrawlNote("p", "failed", "x"), Page("c", id="p"), CrawlNote("p", "gone")])
    assert store.run([LETTERS], crawl, update=True).kept == []
    assert records_of(store) == [("p", "c", [{"letter": "c"}])]


def test_ids_of_gone_pages_are_for_updates_and_known_pages(tmp_path):
    store = Store(tmp_path)
    store.run([LETTERS], {"p": "a", "q": "b"})
    with pytest.raises(UsageError, match="update"):
        store.run([LETTERS], {"p": "a"}, gone=["q"])
    report = store.run([LETTERS], {"p": "a"}, update=True, gone=["q", "x"])
    assert [entry[0] for entry in records_of(store)] == ["p"]
    (warning,) = report.warnings
    assert warning == "the store has no page 'x', which is said to be gone"


def test_kept_pages_are_checked_in_their_turn(tmp_path):
    store = Store(tmp_path)
    pages = {f"{number}.html": "ab" * number for number in range(30)}
    store.run([LETTERS], pages)
    report = store.run([LETTERS], {"0.html": "c"}, update=True, verify=1)
    assert report.tallies["letters"].checked >= 29
