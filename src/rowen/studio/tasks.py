"""What the studio's own processes do."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.documents.charset import read_page
from rowen.limits import (
    LEARNING_SECONDS,
    REPLY_BYTES,
    STUDIO_HEAD_BYTES,
    STUDIO_PAGES,
    STUDIO_SECONDS,
)
from rowen.model import Example, Page
from rowen.model.errors import NoConsistentWrapper
from rowen.studio.conflict import conflict_of
from rowen.studio.explanation import explain
from rowen.studio.material import Fetch, Pages, fetch_pages, marks_of
from rowen.studio.upkeep import inspect, mend, rehearse
from rowen.workers import Asker, Work
from rowen.workers.frames import Bounds
from rowen.workers.loading import load_packages
from rowen.wrappers.base import Wrapper
from rowen.wrappers.learn import LEARNED, learn
from rowen.wrappers.maintaining.drift import check
from rowen.wrappers.recognizing.library import ready, ready_names

_MEND_SECONDS = 2 * LEARNING_SECONDS

_SECOND_SECONDS = 1.0
"""How long a second opinion may be looked for; it only tells which page to look at next."""

_REPEATING = "m-hlrt"
"""What is learned from a single record: it finds more of the kind, and some may lack fields."""

_SECONDS = ("token", "m-hlrt", "hlrt", "lr", "hoclrt")
"""Who is asked for a second opinion: classes that generalise in different ways."""

Answer: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Propose:
    """Learn from the labels, and tell what is extracted from every page then."""

    project: Pages


@dataclass(frozen=True, slots=True)
class Judge:
    """Tell how certain it is what each page has."""

    project: Pages


@dataclass(frozen=True, slots=True)
class Recognize:
    """What ready recognizers find on a page."""

    states: Mapping[str, str]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rehearse:
    """What publishing would do: the tests, and the difference to a wrapper from before."""

    project: Pages
    before: str | None
    """Its definition."""


@dataclass(frozen=True, slots=True)
class Inspect:
    """Whether a wrapper still fits: what it finds on new pages, and what is odd about it."""

    wrapper: str
    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Mend:
    """A wrapper for new pages from one that no longer fits."""

    wrapper: str
    states: Mapping[str, str]


Task: TypeAlias = Propose | Judge | Recognize | Rehearse | Inspect | Mend


def work(task: Task, asker: Asker) -> Answer:
    """Do one of these; pages that are not known yet are asked for."""
    fetch: Fetch = asker.ask
    match task:
        case Propose(project):
            return _proposed(project, project.read(fetch))
        case Judge(project):
            return _judged(project, project.read(fetch))
        case Recognize(states, names):
            (page,) = fetch_pages(states, fetch).values()
            return _recognized(page, names)
        case Rehearse(project, before):
            return rehearse(project, project.read(fetch), before)
        case Inspect(wrapper, states):
            return inspect(wrapper, fetch_pages(states, fetch))
        case Mend(wrapper, states):
            asker(_MEND_SECONDS)
            return mend(wrapper, fetch_pages(states, fetch))


def _proposed(project: Pages, pages: Mapping[str, Page]) -> Answer:
    examples = project.examples(pages)
    if not any(example.records for example in examples):
        return {"wrapper": None, "explanation": None, "pages": {}, "conflict": None}
    try:
        wrapper = _learned(project, examples)
    except NoConsistentWrapper as error:
        conflict = conflict_of(error, examples, project.wrapper_class)
        return {"wrapper": None, "explanation": None, "pages": {}, "conflict": conflict}
    return {
        "wrapper": wrapper.to_definition().to_dict(),
        "explanation": explain(wrapper),
        "pages": {name: _extracted(wrapper, page) for name, page in pages.items()},
        "conflict": None,
    }


def _learned(project: Pages, examples: Sequence[Example]) -> Wrapper:
    """A wrapper; a single record that is whole is taken for the first of many, if there are more.

    Nothing tells otherwise yet, and one that is not whole would find others all over the page.
    """
    if project.wrapper_class == "auto" and len(examples) == 1 and examples[0].partial:
        (example,) = examples
        if len(example.records) == 1 and set(example.records[0].spans) == set(project.fields):
            with suppress(NoConsistentWrapper):
                wrapper = learn(examples, _REPEATING, seconds=STUDIO_SECONDS)
                if len(wrapper.extract(example.page)) > 1:
                    return wrapper
    return learn(examples, project.wrapper_class, seconds=STUDIO_SECONDS)


def _extracted(wrapper: Wrapper, page: Page) -> Answer:
    records = wrapper.extract(page)
    return {"records": [marks_of(one) for one in records], "failure": records.failure}


def _judged(project: Pages, pages: Mapping[str, Page]) -> Answer:
    """How sure each page is: by what is odd about its values, and by a second opinion."""
    examples = project.examples(pages)
    if not any(example.records for example in examples):
        return {"pages": {}, "next": None}
    try:
        wrapper = _learned(project, examples)
    except NoConsistentWrapper:
        return {"pages": {}, "next": None}
    second = _second(examples, wrapper)
    report = {one.page: one for one in check(wrapper, pages.values(), wrapper.profile).pages}
    judged: dict[str, Answer] = {}
    for name, page in pages.items():
        reasons = [str(finding) for finding in report[name].findings]
        sure = 0.5 ** len(reasons)
        if second is not None:
            shared = _agreement(wrapper, second, page)
            if shared < 1:
                reasons.append(
                    f"a wrapper of class {second.wrapper_class} would give other records"
                )
            sure *= 0.5 + shared / 2
        judged[name] = {"certainty": round(sure, 3), "reasons": reasons}
    done = {name for name, label in project.labels.items() if label.complete}
    left = [name for name in pages if name not in done]
    least = min(left, key=lambda name: judged[name]["certainty"], default=None)
    return {"pages": judged, "next": least}


def _second(examples: Sequence[Example], first: Wrapper) -> Wrapper | None:
    for name in _SECONDS:
        if name != first.wrapper_class and name in LEARNED:
            try:
                return learn(examples, name, seconds=_SECOND_SECONDS)
            except NoConsistentWrapper:
                continue
    return None


def _agreement(one: Wrapper, other: Wrapper, page: Page) -> float:
    mine, theirs = set(one.extract(page)), set(other.extract(page))
    return len(mine & theirs) / len(mine | theirs) if mine or theirs else 1.0


def _recognized(page: Page, names: Iterable[str]) -> Answer:
    return {name: [list(span) for span in ready(name).find(page)] for name in names}


def _warm_up() -> None:
    """Load all classes of wrappers, and what recognizers know."""
    load_packages("rowen.documents", "rowen.extractors", "rowen.wrappers", "rowen.studio")
    for name in ready_names():
        ready(name)
    read_page("<p>\xe9</p>".encode("latin-1"), "")  # detects a charset


WORK: Work[Task, Answer] = Work(
    do=work,
    given=Task,
    made=dict[str, Any],
    question=str,
    reply=bytes,
    longest=_MEND_SECONDS,
    messages=2 * STUDIO_PAGES,
    bounds=Bounds(STUDIO_HEAD_BYTES, REPLY_BYTES),
    warm=_warm_up,
)
