"""Viterbi decoding of the linear-chain CRF beside a search that tries all labellings."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen._core import LinearChainCRF, feature_keys, feature_value

TEMPLATES = [[(0, 0)], [(1, 0)], [(0, -1)], [(0, 0), (1, 1)], [(1, -2), (0, 1)]]
SMALL = st.floats(-4, 4, width=16)


@st.composite
def fields(draw):
    """A linear-chain CRF with random weights for the features of random rows, and those rows."""
    count = draw(st.integers(1, 3))
    rows = np.array(
        draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=5)),
        np.uint64,
    )
    keys = sorted({int(key) for key in feature_keys(TEMPLATES, rows) if key})
    known = draw(st.lists(st.sampled_from(keys), unique=True)) if keys else []
    weights = {key: [draw(SMALL) for _ in range(count)] for key in known}
    steps = np.array([[draw(SMALL) for _ in range(count)] for _ in range(count)], np.float32)
    crf = LinearChainCRF(
        TEMPLATES,
        np.array(known, np.uint64),
        np.arange(0, count * len(known) + 1, count, dtype=np.uint32),
        np.tile(np.arange(count, dtype=np.uint8), len(known)),
        np.array([weight for key in known for weight in weights[key]], np.float32),
        steps,
    )
    return crf, rows, weights, steps


def scores(rows, weights, steps):
    """Each labelling with its score, by definition."""
    keys = feature_keys(TEMPLATES, rows).reshape(len(rows), -1).tolist()
    for labels in product(range(len(steps)), repeat=len(rows)):
        state = sum(
            weights[key][label] for row, label in zip(keys, labels, strict=True)
            for key in row if key in weights
        )  # fmt: skip
        yield labels, state + sum(float(steps[a][b]) for a, b in pairwise(labels))


@given(fields())
def test_no_labelling_scores_higher_than_the_one_chosen(case):
    crf, rows, weights, steps = case
    every = dict(scores(rows, weights, steps))
    chosen = crf.label(rows)
    assert every[tuple(chosen.tolist())] == pytest.approx(max(every.values()), abs=1e-3)


@given(fields(), st.data())
def test_probabilities_are_those_of_all_labellings_added_up(case, data):
    crf, rows, weights, steps = case
    groups = [data.draw(st.integers(0, 1)) for _ in range(len(steps))]
    every = dict(scores(rows, weights, steps))
    labels, probabilities = crf.label_surely(rows, np.array(groups, np.uint8))
    assert labels.tolist() == crf.label(rows).tolist()
    total = sum(math.exp(score) for score in every.values())
    for row, label in enumerate(labels.tolist()):
        own = sum(
            math.exp(score)
            for labelling, score in every.items()
            if groups[labelling[row]] == groups[label]
        )
        assert probabilities[row] == pytest.approx(own / total, abs=1e-4)


def test_probabilities_stay_finite_for_extreme_weights_and_long_sequences():
    crf = LinearChainCRF(
        [[(0, 0)]], np.array(feature_keys([[(0, 0)]], np.array([[7]], np.uint64))),
        np.array([0, 2], np.uint32), np.array([0, 1], np.uint8),
        np.array([6e4, -6e4], np.float32), np.array([[-3e38, 3e38], [3e38, -3e38]], np.float32),
    )  # fmt: skip
    _, probabilities = crf.label_surely(
        np.full((3000, 1), 7, np.uint64), np.arange(2, dtype=np.uint8)
    )
    assert np.isfinite(probabilities).all()
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


def test_a_template_with_a_value_that_is_missing_gives_no_feature():
    keys = feature_keys([[(0, 0)], [(0, 0), (1, 0)]], np.array([[7, 0], [7, 9]], np.uint64))
    assert keys[1] == 0
    assert keys[0] == keys[2] != 0
    assert keys[3] != 0


def test_what_lies_beyond_the_ends_is_a_feature_too():
    keys = feature_keys([[(0, -1)], [(0, 1)]], np.array([[7]], np.uint64))
    assert keys[0] != keys[1]
    assert keys.all()


def test_no_rows_have_no_labels():
    crf = LinearChainCRF(
        [[(0, 0)]], np.array([], np.uint64), np.array([0], np.uint32), np.array([], np.uint8),
        np.array([], np.float32), np.zeros((2, 2), np.float32),
    )  # fmt: skip
    assert len(crf.label(np.zeros((0, 1), np.uint64))) == 0


@pytest.mark.parametrize(
    ("starts", "labels"),
    [([0], [0]), ([0, 2], [0]), ([1, 1], [0]), ([0, 1], [2])],
    ids=["too few", "beyond", "late", "label unknown"],
)
def test_a_model_whose_parts_do_not_fit_is_refused(starts, labels):
    with pytest.raises(ValueError, match="don't fit"):
        LinearChainCRF(
            [[(0, 0)]], np.array([5], np.uint64), np.array(starts, np.uint32),
            np.array(labels, np.uint8), np.zeros(len(labels), np.float32),
            np.zeros((2, 2), np.float32),
        )  # fmt: skip


def test_each_label_needs_a_group():
    crf = LinearChainCRF(
        [[(0, 0)]], np.array([], np.uint64), np.array([0], np.uint32), np.array([], np.uint8),
        np.array([], np.float32), np.zeros((2, 2), np.float32),
    )  # fmt: skip
    with pytest.raises(ValueError, match="group"):
        crf.label_surely(np.zeros((1, 1), np.uint64), np.zeros(1, np.uint8))


def test_rows_with_too_few_columns_are_refused():
    with pytest.raises(ValueError, match="column"):
        feature_keys([[(3, 0)]], np.zeros((1, 2), np.uint64))


def test_feature_values_are_the_same_in_every_process():
    assert feature_value("title") == feature_value("ti" + "tle") == 0xDA31296C0C1B6029
