"""The tasks of the studio's worker processes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.induction.budget import LEARNING_SECONDS
from rowen.learning.learn import LEARNED, learn
from rowen.learning.recognizers.library import ready, ready_names
from rowen.maintenance.drift import check
from rowen.model import Page
from rowen.model.errors import NoConsistentWrapper
from rowen.records import Example
from rowen.studio.discovery import extract, place, suggest_tables
from rowen.studio.learning import learn_wrapper
from rowen.studio.material import Fetch, Pages, fetch_pages, wrapper_of
from rowen.studio.proposals import propose, propose_first
from rowen.studio.upkeep import inspect, propose_repair, rehearse, test
from rowen.studio.visit import STUDIO_PAGES
from rowen.text.charset import read_page
from rowen.values.tables import load_tables
from rowen.workers import Asker, Work
from rowen.workers.frames import Bounds
from rowen.workers.loading import load_packages
from rowen.workers.work import REPLY_BYTES
from rowen.wrappers.base import Wrapper

STUDIO_HEAD_BYTES = 128 * 1024 * 1024
"""Limit: the size of the structure of a worker's message, with the records of a thousand pages."""

STUDIO_SECONDS = 8.0
"""Limit: processor time of learning in the studio, where somebody waits for it."""


_REPAIR_SECONDS = 2 * LEARNING_SECONDS

_SECOND_SECONDS = 1.0
"""Limit: processor time of learning a second wrapper, which only helps to choose the next page."""

_SECOND_CLASSES = ("token", "m-hlrt", "hlrt", "lr", "hoclrt")
"""Classes for a second opinion: they generalise in different ways."""

Answer: TypeAlias = dict[str, Any]

NOT_JUDGED: Answer = {"pages": {}, "next": None, "estimate": None}
"""The judgement where there is no wrapper."""


@dataclass(frozen=True, slots=True)
class Propose:
    """Learn from the labels, and extract from every page."""

    project: Pages


@dataclass(frozen=True, slots=True)
class First:
    """Propose records by what is learned from few pages, before all are learned from."""

    project: Pages
    page: str
    wrapper: str | None
    """The definition of the last wrapper that was learned."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Estimate how certain the records of each page are."""

    project: Pages
    wrapper: str | None = None
    """The definition of the wrapper that was learned from the same labels."""


@dataclass(frozen=True, slots=True)
class Recognize:
    """Find instances on a page with ready recognizers."""

    states: Mapping[str, str]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rehearse:
    """Try what publishing would do: the tests, and the difference to the previous wrapper."""

    project: Pages
    before: str | None
    """The definition of the previous wrapper."""


@dataclass(frozen=True, slots=True)
class Inspect:
    """Check whether a wrapper still fits new pages."""

    wrapper: str
    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Repair:
    """Repair a wrapper that no longer fits, for new pages."""

    wrapper: str
    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Discover:
    """Find the tables of pages, without any mark."""

    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Locate:
    """Find the records of tables on a page."""

    tables: tuple[str, ...]
    """The definitions of their wrappers."""
    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Extract:
    """Extract from pages that are not part of the project."""

    wrapper: str
    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Test:
    """Try a published wrapper on the pages that are labelled completely."""

    project: Pages
    wrapper: str


Task: TypeAlias = (
    Propose
    | First
    | Judge
    | Recognize
    | Rehearse
    | Inspect
    | Repair
    | Discover
    | Locate
    | Extract
    | Test
)


def work(task: Task, asker: Asker) -> Answer:  # noqa: C901, PLR0911  # one per task
    """Do a task; pages that this process has not read yet are requested."""
    fetch: Fetch = asker.ask
    match task:
        case Propose(project):
            return propose(project, project.read(fetch), seconds=STUDIO_SECONDS)
        case First(project, marked, last):
            return propose_first(project, project.read(fetch), marked, last)
        case Judge(project, wrapper):
            return _judged(project, project.read(fetch), wrapper)
        case Recognize(states, names):
            (page,) = fetch_pages(states, fetch).values()
            return _recognized(page, names)
        case Rehearse(project, before):
            return rehearse(project, project.read(fetch), before)
        case Inspect(wrapper, states):
            return inspect(wrapper, fetch_pages(states, fetch))
        case Repair(wrapper, states):
            # Repairing learns from many pages: ask the pool for more than its usual time.
            asker(_REPAIR_SECONDS)
            return propose_repair(wrapper, fetch_pages(states, fetch))
        case Discover(states):
            return suggest_tables(fetch_pages(states, fetch))
        case Locate(tables, states):
            (page,) = fetch_pages(states, fetch).values()
            return place(tables, page)
        case Extract(wrapper, states):
            return extract(wrapper, fetch_pages(states, fetch))
        case Test(project, wrapper):
            return test(project, project.read(fetch), wrapper)


def _judged(project: Pages, pages: Mapping[str, Page], definition: str | None = None) -> Answer:
    """How certain each page is: by unusual values, and by a second wrapper."""
    examples = project.examples(pages)
    if not project.can_propose(examples):
        return dict(NOT_JUDGED)
    # Pages that are marked in part say little about what is right.
    is_tried = sum(not example.partial for example in examples) > 1
    if definition is not None and not is_tried:
        wrapper = wrapper_of(definition)
    else:
        try:
            wrapper = learn_wrapper(
                project, examples, pages, seconds=STUDIO_SECONDS, estimate=is_tried
            )
        except NoConsistentWrapper:
            return dict(NOT_JUDGED)
    second = _second(examples, wrapper) if examples else None
    reports = {report.page: report for report in check(wrapper, pages.values()).pages}
    judged: dict[str, Answer] = {}
    for name, page in pages.items():
        reasons = [str(finding) for finding in reports[name].findings]
        # Each finding halves the certainty, and so does complete disagreement of the second
        # wrapper.
        certainty = 0.5 ** len(reasons)
        if second is not None:
            agreement = _agreement(wrapper, second, page)
            if agreement < 1:
                reasons.append(f"a wrapper of class {second.wrapper_class} finds other records")
            certainty *= 0.5 + agreement / 2
        judged[name] = {"certainty": round(certainty, 3), "reasons": reasons}
    complete = {name for name, label in project.labels.items() if label.complete}
    open_pages = [name for name in pages if name not in complete]
    least = min(open_pages, key=lambda name: judged[name]["certainty"], default=None)
    estimate = None if wrapper.estimate is None else wrapper.estimate.to_dict()
    return {"pages": judged, "next": least, "estimate": estimate}


def _second(examples: Sequence[Example], first: Wrapper) -> Wrapper | None:
    for name in _SECOND_CLASSES:
        if name != first.wrapper_class and name in LEARNED:
            try:
                return learn(examples, name, seconds=_SECOND_SECONDS)
            except NoConsistentWrapper:
                continue
    return None


def _agreement(first: Wrapper, second: Wrapper, page: Page) -> float:
    """The Jaccard similarity of the records that two wrappers extract."""
    ours, theirs = set(first.extract(page)), set(second.extract(page))
    return len(ours & theirs) / len(ours | theirs) if ours or theirs else 1.0


def _recognized(page: Page, names: Iterable[str]) -> Answer:
    return {name: [list(span) for span in ready(name).find(page)] for name in names}


def _warm_up() -> None:
    """Load all classes of wrappers and the data of recognizers, before files are out of reach."""
    load_packages(
        "rowen.text",
        "rowen.values",
        "rowen.records",
        "rowen.extractors",
        "rowen.wrappers",
        "rowen.programs",
        "rowen.induction",
        "rowen.labels",
        "rowen.learning",
        "rowen.structure",
        "rowen.maintenance",
        "rowen.studio",
    )
    for name in ready_names():
        ready(name)
    load_tables()
    read_page("<p>\xe9</p>".encode("latin-1"), "")  # loads the charset detector


WORK: Work[Task, Answer] = Work(
    do=work,
    task=Task,
    result=dict[str, Any],
    question=str,
    reply=bytes,
    longest=_REPAIR_SECONDS,
    messages=2 * STUDIO_PAGES,
    bounds=Bounds(STUDIO_HEAD_BYTES, REPLY_BYTES),
    warm=_warm_up,
)
