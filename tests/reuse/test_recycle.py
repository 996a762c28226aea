"""Recycling gives what extraction from scratch gives, whatever the matcher, page and extractor."""

import re

import hypothesis.strategies as st
from hanging import Hanging
from hypothesis import given, settings

from rowen import Page, Record, Records, Segments, WholePage, Window, recycle
from rowen.model.packed import Shapes, pack, unpack
from rowen.reuse.match import match_regions
from rowen.reuse.recycle import apply
from rowen.reuse.regions import reuse

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
                lambda given: (old, old[: min(given[:2])] + given[2] + old[max(given[:2]) :])
            ),
        )

    return olds.flatmap(new_of)


def check(own: Hanging, old: str, new: str) -> None:
    old_records = own.extract(old)
    page = Page(new, id="new")
    wanted = own.extract(page)
    for matcher in MATCHERS:
        made = recycle(own, old, old_records, page, matcher=matcher)
        assert set(made) == set(wanted), matcher
        assert len(made) == len(set(made)), matcher
    # Runs leave short regions alone, and parts that are hardly worth a call. Here none is left.
    for matcher in MATCHERS[1:-1]:
        shapes = Shapes()
        regions = match_regions(old, new, matcher, 1)
        plan = reuse(own.locality, regions, old, new, sparing=1)
        packed = apply(own, plan, pack(old_records, shapes), page, shapes).records
        assert set(unpack(packed.as_set(shapes), shapes, page)) == set(wanted), matcher


@settings(max_examples=1500)
@given(edited(), st.integers(0, 5), st.integers(0, 4), st.integers(0, 9))
def test_windows(texts: tuple[str, str], scope: int, context: int, seed: int) -> None:
    check(Hanging(Window(scope, context), seed), *texts)


@settings(max_examples=800)
@given(
    edited(),
    st.sampled_from([("\n",), ("a",), ("ab", "a"), ("aa", "\n"), ("aab", "ba", "b")]),
    st.integers(0, 9),
)
def test_segments(texts: tuple[str, str], separators: tuple[str, ...], seed: int) -> None:
    check(Hanging(Segments(separators), seed), *texts)


@settings(max_examples=100)
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
        found = re.finditer("x+", page.text if end < 0 else page.text[:end])
        rows = [Record.from_mapping(page, {"x": one.span()}) for one in found]
        return Records(rows, failure=None if end < 0 else "stopped")


@given(st.text("xy!\n", max_size=12), st.none() | st.text("xy!\n", max_size=12))
def test_what_stopped_early_says_so_again(old: str, other: str | None) -> None:
    own = Stopping()
    new = old if other is None else other
    if "!" in new and "!" not in old:  # its locality holds only where it does not stop
        return
    for matcher in MATCHERS:
        made = recycle(own, old, own.extract(old), Page(new, id="new"), matcher=matcher)
        wanted = own.extract(Page(new, id="new"))
        assert (set(made), made.failure) == (set(wanted), wanted.failure), matcher
