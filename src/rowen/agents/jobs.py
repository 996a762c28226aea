"""What the agents' tools do with pages, in confined processes."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.extractors.saved import parse_all
from rowen.induction.budget import LEARNING_SECONDS
from rowen.learning.learn import learn
from rowen.learning.recognizers.library import ready, ready_names
from rowen.maintenance.drift import check
from rowen.maintenance.repair import repair
from rowen.model import Page, Warning  # noqa: A004  # the design's word
from rowen.model.errors import ExtractorError, InputError
from rowen.records import Example, Record
from rowen.structure.discover import Table, discover
from rowen.text.charset import read_page
from rowen.values.conversion import to_json
from rowen.values.tables import load_tables
from rowen.workers import Asker, Work
from rowen.workers.frames import Bounds
from rowen.workers.loading import load_packages
from rowen.workers.work import REPLY_BYTES
from rowen.wrappers.base import Wrapper
from rowen.wrappers.summary import summarise

AGENT_SECONDS = 60.0
"""Limit: how long a tool for agents may take, unless it learns."""

AGENT_LEARNING_SECONDS = 2 * LEARNING_SECONDS
"""Limit: how long a tool may take that learns, by the clock."""

AGENT_MEMORY_BYTES = 2 * 1024 * 1024 * 1024
"""Limit: memory of the process that works for a tool."""

AGENT_HEAD_BYTES = 128 * 1024 * 1024
"""Limit: the size of the structure of a tool's message, with the texts of its pages."""

AGENT_TABLES = 10
"""Limit: how many tables `discover` describes; nobody looks at the eleventh."""

AGENT_RECORDS = 1_000
"""Limit: how many records an answer to an agent has at most; a model reads all of them."""

AGENT_SAMPLES = 5
"""Limit: how many records an answer shows of what a wrapper finds that was just learned."""

PageText: TypeAlias = tuple[str, str]
"""The id of a page, and its text."""

Answer: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Discover:
    """Find the tables of pages, without any mark."""

    pages: tuple[PageText, ...]


@dataclass(frozen=True, slots=True)
class FromTable:
    """A wrapper for a table that `discover` finds, by its number."""

    pages: tuple[PageText, ...]
    table: int
    columns: tuple[str, ...]
    """Those to keep; all where none is named."""


@dataclass(frozen=True, slots=True)
class FromLabels:
    """A wrapper learned from the records of some pages."""

    pages: tuple[PageText, ...]
    labels: Mapping[str, Any]
    """The records of each labelled page, by its id."""
    complete: bool
    """Whether these are all records of their pages."""
    types: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Extract:
    """The records of pages."""

    wrapper: str
    pages: tuple[PageText, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a wrapper still fits pages."""

    wrapper: str
    pages: tuple[PageText, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """A wrapper learned again for redesigned pages."""

    wrapper: str
    pages: tuple[PageText, ...]


Job: TypeAlias = Discover | FromTable | FromLabels | Extract | Check | Repair


def work(job: Job, asker: Asker) -> Answer:
    """Do a job."""
    pages = [Page(text, id=name) for name, text in job.pages]
    match job:
        case Discover():
            return {"tables": [_described(n, t) for n, t in _tables(pages)]}
        case FromTable(_, number, columns):
            return _learned(_from_table(pages, number, columns), pages)
        case FromLabels(_, labels, complete, types):
            asker(AGENT_LEARNING_SECONDS)
            return _learned(_from_labels(pages, labels, types, complete=complete), pages)
        case Extract(wrapper, _, most):
            return _extracted(_opened(wrapper), pages, most)
        case Check(wrapper):
            return check(_opened(wrapper), pages).to_dict()
        case Repair(wrapper):
            asker(AGENT_LEARNING_SECONDS)
            return _repaired(_opened(wrapper), pages)


def _tables(pages: list[Page]) -> Iterable[tuple[int, Table]]:
    return enumerate(discover(pages)[:AGENT_TABLES], 1)


def _described(number: int, table: Table) -> Answer:
    described = table.to_dict()
    pages = described.pop("pages")
    return {"table": number, **described, "pages": len(pages)}


def _from_table(pages: list[Page], number: int, columns: tuple[str, ...]) -> Wrapper:
    table = dict(_tables(pages)).get(number)
    if table is None:
        raise InputError(f"there is no table {number} on these pages: see discover")
    wrapper = table.wrapper()
    if not columns:
        return wrapper
    names = [column.name for column in table.columns]
    if unknown := set(columns) - set(names):
        raise InputError(f"table {number} has no column {min(unknown)!r}: it has {names}")
    examples = [
        Example(page, [_kept(record, columns) for record in wrapper.extract(page)])
        for page in pages
    ]
    types = {c.name: c.type for c in table.columns if c.name in columns and c.type != "text"}
    return learn([example for example in examples if example.records], schema=types)


def _kept(record: Record, columns: tuple[str, ...]) -> dict[str, Any]:
    """A record with some of its fields, as an example takes it."""
    kept: dict[str, Any] = {}
    for name, spans in record.items():
        if name in columns:
            places = [(span.start, span.end) for span in spans]
            kept[name] = places if len(places) > 1 else (places[0] if places else None)
    return kept


def _from_labels(
    pages: list[Page], labels: Mapping[str, Any], types: Mapping[str, str], *, complete: bool
) -> Wrapper:
    by_id = {page.id: page for page in pages}
    if unknown := [name for name in labels if name not in by_id]:
        raise InputError(f"no page has the id {unknown[0]!r}: the pages are {sorted(by_id)[:20]}")
    examples = [
        Example(by_id[name], records, partial=not complete) for name, records in labels.items()
    ]
    others = [page for page in pages if page.id not in labels]
    return learn(examples, schema=dict(types) or None, pages=others)


def _learned(wrapper: Wrapper, pages: list[Page]) -> Answer:
    """A wrapper, and what it finds, for a look before it is used."""
    return {
        "wrapper": _definition(wrapper),
        "fields": list(wrapper.fields),
        "explanation": wrapper.explain(),
        "warnings": list(summarise(wrapper.warnings)),
        "suggested_types": dict(wrapper.suggested_types),
        **_extracted(wrapper, pages, AGENT_SAMPLES),
    }


def _extracted(wrapper: Wrapper, pages: list[Page], most: int) -> Answer:
    records: list[Answer] = []
    failures: dict[str, str] = {}
    warnings: list[Warning] = []
    total = 0
    for page in pages:
        found = wrapper.extract(page)
        total += len(found)
        records += map(_shown, found[: most - len(records)])
        warnings += found.warnings
        if found.failure is not None:
            failures[page.id] = found.failure
    return {
        "records": records,
        "total": total,
        "failures": failures,
        "not_converted": list(summarise(warnings)),
    }


def _shown(record: Record) -> Answer:
    return {"page": record.page.id, **_values(record)}


def _values(record: Record) -> Answer:
    values: Answer = {
        "values": {name: to_json(value) for name, value in record.values.items()},
    }
    if record.children:
        values["children"] = [_values(child) for child in record.children]
    return values


def _repaired(wrapper: Wrapper, pages: list[Page]) -> Answer:
    repaired = repair(wrapper, pages)
    report = repaired.report
    return {
        "wrapper": _definition(repaired.wrapper),
        "report": str(report),
        "doubts": list(report.doubts),
        "known_records_found": report.occurring,
        "known_records_reproduced": report.reproduced,
        **_extracted(repaired.wrapper, pages, AGENT_SAMPLES),
    }


def _definition(wrapper: Wrapper) -> str:
    return json.dumps(wrapper.to_definition().to_dict(), ensure_ascii=False)


def _opened(definition: str) -> Wrapper:
    (extractor,) = parse_all(definition, "json")
    if not isinstance(extractor, Wrapper):
        raise ExtractorError(f"{extractor.name!r} is not a wrapper")
    return extractor


def _warm_up() -> None:
    """Load all that a job may need, before files are out of reach."""
    load_packages(
        "rowen.text",
        "rowen.values",
        "rowen.records",
        "rowen.extractors",
        "rowen.wrappers",
        "rowen.induction",
        "rowen.labels",
        "rowen.learning",
        "rowen.structure",
        "rowen.maintenance",
    )
    for name in ready_names():
        ready(name)
    load_tables()
    read_page("<p>\xe9</p>".encode("latin-1"), "")  # loads the charset detector


JOBS: Work[Job, Answer] = Work(
    do=work,
    task=Job,
    result=dict[str, Any],
    longest=AGENT_LEARNING_SECONDS,
    bounds=Bounds(AGENT_HEAD_BYTES, REPLY_BYTES),
    warm=_warm_up,
)
