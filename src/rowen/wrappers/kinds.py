"""The kind of rule of each field of a token wrapper, by what predicts it best.

The cheapest rule that fits is a guess. Where a field comes out wrong on examples that were left
out, rules of other kinds are tried for it, and the first that predicts it best takes the place of
the cheapest, if the record as a whole is predicted no worse; rules are never united. Only pages
that are one record each are looked at, where no field depends on others. In lists the many records
of a page tell the kinds apart.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import get_args

from rowen.model import Example
from rowen.wrappers import budget
from rowen.wrappers.prediction import Prediction, attempt, predict
from rowen.wrappers.token.learning import learn_fields
from rowen.wrappers.token.sample import Kind, divide, read_sample
from rowen.wrappers.token.wrapper import Token, learn_class

KINDS: tuple[Kind, ...] = get_args(Kind)

BETTER = 0.1
"""So much better (F1) another kind has to predict its field."""

_WORDS: dict[Kind, str] = {
    "element": "all of an element",
    "container": "items of a container",
    "text": "text at a landmark",
}


def choose_kinds(
    wrapper: Token, prediction: Prediction, examples: Sequence[Example]
) -> tuple[Token, Prediction]:
    """The wrapper with other kinds of rules where they predict better, and how well it does."""
    if wrapper.record is not None:
        return wrapper, prediction
    kinds: dict[str, Kind] = {}
    reasons = []
    for name in prediction.fields:
        if prediction.fields[name] + BETTER > 1:
            continue
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
    other = attempt(learner, examples) if kinds else wrapper
    if not isinstance(other, Token) or other.rules == wrapper.rules:
        return wrapper, prediction
    other.reason = "; ".join(reasons)
    predicted = predict(learner, examples)
    return (other, predicted) if predicted.score >= prediction.score else (wrapper, prediction)


def _with_field(name: str, example: Example) -> Example:
    known = [record.spans for record in example.records]
    return Example(example.page, [{name: one[name]} if name in one else {} for one in known])


def _learn_alone(examples: Sequence[Example], *, kinds: Mapping[str, Kind]) -> Token:
    """A wrapper for one field of pages that are one record each."""
    sample = read_sample(examples, kinds)
    divide(sample, None)
    wrapper, failures, _ = learn_fields(sample, None)
    if failures:
        raise failures[0]
    return wrapper
