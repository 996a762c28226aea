"""Rows between constant texts: the classes lr, hlrt, oclr and hoclrt."""

from rowen.programs.parts.result import Record, Result, program


@program("lr", "hlrt", "oclr", "hoclrt")
def read_rows(
    page: str,
    fields: list[tuple[str, str, str]],
    *,
    head: str | None = None,
    tail: str | None = None,
    opening: str | None = None,
    closing: str | None = None,
) -> Result:
    """From left to right; a field is its name, the text before its value and the text after it."""
    records: list[Record] = []
    cursor = 0 if head is None else page.find(head)
    if cursor < 0:
        return records, False
    first = fields[0][1] if opening is None else opening
    while True:
        place = page.find(first, cursor)
        # A tail that starts at the same place as the next record ends the page, too.
        if place < 0 or (tail is not None and page.find(tail, cursor, place + len(tail)) >= 0):
            return records, True
        cursor = place
        record: Record = {}
        for name, left, right in fields:
            start = page.find(left, cursor)
            if start < 0:
                return records, False
            start += len(left)
            cursor = page.find(right, start)
            if cursor < 0:
                return records, False
            record[name] = start, cursor
        records.append(record)
        if closing is not None:
            cursor = page.find(closing, cursor)
            if cursor < 0:
                return records, False
