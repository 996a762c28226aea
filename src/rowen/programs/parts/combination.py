"""Several wrappers for one record: the class combined."""

from typing import Any

from rowen.programs.parts.result import Record, Result, program, run


@program("combined")
def read_combination(
    page: str, fields: list[str], *, wrappers: list[tuple[list[str], dict[str, Any]]]
) -> Result:
    """One record, some of whose fields are read by each wrapper.

    A wrapper that finds nothing leaves its fields missing; where all fail, there is no record.
    """
    record: Record = dict.fromkeys(fields)
    fails = True
    for own_fields, wrapper in wrappers:
        records, complete = run(page, wrapper)
        fails = fails and not complete and not records
        for own in records[:1]:
            record.update((name, own[name]) for name in own_fields if name in own)
    return ([], False) if fails else ([record], True)
