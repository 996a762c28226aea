"""Records inside records: the classes n-lr and n-hlrt."""

from rowen.programs.parts.earliest import scan_earliest
from rowen.programs.parts.result import Record, Result, program


@program("n-lr", "n-hlrt")
def read_nested(
    page: str,
    fields: list[tuple[str, str, str]],
    *,
    head: str | None = None,
    tail: str | None = None,
) -> Result:
    """After a value comes one of the same field, the one below or any above."""
    cursor = 0 if head is None else page.find(head)
    if cursor < 0:
        return [], False
    following = [list(range(min(before + 2, len(fields)))) for before in range(-1, len(fields))]
    records: list[Record] = []
    path: list[Record] = []
    for field, start, end in scan_earliest(page, fields, following, cursor, tail, longest=False):
        if end < 0:
            # The outermost record that is open is given only when it is known to be complete.
            return records if field == 0 else records[:-1], False
        del path[field:]
        record: Record = {fields[field][0]: (start, end)}
        if field + 1 < len(fields):
            record["children"] = []
        (path[-1]["children"] if path else records).append(record)
        path.append(record)
    return records, True
