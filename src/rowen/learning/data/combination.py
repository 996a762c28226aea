"""Fields from scripts and fields from markup in one record, on pages of one record each.

    marked    name, price, delivery      JSON-LD has name and price; delivery is in the markup
    learned   name and price by paths, delivery by landmarks

A field goes to the data where that predicts it better than landmarks do; or as well, where the
field is in a script in any case.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from rowen.assurance.evidence import Evidence
from rowen.landmarks.excerpt import learn_class as learn_landmarks
from rowen.learning.data.learn import is_paged, learn_page
from rowen.learning.data.marked import read_marked
from rowen.learning.prediction import Prediction, predict
from rowen.model import NoConsistentWrapper
from rowen.records import Example
from rowen.text.html_tokens import LITERAL, tokenize
from rowen.wrappers.combination import Combination
from rowen.wrappers.data.source import IN_SCRIPTS
from rowen.wrappers.data.wrapper import Data


def learn_combination(
    examples: Sequence[Example], markup: Prediction | None
) -> tuple[Combination, Prediction] | None:
    """The best combination with its prediction; None where data has no field or all of them.

    `markup` is how well landmarks predict each field; None where they don't fit.
    """
    if not is_paged(examples) or len(examples) == 1:
        return None
    try:
        data = _of_scripts(examples)
    except NoConsistentWrapper:
        return None
    if not data.rules:
        return None
    alone = predict(partial(_learn_data, names=frozenset(data.rules)), examples)
    names = frozenset(
        name for name in data.rules if markup is None or _is_better(name, examples, alone, markup)
    )
    if not names or names == set(data.fields):
        return None
    learner = partial(_learn, names=names)
    try:
        return learner(examples), predict(learner, examples)
    except NoConsistentWrapper:
        return None


def _is_better(
    name: str, examples: Sequence[Example], data: Prediction, markup: Prediction
) -> bool:
    ours, theirs = (prediction.fields.get(name, 0.0) for prediction in (data, markup))
    shown = any(name in fields_outside_scripts(example) for example in examples)
    return ours > theirs or (ours == theirs and not shown)


def fields_outside_scripts(example: Example) -> set[str]:
    """The fields with a value that is not in a script."""
    tokens = tokenize(example.page.text)
    outside: set[str] = set()
    for record in example.records:
        for name, spans in record.items():
            places = tokens.starts.searchsorted([span.start for span in spans], "right") - 1
            if not (tokens.flags[places] & LITERAL).all():
                outside.add(name)
    return outside


def _learn(examples: Sequence[Example], *, names: frozenset[str]) -> Combination:
    data = _learn_data(examples, names=names)
    landmarks = learn_landmarks([_only(example, names, inside=False) for example in examples])
    fields = dict.fromkeys(
        name for example in examples for record in example.records for name in record.spans
    )
    return Combination(list(fields), wrappers=[data, landmarks], evidence=Evidence.of(examples))


def _learn_data(examples: Sequence[Example], *, names: frozenset[str]) -> Data:
    data = _of_scripts([_only(example, names, inside=True) for example in examples])
    missing = [field for field in data.fields if field not in data.rules]
    if missing:
        raise NoConsistentWrapper("the data does not have it", field=missing[0])
    return data


def _of_scripts(examples: Sequence[Example]) -> Data:
    """A wrapper with rules for the fields that scripts have."""
    data = learn_page(examples, [read_marked(example) for example in examples])
    data.rules = {
        name: rule
        for name, rule in data.rules.items()
        if rule.source is not None and rule.source.origin in IN_SCRIPTS
    }
    return data


def _only(example: Example, names: frozenset[str], *, inside: bool) -> Example:
    """An example with some of its fields: those of these names, or the others."""
    (record,) = example.records
    spans = {name: where for name, where in record.spans.items() if (name in names) == inside}
    given = [
        {name: value for name, value in label.items() if (name in names) == inside}
        for label in example.given
        if isinstance(label, Mapping)
    ]
    return Example.located(example.page, [spans], partial=False, given=given)
