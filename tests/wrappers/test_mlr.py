"""M-LR against its definition: a slow executor and a search over all candidate delimiters."""

import random

import pytest
from reference_racing import (
    ROWS,
    exhaustive,
    missing_examples,
    missing_page,
    random_missing,
    random_text,
    rows_of,
    run_missing,
    try_learning,
    values_of,
)

import rowen
from rowen.wrappers.racing.mlr import MLR, learn_class


@pytest.mark.parametrize("seed", range(8))
def test_learns_exactly_when_exhaustive_search_finds_a_wrapper(seed):
    rng = random.Random(seed)
    found = refused = 0
    for _ in range(1000):
        labels, count = random_missing(rng, 1)
        every = [record for _, records in labels for record in records]
        if not every:
            continue
        first = sorted({next(n for n, one in enumerate(record) if one) for record in every})

        def fits(number, left, right, labels=labels, first=first, **frame):
            text, records = labels[number]
            return run_missing(text, first, left, right, **frame) == records

        pages = [(text, values_of(records)) for text, records in labels]
        possible = exhaustive(pages, count, fits, framed=False)
        wrapper = try_learning(learn_class, missing_examples(labels))
        assert (wrapper is None) == (possible is None), (labels, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        found += 1
        for text, records in labels:
            assert run_missing(text, first, wrapper.left, wrapper.right) == records
            assert rows_of(wrapper.extract(text), wrapper.fields) == records
    assert found > 100
    assert refused > 100


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
        wrapper = MLR(names, left, right, first=[names[n] for n in first])
        expected = run_missing(text, first, left, right)
        found = wrapper.extract(text)
        assert (found.failure is not None) == (expected is None)
        if expected is not None:
            assert rows_of(found, names) == expected


def test_prefers_whole_tags():
    wrapper = rowen.learn([missing_page(ROWS)], "m-lr")
    assert wrapper.left == ("<b>", "<i>", "<u>")
    assert wrapper.right == ("</b>", "</i>", "</u>")


def test_fields_are_ordered_as_they_stand_on_the_pages():
    example = rowen.Example("(1)[A]", [{"letter": (4, 5), "number": (1, 2)}])
    assert learn_class([example]).fields == ("number", "letter")


def test_names_the_pages_on_which_fields_are_mixed_up():
    good = rowen.Example(rowen.Page("(A)[B]", id="good"), [{"a": (1, 2), "b": (4, 5)}])
    turned = rowen.Example(rowen.Page("[A](B)[C]", id="turned"), [{"a": (4, 5), "b": (7, 8)}])
    # From the start of the page only "a" is looked for; "b" begins no record.
    assert learn_class([good, turned]).extract(turned.page) == list(turned.records)
    mixed = rowen.Example(
        rowen.Page("(A)[B][(C)[D]", id="mixed"),
        [{"a": (1, 2), "b": (4, 5)}, {"a": (8, 9), "b": None}],
    )
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        learn_class([good, mixed])
    assert caught.value.field == "b"
    assert caught.value.pages == ("mixed",)
