"""The hand-made modern pages with their gold: `tests/pages/README.md` says what they have."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from rowen import Page

PAGES = Path(__file__).resolve().parents[2] / "tests" / "pages"

Fields: TypeAlias = Mapping[str, Mapping[str, Any]]
"""A schema: each field's settings by its name."""
Tree: TypeAlias = Mapping[str, Any]
"""A record: a value, a list or nested records for each field."""


class GoldPage(NamedTuple):
    """A page with its records: typed values, texts to mark, and the places of these."""

    page: Page
    values: Sequence[Tree]
    labels: Sequence[Tree]
    spans: Sequence[Tree]


class ModernSite(NamedTuple):
    """A site's pages and what its fields are."""

    name: str
    fields: Fields
    pages: Sequence[GoldPage]

    @property
    def is_list(self) -> bool:
        """Whether every page has several records."""
        return all(len(page.values) > 1 for page in self.pages)


@cache
def modern_sites() -> tuple[ModernSite, ...]:
    """All sites, by name."""
    return tuple(_read(path.parent) for path in sorted(PAGES.glob("*/gold.jsonl")))


def _read(folder: Path) -> ModernSite:
    fields = json.loads((folder / "schema.json").read_text("utf-8"))
    pages = []
    for line in (folder / "gold.jsonl").read_text("utf-8").splitlines():
        gold = json.loads(line)
        text = (folder / gold["page"]).read_bytes().decode("utf-8")
        values = [typed(record, fields) for record in gold["records"]]
        pages.append(GoldPage(Page(text, id=gold["url"]), values, gold["labels"], gold["spans"]))
    return ModernSite(folder.name, fields, pages)


def typed(record: Tree, fields: Fields) -> Tree:
    """A record of JSON with the Python values that records have by contract."""
    return {name: _typed(value, fields[name]) for name, value in record.items()}


def _typed(value: Any, field: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        inner = field.get("fields")
        return [typed(each, inner) if inner else _typed(each, field) for each in value]
    if value is None:
        return None
    match field.get("type"):
        case "price":
            return {**value, "amount": Decimal(value["amount"])}
        case "date":
            return date.fromisoformat(value)
        case "datetime":
            return datetime.fromisoformat(value)
        case _:
            return value
