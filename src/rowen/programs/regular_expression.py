"""Wrappers as regular expressions."""

import re
from typing import Any

from rowen.programs.refusal import OTHER_FORMS, refuse
from rowen.wrappers.base import Wrapper

TABULAR = ("lr", "hlrt", "oclr", "hoclrt")
EARLIEST = ("n-lr", "n-hlrt", "m-lr", "m-hlrt")

_WHY = {
    "token": "it finds values by tags with attributes in any order, in elements that nest",
    "region": "it finds regions by their shape, in elements that nest",
    "data": "it follows paths in the data of a page",
    "several": "it chooses between several wrappers by what each of them finds",
    "combined": "several wrappers read its fields",
    "nested": "its fields hold records",
    "spanning": "values may be in cells of other rows",
    "tree": "its records hold records of the same kind",
}


def to_regex(wrapper: Wrapper) -> str:
    r"""A regular expression whose successive matches are the wrapper's records.

    Named groups are fields; where a name can't be one, `field_1` and so on take its place. All
    parts are atomic: what a wrapper finds first, it never takes back, and a hostile page can't make
    the search slow. With a head or a tail it uses `\G`, which the module `regex`, Perl and PCRE
    have, but not Python's own `re`.
    """
    delimiters = _delimiters(wrapper)
    left, right = map(re.escape, delimiters["left"]), map(re.escape, delimiters["right"])
    groups = group_names(wrapper.fields)
    head, tail, open_, close = (delimiters[key] for key in ("head", "tail", "open", "close"))
    parts = [
        f"(?>.*?{before})(?P<{group}>(?>.*?(?={after})))"
        for group, before, after in zip(groups, left, right, strict=True)
    ]
    first = re.escape(delimiters["left"][0])
    if open_ is not None:
        # The values start at the opening delimiter, not after it: a look-ahead consumes nothing.
        begin = f"(?={re.escape(open_)})"
    else:
        begin, parts[0] = first, parts[0].removeprefix(f"(?>.*?{first})")
    # A record without its closing delimiter is still one; the next search starts at the end.
    end = rf"(?>.*?(?:(?={re.escape(close)})|\Z))" if close else ""
    if tail is None:
        return f"(?s){begin}{''.join(parts)}{end}"
    # At each character up to the record the tail must not start, also at the record's own start.
    no_tail = f"(?!{re.escape(tail)})"
    # The first match starts at the head, each further one where the last ended: `\G`.
    start = rf"(?:\A(?>.*?(?={re.escape(head)}))|(?!\A)\G)"
    return f"(?s){start}(?>(?:{no_tail}.)*?{no_tail}{begin}){''.join(parts)}{end}"


def group_names(fields: tuple[str, ...]) -> list[str]:
    """A name for the group of each field: its own where that can be one."""
    return [
        field if field.isascii() and field.isidentifier() else f"field_{number}"
        for number, field in enumerate(fields, 1)
    ]


def _delimiters(wrapper: Wrapper) -> dict[str, Any]:
    """The delimiters of a wrapper that knows which field comes next."""
    form = "a regular expression"
    saved = wrapper.settings()
    if wrapper.wrapper_class in TABULAR:
        return saved
    if wrapper.wrapper_class in EARLIEST:
        # With one field the next is known; a field that no example had is never looked for.
        if len(wrapper.fields) == 1 and saved["left"][0]:
            return saved
        reason = "which field comes next is decided by the page, in a record of any length"
        raise refuse(wrapper, form, f"{reason}; {OTHER_FORMS}")
    reason = _WHY.get(wrapper.wrapper_class, "there is none for this class")
    raise refuse(wrapper, form, f"{reason}; {OTHER_FORMS}")
