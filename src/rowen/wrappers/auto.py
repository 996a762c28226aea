"""`auto`: the class that predicts best what it was not shown.

Each class is learned from all examples but one and tried on that one (on a single page, from all
records but the last); the best prediction wins, and of equals the first in `ORDER`. In a token
wrapper the kind of rule is chosen so for each field (`rowen.wrappers.kinds`). Rules are never
united: more examples can only narrow the choice. Where no class fits all examples together they
are grouped, a wrapper is learned for each group, and pages are routed by fit.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import TypeAlias

from rowen.model import Example, NoConsistentWrapper, SearchCutShort
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence, Wrapper
from rowen.wrappers.classes import wrapper_class
from rowen.wrappers.estimate import Learner
from rowen.wrappers.kinds import choose_kinds
from rowen.wrappers.prediction import attempt, predict
from rowen.wrappers.several import Several
from rowen.wrappers.token.learning import agreement, learn_doubting, values
from rowen.wrappers.token.wrapper import Token

ORDER = ("token", "hlrt", "lr", "m-hlrt", "m-lr", "hoclrt", "oclr")
NESTED = ("n-hlrt", "n-lr")
"""Classes in the order of preference, for flat and for nested labels."""

MARGIN = 0.02
LONE_MARGIN = 0.3
"""A class that stands later in the order has to predict so much better; and more where each was
learned from a single page, from which tokens can't be generalised."""

HALF = 0.5
"""A wrapper for all examples that misses some fields has to give back so much of the labels."""

TIME = 0.5
"""Each class may take so much of the time that is left to all of them."""

CLASSES_TIME = 0.6
"""All classes together may take so much of the time; the rest is for labels that none fits."""

AGREED = 0.8
"""Labels that contradict each other are taken for mistakes where a wrapper agrees with so many
(F1), and with half of those of each page; else for several templates."""

ENOUGH = 0.98
"""A class that predicts so well ends the search."""

Groups: TypeAlias = list[tuple[list[Example], Wrapper]]
"""Examples that one wrapper fits, each group with its wrapper."""


def learn_auto(examples: Sequence[Example]) -> Wrapper:
    """The wrapper of the best class, or several for several templates."""
    _check_identical(examples)
    nested = any(record.children for example in examples for record in example.records)
    if nested:
        found = _best_class(NESTED, examples)
        if isinstance(found, NoConsistentWrapper):
            raise found
        return found
    with budget.share(CLASSES_TIME):
        found = _best_class(ORDER, examples)
    return _grouped(examples, found) if isinstance(found, NoConsistentWrapper) else found


def _best_class(names: Sequence[str], examples: Sequence[Example]) -> Wrapper | NoConsistentWrapper:
    """The wrapper of the class that predicts best, or why the first class has none."""
    scores: dict[str, float] = {}
    wrappers: dict[str, Wrapper] = {}
    troubles: list[NoConsistentWrapper] = []
    for name in names:
        if wrappers and budget.spent():
            break
        with budget.share(TIME):
            wrapper = attempt(_learner(name), examples)
            if isinstance(wrapper, NoConsistentWrapper):
                troubles.append(wrapper)
                continue
            prediction = predict(_learner(name), examples)
            if isinstance(wrapper, Token):
                wrapper, prediction = choose_kinds(wrapper, prediction, examples)
            wrappers[name] = wrapper
            scores[name] = prediction.score
        if scores[name] >= ENOUGH:
            break
    if not wrappers:
        return troubles[0]
    return _chosen(wrappers, scores, LONE_MARGIN if len(examples) == 2 else MARGIN)


def _chosen(wrappers: dict[str, Wrapper], scores: dict[str, float], margin: float) -> Wrapper:
    best = next(iter(wrappers))
    for name in wrappers:
        if scores[name] > scores[best] + margin:
            best = name
    told = ", ".join(f"{name} {score:.2f}" for name, score in scores.items())
    wrapper = wrappers[best]
    reason = f"class {best}, by how well it predicts examples left out (F1): {told}"
    wrapper.reason = "; ".join(filter(None, [reason, wrapper.reason]))
    return wrapper


def _learner(name: str) -> Learner:
    learner: Learner = import_module(wrapper_class(name).__module__).learn_class
    return learner


def _check_identical(examples: Sequence[Example]) -> None:
    labels: dict[str, Example] = {}
    for example in examples:
        other = labels.setdefault(example.page.text, example)
        if other is not example and _contradict(other, example):
            raise NoConsistentWrapper(
                "two examples have the same page and different labels",
                pages=(other.page.id, example.page.id),
            )


def _contradict(one: Example, other: Example) -> bool:
    return not (one.partial or other.partial) and [record.spans for record in one.records] != [
        record.spans for record in other.records
    ]


def _grouped(examples: Sequence[Example], trouble: NoConsistentWrapper) -> Wrapper:
    """A wrapper that agrees with nearly all labels, or one for each group of examples."""
    with budget.share(TIME):
        together = _together(examples)
    if together is not None and _agrees(together, examples):
        together.reason = (
            "few labels or none differ from it, and in the time there was no class that fits all"
            if isinstance(trouble, SearchCutShort)
            else f"the labels contradict each other, so some are not believed: {trouble}"
        )
        return together
    groups = _groups(examples)
    if budget.spent():
        return _best_so_far(examples, together, groups, trouble)
    apart = len(groups) == len(examples) and not _suffice(examples, together)
    if apart and together is not None and _recall(together, examples) >= HALF:
        together.reason = f"not all of the labels can be reproduced: {trouble}"
        return together
    if not groups:
        raise trouble
    return _several(examples, groups, trouble)


def _groups(examples: Sequence[Example]) -> Groups:
    """The examples that go together; those are left out for which there is no wrapper at all."""
    groups: Groups = []
    for example in examples:
        for number, (group, before) in enumerate(groups):
            if len(group) + 1 == len(examples):
                continue  # all of them together were tried before
            wrapper = _joined([*group, example], before)
            if wrapper is not None:
                groups[number] = ([*group, example], wrapper)
                break
        else:
            alone = attempt(_learner("token"), [example])
            if isinstance(alone, NoConsistentWrapper):
                alone = _together([example]) or alone
            if isinstance(alone, Wrapper):
                groups.append(([example], alone))
    return groups


def _several(examples: Sequence[Example], groups: Groups, trouble: NoConsistentWrapper) -> Several:
    """Each group's wrapper, those of most examples first."""
    groups = sorted(groups, key=lambda group: -len(group[0]))
    fields = dict.fromkeys(field for _, wrapper in groups for field in wrapper.fields)
    wrappers = [wrapper for _, wrapper in groups]
    several = Several(list(fields), wrappers=wrappers, evidence=Evidence.of(examples))
    several.reason = f"{len(groups)} groups of examples, since {trouble}"
    return several


def _best_so_far(
    examples: Sequence[Example],
    together: Token | None,
    groups: Groups,
    trouble: NoConsistentWrapper,
) -> Wrapper:
    """When the time is over, what agrees best with the labels, if it gives back enough of them."""
    found: list[Wrapper] = [] if together is None else [together]
    if groups:
        found.append(_several(examples, groups, trouble))
    best = max(found, key=lambda wrapper: agreement(wrapper, examples), default=None)
    share = 0.0 if best is None else _recall(best, examples)
    if best is None or share < HALF:
        raise trouble
    best.reason = f"the best found in the time, it gives back {share:.0%} of the labels"
    return best


def _joined(examples: Sequence[Example], before: Wrapper) -> Wrapper | None:
    """One wrapper for a group and another example, where there is one; `before` is the group's."""
    wrapper = attempt(_learner("token"), examples)
    if isinstance(wrapper, Wrapper):
        return wrapper
    if agreement(before, examples[-1:]) < AGREED:
        return None
    doubting = _together(examples)
    return doubting if doubting is not None and _agrees(doubting, examples) else None


def _together(examples: Sequence[Example]) -> Token | None:
    """One wrapper for all, which leaves out the labels that it can't find."""
    try:
        return learn_doubting(examples)
    except NoConsistentWrapper:
        return None


def _suffice(examples: Sequence[Example], together: Token | None) -> bool:
    """Whether pages are better served each by its own wrapper than by one without some fields.

    The records of a list generalise each other; a page with a single record tells too little.
    """
    lacks = together is None or not all(together.rules.values())
    return lacks and any(len(example.records) > 1 for example in examples)


def _agrees(wrapper: Token, examples: Sequence[Example]) -> bool:
    """Whether labels differ from a wrapper here and there, but in no whole field or page."""
    return (
        all(wrapper.rules.values())
        and agreement(wrapper, examples) >= AGREED
        and all(agreement(wrapper, [example]) >= HALF for example in examples)
    )


def _recall(wrapper: Wrapper, examples: Sequence[Example]) -> float:
    """How much of the labels a wrapper gives back."""
    wanted = found = 0
    for example in examples:
        wants = values(example.records)
        wanted += len(wants)
        found += len(wants & values(wrapper.extract(example.page)))
    return found / max(wanted, 1)
