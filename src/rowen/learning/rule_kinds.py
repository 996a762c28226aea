"""The kind of rule of each field of a token wrapper, by what predicts it best.

The cheapest rule that fits is a guess. Where it predicts a field badly on examples that were left
out, rules of other kinds are tried for it. The first that predicts the field best replaces the
cheapest, if the record as a whole is predicted no worse. Rules are never united. Only pages of one
record each are considered, where no field depends on others. In lists the many records of a page
decide between the kinds.

    <p>by <a>Ada</a></p>            marked: Ada
    text at a landmark              the text after <p>by <a>
    all of an element               all of the <a>
    page left out                   <p>by <a>Eve <i>Fay</i></a></p>: only the element is right
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import get_args

from rowen.induction import budget
from rowen.landmarks.excerpt import learn_class
from rowen.landmarks.learn import learn_fields
from rowen.landmarks.sample import Kind, divide, read_sample
from rowen.learning.prediction import Prediction, attempt, predict
from rowen.records import Example
from rowen.wrappers.token.wrapper import Token

KINDS: tuple[Kind, ...] = get_args(Kind)

BETTER = 0.1
"""Another kind has to predict its field better by this much (F1)."""

_WORDS: dict[Kind, str] = {
    "element": "all of an element",
    "container": "items of a container",
    "text": "text at a landmark",
    "run": "a part of an element",
}


def choose_kinds(
    wrapper: Token, prediction: Prediction, examples: Sequence[Example]
) -> tuple[Token, Prediction]:
    """The wrapper with other kinds of rules where they predict better, and its prediction."""
    if wrapper.record is not None:
        return wrapper, prediction
    kinds: dict[str, Kind] = {}
    reasons = []
    for name in prediction.fields:
        if prediction.fields[name] + BETTER > 1:
            continue
        # Without the other fields each trial is cheap, and pages of one record don't need them.
        alone = [_with_field(name, example) for example in examples]
        cheapest = best = predict(partial(_learn_alone, kinds={}), alone).score
        for kind in KINDS:
            if best + BETTER > 1 or budget.spent():
                break
            score = predict(partial(_learn_alone, kinds={name: kind}), alone).score
            if score > best + BETTER:
                kinds[name], best = kind, score
        if name in kinds:
            reasons.append(f"{name} as {_WORDS[kinds[name]]}: {best:.2f}, not {cheapest:.2f}")
    learner = partial(learn_class, kinds=kinds)
    chosen = attempt(learner, examples) if kinds else wrapper
    if not isinstance(chosen, Token) or chosen.rules == wrapper.rules:
        return wrapper, prediction
    chosen.reason = "; ".join(reasons)
    predicted = predict(learner, examples)
    return (chosen, predicted) if predicted.score >= prediction.score else (wrapper, prediction)


def _with_field(name: str, example: Example) -> Example:
    labels = [record.spans for record in example.records]
    return Example(example.page, [{name: label[name]} if name in label else {} for label in labels])


def _learn_alone(examples: Sequence[Example], *, kinds: Mapping[str, Kind]) -> Token:
    """A wrapper for one field of pages that are one record each."""
    sample = read_sample(examples, kinds)
    divide(sample, None)
    wrapper, failures, _ = learn_fields(sample, None)
    if failures:
        raise failures[0]
    return wrapper
