"""Recycling gives what extraction from scratch gives, whatever the matcher, page and extractor."""

import re

import hypothesis.strategies as st
from effort import cases
from hanging import Hanging
from hypothesis import given, settings

import rowen
from rowen import Page, Pattern, Record, Records, Segments, WholePage, Window, recycle
from rowen.records.packed import Shapes, pack, unpack
from rowen.recycling.match import match_regions
from rowen.recycling.recycle import apply
from rowen.recycling.regions import derive_regions

MATCHERS = ("none", "line", "suffix", "anchor", "auto")


def edited() -> st.SearchStrategy[tuple[str, str]]:
    """An old text, and a new one made of its pieces and some others."""
    piece = st.text("ab\n", max_size=6)
    olds = st.text("ab\n", max_size=40)

    def new_of(old: str) -> st.SearchStrategy[tuple[str, str]]:
        places = st.integers(0, len(old))
        cut = st.tuples(places, places).map(lambda ends: old[min(ends) : max(ends)])
        pieces = st.lists(st.one_of(cut, piece), max_size=4)
        return st.one_of(
            pieces.map(lambda parts: (old, "".join(parts))),
            st.tuples(places, places, piece).map(
                lambda edit: (old, old[: min(edit[:2])] + edit[2] + old[max(edit[:2]) :])
            ),
        )

    return olds.flatmap(new_of)


def check(own: Hanging, old: str, new: str) -> None:
    old_records = own.extract(old)
    page = Page(new, id="new")
    expected = own.extract(page)
    for matcher in MATCHERS:
        recycled = recycle(own, old, old_records, page, matcher=matcher)
        assert set(recycled) == set(expected), matcher
        assert len(recycled) == len(set(recycled)), matcher
    # Runs leave short regions alone, and parts that are hardly worth a call. Here none is left.
    for matcher in MATCHERS[1:-1]:
        shapes = Shapes()
        regions = match_regions(old, new, matcher, 1)
        plan = derive_regions(own.locality, regions, old, new, sparing=1)
        packed = apply(own, plan, pack(old_records, shapes), page, shapes).records
        assert set(unpack(packed.as_set(shapes), shapes, page)) == set(expected), matcher


@settings(max_examples=cases(300, 20_000))
@given(edited(), st.integers(0, 5), st.integers(0, 4), st.integers(0, 9))
def test_windows(texts: tuple[str, str], scope: int, context: int, seed: int) -> None:
    check(Hanging(Window(scope, context), seed), *texts)


@settings(max_examples=cases(200, 20_000))
@given(
    edited(),
    st.sampled_from([("\n",), ("a",), ("ab", "a"), ("aa", "\n"), ("aab", "ba", "b")]),
    st.integers(0, 9),
)
def test_segments(texts: tuple[str, str], separators: tuple[str, ...], seed: int) -> None:
    check(Hanging(Segments(separators), seed), *texts)


@settings(max_examples=cases(100, 2_000))
@given(edited(), st.integers(0, 9))
def test_whole_pages(texts: tuple[str, str], seed: int) -> None:
    check(Hanging(WholePage(), seed), *texts)


class Stopping:
    """Gives the records before the first `!`, and says where it stopped."""

    name, version, fields = "stopping", "1", ("x",)
    locality = Segments("\n")

    def extract(self, page: Page | str, /) -> Records:
        page = Page.of(page)
        end = page.text.find("!")
        matches = re.finditer("x+", page.text if end < 0 else page.text[:end])
        rows = [Record.from_mapping(page, {"x": match.span()}) for match in matches]
        return Records(rows, failure=None if end < 0 else "stopped")


@given(st.text("xy!\n", max_size=12), st.none() | st.text("xy!\n", max_size=12))
def test_what_stopped_early_says_so_again(old: str, edited: str | None) -> None:
    own = Stopping()
    new = old if edited is None else edited
    if "!" in new and "!" not in old:  # its locality holds only where it does not stop
        return
    for matcher in MATCHERS:
        recycled = recycle(own, old, own.extract(old), Page(new, id="new"), matcher=matcher)
        expected = own.extract(Page(new, id="new"))
        assert (set(recycled), recycled.failure) == (set(expected), expected.failure), matcher


def test_fields_in_look_around_are_not_lost() -> None:
    own = Pattern(r"(?s)(?<=(?P<left>.{40}))Rowen(?=(?P<right>.{40}))")
    filler = "".join(f"line {number} of a page\n" for number in range(200))
    old = filler + "Here Rowen is named, " + filler
    for place in range(len(filler) - 60, len(filler) + 80):
        new = Page(old[:place] + "#" + old[place + 1 :], id="new")
        expected = set(own.extract(new))
        for matcher in MATCHERS:
            assert set(recycle(own, old, own.extract(old), new, matcher=matcher)) == expected


def wide(text: str) -> list[dict[str, tuple[int, int]]]:
    return [{"x": match.span()} for match in re.finditer(r"<[^<>]*>", text)]


@given(edited().map(lambda texts: tuple(text.replace("b", "<x>") for text in texts)))
def test_a_record_that_belies_its_locality_is_not_lost(texts: tuple[str, str]) -> None:
    """Where the old page shows that a locality is wrong, the new one is extracted as a whole."""
    old, new = (f"<{'long' * 9}\n{'long' * 9}>{text}" for text in texts)
    new = new.replace("long", "lung", 3)
    for locality in (Window(5, 2), Segments("\n"), Segments(["x>", "ng\n"])):
        own = rowen.extractor(name="wide", locality=locality)(wide)
        page = Page(new, id="new")
        for matcher in MATCHERS:
            recycled = recycle(own, old, own.extract(old), page, matcher=matcher)
            assert set(recycled) == set(own.extract(page)), (locality, matcher)


def test_in_a_page_of_one_line_a_window_spares_what_segments_would_not() -> None:
    own = Pattern(r"CS (?P<room>\d{3})")
    old = "".join(f"no mark here CS {number % 1000:03} and on " for number in range(20_000))
    new = Page(old[:400_000] + "CS 999 " + old[400_001:], id="new")
    shapes = Shapes()
    plan = derive_regions(own.grain, match_regions(old, new.text, "anchor", 12), old, new.text)
    recycled = apply(own, plan, pack(own.extract(old), shapes), new, shapes)
    assert recycled.extracted < 1000
    assert set(unpack(recycled.records.as_set(shapes), shapes, new)) == set(own.extract(new))
    # Lines of their own are what segments are for.
    old, new = (text.replace(" and on ", "\n") for text in (old, new.text))
    plan = derive_regions(own.grain, match_regions(old, new, "anchor", 12), old, new)
    assert isinstance(plan.locality, Segments)
    assert plan.left < 1000
