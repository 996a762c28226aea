"""Patterns whose matches depend on those before give what a scan from scratch finds."""

import random
from unittest.mock import patch

import hypothesis.strategies as st
import numpy as np
import pytest
from effort import cases
from hypothesis import given, settings
from patterns import patterns
from reference_scans import copies, quiet

from rowen import Page, Pattern, WholePage
from rowen._core import QuietPlaces
from rowen.extractors.base import grain_of
from rowen.extractors.expression import read
from rowen.extractors.locality import Scan
from rowen.extractors.overlap import automaton_of
from rowen.extractors.scan import derive_scan, quiet_places, steps_of
from rowen.records.packed import Shapes, pack, unpack
from rowen.recycling import scans
from rowen.recycling.match import match_regions
from rowen.recycling.recycle import apply
from rowen.recycling.scans import scan_regions

TEXT = "ab<\n"


def scan_of(own: Pattern) -> Scan | None:
    derivation = own._derivation
    return derive_scan(own.pattern, derivation.tree, derivation.reach)


def compare(own: Pattern, scan: Scan, old: str, new: str, *, window: int = scans.WINDOW) -> int:
    """Recycle by every region, however short; how many characters were spared."""
    shapes, page = Shapes(), Page(new, id="new")
    matches = match_regions(old, new, "suffix", 1)
    searched = scans.SEARCHED_CHARACTERS if window == scans.WINDOW else 4 * window
    with (
        patch.object(scans, "WINDOW", window),
        patch.object(scans, "SEARCHED_CHARACTERS", searched),
    ):
        regions = scan_regions(scan, matches, (old, new), 1)
    recycled = apply(own, regions, pack(own.extract(old), shapes), page, shapes)
    found = set(unpack(recycled.records.as_set(shapes), shapes, page))
    assert found == set(own.extract(page)), (own.pattern, old, new)
    return recycled.copied


def edit(source: random.Random, old: str, letters: str) -> str:
    """Some places of a text replaced, and sometimes a part of it moved."""
    new = old
    for _ in range(source.randint(1, 3)):
        start = source.randint(0, len(new))
        end = min(len(new), start + source.choice((0, 0, 1, 2, 5)))
        put = "".join(source.choices(letters, k=source.choice((0, 1, 1, 2, 4))))
        new = new[:start] + put + new[end:]
    if source.random() < 0.3:
        cut, to = sorted((source.randint(0, len(new)), source.randint(0, len(new))))
        new = new[cut:to] + new[:cut] + new[to:]
    return new


@settings(max_examples=cases(80, 20_000))
@given(patterns(), st.integers(0, 2**32))
def test_random_patterns(pattern: str, seed: int) -> None:
    own = Pattern(pattern)
    scan = scan_of(own)
    if scan is None:
        return
    source = random.Random(seed)
    for _ in range(8):
        old = "".join(source.choices(TEXT, k=source.randint(0, 60)))
        window = source.choice((1, 3, scans.WINDOW))
        compare(own, scan, old, edit(source, old, TEXT), window=window)


@settings(max_examples=cases(80, 2_000))
@given(patterns(), st.integers(0, 2**32))
def test_what_is_copied_is_what_the_reference_would_copy(pattern: str, seed: int) -> None:
    scan = scan_of(Pattern(pattern))
    if scan is None:
        return
    source = random.Random(seed)
    for _ in range(8):
        old = "".join(source.choices(TEXT, k=source.randint(0, 60)))
        new = edit(source, old, TEXT)
        matches = match_regions(old, new, "suffix", 1)
        for region in matches.tolist():
            expected = copies(scan, old, new, [region])
            for window in (1, 3, 100):
                # As if matches had no bound: then only a window that is too small tells them apart.
                rows, _ = quiet_places(scan.pattern).copies(
                    old, new, np.array([region]), behind=scan.behind, ahead=scan.ahead,
                    longest=1_000, window=window, searched=4 * window,
                )  # fmt: skip
                own = [tuple(row) for row in rows.reshape(-1, 3).tolist()]
                if window == 100:
                    assert own == expected
                for first, last, shift in own:
                    assert any(
                        first >= begin and last <= end and shift == other
                        for begin, end, other in expected
                    )


@pytest.mark.parametrize(
    ("kinds", "onward", "begun"),
    [
        ([1], [[[0]]], [[]]),
        ([0], [[[1]]], [[]]),
        ([0], [[[0]]], [[7]]),
        ([0], [[[0]], [[0], [0]]], [[], []]),
        ([], [[[0]]], [[]]),
        ([0], [[[0]] * 257], [[]]),
    ],
)
def test_an_automaton_that_is_none_is_refused(
    kinds: list[int], onward: list[list[list[int]]], begun: list[list[int]]
) -> None:
    with pytest.raises(ValueError, match="automaton|no such"):
        QuietPlaces(kinds, onward, begun, 9)


@pytest.mark.parametrize("region", [(0, 0, 4), (-1, 0, 1), (0, 3, 1), (4, 0, 1), (0, 0, -1)])
def test_a_region_outside_of_a_text_is_refused(region: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="inside both texts"):
        quiet_places("(?P<x>a)").copies(
            "abc", "abc", np.array([region]),
            behind=0, ahead=1, longest=1, window=1, searched=4,
        )  # fmt: skip


def test_an_automaton_with_few_nodes_gives_the_same() -> None:
    pattern = r"(?P<x><[ab]{2,9}[^<]*<a)"
    scan = scan_of(Pattern(pattern))
    automaton = automaton_of(read(pattern))
    assert scan is not None
    assert automaton is not None
    source = random.Random(1)
    old = "".join(source.choices(TEXT, k=3_000))
    new = old[:1000] + "<ab" + old[1000:2000] + old[2001:]
    matches = match_regions(old, new, "suffix", 20)
    few, many = (
        QuietPlaces(*steps_of(automaton), nodes).copies(
            old, new, matches, behind=0, ahead=1, longest=99_999, window=4, searched=64
        )
        for nodes in (2, 4096)
    )
    assert few[0].tolist() == many[0].tolist() != []


SECRETS = [
    (r"(?P<key>AKIA[0-9A-B]{4})", "AKI0B ="),
    (r"(?i)(?:key|api)\w{0,4}\s*[:=]\s*['\"]?(?P<secret>[0-9a-z]{4,8})", "keyapi09 :='"),
    (r"(?P<x>[0-9a-b]{3})(?![0-9a-b])", "01ab "),
    (r"(?P<x>\d{3})", "01 "),
    (r"--BEGIN[ A]{0,3}KEY--(?P<x>[^-]{1,9})--END KEY--", "-BEGINKYAD \n"),
    ('<a [^>]*href="(?P<to>[^"]*)"', '<a href=">x '),
    ('<a href="(?P<to>[^"]{1,9})">(?P<text>[^<]{1,9})</a>', '<a href="/>x'),
    (r"(?P<q>['\"])(?P<x>[a-z]{1,4})(?P=q)", "'\"ab"),
    (r"(?P<x>ab|ba|aab)", "ab "),
    (r"<(?P<x>[\s\S]{2,12}?)>", "<>ab"),
    (r"<(?P<x>(?s:.){2,19})>", "<>ab\n"),
    (r"\b(?P<x>\w+?)(?=-|\b)", "ab-"),
    (r"(?<!a)(?P<x>b(?:ab)*+)(?!b)", "ab"),
    (r"^(?P<x>a+)|(?P<y>b+)$", "ab\n"),
    (r"(?m)^(?P<x>a+b)|(?P<y>b\n)", "ab\n"),
    (r"\A(?P<x>..)|(?P<y>ba)\Z", "ab"),
    (r"(?P<x>ß|a\u0301b)", "aß\u0301b"),
]


@pytest.mark.parametrize(("pattern", "letters"), SECRETS)
def test_patterns_of_the_kinds_that_scanners_use(pattern: str, letters: str) -> None:
    own = Pattern(pattern)
    scan = scan_of(own)
    assert scan is not None
    source, spared = random.Random(pattern), 0
    for _ in range(cases(60, 5_000)):
        pieces = [pattern_text(source, letters) for _ in range(source.randint(1, 12))]
        old = "".join(pieces)
        spared += compare(own, scan, old, edit(source, old, letters))
    assert spared


WORDS = ["AKIA", "key", "api=", '<a href="', '">', "</a>", "--BEGIN KEY--", "--END KEY--", "\n"]


def pattern_text(source: random.Random, letters: str) -> str:
    """A word that patterns begin with, if it is of these letters, or some of the letters."""
    fitting = [word for word in WORDS if set(word) <= set(letters)]
    if fitting and source.random() < 0.5:
        return source.choice(fitting)
    return "".join(source.choices(letters, k=source.randint(1, 9)))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?s)<b>(?P<x>.*)</b>",  # goes on over any text
        r"(?P<x>a*)",  # matches that may be empty
        r"(?P<x>a)(?=.*b)(?s:.)",  # look-ahead without an end is on a line, but not bounded
        r"(?<=b.*)(?P<x>a+)",
        r"a+(?=(?P<x>b))",  # a field outside of its match
        r"\G(?P<x>a+)",
        r"(?r)(?P<x>a+)",
        r"(?P<x>a+){e<=1}",
    ],
)
def test_what_can_not_be_proved_is_refused(pattern: str) -> None:
    assert scan_of(Pattern(pattern)) is None


def test_a_pattern_on_html_reuses_within_a_page() -> None:
    own = Pattern('<a [^>]*href="(?P<to>[^"]*)"')
    assert own.locality == WholePage()
    grain = grain_of(own)
    assert isinstance(grain, Scan)
    old = "".join(f'<p class=x><a\n href="/{n}">it</a> or <a href="/b">b</a>' for n in range(99))
    new = Page(old[:2000] + ' <a href="/new">' + old[2000:])
    matches = match_regions(old, new.text, "anchor", 100)
    assert scan_regions(grain, matches, (old, new.text), 1).left < 100


@given(
    st.text(TEXT, max_size=30), st.sampled_from([r"(?P<x>a+b?)", r"(?P<x><[^<]*)", r"(?P<x>aba)"])
)
def test_no_match_from_any_place_crosses_a_quiet_place(text: str, pattern: str) -> None:
    own = Pattern(pattern)
    for place in quiet(pattern, text):
        for start in range(place):
            match = own._compiled.match(text, start)
            assert match is None or match.end() <= place
