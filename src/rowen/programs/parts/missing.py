"""Rows of which any field may be missing: the classes m-lr and m-hlrt."""

from rowen.programs.parts.earliest import scan_earliest
from rowen.programs.parts.result import Record, Result, program


@program("m-lr", "m-hlrt")
def read_missing(
    page: str,
    fields: list[tuple[str, str, str]],
    *,
    first: list[int],
    head: str | None = None,
    tail: str | None = None,
) -> Result:
    """After a value comes a later field, or one of `first`, which begin the next record."""
    cursor = 0 if head is None else page.find(head)
    if cursor < 0:
        return [], False
    sought = [number for number, (_, left, _) in enumerate(fields) if left]
    beginners = [number for number in sought if number in first]
    following = [beginners]
    for before in range(len(fields)):
        later = [number for number in sought if number > before]
        following.append(later + [number for number in beginners if number <= before])
    records: list[Record] = []
    last = len(fields)
    for field, start, end in scan_earliest(page, fields, following, cursor, tail, longest=True):
        if end < 0:
            # The last record is given only when it is known to be complete.
            return records if field <= last else records[:-1], False
        if field <= last:
            records.append({name: None for name, _, _ in fields})
        records[-1][fields[field][0]] = start, end
        last = field
    return records, True
