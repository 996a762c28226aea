"""The data of a project: the records of all its pages, and of more pages of the same site."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from rowen.export import open_writer
from rowen.model import Page
from rowen.records import Record
from rowen.records.schema import Schema
from rowen.studio.nesting import flatten, fold, folded_fields, folded_types
from rowen.studio.rows import rows_of
from rowen.studio.state import Marks, State
from rowen.values.display import display

DATA_FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "sqlite": "application/vnd.sqlite3",
    "html": "text/html; charset=utf-8",
}
"""The formats in which the studio offers data, with their media types."""

SHOWN_CHARACTERS = 300
"""Limit: how much of a value the table of results shows; the files have all of it."""

_UNFIT = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class PageData:
    """The records of a page, and how they came about."""

    page: Page
    records: tuple[Record, ...]
    is_accepted: bool = False
    """Whether a person has checked them."""
    is_more: bool = False
    """Whether the page is one of more pages, and not of the project."""
    failure: str | None = None

    def described(self) -> dict[str, Any]:
        """As a window shows it: values as texts, and which could not be converted."""
        return {
            "page": self.page.id,
            "accepted": self.is_accepted,
            "more": self.is_more,
            "failure": self.failure,
            "rows": [_row(record, number) for number, record in enumerate(self.records)],
        }


def schema_of(state: State) -> Schema:
    """The types that a person has set."""
    types = {name: kind for name, kind in state.types.items() if name in state.fields}
    return Schema.of(folded_types(types))


def page_data(page: Page, state: State, proposal: Mapping[str, Any]) -> PageData:
    """The data of a page of the project: what is marked or accepted there, and what is proposed."""
    label = state.labels.get(page.id)
    marks = rows_of(label, proposal.get("records", ()), state.fields, proposal.get("regions", ()))
    is_accepted = label is not None and label.complete
    failure = None if is_accepted else proposal.get("failure")
    return PageData(page, _records(page, marks, state), is_accepted, failure=failure)


def more_data(page: Page, state: State, extracted: Mapping[str, Any]) -> PageData:
    """The data of another page, by the wrapper alone."""
    proposed = [flatten(record, state.fields) for record in extracted["records"]]
    records = _records(page, rows_of(None, proposed, state.fields), state)
    return PageData(page, records, is_more=True, failure=extracted["failure"])


def written(data: Iterable[PageData], state: State, chosen: str) -> bytes:
    """The data as a file of a format."""
    target = BytesIO()
    fields = folded_fields(state.fields)
    with open_writer(chosen, target, fields=fields, schema=schema_of(state)) as writer:
        for part in data:
            writer.write(part.records, page=part.page, extractor="data")
    return target.getvalue()


def file_name(project: str, ending: str) -> str:
    """A name for a downloaded file, in letters that all systems and HTTP headers allow."""
    plain = _UNFIT.sub("-", project.encode("ascii", "ignore").decode()).strip("-.")
    return f"{plain or 'data'}.{ending}"


def _records(page: Page, marks: Sequence[Marks], state: State) -> tuple[Record, ...]:
    schema = schema_of(state)
    # All columns in the project's order; what is unknown is written as missing.
    rows = ({name: record.get(name) for name in state.fields} for record in marks)
    folded = (fold(row, complete=True) for row in rows)
    return tuple(Record(page, row, schema=schema) for row in folded)


def _row(record: Record, number: int) -> dict[str, Any]:
    wrong = {warning.field: warning.message for warning in record.warnings(number)}
    values = {name: display(value)[:SHOWN_CHARACTERS] for name, value in _columns(record)}
    return {"values": values, "wrong": dict(_wrong_values(record, wrong))}


def _columns(record: Record) -> Iterator[tuple[str, Any]]:
    """The values of a record, of lists inside it by their columns."""
    for name, value in record.values.items():
        nested = (
            value if isinstance(value, list) and any(isinstance(v, dict) for v in value) else []
        )
        for column in dict.fromkeys(column for part in nested for column in part):
            parts = [part[column] for part in nested if part.get(column) is not None]
            yield f"{name}.{column}", parts
        if not nested:
            yield name, value


def _wrong_values(
    record: Record, messages: Mapping[str | None, str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """For each value that is not of its type, the text on the page and the reason."""
    texts = record.with_schema(None).values
    for name, message in messages.items():
        if name is not None and name in texts:
            yield name, {"text": display(texts[name])[:SHOWN_CHARACTERS], "reason": message}
