"""Delimiters on which mistaken instances agree, compared with a plain search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.learning.recognizers.agreement import LONGER, WORTHY, agreement
from rowen.learning.recognizers.recognizer import Instances
from rowen.model import Page


def of(*spans):
    return Instances(frozenset(), frozenset(spans), complete=False)


def texts(page, found):
    return [page.text[slice(*at)] for at in found]


def test_what_was_missed_is_found_and_what_was_wrong_is_left_out():
    page = Page("<b>Congo</b> 242 <b>Egypt</b> 20 <b>Peru</b> 51 <u>Next</u>")
    places = [(page.text.index(word), page.text.index(word) + len(word))
              for word in ("Congo", "Egypt", "Next", "242")]  # fmt: skip
    best = agreement([(page, of(*places))])
    assert texts(page, best.places[0]) == ["Congo", "Egypt", "Peru"]
    assert best.score == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))


def test_a_value_that_is_in_a_menu_as_well_counts_once():
    pages = [
        Page(f"<nav>{name} Home</nav><h1>{name}</h1><p>About {name}</p>")
        for name in ("A", "B", "C")
    ]
    every = [of(*((i, i + 1) for i, c in enumerate(p.text) if c in "ABC" and p.text[i + 1] != "b"))
             for p in pages]  # fmt: skip
    best = agreement(list(zip(pages, every, strict=True)))
    assert [texts(page, found) for page, found in zip(pages, best.places, strict=True)] == [
        ["A"], ["B"], ["C"]
    ]  # fmt: skip
    assert best.score == 1


def test_nothing_agrees_where_there_is_nothing_to_agree_on():
    page = Page("abc def")
    assert agreement([]) is None
    assert agreement([(page, of())]) is None


WORDS = st.lists(st.sampled_from(["<b>", "</b>", "<i>", "</i>", "x", "y ", " z", "w"]), max_size=12)


def plain(text, left, right, longest):
    """The same by looking at each place."""
    found, at = [], 0
    while at < len(text):
        start = at + len(left)
        if text.startswith(left, at):
            end = next((e for e in range(start + 1, min(len(text), start + longest) + 1)
                        if text.startswith(right, e)), None)  # fmt: skip
            if end is not None and left not in text[start:end]:
                found.append((start, end))
                at = end
                continue
        at += 1
    return found


@given(st.lists(WORDS, min_size=1, max_size=3), st.data())
def test_the_score_is_that_of_what_the_delimiters_find(pieces, data):
    pages = [Page("".join(piece)) for piece in pieces]
    marked = []
    for page in pages:
        count = len(page.text)
        bounds = st.tuples(st.integers(0, count), st.integers(0, count)).filter(
            lambda b: b[0] < b[1]
        )
        marked.append(data.draw(st.sets(bounds, max_size=4)) if count > 1 else set())
    best = agreement([(page, of(*spans)) for page, spans in zip(pages, marked, strict=True)])
    if best is None:
        return
    assert best.score >= WORTHY
    longest = max(end - start for spans in marked for start, end in spans) * LONGER
    values = {(n, pages[n].text[slice(*at)]) for n, spans in enumerate(marked) for at in spans}
    found = [plain(page.text, best.left, best.right, longest) for page in pages]
    assert [list(places) for places in best.places] == found
    hits = [(n, at) for n, places in enumerate(found) for at in places if at in marked[n]]
    reached = {(n, pages[n].text[slice(*at)]) for n, at in hits}
    recall, precision = len(reached) / len(values), len(hits) / sum(map(len, found))
    assert best.score == pytest.approx(2 * recall * precision / (recall + precision))
