"""Wrappers as regular expressions."""

import re
from typing import Any

from rowen.wrappers.base import Wrapper
from rowen.wrappers.exporting.python import GAPPED, NESTED, TABULAR
from rowen.wrappers.exporting.refusal import refuse

_WHY = {
    "token": "it finds values by tags with attributes in any order, in elements that nest",
    "several": "it chooses between several wrappers by what each of them finds",
}


def to_regex(wrapper: Wrapper) -> str:
    r"""A regular expression whose successive matches are the wrapper's records.

    Named groups are fields; where a name can't be one, `field_1` and so on take its place. All
    parts are atomic: what a wrapper finds first, it never takes back, and a hostile page can't make
    the search slow. With a head or a tail it uses `\G`, which the module `regex`, Perl and PCRE
    have, and Python's own `re` has not.
    """
    given = _scan(wrapper)
    left, right = map(re.escape, given["left"]), map(re.escape, given["right"])
    groups = group_names(wrapper.fields)
    head, tail, open_, close = (given[key] for key in ("head", "tail", "open", "close"))
    parts = [
        f"(?>.*?{before})(?P<{group}>(?>.*?(?={after})))"
        for group, before, after in zip(groups, left, right, strict=True)
    ]
    first = re.escape(given["left"][0])
    if open_ is not None:
        begin = f"(?={re.escape(open_)})"
    else:
        begin, parts[0] = first, parts[0].removeprefix(f"(?>.*?{first})")
    end = rf"(?>.*?(?:(?={re.escape(close)})|\Z))" if close else ""
    if tail is None:
        return f"(?s){begin}{''.join(parts)}{end}"
    no_tail = f"(?!{re.escape(tail)})"
    start = rf"(?:\A(?>.*?(?={re.escape(head)}))|(?!\A)\G)"
    return f"(?s){start}(?>(?:{no_tail}.)*?{no_tail}{begin}){''.join(parts)}{end}"


def group_names(fields: tuple[str, ...]) -> list[str]:
    """A name for the group of each field: its own where that can be one."""
    return [
        field if field.isascii() and field.isidentifier() else f"field_{number}"
        for number, field in enumerate(fields, 1)
    ]


def _scan(wrapper: Wrapper) -> dict[str, Any]:
    """The delimiters of a wrapper that knows which field comes next."""
    form = "a regular expression"
    given = wrapper.delimiters()
    if wrapper.wrapper_class in TABULAR:
        return given
    if wrapper.wrapper_class in (*NESTED, *GAPPED):
        # A race of one is no race; a field that no example had is never looked for.
        if len(wrapper.fields) == 1 and given["left"][0]:
            return given
        reason = "which field comes next is decided by the page, in a record of any length"
        raise refuse(wrapper, form, reason)
    reason = _WHY.get(wrapper.wrapper_class, "there is none for this class")
    raise refuse(wrapper, form, f"{reason}; --as python can")
