"""Records with fields that hold records: the class nested."""

from typing import Any

from rowen.programs.parts.ownership import find_stretches, share_out
from rowen.programs.parts.result import Record, Result, program, run


@program("nested")
def read_nested_fields(
    page: str, *, parent: dict[str, Any] | None, nested: dict[str, dict[str, Any]]
) -> Result:
    """The records by `parent`, and in each those of the nested fields that belong to it."""
    parents, complete = ([{}], True) if parent is None else run(page, parent)
    records: list[Record] = [{**record} for record in parents]
    for name, part in nested.items():
        inner, all_read = run(page, part["wrapper"]) if parents else ([], True)
        # Nothing that looks like a record is an empty list; a list that breaks off is a failure.
        complete = complete and (all_read or not inner)
        around = None
        if part["belongs"] == "inside" and inner:
            around = find_stretches(page, parent)
        shares = share_out(parents, inner, part["belongs"], around)
        for record, share in zip(records, shares, strict=True):
            record[name] = share
    return records, complete
