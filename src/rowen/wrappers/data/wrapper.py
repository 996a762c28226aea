"""The data class: rules are paths in the data that a page has beside its markup.

Not a class of the thesis: it reads JSON in scripts, microdata, RDFa and `<meta>` tags as trees.

    <script type="application/ld+json">{"@type": "ItemList", "itemListElement": [
        {"name": "Lamp", "offers": {"price": 12}}, {"name": "Vase"}]}</script>

    record   itemListElement[each] in the JSON-LD script of type ItemList
    name     name
    price    offers.price; missing in the second record

*Records* are the nodes to which the record's path leads. Without it the page is one record, and
each field has a source of its own: the first root of that source that has the field.

*Fields* are the leaves to which a field's path leads from its record. A field that had at most one
value in every example takes its first leaf. A key that is not there, `null` and an empty text are a
missing field.

A node is a record when at least half of the `required` fields are found in it (those that every
example has), or any field where none is required.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.model import Page, Span
from rowen.records import Record
from rowen.records.reading import Spans
from rowen.text.data import PageData, Tree
from rowen.wrappers.base import Failure
from rowen.wrappers.data.path import Steps, follow, from_saved, leaves_at, shown, to_saved
from rowen.wrappers.data.source import IN_SCRIPTS, Source
from rowen.wrappers.ruled import RuledWrapper


@dataclass(frozen=True, slots=True)
class Rule:
    """A path, and the data that it begins in; without a source it begins at the record."""

    path: Steps
    source: Source | None = None

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        source = {} if self.source is None else {"source": self.source.to_dict()}
        return {**source, "path": to_saved(self.path)}

    @classmethod
    def from_saved(cls, saved: object, definition: Definition, *, rooted: bool) -> "Rule":
        """A saved rule; where it is `rooted`, it needs a source."""
        if not isinstance(saved, Mapping) or not saved.keys() <= {"source", "path"}:
            raise definition.error("a rule must have a 'path', and a 'source' where it begins")
        if ("source" in saved) != rooted:
            needed = "needs" if rooted else "can't have"
            raise definition.error(f"a rule {needed} a 'source' here")
        source = Source.from_saved(saved["source"], definition) if rooted else None
        return cls(from_saved(saved.get("path"), definition), source)

    def __str__(self) -> str:
        path = shown(self.path)
        if self.source is None:
            return path or "the record itself"
        return f"{path} in {self.source}" if path else str(self.source)


class Data(RuledWrapper[Rule, Rule | None]):
    """Records and fields by paths in data; see the module."""

    wrapper_class = "data"

    def __init__(
        self,
        fields: Sequence[str],
        *,
        rules: Mapping[str, Rule],
        record: Rule | None = None,
        **settings: Any,
    ) -> None:
        own = {field: rules[field] for field in fields if field in rules}
        super().__init__(fields, rules=own, record=record, **settings)

    @property
    def reads_scripts(self) -> bool:
        """Whether all of its rules read data in scripts."""
        rules = [*self.rules.values(), *([] if self.record is None else [self.record])]
        return all(rule.source is None or rule.source.origin in IN_SCRIPTS for rule in rules)

    def _run(self, page: Page) -> Iterator[Record]:
        """The records; fails where the data that they are in is not on the page."""
        data = PageData(page)
        if self.record is None:
            return iter([self._page_record(page, data)])
        return self._records(page, data, self.record)

    def _page_record(self, page: Page, data: PageData) -> Record:
        spans: dict[str, Spans] = dict.fromkeys(self.fields)
        for field, rule in self.rules.items():
            assert rule.source is not None
            for root in rule.source.roots(data):
                where = self._spans(field, root.tree, root.node)
                if where is not None:
                    spans[field] = where
                    break
        if not any(spans.values()):
            raise Failure("none of the data that it reads is on the page")
        return Record.trusted(page, spans)

    def _records(self, page: Page, data: PageData, record: Rule) -> Iterator[Record]:
        assert record.source is not None
        is_there = False
        for root in record.source.roots(data):
            is_there = True
            for node in follow(root.tree, root.node, record.path):
                spans = {
                    field: self._spans(field, root.tree, node) if field in self.rules else None
                    for field in self.fields
                }
                if self._is_record(spans):
                    yield Record.trusted(page, spans)
        if not is_there:
            raise Failure(f"{record.source} is not on the page")

    def regions(self, page: Page) -> list[tuple[int, int]]:
        """Where each node that the record's path leads to stands on the page, in page order."""
        record = self.record
        if record is None or record.source is None:
            return []
        spans = (
            root.tree.span(node)
            for root in record.source.roots(PageData(page))
            for node in follow(root.tree, root.node, record.path)
        )
        return sorted((span.start, span.end) for span in spans)

    def _is_record(self, spans: Mapping[str, Spans]) -> bool:
        counted = self.required or self.rules.keys()
        filled = sum(spans[field] is not None for field in counted)
        return filled > 0 and (not self.required or 2 * filled >= len(counted))

    def _spans(self, field: str, tree: Tree, node: int) -> Spans:
        """Where a field's values are."""
        leaves = leaves_at(tree, node, self.rules[field].path)
        if not leaves:
            return None
        if field not in self.several:
            return tree.span(leaves[0])
        spans: tuple[Span, ...] = tuple(tree.span(leaf) for leaf in leaves)
        return spans[0] if len(spans) == 1 else spans

    def _save_record(self) -> dict[str, Any] | None:
        return None if self.record is None else self.record.to_dict()

    def _save_rules(self, rules: Rule) -> dict[str, Any]:
        return rules.to_dict()

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        names = cls._common(definition)["fields"]
        if unknown := definition.get("rules", Mapping, {}).keys() - set(names):
            raise definition.error(f"'rules' has a rule for {min(unknown)!r}, which is no field")
        return super()._read(definition)

    @classmethod
    def _read_record(cls, definition: Definition) -> Rule | None:
        saved = definition.settings.get("record")
        return None if saved is None else Rule.from_saved(saved, definition, rooted=True)

    @classmethod
    def _read_rules(cls, saved: object, definition: Definition, record: Rule | None) -> Rule:
        return Rule.from_saved(saved, definition, rooted=record is None)

    def _describe_record(self) -> str:
        if self.record is None:
            return "The page is one record."
        return f"A record is each of {self.record}."

    def _describe_rules(self, field: str) -> Iterator[str]:
        rule = self.rules.get(field)
        if rule is not None:
            repeated = any(not isinstance(step, str | int) for step in rule.path)
            first = " (the first one)" if repeated and field not in self.several else ""
            yield f"{rule}{first}"
