import random
from pathlib import Path

import pytest
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen import Page, Region, UsageError, find_regions
from rowen._core import match_anchor, match_suffix
from rowen.recycling.match import MATCHERS, match_regions

SAMPLES = Path(rowen.__file__).parent / "samples"
ALPHABETS = ["a", "ab", "a\n", "ab\n", "a\u20ac", "a\U0001f600\n", "\ud800\udc00a", "é\n\u20ac"]


def matching_statistics(old, new):
    """How long a prefix of each suffix of the new text stands in the old one."""
    lengths = []
    for start in range(len(new)):
        length = 0
        while start + length < len(new) and new[start : start + length + 1] in old:
            length += 1
        lengths.append(length)
    return lengths


def maximal(old, new, least):
    """Definition 6, as it stands."""
    lengths = matching_statistics(old, new)
    return {
        (start, length)
        for start, length in enumerate(lengths)
        if length >= least and (start == 0 or lengths[start - 1] <= length)
    }


def common_head(old, new):
    length = 0
    while length < min(len(old), len(new)) and old[length] == new[length]:
        length += 1
    return length


def places(regions):
    return {(region.new_start, region.length) for region in regions}


def check(old, new, regions, least):
    starts = [region.new_start for region in regions]
    ends = [region.new_end for region in regions]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))
    for region in regions:
        assert region.length >= least
        assert region.old_start >= 0
        assert region.old_end <= len(old)
        assert old[region.old_start : region.old_end] == new[region.new_start : region.new_end]


@st.composite
def page_pairs(draw, longest=120):
    """Two texts of few letters, the new one made of pieces of the old one and others."""
    alphabet = draw(st.sampled_from(ALPHABETS))
    texts = st.text(alphabet, max_size=longest)
    old = draw(texts)
    new = draw(texts)
    for _ in range(draw(st.integers(0, 5))):
        bounds = st.integers(0, len(old))
        start, end = sorted((draw(bounds), draw(bounds)))
        at = draw(st.integers(0, len(new)))
        new = new[:at] + old[start:end] + new[at:]
    return old, new


@settings(max_examples=cases(400, 20_000))
@given(page_pairs(), st.integers(1, 20))
def test_suffix_and_anchor_find_all_maximal_regions(pair, least):
    old, new = pair
    for matcher in ("suffix", "anchor"):
        regions = find_regions(old, new, matcher=matcher, min_length=least)
        check(old, new, regions, least)
        assert places(regions) == maximal(old, new, least)


def changed_text(chance, text):
    """Edits of all sizes, moves and repetitions among them."""
    for _ in range(chance.randint(0, 12)):
        start = chance.randrange(len(text) + 1)
        length = chance.choice((1, 2, 10, 60, 300))
        piece = text[start : start + length]
        to = chance.randrange(len(text) + 1)
        match chance.randrange(5):
            case 0:
                text = text[:start] + text[start + length :]
            case 1:
                text = text[:to] + piece + text[to:]
            case 2:
                text = text[:to] + piece[::-1] + text[to:]
            case 3:
                text = text[:start] + chance.choice("x€\n😀") + text[start + 1 :]
            case _:
                text = text[:to] + piece * chance.randint(2, 4) + text[to + length :]
    return text


@pytest.mark.parametrize("seed", range(8))
def test_anchor_skips_nothing_that_suffix_finds(seed):
    chance = random.Random(seed)
    texts = [
        path.read_text() for path in sorted(SAMPLES.rglob("*.*")) if path.suffix in {".md", ".html"}
    ]
    direct = 0
    for _ in range(400):
        start = chance.randrange(2000)
        base = chance.choice(texts)[start : start + chance.choice((200, 1000, 4000))]
        old = changed_text(chance, base)
        new = changed_text(chance, chance.choice((old, base)))
        for least in (12, 13, 20, 31, 32, 40, 64, 100):
            expected = [tuple(row) for row in match_suffix(old, new, least).tolist()]
            regions = find_regions(old, new, min_length=least)
            check(old, new, regions, least)
            assert places(regions) == {(start, length) for start, _, length in expected}
            direct += match_anchor(old, new, least) is not None
    assert direct > 2500  # the rest fell back


def variants(chance, words, count):
    """Texts that share most words: regions of many distances overlap."""
    text = [chance.choice(words) for _ in range(40)]
    for _ in range(count):
        copy = list(text)
        for _ in range(chance.randint(0, 3)):
            copy[chance.randrange(len(copy))] = chance.choice(words)
        yield "".join(copy)


@pytest.mark.parametrize("seed", range(4))
def test_anchor_finds_regions_that_others_cover_together(seed):
    chance = random.Random(seed)
    direct = 0
    for _ in range(300):
        words = ["".join(chance.choices("abcdefgh", k=4)) for _ in range(40)]
        pages = list(variants(chance, words, 6))
        cuts = [page[chance.randrange(60) : chance.randrange(60, 160)] for page in pages]
        old = "#".join(cuts)
        new = "?".join(pages[: chance.randint(1, 3)])
        for least in (12, 16, 24, 40, 70):
            regions = match_anchor(old, new, least)
            if regions is not None:
                direct += 1
                expected = match_suffix(old, new, least)
                assert regions[:, ::2].tolist() == expected[:, ::2].tolist()
    assert direct > 1200


def longest_common_lines(old, new):
    """The length of a longest common subsequence, by the quadratic recurrence."""
    row = [0] * (len(new) + 1)
    for line in old:
        above = row[:]
        for i, new_line in enumerate(new):
            row[i + 1] = above[i] + 1 if line == new_line else max(row[i], above[i + 1])
    return row[-1]


def lines_of(text):
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def lines_inside(text, regions):
    """How many lines of the new text lie within one of the regions."""
    start = count = 0
    for line in lines_of(text):
        end = start + len(line)
        count += any(region.new_start <= start and end <= region.new_end for region in regions)
        start = end
    return count


line_pages = st.lists(st.sampled_from(["a", "b", "bb", "c€", "", "a b", "😀"]), max_size=25)


@settings(max_examples=cases(400, 20_000))
@given(line_pages, line_pages, st.booleans(), st.booleans())
def test_line_finds_as_many_lines_as_a_longest_common_subsequence(old, new, old_end, new_end):
    old = "\n".join(old) + "\n" * old_end
    new = "\n".join(new) + "\n" * new_end
    regions = find_regions(old, new, matcher="line")
    check(old, new, regions, 1)
    assert lines_inside(new, regions) >= longest_common_lines(lines_of(old), lines_of(new))


@settings(max_examples=cases(300, 20_000))
@given(page_pairs(), st.integers(1, 20))
def test_line_has_the_common_head_and_tail(pair, least):
    old, new = pair
    regions = find_regions(old, new, matcher="line", min_length=least)
    check(old, new, regions, least)
    head = common_head(old, new)
    tail = common_head(old[::-1], new[::-1])
    if head >= least:
        assert regions[0].new_start == 0
        assert regions[0].length >= head
    if tail >= least:
        assert regions[-1].new_end == len(new)
        assert regions[-1].length >= tail


@settings(max_examples=cases(200, 10_000))
@given(page_pairs(), st.integers(1, 20), st.sampled_from(list(MATCHERS)))
def test_a_region_at_the_edge_of_both_pages_is_preferred(pair, least, matcher):
    old, new = pair
    for region in find_regions(old, new, matcher=matcher, min_length=least):
        if region.new_start == 0 and new[: region.length] == old[: region.length]:
            assert region.old_start == 0
        elif region.new_end == len(new) and old.endswith(new[region.new_start :]):
            assert region.old_end == len(old)


@pytest.mark.parametrize("matcher", ["line", "suffix", "anchor"])
@pytest.mark.parametrize("text", ["a", "€", "one\ntwo\n" * 50, "\ud800", "😀" * 30])
def test_identical_pages_are_one_region(matcher, text):
    assert find_regions(text, text, matcher=matcher) == [Region(0, 0, len(text))]
    assert find_regions(text, text, matcher=matcher, min_length=len(text) + 1) == []


@pytest.mark.parametrize("matcher", MATCHERS)
def test_empty_pages_share_nothing(matcher):
    for old, new in (("", ""), ("", "abc"), ("abc", ""), ("", "😀\n")):
        for least in (1, 12, 100):
            assert find_regions(old, new, matcher=matcher, min_length=least) == []


def test_none_finds_nothing():
    assert find_regions("same", "same", matcher="none") == []


@pytest.mark.parametrize("matcher", ["line", "suffix", "anchor"])
def test_a_megabyte_of_one_line_is_one_region(matcher):
    line = "the same line again and again\n"
    count = 1_000_000 // len(line)
    for old, new in ((count, count + count // 10), (count + count // 10, count)):
        regions = find_regions(line * old, line * new, matcher=matcher, min_length=100)
        check(line * old, line * new, regions, 100)
        assert regions[0].length == min(old, new) * len(line)
        assert regions[-1].new_end == new * len(line)


def test_line_is_quick_on_pages_that_have_nothing_or_little_in_order():
    chance = random.Random(0)
    apart = ["".join(f"{i:x} {page}\n" for i in range(100_000)) for page in "ab"]
    assert [region.length for region in find_regions(*apart, matcher="line")] == [2, 1]
    shuffled = [f"{i % 500}\n" for i in range(50_000)]
    chance.shuffle(shuffled)
    old = "".join(shuffled)
    chance.shuffle(shuffled)
    new = "".join(shuffled)
    check(old, new, find_regions(old, new, matcher="line"), 1)


def test_pages_and_texts_are_taken():
    old = Page("one two three", "a")
    new = Page("zero one two", "a")
    assert find_regions(old, new, min_length=7) == [Region(5, 0, 7)]
    assert find_regions(old.text, new.text, min_length=7) == [Region(5, 0, 7)]
    region = Region(5, 0, 7)
    assert (region.new_end, region.old_end) == (12, 7)


def test_regions_come_as_rows():
    rows = match_regions("abc", "xbc", "suffix", 1)
    assert rows.dtype == "int64"
    assert rows.tolist() == [[1, 1, 2]]
    assert match_regions("a", "b", "anchor", 1).shape == (0, 3)
    assert match_regions("a", "a", "line", 2).shape == (0, 3)


def test_unknown_matchers_and_lengths_are_refused():
    with pytest.raises(
        UsageError, match="unknown matcher 'wrong'; choose from none, line, suffix, anchor"
    ):
        find_regions("a", "b", matcher="wrong")
    with pytest.raises(UsageError, match="at least 1, not 0"):
        find_regions("a", "b", min_length=0)
