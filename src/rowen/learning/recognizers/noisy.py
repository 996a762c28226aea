"""Learning without labels: the noisy learner of figure 6.2, from what recognizers find.

The thesis tries one combination of the pages' labels after another until a wrapper fits. Here the
labels stay in the compact form of Corrob*, and the delimiters that the choices of each field have
in common decide at once (`delimiters`). The learner has the last word: where no wrapper fits, the
pages in conflict are left out, and then the next order of the fields is tried.

    recognize      each recognizer on each page
    orders         of the fields, those first with which the most pages can be labelled
    compact        Corrob* of each page for that order
    label          one label per page, by common delimiters
    learn          from all labelled pages; without those that the failure names, until it succeeds
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from rowen.assurance.evidence import Evidence, Trusted
from rowen.induction import budget
from rowen.learning.classes import Learner
from rowen.learning.progress import report
from rowen.learning.recognizers.agreement import agreement
from rowen.learning.recognizers.corrob_star import compact
from rowen.learning.recognizers.corroborate import PartialLabel, ordering, orderings
from rowen.learning.recognizers.delimiters import label_pages
from rowen.learning.recognizers.recognizer import Instances, Recognizer, recognize
from rowen.model import InputError, LabelError, NoConsistentWrapper, Page, RowenError, Span
from rowen.records import Example
from rowen.wrappers.base import Wrapper

NOISY_ORDERS = 8
"""Limit: at most this many orders of the fields are tried by learning. A wrong one fails at
once."""

NOISY_TRIALS = 20
"""Limit: at most this often pages that contradict each other are left out before learning gives
up."""

ORDERS = 5_000
"""Limit: at most this many orders of the fields that one page allows are compared with the other
pages."""

ORDER_PAGES = 5
"""This many pages suggest orders: those on which the most is certain."""

RecognizedPage: TypeAlias = tuple[Page, Mapping[str, Instances]]
"""A page, and what was recognized on it of each field."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A wrapper learned without labels, and what it rests on."""

    wrapper: Wrapper
    examples: list[Example]
    """The pages with the labels that the wrapper was learned from."""
    left_out: list[Page]
    """The pages whose recognized values fit no wrapper together with the others."""


def learn_from_recognizers(
    pages: Sequence[Page | str],
    recognizers: Sequence[Recognizer],
    learner: Learner,
    *,
    labelled: Sequence[Example] = (),
) -> Learned:
    """Label pages by corroboration and learn a wrapper from the labels that fit together.

    A field must be recognized perfectly: by a perfect recognizer, or where an incomplete and an
    unsound one agree, so that nothing is left open (6.7). Pages without such a field are left out.
    Nobody can say that of a language model: there the field whose instances agree best on
    delimiters takes the place of the perfect one (`agreement`). The labels of `labelled` examples
    are believed. Raises `NoConsistentWrapper` where nothing fits.
    """
    by_hand = {example.page.id for example in labelled}
    unlabelled = [page for page in map(Page.of, pages) if page.id not in by_hand]
    report(f"recognizing values on {len(unlabelled)} pages")
    recognized = [(page, recognize(page, recognizers)) for page in unlabelled]
    asks_model = any(recognizer.model is not None for recognizer in recognizers)
    if not asks_model or any(_is_anchor(field) for _, of in recognized for field in of.values()):
        return _learn_anchored(_anchored(recognized), unlabelled, learner, labelled)
    failure: RowenError | None = None
    for agreed in _by_agreement(recognized):
        try:
            return _learn_anchored(_anchored(agreed), unlabelled, learner, labelled)
        except (NoConsistentWrapper, InputError) as error:
            failure = failure or error
    # Where nothing agrees, the message says what recognizers are needed.
    raise failure or _no_anchor()


def _by_agreement(recognized: Sequence[RecognizedPage]) -> Iterator[list[RecognizedPage]]:
    """The pages with what agrees in place of what was recognized, the most trusted first.

    All fields that agree are believed, then fewer, as they may be mistaken all the same; of these
    one after the other is the anchor.
    """
    names = dict.fromkeys(name for _, instances in recognized for name in instances)
    agreed = {
        name: best
        for name in names
        if (best := agreement([(page, instances[name]) for page, instances in recognized]))
    }
    ranked = sorted(agreed, key=lambda name: -agreed[name].score)
    trials = [(ranked[:count], ranked[0]) for count in range(len(ranked), 0, -1)]
    trials += [(ranked, anchor) for anchor in ranked[1:]]
    for believed, anchor in trials:
        pages: list[RecognizedPage] = []
        for number, (page, instances) in enumerate(recognized):
            replaced = dict(instances)
            for name, best in agreed.items():
                places = frozenset(best.places[number])
                certain = places if name in believed else instances[name].certain
                replaced[name] = Instances(certain, certain | places, complete=name == anchor)
            pages.append((page, replaced))
        yield pages


def _learn_anchored(
    recognized: Sequence[RecognizedPage],
    unlabelled: Sequence[Page],
    learner: Learner,
    labelled: Sequence[Example],
) -> Learned:
    """Learn from pages on which some field is recognized perfectly."""
    failure: NoConsistentWrapper | None = None
    orders = list(_orders(recognized))
    # Pages that need a search for what is unknown on them are left out while others are enough.
    for order, pace in ((order, pace) for pace in (budget.quick, nullcontext) for order in orders):
        budget.check()
        report(f"fields in the order {', '.join(order)}")
        compact_labels = [
            (page, compact(label))
            for page, instances in recognized
            if (label := ordering(instances, order)) is not None and label.anchors
        ]
        try:
            with pace():
                wrapper, examples = _learn(label_pages(compact_labels), learner, labelled)
        except NoConsistentWrapper as error:
            failure = failure or error
            continue
        used = {example.page.id for example in examples}
        wrapper.evidence = Evidence.of(examples, trusted=_was_recognized(recognized))
        return Learned(wrapper, examples, [page for page in unlabelled if page.id not in used])
    raise failure or NoConsistentWrapper("no order of the fields fits the recognized values")


def _anchored(recognized: Sequence[RecognizedPage]) -> list[RecognizedPage]:
    """The pages on which some field is recognized perfectly, so that records are separated."""
    if not recognized:
        raise InputError("learning needs at least one page")
    anchored = [
        (page, instances)
        for page, instances in recognized
        if any(_is_anchor(field) for field in instances.values())
    ]
    if not anchored:
        raise _no_anchor()
    return anchored


def _is_anchor(field: Instances) -> bool:
    return field.perfect and bool(field.certain)


def _no_anchor() -> InputError:
    return InputError(
        "no field is recognized perfectly on any page: corroboration needs one to tell "
        "records apart; declare one with soundness = 'perfect', or give a field two "
        "recognizers, one 'incomplete' and one 'unsound', which agree on some pages"
    )


def _was_recognized(recognized: Sequence[RecognizedPage]) -> Trusted:
    """Which values of examples were recognized or marked; the others were filled in.

    The PAC model must not count a guess as an example.
    """
    by_page = {page.id: instances for page, instances in recognized}

    def trusted(example: Example, name: str, span: Span) -> bool:
        instances = by_page.get(example.page.id)
        return instances is None or (span.start, span.end) in instances[name].possible

    return trusted


def _orders(recognized: Sequence[RecognizedPage]) -> Iterator[tuple[str, ...]]:
    """Orders of the fields, those first with which the most pages can be labelled."""
    surest = sorted(
        recognized, key=lambda page: -sum(len(field.certain) for field in page[1].values())
    )
    candidates: dict[tuple[str, ...], None] = {}
    for _, instances in surest[:ORDER_PAGES]:
        fitting = [order for order in candidates if ordering(instances, order) is not None]
        # A page that contradicts all orders so far adds its own: either may be mistaken.
        if not fitting:
            possible = islice(orderings(instances), ORDERS)
            fitting = [*candidates, *(label.order for label in possible)]
        candidates = dict.fromkeys(fitting)
    counts = {
        order: sum(ordering(instances, order) is not None for _, instances in recognized)
        for order in candidates
    }
    yield from sorted(counts, key=lambda order: -counts[order])[:NOISY_ORDERS]


def _learn(
    labels: Sequence[tuple[Page, PartialLabel]], learner: Learner, labelled: Sequence[Example]
) -> tuple[Wrapper, list[Example]]:
    """Learn from as many pages as fit together: those that a failure names are left out."""
    examples = [example for page, label in labels for example in _example(page, label)]
    for _ in range(NOISY_TRIALS):
        _check_fields(examples, labels[0][1].order)
        # What was recognized may be wrong, so the pages that a failure names are given up.
        try:
            return learner([*labelled, *examples]), [*labelled, *examples]
        except NoConsistentWrapper as error:
            named = set(error.pages) & {example.page.id for example in examples}
            if not named or len(named) == len(examples):
                raise  # leaving out would change nothing, or leave nothing
            examples = [example for example in examples if example.page.id not in named]
    raise NoConsistentWrapper("too few of the pages are consistent with each other")


def _check_fields(examples: Sequence[Example], order: Sequence[str]) -> None:
    """Refuse examples in which a field has lost all its values: its rules would be arbitrary."""
    valued = {name for example in examples for record in example.records for name in record.spans}
    for name in order:
        if name not in valued:
            raise NoConsistentWrapper(
                "none of its values is consistent with those of the other fields", field=name
            )


def _example(page: Page, label: PartialLabel) -> Iterator[Example]:
    try:
        yield Example(page, label.records())
    except LabelError:  # what was filled in overlaps with the rest
        return
