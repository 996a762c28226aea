"""The token class: delimiters are sequences of generalised tags and texts.

*Records are bounded first.* `record` is a pattern of tags; a record reaches from each such tag to
the next one, or to the end of the element around it. Without it the page is one record.

*Fields are found inside their record*, each by its own rules, in any order. A rule has a landmark
for the tag before the value and a cut that takes the value out of the slot after that tag or out of
one of its attributes. A rule may first find a container by a landmark of its own, and then looks
inside that element only. What a rule finds in a record is all of its matches, the first, or the
last one. A field that had at most one value in every example takes its first match, and of links
and list items those beside it (in the same element). A field for which no rule finds anything is
missing, and that moves no other field.

A stretch is a record when at least half of the `required` fields are there (those that every
example has), or any field where none is required. One with just half is none where it stands in an
element with several stretches of which none has all of them, while another element of the page has
several that do: that is another table.

Landmarks compare tags by name and by the attributes that all examples had in common, cells of
tables perhaps by their place in the row, and texts with white space counted as one; text that
differed between examples may be anything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from rowen._core import html_outline, record_stretches, rule_values, token_rows
from rowen.extractors.definition import Definition
from rowen.model import Example, Page, Record, Span
from rowen.model.record import Spans
from rowen.model.records import Rows
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Tag
from rowen.wrappers.token.outline import Outline

if TYPE_CHECKING:
    from rowen.wrappers.token.sample import Kind

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
        """For kernels."""
        return (self.tag.compiled, None if self.parent is None else self.parent.compiled)


@dataclass(frozen=True)
class Rule:
    """One way in which a field stands on the page."""

    item: Landmark
    cut: Cut
    container: Landmark | None = None
    take: Take = "all"

    def values(self, outline: Outline) -> list[tuple[int, int, int]]:
        """Start and end of each value on the page, and its tag."""
        return rule_values(outline.native, self.compiled)

    @cached_property
    def compiled(self) -> tuple[Any, ...]:
        """For kernels."""
        container = None if self.container is None else self.container.compiled
        return (self.item.compiled, self.cut.compiled, container)

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        saved: dict[str, Any] = self.item.to_dict()
        if cut := self.cut.to_dict():
            saved["cut"] = cut
        if self.container is not None:
            saved["container"] = self.container.to_dict()
        if self.take != "all":
            saved["take"] = self.take
        return saved

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Rule":
        """As it was saved."""
        if not isinstance(saved, Mapping):
            raise definition.error("a rule is a table")
        take = saved.get("take", "all")
        if take not in ("all", "first", "last"):
            raise definition.error(f"a rule takes all, first or last, not {take!r}")
        container = saved.get("container")
        return cls(
            Landmark.from_saved(saved, definition),
            Cut.from_saved(saved.get("cut", {}), definition),
            None if container is None else Landmark.from_saved(container, definition),
            take,
        )

    def __str__(self) -> str:
        inside = "" if self.container is None else f" inside {self.container}:"
        taken = "" if self.take == "all" else f" (the {self.take} one)"
        return f"{inside} {self.cut} after {self.item}{taken}".strip()


class Token(Wrapper):
    """Records and fields by landmarks of tokens; see the module."""

    wrapper_class = "token"

    def __init__(
        self,
        fields: Sequence[str],
        *,
        rules: Mapping[str, Sequence[Rule]],
        record: Boundary | None = None,
        several: Iterable[str] = (),
        required: Iterable[str] = (),
        **identity: Any,
    ) -> None:
        super().__init__(fields, **identity)
        self.record = record
        self.rules = {field: tuple(rules.get(field, ())) for field in self.fields}
        self.several = frozenset(several)
        self.required = frozenset(required)

    def run(self, page: Page) -> Rows | Iterator[Record]:
        """The records, in page order; fails where there is none."""
        rows, flat = token_rows(html_outline(page.text), **self._compiled)
        if not rows:
            raise Failure("nothing on the page looks like a record")
        return Rows(page, self.fields, rows) if flat else self._records(rows, page)

    @cached_property
    def _compiled(self) -> dict[str, Any]:
        return {
            "record": None if self.record is None else self.record.compiled,
            "fields": tuple(self._field(name) for name in self.fields),
            "required": len(self.required),
        }

    def _field(self, name: str) -> tuple[Any, ...]:
        rules = self.rules[name]
        counts = name in self.required or not self.required
        take = rules[0].take if rules else "all"
        return (tuple(rule.compiled for rule in rules), take, name in self.several, counts)

    def _records(self, rows: list[Cells], page: Page) -> Iterator[Record]:
        for row in rows:
            spans: dict[str, Spans] = {}
            for field, values in zip(self.fields, row, strict=True):
                placed = tuple(Span(*bounds) for bounds in values)
                spans[field] = (placed[0] if len(placed) == 1 else placed) if placed else None
            yield Record.trusted(page, spans)

    def delimiters(self) -> dict[str, Any]:
        """Boundary and rules."""
        record = None
        if self.record is not None:
            record = {"tag": self.record.tag.to_list()}
            if self.record.parent is not None:
                record["parent"] = self.record.parent.to_list()
        return {
            "record": record,
            "rules": {
                field: [rule.to_dict() for rule in rules] for field, rules in self.rules.items()
            },
            "several": sorted(self.several),
            "required": sorted(self.required),
        }

    @classmethod
    def read(cls, definition: Definition) -> Self:
        """The wrapper that was saved."""
        definition.expect(
            "class", "fields", "learned_from", "record", "rules", "several", "required"
        )
        rules = definition.get("rules", Mapping, {})
        if not all(isinstance(some, list) for some in rules.values()):
            raise definition.error("'rules' has a list of rules for each field")
        return cls(
            record=_boundary(definition),
            rules={
                field: [Rule.from_saved(rule, definition) for rule in some]
                for field, some in rules.items()
            },
            several=definition.get("several", list, []),
            required=definition.get("required", list, []),
            **cls.common(definition),
        )

    def describe(self) -> str:
        """Where records begin, and where each field stands in them."""
        lines = ["The page is one record."]
        if self.record is not None:
            around = "" if self.record.parent is None else f" in {self.record.parent}"
            lines = [f"A record begins at each {self.record.tag}{around}."]
        for field in self.fields:
            rules = self.rules[field]
            lines.extend(f"{field}: {rule}" for rule in rules)
            if not rules:
                lines.append(f"{field}: no rule was found; it is always missing")
        return "\n".join(lines)


def _boundary(definition: Definition) -> Boundary | None:
    saved = definition.get("record", Mapping) if definition.settings.get("record") else None
    if saved is None:
        return None
    sides = [
        Landmark.from_saved({"before": [tag]}, definition).before[0] if tag else None
        for tag in (saved.get("tag"), saved.get("parent"))
    ]
    tag, parent = sides
    if not isinstance(tag, Tag):
        raise definition.error("'record' needs a 'tag'")
    assert parent is None or isinstance(parent, Tag)
    return Boundary(tag, parent)


def learn_class(examples: Sequence[Example], *, kinds: "Mapping[str, Kind] | None" = None) -> Token:
    """A token wrapper for examples; see `rowen.wrappers.token.learning`."""
    from rowen.wrappers.token.excerpt import learn_from_excerpts
    from rowen.wrappers.token.learning import learn_token

    return learn_from_excerpts(examples, kinds=kinds) or learn_token(examples, kinds=kinds)
