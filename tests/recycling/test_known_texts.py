"""A text whose records the store has is not extracted again, wherever it was seen."""

from pathlib import Path

import pytest
from here import Here

import rowen
from rowen import Page, Store

TEXTS = [f"room CS {number}\nand no more of it\n" for number in range(100, 150)]


class Counting:
    """Finds rooms, and counts the pages that it is called for."""

    def __init__(self, version: str = "1", pattern: str = r"(?P<room>CS \d{3})") -> None:
        self.inner = rowen.Pattern(pattern, name="rooms")
        self.name, self.version, self.locality = "rooms", version, rowen.WholePage()
        self.fields = ("room",)
        self.calls: list[str] = []

    def extract(self, page: Page | str) -> rowen.Records:
        self.calls.append(Page.of(page).text)
        return self.inner.extract(page)


def run(store: Store, pages: dict[str, str], extractor: Counting | None = None, **options):
    """The texts that a run extracted."""
    extractor = extractor or Counting()
    incoming = [Page(text, id=page) for page, text in pages.items()]
    settings = {"engine": Here(), "verify": 0, "allow_shrink": 1, **options}
    report = store.run([extractor], incoming, **settings)
    records = [
        (page.id, [record.values["room"] for record in found])
        for page, found in store.each("rooms")
    ]
    assert dict(records) == {
        page: [record.values["room"] for record in extractor.inner.extract(text)]
        for page, text in pages.items()
    }
    return extractor.calls, report


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def test_a_page_that_flips_costs_nothing(store):
    first = {str(number): text for number, text in enumerate(TEXTS)}
    second = {page: text.replace("more", "less") for page, text in first.items()}
    run(store, first)
    assert len(run(store, second)[0]) == 50
    for pages in (first, second, first):
        calls, report = run(store, pages)
        assert calls == []
        assert report.tallies["rooms"].known_pages == 50
        assert report.pages["changed"] == 50


def test_copies_of_a_known_page_cost_nothing(store):
    run(store, {"a": TEXTS[0], "b": TEXTS[1]})
    copies = {f"copy {number}": TEXTS[0] for number in range(50)}
    assert run(store, {"a": TEXTS[0], "b": TEXTS[1], **copies})[0] == []


def test_copies_of_a_new_page_are_extracted_once(store):
    assert run(store, {str(number): TEXTS[0] for number in range(50)})[0] == [TEXTS[0]]


def test_a_text_comes_back_after_many_snapshots_and_pruning(store):
    run(store, {"a": TEXTS[0], "b": TEXTS[1]})
    run(store, {"a": TEXTS[2], "b": TEXTS[1]})
    for number in range(3, 15):
        run(store, {"a": TEXTS[2], "b": TEXTS[number]})
    assert run(store, {"a": TEXTS[0], "b": TEXTS[1]})[0] == []
    store.drop(keep=3)
    assert run(store, {"a": TEXTS[12], "b": TEXTS[13]})[0] == [TEXTS[12]]
    # What was there all along is found in the oldest snapshot that is left.
    assert run(store, {"a": TEXTS[1], "b": TEXTS[2]})[0] == []


def test_another_version_takes_nothing_from_before(store):
    other = r"(?P<room>room CS \d{3})"
    run(store, {"a": TEXTS[0]})
    run(store, {"a": TEXTS[1]}, Counting("2", other))
    assert run(store, {"a": TEXTS[0]}, Counting("2", other))[0] == [TEXTS[0]]
    # Version 2 extracted this text in a snapshot where the text itself was nothing new.
    run(store, {"a": TEXTS[2], "b": TEXTS[0]}, Counting("2", other))
    assert run(store, {"a": TEXTS[1]}, Counting("2", other))[0] == []


@pytest.mark.parametrize("way", ["scratch", "differed"])
def test_records_that_were_given_up_do_not_come_back(store, way):
    # The same version with other code: what the user repairs by --scratch, or a check finds.
    run(store, {"a": TEXTS[0], "b": TEXTS[9]})
    run(store, {"a": TEXTS[1], "b": TEXTS[9]})
    edited = r"(?P<room>room CS \d{3})"
    options = {"scratch": True} if way == "scratch" else {"verify": 1.0}
    _, report = run(store, {"a": TEXTS[1], "b": TEXTS[9]}, Counting("1", edited), **options)
    assert bool(report.differed) == (way == "differed")
    calls, _ = run(store, {"a": TEXTS[0], "b": TEXTS[9]}, Counting("1", edited))
    assert calls == [TEXTS[0]]


def test_a_page_that_failed_is_tried_again(store):
    class Failing(Counting):
        def extract(self, page: Page | str) -> rowen.Records:
            super().extract(page)
            raise ValueError("not today")

    incoming = [Page(TEXTS[0], id="a")]
    store.run([Failing()], incoming, engine=Here())
    assert len(run(store, {"a": TEXTS[1]})[0]) == 1
    assert run(store, {"a": TEXTS[0]})[0] == [TEXTS[0]]


def test_known_pages_are_checked_where_all_copies_are(store):
    run(store, {"a": TEXTS[0]})
    run(store, {"a": TEXTS[1]})
    extractor = Counting("1", r"(?P<room>room CS \d{3})")
    _, report = run(store, {"a": TEXTS[0]}, extractor, verify=1.0)
    assert [difference.page for difference in report.differed] == ["a"]


def test_a_damaged_list_of_texts_only_costs_what_it_knew(store):
    for number in (0, 4, 5):
        run(store, {"a": TEXTS[number], "b": TEXTS[1]})
    folder = store.place.path(store.snapshot(1).folder)
    Path(folder, "texts.columns").write_bytes(b"nothing of ours")
    assert run(store, {"a": TEXTS[4], "b": TEXTS[1]})[0] == [TEXTS[4]]
    assert run(store, {"a": TEXTS[0], "b": TEXTS[1]})[0] == []
