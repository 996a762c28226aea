"""What all wrappers are: extractors of delimiters that remember what they were learned from."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Self

from rowen.assurance.estimate import Estimate, assurance
from rowen.assurance.evidence import Evidence
from rowen.assurance.pac import confidence
from rowen.extractors.definition import Defined, Definition
from rowen.extractors.locality import Locality, WholePage
from rowen.model import Page, Span, Warning  # noqa: A004  # its word
from rowen.model.suggestion import Suggestion
from rowen.records import Example, Record, Records
from rowen.records.field_order import FieldOrder, in_order
from rowen.records.records import Rows
from rowen.wrappers.classes import wrapper_class
from rowen.wrappers.profile import Profile
from rowen.wrappers.summary import summarise

SAVED_BESIDE = ("columns", "reason", "warnings", "suggestions", "estimate", "profile")
"""Settings of all classes that change no record; `Wrapper.from_definition` reads them."""


class Wrapper(Defined):
    """A learned extractor. A value's place depends on what was found before it, so that a record
    depends on the whole page.

    Where a delimiter that it needs is missing, a wrapper *fails*: `extract` returns the complete
    records found before, and their `failure` says what was missing.

    `learn` and `load` make wrappers. A subclass defines `_run`, `_delimiters`, `_read` and
    `describe`.

    >>> import rowen
    >>> page = "<li><b>Ada</b> <i>1815</i></li><li><b>Alan</b> <i>1912</i></li>"
    >>> marked = rowen.Example(page, [{"name": "Ada", "year": "1815"}], partial=True)
    >>> wrapper = rowen.learn([marked], "lr")
    >>> [record.values for record in wrapper.suggest(marked)]
    [{'name': 'Alan', 'year': '1912'}]
    >>> print(wrapper.describe())
    Records with 2 field(s), found from left to right:
    - name: starts after '<b>', ends before '</b>';
    - year: starts after '<i>', ends before '</i>';
    - it ends where no '<b>' is left.
    """

    kind = "wrapper"
    wrapper_class: ClassVar[str]
    follows_page: ClassVar[bool] = False
    """Whether its fields must have the order in which their values come on a page."""
    evidence: Evidence | None
    reason: str = ""
    """Why this class and these rules were chosen, where `auto` chose."""
    warnings: tuple[Warning, ...] = ()
    """Which labels it does not reproduce, and what else may be wrong with it; empty only if it
    reproduces every label."""
    suggestions: tuple[Suggestion, ...] = ()
    """What to mark next: where wrappers that reproduce all marks disagree; of the page of records
    that were marked in part."""
    suggested_types: Mapping[str, str] = MappingProxyType({})
    """The types that the marked values of fields without a schema would have; not saved."""
    profile: Profile | None = None
    """What its values used to look like; drift is measured against it."""
    example: Page | None = None
    """The first page that it was learned from, on which a notebook shows it; not saved."""
    estimate: Estimate | None = None
    """How many examples came out right when they were left out, where that was tried."""

    def __init__(
        self,
        fields: Sequence[str],
        *,
        name: str = "wrapper",
        version: str | None = None,
        locality: Locality | None = None,
        evidence: Evidence | None = None,
        schema: object = None,
    ) -> None:
        super().__init__(name, version, locality, schema)
        self.fields = tuple(fields)
        self.columns = self.fields
        """The fields in the order in which records have them: that of the labels."""
        self.evidence = evidence

    @abstractmethod
    def _run(self, page: Page) -> Rows | Iterator[Record]:
        """The records of a page; raises `Failure` where a delimiter is missing."""

    @abstractmethod
    def _delimiters(self) -> dict[str, Any]:
        """The settings of this class, as they are saved."""

    @classmethod
    @abstractmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper of this class; `_common` reads what all classes share."""

    @abstractmethod
    def describe(self) -> str:
        """What it does, in words that someone who writes scrapers understands."""

    def order_fields(self, order: FieldOrder) -> None:
        """Give records this order; where the class does not depend on it, it is its own, too."""
        self.columns = in_order(self.fields, order)
        if not self.follows_page:
            self.fields = self.columns

    def explain(self) -> str:
        """What it does, why it was chosen, what is wrong with it, and how far to trust it."""
        chosen = [f"Chosen: {self.reason}."] if self.reason else []
        warnings = [f"Warning: {line}." for line in summarise(self.warnings)]
        open_ = [f"Not decided by the marks: {suggestion}." for suggestion in self.suggestions]
        lines = [self.describe(), *self._types(), *chosen, *warnings, *open_, *assurance(self)]
        return "\n".join(lines)

    def _types(self) -> Iterator[str]:
        """One line that names the fields that are more than a text."""
        kinds = [
            f"{name} ({'list of ' if field.many else ''}{field.type})"
            for name, field in self.schema.items()
            if field.fields is None and (field.type != "text" or field.many)
        ]
        if kinds:
            yield f"Types: {', '.join(kinds)}."

    def _repr_html_(self) -> str:
        from rowen.records.notebook import fact_table, marked_page

        schema = self.schema
        facts = {
            "fields": [
                f"{name}: {schema.field(name).type}{', many' * schema.field(name).many}"
                for name in self.columns
            ],
            "rule": self.describe().splitlines(),
            "warnings": list(summarise(self.warnings)),
        }
        shown = fact_table(f"{self.name} ({self.wrapper_class})", facts)
        if self.example is None:
            return shown
        return shown + marked_page(self.example, self.extract(self.example), shown=True)

    def extract(self, page: Page | str) -> Records:
        """The page's records, or those before the place where the wrapper failed."""
        page = Page.of(page)
        schema = self.schema or None
        records: list[Record] = []
        try:
            # Rows stay compact where the class gives them; records are made when asked for.
            result = self._run(page)
            if isinstance(result, Rows):
                return Records(self._shown(result), schema=schema)
            # A generator may fail half-way: what it gave before is complete.
            records.extend(result)
        except Failure as failure:
            if failure.rows is not None:
                rows = self._shown(failure.rows)
                return Records(rows, failure=failure.reason, schema=schema)
            complete = Records(records, failure=failure.reason, fields=self.columns)
            return complete.with_schema(schema)
        return Records(records, fields=self.columns).with_schema(schema)

    def _shown(self, rows: Rows) -> Rows:
        """The rows in the order of the columns."""
        if self.columns == rows.fields:
            return rows
        places = [rows.fields.index(name) for name in self.columns]
        return Rows(
            rows.page, self.columns, [tuple(row[place] for place in places) for row in rows.rows]
        )

    def confidence(self, epsilon: float = 0.1) -> float:
        """How probable it is that fewer than `epsilon` of the pages go wrong, by the PAC model."""
        return confidence(self, epsilon)

    def suggest(self, page: Page | str | Example) -> Records:
        """What is still to be marked: its records, except those that an example already has.

        A record that overlaps a marked one is left out: the person is right.
        """
        marked = page.records if isinstance(page, Example) else ()
        records = self.extract(page.page if isinstance(page, Example) else page)
        taken = [extent for record in marked if (extent := record.extent) is not None]
        return Records(
            (record for record in records if _is_free(record, taken)),
            failure=records.failure,
            schema=records.schema,
            fields=self.columns,
        )

    def derive_locality(self) -> Locality:
        """The whole page: docs/locality.md proves that no window and no segments hold."""
        return WholePage()

    def settings(self) -> dict[str, Any]:
        """Class, fields, delimiters, and what they were learned from."""
        learned = {} if self.evidence is None else {"learned_from": self.evidence.to_dict()}
        reason = {"reason": self.reason} if self.reason else {}
        warnings = [warning.to_dict() for warning in self.warnings]
        suggestions = [suggestion.to_dict() for suggestion in self.suggestions]
        profile = {} if self.profile is None else {"profile": self.profile.to_dict()}
        estimate = {} if self.estimate is None else {"estimate": self.estimate.to_dict()}
        return {
            "class": self.wrapper_class,
            "fields": list(self.fields),
            **self._delimiters(),
            **({} if self.columns == self.fields else {"columns": list(self.columns)}),
            **learned,
            **reason,
            **({"warnings": warnings} if warnings else {}),
            **({"suggestions": suggestions} if suggestions else {}),
            **estimate,
            **profile,
        }

    def fingerprint(self) -> dict[str, Any]:
        """The settings without what the wrapper was learned from: that changes no record."""
        # The version of an extractor follows from this: results are recycled as long as it stays.
        beside = ("learned_from", *SAVED_BESIDE)
        return {key: value for key, value in self.settings().items() if key not in beside}

    @classmethod
    def from_definition(cls, definition: Definition) -> "Wrapper":
        """A saved wrapper, of the class that the file names."""
        estimate, profile = (definition.get(key, Mapping) for key in ("estimate", "profile"))
        # The classes refuse unknown settings: what all share is taken out first.
        own = {key: value for key, value in definition.settings.items() if key not in SAVED_BESIDE}
        kind = wrapper_class(definition.text("class"))
        wrapper = kind._read(replace(definition, settings=own))  # noqa: SLF001  # a subclass
        wrapper.columns = _read_columns(definition, wrapper.fields)
        wrapper.reason = definition.get("reason", str, "")
        wrapper.warnings = tuple(map(Warning.from_dict, definition.get("warnings", list, [])))
        wrapper.suggestions = tuple(
            map(Suggestion.from_dict, definition.get("suggestions", list, []))
        )
        wrapper.estimate = None if estimate is None else Estimate.from_dict(estimate)
        wrapper.profile = None if profile is None else Profile.from_dict(profile)
        return wrapper

    @staticmethod
    def _common(definition: Definition) -> dict[str, Any]:
        """Fields, identity and evidence, as the constructors take them."""
        names = definition.get("fields", list)
        if not names or not all(isinstance(name, str) for name in names):
            raise definition.error("'fields' must be a list of names")
        evidence = Evidence.from_definition(definition)
        return {"fields": names, "evidence": evidence, **definition.identity()}

    def __repr__(self) -> str:
        return f"<wrapper {self.name!r} of class {self.wrapper_class}: {', '.join(self.fields)}>"


class Failure(Exception):  # noqa: N818  # not an error: `extract` reports it with the records
    """A delimiter that a wrapper needs is not on the page; `rows` were complete before."""

    def __init__(self, reason: str, rows: Rows | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rows = rows


def _read_columns(definition: Definition, fields: tuple[str, ...]) -> tuple[str, ...]:
    columns = definition.get("columns", list, list(fields))
    if len(columns) != len(fields) or set(map(str, columns)) != set(fields):
        raise definition.error("'columns' must have the names in 'fields', in any order")
    return tuple(columns)


def _is_free(record: Record, taken: Sequence[Span]) -> bool:
    """Whether a record overlaps none of these spans."""
    extent = record.extent
    return extent is None or all(
        extent.end <= marked.start or marked.end <= extent.start for marked in taken
    )
