"""What a person does to a project: each action is checked, kept, and can be undone."""

import re
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rowen.limits import FIELD_CHARACTERS, STUDIO_FIELDS, STUDIO_RECORDS
from rowen.model.errors import UsageError
from rowen.model.record import CHILDREN
from rowen.studio.state import Label, State
from rowen.wrappers.learn import LEARNED

CLASSES = ("auto", *LEARNED)

_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Splice(_Action):
    """Records of a page's label, from `start` to before `end`, become others."""

    do: Literal["splice"] = "splice"
    page: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    records: list[dict[str, Any]] = Field(max_length=STUDIO_RECORDS)
    complete: bool
    """Whether the label has all records of the page then."""
    told: str = Field(default="mark", max_length=200)
    """What the person calls it."""

    def apply(self, state: State) -> State:
        """The state after it."""
        _require_page(state, self.page)
        label = state.labels.get(self.page, Label())
        if not self.start <= self.end <= len(label.records):
            raise UsageError(f"{self.page} has no records {self.start} to {self.end}")
        for record in self.records:
            for name in record:
                if name not in state.fields:
                    raise UsageError(f"no field is called {name!r}")
        before, after = label.records[: self.start], label.records[self.end :]
        records = (*before, *self.records, *after)
        if len(records) > STUDIO_RECORDS:
            raise UsageError(f"a page may have {STUDIO_RECORDS} marked records")
        return state.with_label(self.page, Label(records, self.complete))


class Fields(_Action):
    """The fields become these, in this order."""

    do: Literal["fields"] = "fields"
    fields: list[str] = Field(max_length=STUDIO_FIELDS)
    renamed: dict[str, str] = {}
    """New names by the old ones: their marks stay."""

    @property
    def told(self) -> str:
        """What the person calls it."""
        return "change fields"

    def apply(self, state: State) -> State:
        """The state after it."""
        for name in self.fields:
            if not name.strip() or name == CHILDREN or _UNFIT.search(name):
                raise UsageError(f"a field can't be called {name!r}")
            if len(name) > FIELD_CHARACTERS:
                raise UsageError(f"a field's name has at most {FIELD_CHARACTERS} characters")
        if len(set(self.fields)) < len(self.fields):
            raise UsageError("two fields have the same name")
        wrong = [new for old, new in self.renamed.items() if old not in state.fields]
        if wrong or not set(self.renamed.values()) <= set(self.fields):
            raise UsageError("only a field that there is can be renamed, to one of the new names")
        if len(set(self.renamed.values())) < len(self.renamed):
            raise UsageError("two fields can't become one")
        return state.with_fields(self.fields, self.renamed)


class Choose(_Action):
    """Another class of wrappers is to be learned."""

    do: Literal["class"] = "class"
    name: str = Field(alias="class")

    @property
    def told(self) -> str:
        """What the person calls it."""
        return f"choose {self.name}"

    def apply(self, state: State) -> State:
        """The state after it."""
        if self.name not in CLASSES:
            raise UsageError(f"no class is called {self.name!r}; there are {', '.join(CLASSES)}")
        return replace(state, wrapper_class=self.name)


class AddPage(_Action):
    """A page is there from now on; its file was written before."""

    do: Literal["add page"] = "add page"
    page: str

    @property
    def told(self) -> str:
        """What the person calls it."""
        return f"add {self.page}"

    def apply(self, state: State) -> State:
        """The state after it."""
        if self.page in state.pages:
            raise UsageError(f"{self.page} is there already")
        return state.with_page(self.page)


class RemovePage(_Action):
    """A page is no longer looked at; its file stays, so that this can be undone."""

    do: Literal["remove page"] = "remove page"
    page: str

    @property
    def told(self) -> str:
        """What the person calls it."""
        return f"remove {self.page}"

    def apply(self, state: State) -> State:
        """The state after it."""
        _require_page(state, self.page)
        return state.without_page(self.page)


Action: TypeAlias = Annotated[
    Splice | Fields | Choose | AddPage | RemovePage, Field(discriminator="do")
]

_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def read_action(given: object) -> Action:
    """An action from JSON; UsageError where it is none."""
    try:
        return _ACTION.validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"no action: {where}: {first['msg']}") from None


def written(action: Action) -> dict[str, Any]:
    """The action as JSON."""
    return action.model_dump(by_alias=True)


def _require_page(state: State, page: str) -> None:
    if page not in state.pages:
        raise UsageError(f"no page is called {page!r}")
