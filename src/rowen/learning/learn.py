"""`learn`: examples in, a wrapper out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from rowen.induction import budget
from rowen.induction.budget import LEARNING_SECONDS
from rowen.learning.classes import LEARNERS, Learner, learner_of
from rowen.learning.counterexamples import learn_growing, unlabelled
from rowen.learning.data.relabelling import in_data
from rowen.learning.estimate import leave_one_out
from rowen.learning.memory import MEMORY
from rowen.learning.nested_fields import learn_nested
from rowen.learning.other_pages import look_at_others
from rowen.learning.progress import Progress, report, reporting
from rowen.learning.recognizers.recognizer import Recognizer
from rowen.learning.schema import apply_schema
from rowen.learning.survey import reaching_names, shared_names, spanning, survey
from rowen.learning.tied_texts import suggest_for_ties
from rowen.model import InputError, NoConsistentWrapper, Page, SearchCutShort, UsageError, Warning  # noqa: A004  # the design's word
from rowen.records import Example
from rowen.records.field_order import FieldOrder, order_of
from rowen.wrappers.base import Wrapper

RECOGNIZERS_CLASS = "hlrt"
"""What `auto` is for recognizers: the class for which the noisy learner was designed."""

LEFT_OUT_SHOWN = 3
"""This many of the pages that fit no wrapper are named in the warning."""


LEARNED = tuple(LEARNERS)
"""The classes that can be asked for by name."""


def learn(
    examples: Sequence[Example] = (),
    wrapper_class: str = "auto",
    *,
    schema: object = None,
    recognizers: Iterable[Recognizer | str] | None = None,
    pages: Iterable[Page | str] = (),
    seconds: float = LEARNING_SECONDS,
    estimate: bool = False,
    progress: Progress | None = None,
) -> Wrapper:
    r"""Learn a wrapper from examples; raises `NoConsistentWrapper` where none of the class fits.

    `wrapper_class` is `auto`, which chooses the class that predicts best, or the name of one. After
    `seconds` of processor time the search ends: with the best wrapper found by then, whose
    `evidence` and `reason` say so, or with `SearchCutShort`. With `estimate` the time that is left
    goes into cross-validation: one example at a time is left out, and the wrapper learned from the
    others is tried on it. `progress` is called with a few words for each step that starts.

    `schema` says what each field holds: `{"price": "price"}`, a pydantic model or a dataclass.
    Without one all values are texts, and `wrapper.suggested_types` has the types that the marked
    values would have.

    Other `pages` of the site, without labels, help to choose: of the wrappers that reproduce the
    labels, `auto` prefers those that find whole records on these pages as well.

    The wrapper's `warnings` name the labels that it does not reproduce; they are empty only if it
    reproduces all of them.

    >>> import rowen
    >>> page = rowen.Page("<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br>", id="p1.html")
    >>> example = rowen.Example(page, [{"country": "Congo", "code": "242"},
    ...                                {"country": "Egypt", "code": "20"}])
    >>> wrapper = rowen.learn([example], "lr")
    >>> [record.values for record in wrapper.extract("<b>Peru</b> <i>51</i><br>")]
    [{'country': 'Peru', 'code': '51'}]

    With `recognizers`, pages without labels teach, too: each recognizer finds the instances of one
    field on `pages`, rightly or not, and the labels on which they agree are learned from. A ready
    recognizer is given by its name. At least one field needs a perfect recognizer. Pages on which
    what is recognized fits no wrapper are left out, and a warning names them. `auto` means `hlrt`.
    A language model as a recognizer is asked about three of the pages, and needs no perfect one
    beside it; there `auto` tries all classes.

    >>> codes = rowen.Recognizer("code", rowen.Pattern(r"(?P<code>\d+)", name="code"),
    ...                          soundness="perfect")
    >>> wrapper = rowen.learn(wrapper_class="lr", recognizers=[codes], pages=[page])
    >>> [record.values for record in wrapper.extract("<b>Peru</b> <i>51</i><br>")]
    [{'code': '51'}]
    """
    if recognizers is not None:
        recognizers, pages = _opened(recognizers), list(pages)
    asks_model = any(one.model is not None for one in recognizers or ())
    others = list(map(Page.of, pages)) if recognizers is None or asks_model else []
    learner = _of_class(wrapper_class, others)
    if not seconds > 0:
        raise UsageError("seconds must be greater than 0")
    with reporting(progress):
        if recognizers is None:
            wrapper = _learn_from_examples(
                examples, learner, seconds=seconds, estimate=estimate, pages=others
            )
            look_at_others(wrapper, unlabelled(others, examples), examples)
            wrapper.order_fields(_label_order(examples))
            wrapper.example = examples[0].page if examples else None
            apply_schema(wrapper, examples, schema)
            return wrapper
        if estimate:
            raise UsageError("an estimate needs labels: recognized values may be wrong")
        if wrapper_class == "auto" and not asks_model:
            learner = _with_nested(RECOGNIZERS_CLASS)
        wrapper = _learn_from_pages(
            list(pages), recognizers, learner, seconds=seconds, labelled=examples
        )
        apply_schema(wrapper, examples, schema)
        return wrapper


def _label_order(examples: Sequence[Example]) -> FieldOrder:
    """The fields in the order in which the labels name them first."""
    return order_of(record for example in examples for record in example.records)


def _learn_from_examples(
    examples: Sequence[Example],
    learner: Learner,
    *,
    seconds: float,
    estimate: bool = False,
    pages: Sequence[Page] | None = None,
) -> Wrapper:
    """Learn and compare with the labels; with `pages`, say what would decide between places."""
    _check_labels(examples)
    as_given = examples
    with budget.limit(seconds) as time:
        if any(example.given and not example.is_located for example in examples):
            from rowen.labels.locate import locate_examples

            report("locating texts")
            examples = locate_examples(examples)
        ties = [tie for example in examples for tie in example.ties]
        shared = shared_names(examples)
        examples = [example.without_shared() for example in examples]
        try:
            wrapper = learner(examples)
        except SearchCutShort:
            raise  # a child of NoConsistentWrapper that says the same already
        except NoConsistentWrapper as error:
            if not time.reason:
                raise
            # Something was left untried on the way, so the failure proves nothing.
            raise SearchCutShort(f"{time.reason} ({error.reason})") from error
        cut_short = time.over  # before what may well use up the time
        if pages is not None and ties:
            report("comparing places of texts")
            suggest_for_ties(wrapper, examples, ties, learner, pages)
        if estimate:
            relearn = partial(_learn_from_examples, learner=learner, seconds=seconds)
            wrapper.estimate = leave_one_out(as_given, relearn)
    if cut_short:
        wrapper.reason = "; ".join(filter(None, [wrapper.reason, f"cut short: {time.reason}"]))
        if wrapper.evidence is not None:
            wrapper.evidence = replace(wrapper.evidence, cut_short=True)
    report("comparing records with labels")
    examples = in_data(wrapper, examples)
    survey(wrapper, examples, cut_short=time.reason if cut_short else "")
    return spanning(wrapper, shared or reaching_names(examples), examples)


def _learn_from_pages(
    pages: Sequence[Page | str],
    recognizers: Sequence[Recognizer],
    learner: Learner,
    *,
    seconds: float,
    labelled: Sequence[Example],
) -> Wrapper:
    """Learn from what is recognized on pages, together with the examples of labelled pages."""
    from rowen.learning.recognizers.noisy import learn_from_recognizers

    models = list({id(one.model): one.model for one in recognizers if one.model}.values())
    if models:
        pages = _spread(pages, max(model.pages for model in models))
    with budget.limit(seconds):
        learned = learn_from_recognizers(
            pages,
            recognizers,
            partial(_learn_from_examples, learner=learner, seconds=seconds),
            labelled=labelled,
        )
    if models:
        asked = "; ".join(model.cost for model in models)
        learned.wrapper.reason = "; ".join(filter(None, [learned.wrapper.reason, asked]))
    if learned.left_out:
        names = ", ".join(page.id for page in learned.left_out[:LEFT_OUT_SHOWN])
        more = len(learned.left_out) - LEFT_OUT_SHOWN
        message = (
            f"{len(learned.left_out):,} of {len(pages):,} pages were left out: what is recognized "
            f"on them fits no wrapper for the others: {names}"
            + (f" and {more:,} more" if more > 0 else "")
        )
        wrapper = learned.wrapper
        wrapper.warnings = (Warning("pages-left-out", message), *wrapper.warnings)
    return learned.wrapper


def _opened(recognizers: Iterable[Recognizer | str]) -> list[Recognizer]:
    """The recognizers, ready ones by their names."""
    from rowen.learning.recognizers.library import ready

    return [ready(one) if isinstance(one, str) else one for one in recognizers]


def _spread(pages: Sequence[Page | str], most: int) -> Sequence[Page | str]:
    """So many of the pages, as far from each other as possible: neighbours may be alike."""
    if len(pages) <= most:
        return pages
    return [pages[number * (len(pages) - 1) // max(1, most - 1)] for number in range(most)]


def _check_labels(examples: Sequence[Example]) -> None:
    if not examples:
        raise InputError("learning needs at least one example")
    if not any(example.records for example in examples):
        raise InputError("no example has a record: mark at least one")
    if not any(record.extent for example in examples for record in example.records):
        raise InputError("no record has a value: mark at least one")


def _of_class(name: str, pages: Sequence[Page]) -> Learner:
    """The learner of a class; `auto` learns from further examples only where it has to."""
    if name != "auto" and name not in LEARNED:
        raise UsageError(f"unknown wrapper class {name!r}; choose from auto, {', '.join(LEARNED)}")
    if name == "auto":
        return lambda examples: learn_growing(
            examples, partial(_remembering, name), _remembering, pages
        )
    return lambda examples: _with_nested(name, unlabelled(pages, examples))(examples)


def _remembering(name: str, pages: Sequence[Page] = ()) -> Learner:
    """The learner of a class; what it has learned last is not learned again."""
    learner = _with_nested(name, pages)
    return lambda examples: MEMORY.learn(learner, name, examples, pages)


def _with_nested(name: str, pages: Sequence[Page] = ()) -> Learner:
    """The learner of a class, part by part where fields hold records."""
    if name == "region":
        return learner_of(name, pages=pages)
    learner = partial(_learner, name, pages=pages)
    return partial(learn_nested, learner=learner, strict=name != "auto")


def _learner(
    name: str,
    repeats: bool | None,  # noqa: FBT001  # of records, see there
    *,
    pages: Sequence[Page] = (),
) -> Learner:
    if name == "auto":
        from rowen.learning.auto import learn_auto

        return partial(learn_auto, repeats=repeats, pages=pages)
    return learner_of(name, repeats=repeats)
