"""M-HLRT against its definition: a slow executor and a search over all candidate delimiters."""

import random

import pytest
from reference_racing import (
    FRAME,
    ROWS,
    exhaustive,
    missing_examples,
    missing_page,
    random_missing,
    random_text,
    rows_of,
    run_missing,
    tail_stands,
    try_learning,
    values_of,
)

import rowen
from rowen.wrappers.racing.mhlrt import MHLRT, learn_class


@pytest.mark.parametrize("seed", range(8))
def test_learns_exactly_when_exhaustive_search_finds_a_wrapper(seed):
    rng = random.Random(seed)
    found = refused = 0
    for _ in range(500):
        labels, count = random_missing(rng, 3)
        every = [record for _, records in labels for record in records]
        if not every:
            continue
        first = sorted({next(n for n, one in enumerate(record) if one) for record in every})

        def fits(number, left, right, labels=labels, first=first, **frame):
            text, records = labels[number]
            return run_missing(text, first, left, right, **frame) == records

        pages = [(text, values_of(records)) for text, records in labels]
        possible = exhaustive(pages, count, fits, framed=True)
        wrapper = try_learning(learn_class, missing_examples(labels))
        assert (wrapper is None) == (possible is None), (labels, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        found += 1
        for text, records in labels:
            frame = {"head": wrapper.head, "tail": wrapper.tail}
            assert tail_stands(text, values_of(records), **frame)
            assert run_missing(text, first, wrapper.left, wrapper.right, **frame) == records
            assert rows_of(wrapper.extract(text), wrapper.fields) == records
    assert found > 50
    assert refused > 50


@pytest.mark.parametrize("seed", range(4))
def test_runs_as_defined(seed):
    rng = random.Random(seed)
    for _ in range(2000):
        alphabet = rng.choice(["ab", "abc"])
        text = random_text(rng, alphabet, 0, 16)
        count = rng.randint(1, 3)
        names = "abc"[:count]
        first = sorted(rng.sample(range(count), rng.randint(1, count)))
        left = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        right = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        head, tail = random_text(rng, alphabet, 0, 1), random_text(rng, alphabet, 1, 2)
        begin = [names[n] for n in first]
        wrapper = MHLRT(names, left, right, head=head, tail=tail, first=begin)
        expected = run_missing(text, first, left, right, head=head, tail=tail)
        found = wrapper.extract(text)
        assert (found.failure is not None) == (expected is None)
        if expected is not None:
            assert rows_of(found, names) == expected


def test_prefers_whole_tags():
    wrapper = rowen.learn([missing_page(ROWS, *FRAME)], "m-hlrt")
    assert (wrapper.head, wrapper.tail) == ("<table>", "</table>")
    assert wrapper.left == ("<b>", "<i>", "<u>")
    assert wrapper.right == ("</b>", "</i>", "</u>")


def test_fields_are_ordered_as_they_stand_on_the_pages():
    example = rowen.Example("(1)[A];", [{"letter": (4, 5), "number": (1, 2)}])
    assert learn_class([example]).fields == ("number", "letter")
