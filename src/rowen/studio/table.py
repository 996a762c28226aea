"""A suggested table that was chosen: the wrapper that `discover` gave, as it is saved."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

TABLE_RULES = {"region": "rules", "data": "rules", "lines": "places"}
"""The classes of suggested tables, and what the rules of their fields are called."""


@dataclass(frozen=True, slots=True)
class Table:
    """A definition of class `region`, `lines` or `data`, whose fields are renamed and removed with
    the project's.
    """

    definition: Mapping[str, Any]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that it finds."""
        return tuple(self.definition["fields"])

    def with_fields(self, names: tuple[str, ...], renamed: Mapping[str, str]) -> Self | None:
        """The table with these fields and no others; None if none of its own is left."""
        new = {
            name: renamed.get(name, name)
            for name in self.fields
            if renamed.get(name, name) in names
        }
        # A field that takes the name of another one: the marks of a page can't be both.
        if not new or len(set(new.values())) < len(new):
            return None
        return type(self)(
            {
                **self.definition,
                "fields": [name for name in names if name in new.values()],
                **{
                    key: {
                        new[name]: rule
                        for name, rule in self.definition[key].items()
                        if name in new
                    }
                    for key in sorted(set(TABLE_RULES.values()))
                    if key in self.definition
                },
                **{
                    key: [new[name] for name in self.definition[key] if name in new]
                    for key in ("required", "several")
                    if key in self.definition
                },
                "schema": {},
            }
        )

    def written(self, types: Mapping[str, str]) -> str:
        """The definition as JSON, with the types of the project's fields."""
        schema = {name: {"type": types[name]} for name in self.fields if name in types}
        return json.dumps({**self.definition, "schema": schema}, ensure_ascii=False)
