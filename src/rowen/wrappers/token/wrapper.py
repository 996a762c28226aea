"""The token class: delimiters are sequences of generalised tags and texts.

Not a class of the thesis: its landmarks are tags with attributes and texts, not strings.

    <li><b>Ada</b> <a href="/ada">home</a></li><li><b>Alan</b></li>

    record   <li>: a record reaches from each <li> to the next
    name     the text after <b>
    link     the attribute href of <a>; missing in the second record, which moves nothing

*Records are bounded first.* `record` is a pattern of tags; a record reaches from each such tag to
the next one, or to the end of the element around it. Without it the page is one record.

*Fields are found inside their record*, each by its own rules, in any order. A rule has a landmark
for the tag before the value and a cut that takes the value out of the slot after that tag or out of
one of its attributes. A rule may first find a container by a landmark of its own, and then looks
inside that element only. A rule takes all of its matches in a record, the first, or the last one. A
field that had at most one value in every example takes its first match, and of links and list items
those beside it (in the same element). A rule marked `otherwise` is tried only on pages where the
rules before it find nothing. A field for which no rule finds anything is missing, and that moves no
other field.

A stretch (the text from one such tag to the next) is a record when at least half of the `required`
fields are found in it (those that every example has), or any field where none is required. A
stretch with just half of them is no record if no stretch in the element around it has all of them,
while another element of the page has several stretches that do: then it belongs to another table.

Landmarks compare tags by name and by the attributes that all examples had in common, cells of
tables perhaps by their place in the row, and texts with white space counted as one; text that
differed between examples may be anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from rowen._core import html_outline, record_stretches, rule_values, token_rows
from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records import Record
from rowen.records.field_order import FieldOrder
from rowen.records.records import Rows
from rowen.wrappers.base import Failure
from rowen.wrappers.ruled import WrapperOfRules
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Tag
from rowen.wrappers.token.outline import Outline

Take = Literal["all", "first", "last"]
Cells: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]
"""The bounds of all values of each field of a record."""


@dataclass(frozen=True)
class Boundary:
    """A tag that begins a record, and the element around it."""

    tag: Tag
    parent: Tag | None = None

    def stretches(self, outline: Outline) -> list[tuple[int, int]]:
        """From each such tag to the next one, or to the end of the element around it."""
        return record_stretches(outline.native, self.compiled)

    @cached_property
    def compiled(self) -> tuple[Any, ...]:
        """As the native code takes it."""
        return (self.tag.compiled, None if self.parent is None else self.parent.compiled)


@dataclass(frozen=True)
class Rule:
    """One way to find a field's values on the page."""

    item: Landmark
    cut: Cut
    container: Landmark | None = None
    take: Take = "all"
    otherwise: bool = False
    """Whether it is tried only where the rules before it find nothing on the page."""

    def values(self, outline: Outline) -> list[tuple[int, int, int]]:
        """Start and end of each value on the page, and its tag."""
        return rule_values(outline.native, self.compiled)

    @cached_property
    def compiled(self) -> tuple[Any, ...]:
        """As the native code takes it."""
        container = None if self.container is None else self.container.compiled
        return (self.item.compiled, self.cut.compiled, container, self.otherwise)

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        saved: dict[str, Any] = self.item.to_dict()
        # Files hold only what differs from the default: they are read by people.
        if cut := self.cut.to_dict():
            saved["cut"] = cut
        if self.container is not None:
            saved["container"] = self.container.to_dict()
        if self.take != "all":
            saved["take"] = self.take
        if self.otherwise:
            saved["otherwise"] = True
        return saved

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Rule":
        """A saved rule."""
        if not isinstance(saved, Mapping):
            raise definition.error("a rule must be a table")
        take = saved.get("take", "all")
        if take not in ("all", "first", "last"):
            raise definition.error(f"a rule must take all, first or last, not {take!r}")
        container = saved.get("container")
        if not isinstance(saved.get("otherwise", False), bool):
            raise definition.error("a rule's 'otherwise' must be true or false")
        return cls(
            Landmark.from_saved(saved, definition),
            Cut.from_saved(saved.get("cut", {}), definition),
            None if container is None else Landmark.from_saved(container, definition),
            take,
            otherwise=saved.get("otherwise", False),
        )

    def __str__(self) -> str:
        inside = "" if self.container is None else f"inside {self.container}: "
        taken = "" if self.take == "all" else f" (the {self.take} one)"
        where = "otherwise " if self.otherwise else ""
        return f"{where}{inside}{self.cut.describe(str(self.item))}{taken}"


class Token(WrapperOfRules[Rule, Boundary | None]):
    """Records and fields by landmarks of tokens; see the module."""

    wrapper_class = "token"

    def __init__(
        self,
        fields: Sequence[str],
        *,
        rules: Mapping[str, Sequence[Rule]],
        record: Boundary | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(fields, rules=rules, record=record, **settings)

    def _run(self, page: Page) -> Rows | Iterator[Record]:
        """The records, in page order; fails where there is none."""
        # The native code runs all rules over the outline; the tests have a slow reference for it.
        rows, flat = token_rows(html_outline(page.text), **self._compiled)
        if not rows:
            raise Failure("nothing on the page looks like a record")
        # Without repeated values the rows stay numbers, and records are made only when asked for.
        return Rows(page, self.fields, rows) if flat else self._records(rows, page)

    def order_fields(self, order: FieldOrder) -> None:
        """Order the fields and their rules."""
        super().order_fields(order)
        self.__dict__.pop("_compiled", None)

    @cached_property
    def _compiled(self) -> dict[str, Any]:
        return {
            "record": None if self.record is None else self.record.compiled,
            "fields": tuple(self._field(name) for name in self.fields),
            "required": len(self.required),
        }

    def _field(self, name: str) -> tuple[Any, ...]:
        rules = self.rules[name]
        # Where no field is required, any field makes a stretch a record.
        counts = name in self.required or not self.required
        # The rules of a field take alike: the first speaks for all.
        take = rules[0].take if rules else "all"
        return (tuple(rule.compiled for rule in rules), take, name in self.several, counts)

    def _save_record(self) -> dict[str, Any] | None:
        if self.record is None:
            return None
        parent = self.record.parent
        around = {} if parent is None else {"parent": parent.to_list()}
        return {"tag": self.record.tag.to_list(), **around}

    @classmethod
    def _read_record(cls, definition: Definition) -> Boundary | None:
        return _boundary(definition)

    @classmethod
    def _read_rule(cls, saved: object, definition: Definition) -> Rule:
        return Rule.from_saved(saved, definition)

    def _describe_record(self) -> str:
        if self.record is None:
            return "The page is one record."
        around = "" if self.record.parent is None else f" in {self.record.parent}"
        return f"A record begins at each {self.record.tag}{around}."


def _boundary(definition: Definition) -> Boundary | None:
    saved = definition.get("record", Mapping) if definition.settings.get("record") else None
    if saved is None:
        return None
    tag, parent = (
        Landmark.from_saved({"before": [tag]}, definition).before[0] if tag else None
        for tag in (saved.get("tag"), saved.get("parent"))
    )
    if not isinstance(tag, Tag):
        raise definition.error("'record' needs a 'tag'")
    assert parent is None or isinstance(parent, Tag)
    return Boundary(tag, parent)
