"""Recycling real patterns gives what extraction gives.

With ROWEN_EXPLORE=1 the patterns of all packages on this machine are tried: some thousands, which
takes minutes.
"""

import random

import pytest
from harvest import collected, edit, harvested, page_of
from patterns import EXPLORE

from rowen import ExtractionError, Page, Pattern, recycle
from rowen.extractors.locality import WholePage
from rowen.records.packed import Shapes, pack, unpack
from rowen.recycling.match import match_regions
from rowen.recycling.recycle import apply
from rowen.recycling.regions import derive_regions

MATCHERS = ("line", "suffix", "anchor")
SAMPLE = 80
"""How many of the standard library's patterns are tried in the normal lane."""


def differences(pattern: str, *, pages: int, edits: int, seed: int) -> tuple[int, list[str]]:
    """How many comparisons were made, and what differed."""
    chance = random.Random(f"{pattern} {seed}")
    own = Pattern(pattern, seconds=2)
    if isinstance(own.grain, WholePage):
        return 0, []
    tree = own._derivation.tree
    compared = 0
    wrong = []
    for _ in range(pages):
        old = page_of(tree, pattern, chance)
        try:
            old_records = own.extract(old)
            for _ in range(edits):
                new = Page(edit(old, page_of(tree, pattern, chance), chance), id="new")
                expected = set(own.extract(new))
                for matcher in MATCHERS:
                    # Runs leave short regions and parts alone that hardly save time; here none is.
                    shapes = Shapes()
                    regions = match_regions(old, new.text, matcher, 1)
                    plan = derive_regions(own.grain, regions, old, new.text, sparing=1)
                    derived = apply(own, plan, pack(old_records, shapes), new, shapes).records
                    if set(unpack(derived.as_set(shapes), shapes, new)) != expected:
                        wrong.append(f"{pattern!r} {matcher}: {old!r} -> {new.text!r}")
                    compared += 1
                if set(recycle(own, old, old_records, new)) != expected:
                    wrong.append(f"{pattern!r} auto: {old!r} -> {new.text!r}")
                compared += 1
        except ExtractionError:
            break  # it backtracks
    return compared, wrong


@pytest.mark.parametrize("part", range(4))
def test_patterns_of_our_collection_recycle_as_they_extract(part):
    """All matchers, all patterns: secrets, logs, markup, names, fields in look-around."""
    compared = 0
    for pattern in collected()[part::4]:
        more, wrong = differences(pattern, pages=2, edits=2, seed=0)
        assert not wrong, wrong[0]
        compared += more
    assert compared > 400


def test_patterns_of_the_standard_library_recycle_as_they_extract():
    patterns = harvested(everything=EXPLORE)
    chosen = patterns if EXPLORE else random.Random(0).sample(patterns, min(SAMPLE, len(patterns)))
    compared = 0
    for pattern in chosen:
        more, wrong = differences(
            pattern, pages=4 if EXPLORE else 1, edits=8 if EXPLORE else 2, seed=1
        )
        assert not wrong, wrong[0]
        compared += more
    print(f"{len(chosen)} patterns, {compared} comparisons")  # noqa: T201  # with pytest -s
    assert compared > len(chosen)


def test_few_patterns_of_our_collection_take_the_whole_page():
    derived = [Pattern(pattern).grain for pattern in collected()]
    assert sum(isinstance(grain, WholePage) for grain in derived) < len(derived) * 0.2
