"""Training of the linear-chain CRF beside a slow search for the best weights by definition."""

import math
import random
from itertools import pairwise, product

import numpy as np
import pytest

from rowen._core import ChainTrainer, feature_keys
from rowen.crf.tagger import pack_model, unpack_model, unpack_weights
from rowen.crf.training import NEVER, Settings, fit, packed, without_small

TEMPLATES = [[(0, 0)], [(0, -1)]]
LABELS = ("a", "b")
C2 = 2.0


def data(count=30, seed=3):
    """Short sequences whose labels mostly follow their values."""
    draw = random.Random(seed)
    for _ in range(count):
        values = [draw.randint(3, 5) for _ in range(draw.randint(1, 4))]
        labels = ["a" if value < 4 or draw.random() < 0.3 else "b" for value in values]
        yield np.array(values, np.uint64).reshape(-1, 1), labels


def objective(weights, steps, sequences):
    """What training minimises, by definition: over all labellings of each sequence."""
    loss = C2 * (sum(weight**2 for weight in weights.values()) + (steps**2).sum())
    for rows, labels in sequences:
        keys = feature_keys(TEMPLATES, rows).reshape(len(rows), -1).tolist()

        def score(labelling, keys=keys):
            own = sum(
                weights.get((key, label), 0.0)
                for row, label in zip(keys, labelling, strict=True)
                for key in row
            )
            return own + sum(
                steps[LABELS.index(a), LABELS.index(b)] for a, b in pairwise(labelling)
            )

        every = [score(labelling) for labelling in product(LABELS, repeat=len(rows))]
        loss += math.log(sum(map(math.exp, every))) - score(tuple(labels))
    return loss


def best_objective(sequences):
    """The smallest value, found by following numeric gradients in small steps."""
    pairs = sorted(
        {
            (key, label)
            for rows, labels in sequences
            for row, label in zip(
                feature_keys(TEMPLATES, rows).reshape(len(rows), -1).tolist(), labels, strict=True
            )
            for key in row
            if key
        }
    )
    point = np.zeros(len(pairs) + 4)

    def value(at):
        return objective(dict(zip(pairs, at[:-4], strict=True)), at[-4:].reshape(2, 2), sequences)

    for _ in range(40):
        gradient = np.array(
            [
                (value(point + step) - value(point - step)) / 2e-4
                for step in np.eye(len(point)) * 1e-4
            ]
        )
        point = point - 0.04 * gradient
    return value(point)


def test_training_finds_the_smallest_value_of_what_it_minimises():
    sequences = list(data(12))
    trainer = ChainTrainer(TEMPLATES, 2)
    for rows, labels in sequences:
        trainer.add(rows, np.array([LABELS.index(label) for label in labels], np.uint8))
    trainer.prepare(1, NEVER, None)
    for _ in range(60):
        trainer.run_pass(np.arange(len(sequences), dtype=np.uint32), 0.05, C2)
    keys, starts, labels, weights, steps = trainer.weights()
    owners = np.repeat(keys, np.diff(starts)).tolist()
    found = {
        (key, LABELS[label]): float(weight)
        for key, label, weight in zip(owners, labels, weights, strict=True)
    }
    reached = objective(found, steps.reshape(2, 2).astype(float), sequences)
    assert reached == pytest.approx(best_objective(sequences), rel=0.01)


def test_the_loss_is_the_mean_over_sequences():
    sequences = list(data(6))
    trainer = ChainTrainer(TEMPLATES, 2)
    for rows, labels in sequences:
        trainer.add(rows, np.array([LABELS.index(label) for label in labels], np.uint8))
    trainer.prepare(1, NEVER, None)
    expected = sum(len(rows) * math.log(2) for rows, _ in sequences) / len(sequences)
    assert trainer.loss(0, 6) == pytest.approx(expected, rel=1e-3)  # all weights are 0


def test_equal_seeds_give_equal_models_and_the_order_hardly_matters():
    sequences, held = list(data(40)), list(data(20, seed=9))

    def model(seed):
        labels, weights = fit(
            sequences, held, TEMPLATES, settings=Settings(rate=0.02, c2=C2, seen=1, seed=seed)
        )
        return labels, weights

    labels, weights = model(1)
    _, same = model(1)
    _, other = model(2)
    assert labels == list(LABELS)
    assert np.array_equal(weights.weights, same.weights)
    assert np.abs(weights.weights - other.weights).max() < 0.05


def test_training_ends_when_what_is_held_out_does_not_improve():
    passes = []
    fit(
        list(data(40)), list(data(20, seed=9)), TEMPLATES,
        settings=Settings(rate=0.5, c2=0.0, seen=1, passes=60, patience=2),
        report=lambda _, loss: passes.append(loss),
    )  # fmt: skip
    assert len(passes) < 60
    assert min(passes[-2:]) >= min(passes)


def test_a_prior_stays_where_the_data_says_nothing():
    labels, weights = fit(
        list(data(40)), list(data(10, seed=5)), TEMPLATES, settings=Settings(seen=1, rate=0.02)
    )
    few = [(np.array([[3]], np.uint64), ["b"])] * 5
    adapted_labels, adapted = fit(
        few, few, TEMPLATES, settings=Settings(seen=1, rate=0.05, c2=0.1, passes=5),
        prior=(labels, weights),
    )  # fmt: skip
    assert adapted_labels == labels
    before = dict(zip(weights.keys.tolist(), weights.starts.tolist(), strict=False))
    after = dict(zip(adapted.keys.tolist(), adapted.starts.tolist(), strict=False))
    used = set(feature_keys(TEMPLATES, few[0][0]).tolist())
    for key in before:
        same = weights.weights[before[key]] == pytest.approx(adapted.weights[after[key]])
        assert same or key in used


def test_features_that_are_rare_and_weights_that_are_small_are_left_out():
    sequences = [(np.array([[3]], np.uint64), ["a"])] * 3 + [(np.array([[4]], np.uint64), ["b"])]
    _, weights = fit(sequences, sequences, TEMPLATES[:1], settings=Settings(seen=2, rate=0.1))
    assert weights.keys.tolist() == feature_keys(TEMPLATES[:1], sequences[0][0]).tolist()
    assert len(without_small(weights, 100.0).keys) == 0
    kept = without_small(weights, 0.0)
    assert kept.starts.tolist() == [0, 1]


def test_a_trained_model_is_packed_and_unpacked():
    sequences = list(data(40))
    settings = Settings(seen=1, rate=0.02, least=0.0)
    labels, weights = fit(sequences, sequences, TEMPLATES, settings=settings)
    file = packed(labels, TEMPLATES, weights, settings=settings, record={"data": "made up"})
    model = unpack_model(file)
    assert model.record["settings"]["seen"] == 1
    rows, gold = max(sequences, key=lambda pair: len(pair[1]))
    assert len(model.label(rows)) == len(gold)
    head, unpacked = unpack_weights(file)
    assert pack_model(head["labels"], head["templates"], unpacked, head["record"]) == file


@pytest.mark.parametrize(
    "use",
    [
        lambda trainer: trainer.run_pass(np.zeros(1, np.uint32), 0.1, 1.0),
        lambda trainer: trainer.add(np.zeros((2, 1), np.uint64), np.zeros(1, np.uint8)),
        lambda trainer: trainer.add(np.zeros((1, 1), np.uint64), np.array([2], np.uint8)),
        lambda trainer: trainer.loss(0, 1),
        lambda _: ChainTrainer([], 0),
    ],
    ids=["not prepared", "too few labels", "label unknown", "no loss yet", "no labels"],
)
def test_wrong_use_of_the_trainer_is_refused(use):
    with pytest.raises(ValueError, match=r"."):
        use(ChainTrainer(TEMPLATES, 2))
