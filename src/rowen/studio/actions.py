"""Actions: what a person does to a project. Each is checked, saved, and can be undone.

The browser applies the same actions to show them at once (static/intents.js). Both sides are
tested against tests/studio/reducer.json.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rowen.learning.learn import LEARNED
from rowen.model.errors import UsageError
from rowen.records.record import CHILDREN
from rowen.studio.rows import is_same_record
from rowen.studio.state import Label, Marks, State
from rowen.studio.table import TABLE_RULES, Table
from rowen.values.conversion import TYPES

STUDIO_FIELDS = 50
"""Limit: how many fields a project may have. The first nine have a key."""

FIELD_CHARACTERS = 100
"""Limit: the length of a field's name, which is the head of a column."""

STUDIO_RECORDS = 20_000
"""Limit: how many records may be marked on a page. People stop long before."""


CLASSES = ("auto", *LEARNED)

# Control characters would break lines of label files and tables; lone surrogates can't be written
# as UTF-8.
_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Splice(_Action):
    """Replace the records from `start` to before `end` in the label of a page."""

    do: Literal["splice"] = "splice"
    page: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    records: list[dict[str, Any]] = Field(max_length=STUDIO_RECORDS)
    complete: bool
    """Whether the label then has all records of the page."""
    adds: list[str] = Field(default=[], max_length=STUDIO_FIELDS)
    """Fields that are new: a first mark brings its field along."""
    told: str = Field(default="mark", max_length=200)
    """A name for undo and redo. The key is part of the saved history."""

    def apply(self, state: State) -> State:
        """The state after the action."""
        _require_page(state, self.page)
        if self.adds:
            fields = [*state.fields, *self.adds]
            if len(fields) > STUDIO_FIELDS:
                raise UsageError(f"a project may have at most {STUDIO_FIELDS} fields")
            _require_names(fields)
            state = replace(state, fields=tuple(fields))
        label = state.labels.get(self.page, Label())
        if not self.start <= self.end <= len(label.records):
            raise UsageError(f"{self.page} has no records {self.start} to {self.end}")
        _require_fields(state, self.records)
        # The marks themselves are checked later, against the page (`Project._check`).
        before, after = label.records[: self.start], label.records[self.end :]
        records = (*before, *self.records, *after)
        if len(records) > STUDIO_RECORDS:
            raise UsageError(f"a page may have at most {STUDIO_RECORDS} marked records")
        # Marking a value of a deleted record takes its deletion back.
        rejected = tuple(
            deleted
            for deleted in label.rejected
            if not any(is_same_record(record, deleted) for record in self.records)
        )
        return state.with_label(self.page, Label(records, self.complete, rejected))


class Reject(_Action):
    """Delete a proposed record: the wrapper must not extract it. Nothing else is labelled."""

    do: Literal["reject"] = "reject"
    page: str
    record: dict[str, Any] = Field(min_length=1)

    @property
    def told(self) -> str:
        """A name for undo and redo."""
        return "delete record"

    def apply(self, state: State) -> State:
        """The state after the action."""
        _require_page(state, self.page)
        _require_fields(state, [self.record])
        label = state.labels.get(self.page, Label())
        if len(label.rejected) >= STUDIO_RECORDS:
            raise UsageError(f"a page may have at most {STUDIO_RECORDS} deleted records")
        if self.record in label.rejected:
            return state
        rejected = (*label.rejected, self.record)
        return state.with_label(self.page, replace(label, rejected=rejected))


class Fields(_Action):
    """Set the fields and their order."""

    do: Literal["fields"] = "fields"
    fields: list[str] = Field(max_length=STUDIO_FIELDS)
    renamed: dict[str, str] = {}
    """New names by old names; renamed fields keep their marks."""

    @property
    def told(self) -> str:
        """A name for undo and redo."""
        return "change fields"

    def apply(self, state: State) -> State:
        """The state after the action."""
        _require_names(self.fields)
        # Otherwise two old fields would end in one, or marks would get a field that does not exist.
        wrong = [new for old, new in self.renamed.items() if old not in state.fields]
        if wrong or not set(self.renamed.values()) <= set(self.fields):
            raise UsageError("only an existing field can be renamed, to one of the new names")
        if len(set(self.renamed.values())) < len(self.renamed):
            raise UsageError("two fields can't get the same name")
        return state.with_fields(self.fields, self.renamed)


class Choose(_Action):
    """Choose the class of wrappers to learn."""

    do: Literal["class"] = "class"
    name: str = Field(alias="class")

    @property
    def told(self) -> str:
        """A name for undo and redo."""
        return f"choose {self.name}"

    def apply(self, state: State) -> State:
        """The state after the action."""
        if self.name not in CLASSES:
            raise UsageError(f"unknown class {self.name!r}; choose one of {', '.join(CLASSES)}")
        return replace(state, wrapper_class=self.name)


class SetTypes(_Action):
    """Set the types of fields; a field without one is a text."""

    do: Literal["types"] = "types"
    types: dict[str, str]

    @property
    def told(self) -> str:
        """A name for undo and redo."""
        return "change types"

    def apply(self, state: State) -> State:
        """The state after the action."""
        _require_types(self.types, state.fields)
        return replace(state, types=self.types)


class UseTable(_Action):
    """Use a suggested table: its fields, their types, and its records as proposals."""

    do: Literal["table"] = "table"
    fields: list[str] = Field(min_length=1, max_length=STUDIO_FIELDS)
    types: dict[str, str] = {}
    wrapper: dict[str, Any]
    """The definition of the table's wrapper, which has the same fields."""

    @property
    def told(self) -> str:
        """A name for undo and redo."""
        return "use table"

    def apply(self, state: State) -> State:
        """The state after the action."""
        _require_names(self.fields)
        _require_types(self.types, self.fields)
        # The rest of the definition is checked where it is read, in a confined process.
        table, lists = self.wrapper, ("required", "several")
        rules = table.get(TABLE_RULES.get(str(table.get("class")), ""))
        has_rules = isinstance(rules, dict) and set(rules) <= set(self.fields)
        has_fields = table.get("fields") == self.fields
        if not (
            has_fields and has_rules and all(isinstance(table.get(key, []), list) for key in lists)
        ):
            raise UsageError(
                "a suggested table has a wrapper of class region, data or lines with its fields"
            )
        return state.with_table(self.fields, self.types, Table(table))


class AddPage(_Action):
    """Add a page, whose file is written before."""

    do: Literal["add page"] = "add page"
    page: str

    @property
    def told(self) -> str:
        """A name for undo and redo."""
        return f"add {self.page}"

    def apply(self, state: State) -> State:
        """The state after the action."""
        if self.page in state.pages:
            raise UsageError(f"the project has a page {self.page} already")
        return state.with_page(self.page)


class RemovePage(_Action):
    """Remove a page. Its file stays, so that this can be undone."""

    do: Literal["remove page"] = "remove page"
    page: str

    @property
    def told(self) -> str:
        """A name for undo and redo."""
        return f"remove {self.page}"

    def apply(self, state: State) -> State:
        """The state after the action."""
        _require_page(state, self.page)
        return state.without_page(self.page)


Action: TypeAlias = Annotated[
    Splice | Reject | Fields | Choose | SetTypes | UseTable | AddPage | RemovePage,
    Field(discriminator="do"),
]

_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def read_action(data: object) -> Action:
    """An action from JSON; UsageError if it is invalid."""
    try:
        return _ACTION.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"invalid action: {where}: {first['msg']}") from None


def written(action: Action) -> dict[str, Any]:
    """The action as JSON."""
    saved = action.model_dump(by_alias=True)
    # Most marks bring no field along, and the history has a line for each.
    return saved if saved.get("adds") else {key: saved[key] for key in saved if key != "adds"}


def _require_names(fields: list[str]) -> None:
    for name in fields:
        if not name.strip() or name == CHILDREN or _UNFIT.search(name):
            raise UsageError(f"a field can't have the name {name!r}")
        if len(name) > FIELD_CHARACTERS:
            raise UsageError(f"the name of a field may have at most {FIELD_CHARACTERS} characters")
    if len(set(fields)) < len(fields):
        raise UsageError("two fields have the same name")


def _require_types(types: dict[str, str], fields: Sequence[str]) -> None:
    for name, kind in types.items():
        if name not in fields:
            raise UsageError(f"unknown field {name!r}")
        if kind not in TYPES:
            raise UsageError(f"unknown type {kind!r}; choose one of {', '.join(TYPES)}")


def _require_fields(state: State, records: Iterable[Marks]) -> None:
    for record in records:
        for name in record:
            if name not in state.fields:
                raise UsageError(f"unknown field {name!r}")


def _require_page(state: State, page: str) -> None:
    if page not in state.pages:
        raise UsageError(f"unknown page {page!r}")
