"""What the studio's own processes do: learn, extract, look for what contradicts."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from rowen.documents.charset import read_page
from rowen.documents.sandbox import Allow
from rowen.limits import STUDIO_SECONDS
from rowen.model import Example, Page
from rowen.model.errors import NoConsistentWrapper
from rowen.studio.conflict import conflict_of
from rowen.studio.explanation import explain
from rowen.studio.state import Label, Marks
from rowen.wrappers.base import Wrapper
from rowen.wrappers.learn import LEARNED, learn
from rowen.wrappers.maintaining.drift import check

_CACHED = 64
_SECOND_SECONDS = 1.0
"""How long a second opinion may be looked for; it only tells which page to look at next."""

_REPEATING = "m-hlrt"
"""What is learned from a single record: it finds more of the kind, and some may lack fields."""

_SECONDS = ("token", "m-hlrt", "hlrt", "lr", "hoclrt")
"""Who is asked for a second opinion: classes that generalise in different ways."""

Answer: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pages:
    """A project's pages and labels, as far as a process needs them."""

    paths: Mapping[str, Path]
    labels: Mapping[str, Label]
    wrapper_class: str


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

    path: Path
    names: tuple[str, ...]


Task: TypeAlias = Propose | Judge | Recognize


def work(task: Task, allow: Allow) -> Answer:
    """Do one of these."""
    allow(2 * STUDIO_SECONDS)
    match task:
        case Propose(project):
            return _proposed(project)
        case Judge(project):
            return _judged(project)
        case Recognize(path, names):
            return _recognized(_page(str(path), path), names)


def _proposed(project: Pages) -> Answer:
    pages = _pages(project.paths)
    examples = _examples(project, pages)
    if not any(example.records for example in examples):
        return {"wrapper": None, "explanation": None, "pages": {}, "conflict": None}
    try:
        wrapper = _learned(examples, project.wrapper_class)
    except NoConsistentWrapper as error:
        conflict = conflict_of(error, examples, project.wrapper_class)
        return {"wrapper": None, "explanation": None, "pages": {}, "conflict": conflict}
    return {
        "wrapper": wrapper.to_definition().to_dict(),
        "explanation": explain(wrapper),
        "pages": {name: _extracted(wrapper, page) for name, page in pages.items()},
        "conflict": None,
    }


def _learned(examples: Sequence[Example], wrapper_class: str) -> Wrapper:
    """A wrapper; a single record is taken for the first of many, since nothing tells yet."""
    if wrapper_class == "auto" and len(examples) == 1 and examples[0].partial:
        (example,) = examples
        if len(example.records) == 1:
            with suppress(NoConsistentWrapper):
                wrapper = learn(examples, _REPEATING, seconds=STUDIO_SECONDS)
                if len(wrapper.extract(example.page)) > 1:
                    return wrapper
    return learn(examples, wrapper_class, seconds=STUDIO_SECONDS)


def _extracted(wrapper: Wrapper, page: Page) -> Answer:
    records = wrapper.extract(page)
    return {"records": [marks_of(one.to_dict()) for one in records], "failure": records.failure}


def marks_of(record: Mapping[str, Any]) -> Marks:
    """A record as label files have it."""
    marks = dict(record["spans"])
    if record["children"]:
        marks["children"] = [marks_of(child) for child in record["children"]]
    return marks


def _judged(project: Pages) -> Answer:
    """How sure each page is: by what is odd about its values, and by a second opinion."""
    pages = _pages(project.paths)
    examples = _examples(project, pages)
    if not any(example.records for example in examples):
        return {"pages": {}, "next": None}
    try:
        wrapper = _learned(examples, project.wrapper_class)
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
    from rowen.wrappers.recognizing.library import ready

    return {name: [list(span) for span in ready(name).find(page)] for name in names}


def _examples(project: Pages, pages: Mapping[str, Page]) -> list[Example]:
    return [
        Example(pages[name], label.records, partial=not label.complete)
        for name, label in project.labels.items()
        if label.tells and name in pages
    ]


def _pages(paths: Mapping[str, Path]) -> dict[str, Page]:
    return {name: _page(name, path) for name, path in paths.items()}


_read: OrderedDict[tuple[str, Path, int], Page] = OrderedDict()
"""Pages that this process has read; a page's file never changes."""


def _page(name: str, path: Path) -> Page:
    key = (name, path, path.stat().st_ino)
    page = _read.get(key)
    if page is None:
        page = _read[key] = read_page(path.read_bytes(), name)
        if len(_read) > _CACHED:
            _read.popitem(last=False)
    _read.move_to_end(key)
    return page
