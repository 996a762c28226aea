"""Recycling gives what extraction from scratch gives, whatever the matcher, page and extractor."""

import hashlib
from collections.abc import Iterator

import hypothesis.strategies as st
from hypothesis import given, settings

from rowen import Page, Record, Records, Segments, WholePage, Window, recycle
from rowen.extractors.locality import Locality

MATCHERS = ("none", "line", "suffix", "anchor", "auto")


class Hanging:
    """Gives a record or not by all of the text within its reach, the page's edges included.

    No extractor depends on more than this one does, and none can be more sensitive to it: one
    character more or less anywhere in the reach gives other records.
    """

    name = "hanging"
    version = "1"
    fields = ("all", "part", "parts")

    def __init__(self, locality: Locality, seed: int) -> None:
        self.locality = locality
        self.seed = seed

    def extract(self, page: Page | str) -> Records:
        page = Page.of(page)
        match self.locality:
            case Window(scope, context):
                found = self.windows(page.text, scope, context)
            case Segments():
                found = self.segments(page.text)
            case WholePage():
                found = iter([(0, len(page.text))] if self.says(page.text) else [])
        return Records(self.record(page, start, end) for start, end in found)

    def windows(self, text: str, scope: int, context: int) -> Iterator[tuple[int, int]]:
        padded = "^" * context + text + "$" * context
        for start in range(len(text) + 1):
            for end in range(start, min(start + scope, len(text)) + 1):
                if self.says(f"{end - start} {padded[start : end + 2 * context]}"):
                    yield start, end

    def segments(self, text: str) -> Iterator[tuple[int, int]]:
        assert isinstance(self.locality, Segments)
        for start, end in self.locality.split(text):
            for length in range(end - start + 1):
                if self.says(f"{length} {text[start:end]}"):
                    yield start, start + length

    def says(self, reach: str) -> bool:
        digest = hashlib.blake2b(f"{self.seed} {reach}".encode(), digest_size=1).digest()
        return digest[0] % 3 == 0

    def record(self, page: Page, start: int, end: int) -> Record:
        middle = (start + end) // 2
        inner = Record(page, {"part": (start, middle), "parts": None})
        spans = {"all": (start, end), "parts": [(start, middle), (middle, end)]}
        return Record(page, spans, [inner] if middle > start else [])


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
    wanted = own.extract(Page(new, id="new"))
    for matcher in MATCHERS:
        made = recycle(own, old, old_records, Page(new, id="new"), matcher=matcher)
        assert set(made) == set(wanted), matcher
        assert len(made) == len(set(made)), matcher


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
