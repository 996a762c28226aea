"""`auto`: the class that predicts best what it was not shown.

Each class is learned from all examples but one and tried on that one (on a single page, from all
records but the last). The best prediction wins, and of equals the first in `ORDER`. In a token
wrapper the kind of rule is chosen the same way for each field (`rowen.learning.rule_kinds`). Rules
are never united: more examples can only narrow the choice. Where no class fits all examples
together, the examples are grouped, a wrapper is learned for each group, and each page is given to
the wrapper that fits it.

    pages 1 2 3      token   from 2 3, tried on 1; from 1 3, tried on 2; ...     F1 0.90
                     hlrt    the same                                            F1 0.97
    hlrt is chosen: it comes later in the order, but is better by more than `MARGIN`

Data in scripts is tried first, and wins where it predicts all of what was left out, or as much as
landmarks do: it survives redesigns of the markup. Where it has only some of the fields, and pages
are one record each, landmarks may read the others (`combined`).
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.landmarks.alternatives import add_alternatives
from rowen.landmarks.learn import agreement, learn_doubting
from rowen.learning.classes import Learner, learner_of
from rowen.learning.data.combination import fields_outside_scripts, learn_combination
from rowen.learning.layouts import by_layout
from rowen.learning.partial_marks import (
    VOTERS,
    better_from_fewer,
    learn_without_a_mark,
    recall,
    support_by_class,
    supported,
)
from rowen.learning.prediction import Prediction, Scores, attempt, predict
from rowen.learning.progress import report
from rowen.learning.rule_kinds import choose_kinds
from rowen.learning.single_records import are_single, as_complete, is_in_doubt
from rowen.learning.transfer import learn_other_layout
from rowen.model import NoConsistentWrapper, Page, SearchCutShort
from rowen.records import Example, Record
from rowen.wrappers.base import Wrapper
from rowen.wrappers.combination import Combination
from rowen.wrappers.data.wrapper import Data
from rowen.wrappers.lines import Lines
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.region.wrapper import Region
from rowen.wrappers.token.wrapper import Token

STRINGS = ("hlrt", "lr", "m-hlrt", "m-lr", "hoclrt", "oclr")
ORDER = ("data", "lines", "region", "token", "combined", *STRINGS)
NESTED = ("n-hlrt", "n-lr")
"""Classes in the order of preference, for flat and for nested labels. Regions are only for lists,
where nothing else needs so few marks."""

MARGIN = 0.02
LONE_MARGIN = 0.3
"""A class later in the order has to predict better by this much; by more where each was learned
from a single page, from which HTML tokens can't be generalised."""

HALF = 0.5
"""A wrapper for all examples that misses some fields has to reproduce this share of the labels. And
on pages of one record each, landmarks that predict this well end the search: where a delimiter of
the classes of strings is missing, the whole record is lost, so that the few marked pages on which
they are better say too little."""

TIME = 0.5
"""Each class may take this share of the time that is left to all of them."""

CLASSES_TIME = 0.6
"""All classes together may take this share of the time; the rest is for labels that none fits."""

AGREED = 0.8
"""Labels that contradict each other count as mistakes where a wrapper agrees with this share of
them (F1), and with half of those of each page; otherwise as labels of several templates."""

ENOUGH = 0.98
"""A class that predicts this well ends the search."""

IN_PART = ("lines", "region")
"""Classes for lists that are marked in part: a record is what looks like the marked ones."""

QUIET = ("data", *IN_PART)
"""Classes for some pages only: why others have none helps nobody."""

VOTE = 0.3
"""Finding records on all unlabelled pages counts as much as this F1 of predictions: one record left
out says less about other pages than these pages themselves."""

SUPPORT = 0.5
"""Finding as many records like the marked ones as any class counts as much as this F1, where pages
are marked in part: one record left out says little about the others."""

WELL = 0.6
"""This share of the records like the marked ones counts as all: some may be of another list."""

Groups: TypeAlias = list[tuple[list[Example], Wrapper]]
"""Groups of examples, each with the wrapper that fits it."""


def learn_auto(
    examples: Sequence[Example],
    *,
    repeats: bool | None = None,
    pages: Sequence[Page] = (),
) -> Wrapper:
    """The wrapper of the best class, or a mixture of wrappers for several templates.

    For records of a nested field `repeats` says whether some label has two in one record.
    Unlabelled `pages` vote for the wrappers that find whole records on them.
    """
    _check_identical(examples)
    nested = any(record.children for example in examples for record in example.records)
    if nested:
        best = _best_class(NESTED, examples)
        if isinstance(best, NoConsistentWrapper):
            raise best
        return best
    with budget.share(CLASSES_TIME):
        best = _first_class(examples, repeats, pages)
    wrapper = _grouped(examples, best) if isinstance(best, NoConsistentWrapper) else best
    return wrapper if repeats is not None else _for_layouts(wrapper, examples, pages)


def _for_layouts(wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page]) -> Wrapper:
    """Landmarks of pages that are one record each, for each layout that these pages have."""
    if not isinstance(wrapper, Token):
        return wrapper
    voters = pages[:VOTERS]
    learned = by_layout(wrapper, examples, voters) or add_alternatives(wrapper, examples, voters)
    if wrapper.record is not None or budget.spent():
        return learned
    return learn_other_layout(learned, examples, voters)


def _first_class(
    examples: Sequence[Example],
    repeats: bool | None,  # noqa: FBT001  # of records
    pages: Sequence[Page],
) -> Wrapper | NoConsistentWrapper:
    """The best class for all examples together, as lists or as pages of one record each."""
    # Only other pages can show that each has one record: on a single page the structure that a list
    # is found by may just be hard to see.
    in_doubt = repeats is None and bool(pages) and is_in_doubt(examples)
    if in_doubt:
        listed = _listed_data(examples, pages)
        if listed is not None:
            return listed
        # Lines and regions are learned fast, and find the lists: others need not be tried twice.
        learned = [attempt(learner_of(name, pages=pages), examples) for name in IN_PART]
        found = [wrapper for wrapper in learned if isinstance(wrapper, Wrapper)]
        if found and all(are_single(wrapper, examples, pages[:VOTERS]) for wrapper in found):
            single = _of_single_records(found[-1], examples, pages)
            if single is not None:
                return single
    best = _best_class(_tried(examples, repeats), examples, repeats=repeats, pages=pages)
    if in_doubt and isinstance(best, Wrapper):
        return _of_single_records(best, examples, pages) or best
    return best


def _listed_data(examples: Sequence[Example], pages: Sequence[Page]) -> Data | None:
    """A list in scripts that repeats what is marked there; None where there is none.

    Nothing else sees such lists: to the other classes a script is one text.
    """
    if any(map(fields_outside_scripts, examples)):
        return None
    data = attempt(learner_of("data"), examples)
    if not isinstance(data, Data) or not _reads_scripts(data):
        return None
    if are_single(data, examples, pages[:VOTERS]):
        return None
    data.reason = "the page's data repeats the marked record"
    return data


def _of_single_records(
    wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page]
) -> Wrapper | None:
    """What is learned if each page has one record; None where `wrapper` speaks against it."""
    if not are_single(wrapper, examples, pages[:VOTERS]):
        return None
    single = [as_complete(example) for example in examples]
    learned = _best_class(_tried(single, None), single, pages=pages)
    if isinstance(learned, NoConsistentWrapper):
        return None
    if _vote(learned, examples, pages) < _vote(wrapper, examples, pages):
        return None
    learned.reason = "; ".join(filter(None, [learned.reason, "no page has a second record"]))
    return learned


def _tried(examples: Sequence[Example], repeats: bool | None) -> list[str]:  # noqa: FBT001  # of records
    """The classes that are tried: regions where a list is marked in part.

    What is marked in full needs no structure to say what is missing, and the parts of nested
    records are put together by their boundaries, which regions don't have.
    """
    in_part = repeats is None and any(example.partial for example in examples)
    return [name for name in ORDER if in_part or name not in IN_PART]


def _best_class(
    names: Sequence[str],
    examples: Sequence[Example],
    *,
    repeats: bool | None = None,
    pages: Sequence[Page] = (),
) -> Wrapper | NoConsistentWrapper:
    """The wrapper of the class that predicts best, or why the first class fails."""
    predictions: dict[str, Prediction] = {}
    wrappers: dict[str, Wrapper] = {}
    votes: dict[str, float] = {}
    troubles: list[NoConsistentWrapper] = []
    for name in names:
        if wrappers and budget.spent():
            break
        if name in STRINGS and _are_single(examples) and _suffices(predictions.get("token")):
            break
        report(f"class {name}")
        learner = None
        if name != "combined":
            learner = learner_of(name, repeats=repeats, pages=pages)
        with budget.share(TIME):
            learned = _learned(name, learner, examples, predictions)
        if isinstance(learned, NoConsistentWrapper):
            troubles.append(learned)
        elif learned is not None:
            wrappers[name], predictions[name] = learned
            votes[name] = _vote(wrappers[name], examples, pages)
            if _repeats(wrappers[name], examples):
                break
        # Landmarks in scripts are strings there: where data may be had, it is tried before.
        is_open = name == "token" and _are_in_scripts(wrappers, examples)
        if not is_open and any(
            votes[at] == 1 and _is_enough(wrappers[at], predictions[at]) for at in wrappers
        ):
            break
    if not wrappers:
        return troubles[0]
    scores = Scores(
        {name: predictions[name].score for name in wrappers},
        could_leave_out=len(examples) > 1 or len(examples[0].records) > 1,
        single=_are_single(examples),
        votes=votes if pages else {},
        support=support_by_class(wrappers, examples, pages),
    )
    margin = LONE_MARGIN if len(examples) == 2 else MARGIN
    chosen = _chosen(supported(wrappers, scores), scores, margin)
    return better_from_fewer(chosen, examples, pages) or chosen


def _are_single(examples: Sequence[Example]) -> bool:
    return all(len(example.records) == 1 and not example.partial for example in examples)


def _suffices(prediction: Prediction | None) -> bool:
    """Whether landmarks fit and predict well enough; a single page predicts nothing."""
    return prediction is not None and (not prediction.fields or prediction.score >= HALF)


def _repeats(wrapper: Wrapper, examples: Sequence[Example]) -> bool:
    """Whether the structure alone decides: a single record is marked, and its page repeats it.

    There is nothing then that classes could predict.
    """
    marked = sum(len(example.records) for example in examples)
    is_region = isinstance(wrapper, Region | Lines)
    return is_region and marked == 1 and len(wrapper.extract(examples[0].page)) > 1


def _vote(wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page]) -> float:
    """The share of pages on which a wrapper finds a whole record; 1 without pages.

    Whole is what has all fields that no marked record lacks.
    """
    voters = pages[:VOTERS]
    if not voters:
        return 1.0
    marked = [record for example in examples for record in example.records]
    fields = [
        name
        for name in wrapper.fields
        if all(spans for record in marked for field, spans in record.items() if field == name)
    ]
    return sum(
        any(_is_whole(record, fields) for record in wrapper.extract(page)) for page in voters
    ) / len(voters)


def _is_whole(record: Record, fields: Sequence[str]) -> bool:
    has = {name for name, spans in record.items() if spans}
    return has.issuperset(fields) and bool(has)


def _learned(
    name: str,
    learner: Learner | None,
    examples: Sequence[Example],
    before: Mapping[str, Prediction],
) -> tuple[Wrapper, Prediction] | NoConsistentWrapper | None:
    """The wrapper of a class and how well it predicts, or why it fails.

    Most pages have no data beside their markup or are no lists, which is nothing to report: then
    it is None.
    """
    if learner is None:
        return None if "data" in before else learn_combination(examples, before.get("token"))
    wrapper = attempt(learner, examples)
    if isinstance(wrapper, NoConsistentWrapper):
        return None if name in QUIET else wrapper
    prediction = predict(learner, examples)
    if isinstance(wrapper, Token):
        wrapper, prediction = choose_kinds(wrapper, prediction, examples)
    return wrapper, prediction


def _chosen(wrappers: dict[str, Wrapper], scores: Scores, margin: float) -> Wrapper:
    most = max(scores.support.values(), default=0.0) or 1.0
    totals = {
        name: score
        + VOTE * scores.votes.get(name, 0.0)
        + SUPPORT * min(scores.support.get(name, 0.0) / (WELL * most), 1.0)
        for name, score in scores.predictions.items()
        if name in wrappers
    }
    best = _preferred(wrappers, totals)
    # The order is a preference: small differences in few predictions are chance.
    for name in wrappers:
        if totals[name] > totals[best] + margin:
            best = name
    wrapper = wrappers[best]
    reason = scores.words(best)
    if _reads_scripts(wrapper):
        reason += "; data in scripts survives redesigns better than markup"
    wrapper.reason = "; ".join(filter(None, [reason, wrapper.reason]))
    return wrapper


def _is_enough(wrapper: Wrapper, prediction: Prediction) -> bool:
    """Whether a class ends the search; data only where landmarks can't be better."""
    if isinstance(wrapper, Data):
        return _reads_scripts(wrapper) and prediction.score == 1
    return prediction.score >= ENOUGH


def _preferred(wrappers: dict[str, Wrapper], scores: dict[str, float]) -> str:
    """The class against which small differences count.

    It is data in scripts where landmarks predict no better, else the first of the others. Microdata
    and the like are part of the markup, where landmarks read them as well.
    """
    markup = max(scores.get(name, 0.0) for name in ("region", "token"))
    for name, wrapper in wrappers.items():
        if _reads_scripts(wrapper) and scores[name] >= markup:
            return name
    return next((name for name in wrappers if name != "data"), "data")


def _are_in_scripts(wrappers: Mapping[str, Wrapper], examples: Sequence[Example]) -> bool:
    """Whether some fields are in scripts only."""
    if "token" not in wrappers:
        return False
    outside = {name for example in examples for name in fields_outside_scripts(example)}
    return not outside >= set(wrappers["token"].fields)


def _reads_scripts(wrapper: Wrapper) -> bool:
    if isinstance(wrapper, Combination):
        return any(map(_reads_scripts, wrapper.wrappers))
    return isinstance(wrapper, Data) and wrapper.reads_scripts


def _check_identical(examples: Sequence[Example]) -> None:
    labels: dict[str, Example] = {}
    for example in examples:
        same_page = labels.setdefault(example.page.text, example)
        if same_page is not example and _contradict(same_page, example):
            raise NoConsistentWrapper(
                "two examples have the same page and different labels",
                pages=(same_page.page.id, example.page.id),
            )


def _contradict(first: Example, second: Example) -> bool:
    return not (first.partial or second.partial) and [record.spans for record in first.records] != [
        record.spans for record in second.records
    ]


def _grouped(examples: Sequence[Example], trouble: NoConsistentWrapper) -> Wrapper:
    """A wrapper that agrees with nearly all labels, or one for each group of examples."""
    report("labels that no class fits")
    with budget.share(TIME):
        structured = learn_without_a_mark(examples)
    if structured is not None:
        structured.reason = f"the marks contradict each other, so one is not believed: {trouble}"
        return structured
    with budget.share(TIME):
        together = _together(examples)
    if together is not None and _agrees(together, examples):
        together.reason = (
            "few labels or none differ from it, and no class was found in time that fits all"
            if isinstance(trouble, SearchCutShort)
            else f"the labels contradict each other, so some are not believed: {trouble}"
        )
        return together
    groups = _groups(examples)
    if budget.spent():
        return _best_so_far(examples, together, groups, trouble)
    # As many groups as examples are not templates: nothing is shared that could be generalised.
    ungrouped = len(groups) == len(examples) and not _suffice(examples, together)
    if ungrouped and together is not None and recall(together, examples) >= HALF:
        together.reason = f"not all labels can be reproduced: {trouble}"
        return together
    if not groups:
        raise trouble
    return _several(examples, groups, trouble)


def _groups(examples: Sequence[Example]) -> Groups:
    """Groups of examples that one wrapper fits; examples for which there is none are left out."""
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
            alone = attempt(learner_of("token"), [example])
            if isinstance(alone, NoConsistentWrapper):
                alone = _together([example]) or alone
            if isinstance(alone, Wrapper):
                groups.append(([example], alone))
    return groups


def _several(examples: Sequence[Example], groups: Groups, trouble: NoConsistentWrapper) -> Mixture:
    """Each group's wrapper, those of most examples first."""
    groups = sorted(groups, key=lambda group: -len(group[0]))
    fields = dict.fromkeys(field for _, wrapper in groups for field in wrapper.fields)
    wrappers = [wrapper for _, wrapper in groups]
    several = Mixture(list(fields), wrappers=wrappers, evidence=Evidence.of(examples))
    several.reason = f"{len(groups)} groups of examples, since {trouble}"
    return several


def _best_so_far(
    examples: Sequence[Example],
    together: Token | None,
    groups: Groups,
    trouble: NoConsistentWrapper,
) -> Wrapper:
    """When the time is over, what agrees best with the labels, if it reproduces enough of them."""
    candidates: list[Wrapper] = [] if together is None else [together]
    if groups:
        candidates.append(_several(examples, groups, trouble))
    best = max(candidates, key=lambda wrapper: agreement(wrapper, examples), default=None)
    share = 0.0 if best is None else recall(best, examples)
    if best is None or share < HALF:
        raise trouble
    best.reason = f"the best found in the time, it reproduces {share:.0%} of the labels"
    return best


def _joined(examples: Sequence[Example], before: Wrapper) -> Wrapper | None:
    """One wrapper for a group and another example, if any; `before` is the group's."""
    wrapper = attempt(learner_of("token"), examples)
    if isinstance(wrapper, Wrapper):
        return wrapper
    if agreement(before, examples[-1:]) < AGREED:
        return None
    doubting = _together(examples)
    return doubting if doubting is not None and _agrees(doubting, examples) else None


def _together(examples: Sequence[Example]) -> Token | None:
    """One wrapper for all, which may miss labels."""
    try:
        return learn_doubting(examples)
    except NoConsistentWrapper:
        return None


def _suffice(examples: Sequence[Example], together: Token | None) -> bool:
    """Whether a wrapper for each page is better than one for all that lacks some fields.

    The records of a list generalise each other; a page with a single record says too little.
    """
    lacks = together is None or not all(together.rules.values())
    return lacks and any(len(example.records) > 1 for example in examples)


def _agrees(wrapper: Token, examples: Sequence[Example]) -> bool:
    """Whether labels differ from a wrapper here and there, but not in a whole field or page."""
    return (
        all(wrapper.rules.values())
        and agreement(wrapper, examples) >= AGREED
        and all(agreement(wrapper, [example]) >= HALF for example in examples)
    )
