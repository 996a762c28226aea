"""Learning without labels: the noisy learner of figure 6.2, from what recognizers find.

The thesis tries one combination of the pages' labels after the other until a wrapper fits. Here the
labels stay in the compact form of Corrob*, and what stands around the choices of each field decides
at once: true values have delimiters in common, mistakes have not. What is unknown is then filled in
between the same delimiters, and the learner has the last word: where no wrapper fits, the pages in
conflict are left out, and the next order of the fields is tried.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from rowen.limits import CONTEXT, LEARNING_SECONDS, NOISY_ORDERS, NOISY_TRIALS, ORDERS
from rowen.model import Example, InputError, LabelError, NoConsistentWrapper, Page, Span
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence, Trusted, Wrapper
from rowen.wrappers.learn import learn
from rowen.wrappers.placing.whereabouts import Place
from rowen.wrappers.recognizing.corroborate import (
    Choice,
    CompactLabel,
    Instances,
    PartialLabel,
    compact,
    ordering,
    orderings,
    recognize,
)
from rowen.wrappers.recognizing.recognizers import Recognizer
from rowen.wrappers.unknown.haste import haste

Learner: TypeAlias = Callable[[Sequence[Example]], Wrapper]

ORDER_PAGES = 5
"""From how many pages the orders are taken: those on which the most is certain."""

QUORUM = 0.5
"""How many of a field's cells must agree on a character of a delimiter, while it is looked for."""


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
    wrapper_class: str = "hlrt",
    *,
    learner: Learner | None = None,
) -> Learned:
    """Label pages by corroboration and learn a wrapper from the labels that go together.

    On at least one page a field must be recognized perfectly: by a perfect recognizer, or where an
    incomplete and an unsound one agree, so that nothing is left open (6.7). Pages without such a
    field are left out. `NoConsistentWrapper` where nothing fits.
    """
    if learner is None:

        def learner(examples: Sequence[Example]) -> Wrapper:
            return learn(examples, wrapper_class)

    with budget.limit(LEARNING_SECONDS):
        return _learn_from(pages, recognizers, learner)


def _learn_from(
    pages: Sequence[Page | str], recognizers: Sequence[Recognizer], learner: Learner
) -> Learned:
    known = [Page.of(page) for page in pages]
    found = _anchored([(page, recognize(page, recognizers)) for page in known])
    failure: NoConsistentWrapper | None = None
    orders = list(_orders(found))
    # Pages that need a search for what is unknown on them are left out while others are enough.
    for order, pace in ((one, pace) for pace in (haste, nullcontext) for one in orders):
        budget.check()
        labelled = [
            (page, compact(label))
            for page, instances in found
            if (label := ordering(instances, order)) is not None and label.anchors
        ]
        try:
            with pace():
                wrapper, examples = _learn(_label(labelled), learner)
        except NoConsistentWrapper as error:
            failure = failure or error
            continue
        used = {example.page.id for example in examples}
        if isinstance(wrapper, Wrapper):
            wrapper.evidence = Evidence.of(examples, trusted=_recognized(found))
        return Learned(wrapper, examples, [page for page in known if page.id not in used])
    raise failure or NoConsistentWrapper("no order of the fields fits what was recognized")


def _anchored(
    found: Sequence[tuple[Page, Mapping[str, Instances]]],
) -> list[tuple[Page, Mapping[str, Instances]]]:
    """The pages on which some field is recognized perfectly, so that records can be told apart."""
    if not found:
        raise InputError("learning needs at least one page")
    anchored = [
        (page, instances)
        for page, instances in found
        if any(one.perfect and one.certain for one in instances.values())
    ]
    if not anchored:
        raise InputError(
            "no field is recognized perfectly on any page: corroboration needs one to tell "
            "records apart; declare one with soundness = 'perfect', or give a field two "
            "recognizers, one 'incomplete' and one 'unsound', which agree on some pages"
        )
    return anchored


def _recognized(found: Sequence[tuple[Page, Mapping[str, Instances]]]) -> Trusted:
    """Which values of examples were recognized; the others were filled in."""
    instances = {page.id: one for page, one in found}

    def trusted(example: Example, name: str, span: Span) -> bool:
        return (span.start, span.end) in instances[example.page.id][name].possible

    return trusted


def _orders(found: Sequence[tuple[Page, Mapping[str, Instances]]]) -> Iterator[tuple[str, ...]]:
    """Orders of the fields, those first with which the most pages can be labelled."""
    telling = sorted(found, key=lambda one: -sum(len(each.certain) for each in one[1].values()))
    candidates: dict[tuple[str, ...], None] = {}
    for _, instances in telling[:ORDER_PAGES]:
        fitting = [order for order in candidates if ordering(instances, order) is not None]
        if not fitting:
            listed = islice(orderings(instances), ORDERS)
            fitting = [*candidates, *(one.order for one in listed)]
        candidates = dict.fromkeys(fitting)
    counts = {
        order: sum(ordering(instances, order) is not None for _, instances in found)
        for order in candidates
    }
    yield from sorted(counts, key=lambda order: -counts[order])[:NOISY_ORDERS]


def _learn(
    labelled: Sequence[tuple[Page, PartialLabel]], learner: Learner
) -> tuple[Wrapper, list[Example]]:
    """Learn from as many pages as go together: those that a failure names are left out."""
    examples = [example for page, label in labelled for example in _example(page, label)]
    for _ in range(NOISY_TRIALS):
        _check_fields(examples, labelled[0][1].order)
        try:
            return learner(examples), examples
        except NoConsistentWrapper as error:
            named = set(error.pages) & {example.page.id for example in examples}
            if not named or len(named) == len(examples):
                raise
            examples = [example for example in examples if example.page.id not in named]
    raise NoConsistentWrapper("too few of the pages go together")


def _check_fields(examples: Sequence[Example], order: Sequence[str]) -> None:
    known = {name for one in examples for record in one.records for name in record.spans}
    for name in order:
        if name not in known:
            raise NoConsistentWrapper(
                "no value of it is left that goes with the others", field=name
            )


def _example(page: Page, label: PartialLabel) -> Iterator[Example]:
    try:
        yield Example(page, label.records())
    except LabelError:  # what was filled in does not go with the rest
        return


def _label(labelled: Sequence[tuple[Page, CompactLabel]]) -> list[tuple[Page, PartialLabel]]:
    """One label a page: choices with common delimiters, and what stands between them elsewhere."""
    if not labelled:
        raise NoConsistentWrapper("no page can be labelled")
    order = labelled[0][1].order
    columns: list[list[list[Choice]]] = []
    frames: list[tuple[str, str]] = []
    for index in range(len(order)):
        cells = [(page.text, row[index]) for page, label in labelled for row in label.rows]
        chosen = _chosen(cells)
        left, right = _frame([(text, one) for (text, _), one in zip(cells, chosen, strict=True)])
        if not left or not right:
            raise NoConsistentWrapper("its values have no delimiters in common", field=order[index])
        frames.append((left, right))
        columns.append(_by_page(chosen, labelled))
    return [
        (page, _completed(page.text, order, [column[number] for column in columns], frames))
        for number, (page, _) in enumerate(labelled)
    ]


def _by_page(
    chosen: Sequence[Choice], labelled: Sequence[tuple[Page, CompactLabel]]
) -> list[list[Choice]]:
    found: list[list[Choice]] = []
    at = 0
    for _, label in labelled:
        found.append(list(chosen[at : at + len(label.rows)]))
        at += len(label.rows)
    return found


def _chosen(cells: Sequence[tuple[str, Sequence[Choice]]]) -> list[Choice]:
    """The choice of each cell whose surroundings have the most in common with the other cells'."""
    lefts = _consensus([[_left(text, one) for one in options if one] for text, options in cells])
    rights = _consensus([[_right(text, one) for one in options if one] for text, options in cells])
    found: list[Choice] = []
    for text, options in cells:
        best: tuple[int, Choice] = (0, None)
        for one in options:
            if one is None:
                continue
            shared = _shared(_left(text, one), lefts) + _shared(_right(text, one), rights)
            # A mistake may agree by chance; where nothing is also an answer, it must be more.
            enough = None not in options or 2 * shared > len(lefts) + len(rights)
            if enough and (best[1] is None or shared > best[0]):
                best = shared, one
        found.append(best[1])
    return found


def _left(text: str, place: Place) -> str:
    """What stands before a place, read backwards."""
    return text[max(0, place[0] - CONTEXT) : place[0]][::-1]


def _right(text: str, place: Place) -> str:
    return text[place[1] : place[1] + CONTEXT]


def _consensus(cells: Sequence[Sequence[str]]) -> str:
    """The string that a quorum of cells begins with, in one of their contexts at least."""
    alive = [(index, one) for index, options in enumerate(cells) for one in options]
    needed = QUORUM * sum(1 for options in cells if options)
    found = ""
    while alive:
        voters: dict[str, set[int]] = {}
        for index, one in alive:
            if len(one) > len(found):
                voters.setdefault(one[len(found)], set()).add(index)
        best = max(voters, key=lambda character: len(voters[character]), default="")
        if not best or len(voters[best]) < needed:
            break
        found += best
        alive = [(index, one) for index, one in alive if one.startswith(found)]
    return found


def _shared(context: str, consensus: str) -> int:
    """The length of the longest common prefix."""
    limit = min(len(context), len(consensus))
    return next((at for at in range(limit) if context[at] != consensus[at]), limit)


def _common(contexts: Sequence[str]) -> str:
    """The longest prefix of all: that of the first and the last in order."""
    if not contexts:
        return ""
    low, high = min(contexts), max(contexts)
    return low[: _shared(low, high)]


def _frame(chosen: Sequence[tuple[str, Choice]]) -> tuple[str, str]:
    """What stands before and after all chosen values."""
    lefts = [_left(text, one) for text, one in chosen if one]
    rights = [_right(text, one) for text, one in chosen if one]
    return _common(lefts)[::-1], _common(rights)


def _completed(
    text: str,
    order: tuple[str, ...],
    columns: Sequence[Sequence[Choice]],
    frames: Sequence[tuple[str, str]],
) -> PartialLabel:
    """The label with its unknown cells filled in, where the common delimiters leave one way."""
    cells = _in_order([one for row in zip(*columns, strict=True) for one in row])
    width = len(order)
    for first, after in _holes(cells):
        before = cells[first - 1] if first else None
        following = cells[after] if after < len(cells) else None
        cells[first:after] = _between(
            text,
            before[1] if before else 0,
            following[0] if following else len(text),
            [frames[at % width] for at in range(first, after)],
            backwards=before is None,
        )
    rows = [tuple(cells[at : at + width]) for at in range(0, len(cells), width)]
    return PartialLabel(order, tuple(rows))


def _holes(cells: Sequence[Choice]) -> list[tuple[int, int]]:
    """The runs of unknown cells: where each starts, and where it has ended."""
    edges = [at for at in range(len(cells) + 1) if _is_known(cells, at) != _is_known(cells, at - 1)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _is_known(cells: Sequence[Choice], at: int) -> bool:
    return not 0 <= at < len(cells) or cells[at] is not None


def _in_order(cells: Sequence[Choice]) -> list[Choice]:
    """The cells, of which those that stand before an earlier one are unknown after all."""
    found: list[Choice] = []
    reached = 0
    for one in cells:
        fits = one is not None and one[0] >= reached
        found.append(one if fits else None)
        reached = one[1] if one is not None and fits else reached
    return found


def _between(
    text: str, low: int, high: int, frames: Sequence[tuple[str, str]], *, backwards: bool
) -> list[Choice]:
    """Values for a run of cells between two known places: the next, or `backwards` the last ones.

    All or none: where one is not to be found, the others may be mistaken.
    """
    found: list[Choice] = []
    step = _last if backwards else _next
    for frame in reversed(frames) if backwards else frames:
        place = step(text, low, high, frame)
        if place is None:
            return [None] * len(frames)
        found.append(place)
        low, high = (low, place[0]) if backwards else (place[1], high)
    return found[::-1] if backwards else found


def _next(text: str, low: int, high: int, frame: tuple[str, str]) -> Choice:
    """The first text between a frame, which may overlap the values before and after."""
    left, right = frame
    at = text.find(left, max(0, low - len(left)), high)
    start = at + len(left)
    end = text.find(right, start, high + len(right)) if at >= 0 else -1
    return (start, end) if start < end <= high else None


def _last(text: str, low: int, high: int, frame: tuple[str, str]) -> Choice:
    """The last text between a frame, which may overlap the values before and after."""
    left, right = frame
    low = max(0, low - len(left))
    at = text.rfind(left, low, high)
    while at >= 0:
        start = at + len(left)
        end = text.find(right, start, high + len(right))
        if start < end <= high:
            return start, end
        at = text.rfind(left, low, at + len(left) - 1)
    return None
