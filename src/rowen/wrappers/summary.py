"""Warnings in words: one line for all of a kind and a field, as the command line prints them."""

from collections.abc import Iterable, Iterator, Mapping

from rowen.model import Warning  # noqa: A004  # the design's word
from rowen.records.nested import general_path

PLACES = 3
"""How many places a line names; the others are counted."""


def summarise(warnings: Iterable[Warning], *, places: int = PLACES) -> Iterator[str]:
    """One line for all warnings of a kind and a field: the first few places, and how many more."""
    groups: dict[tuple[str, str | None], list[Warning]] = {}
    for warning in warnings:
        # The same field of all nested records is one field.
        field = None if warning.field is None else general_path(warning.field)
        groups.setdefault((warning.kind, field), []).append(warning)
    for (kind, field), group in groups.items():
        # Kinds of later versions have no words here: their messages are printed one by one.
        subject = _SUBJECTS.get(kind)
        if len(group) == 1 or subject is None:
            yield from map(_line, group[:places])
        else:
            about = "" if field is None else f"{field}: "
            named = "; ".join(_place(warning) for warning in group[:places])
            yield f"{about}{len(group):,} {subject}: {named}{_more(len(group) - places)}"
            continue
        if len(group) > places:
            yield f"and {len(group) - places:,} more of these"


_SUBJECTS: Mapping[str, str] = {
    "page-failed": "marked pages on which it stops",
    "page-stopped": "pages on which it stops after the marked records",
    "record-missed": "marked records are not found",
    "record-extra": "records are found that are not marked",
    "record-order": "pages with records in another order",
    "record-reaches-over": "records seem to reach over the start of another one",
    "value-missed": "marked values are not found",
    "value-extra": "values are found that are marked as missing",
    "value-differs": "values differ from the marked ones",
    "children-differ": "records with other records inside than the marked ones",
}


def _line(warning: Warning) -> str:
    """A warning by itself, its field first: that is what people look for."""
    about = "" if warning.field is None else f"{general_path(warning.field)}: "
    where = _where(warning)
    return f"{about}{where and where + ': '}{warning.message}"


def _place(warning: Warning) -> str:
    where = _where(warning)
    return f"{where} ({warning.message})" if where else warning.message


def _where(warning: Warning) -> str:
    record = None if warning.record is None else f"record {warning.record + 1}"
    is_nested = warning.field is not None and general_path(warning.field) != warning.field
    return ", ".join(part for part in (warning.page, record, is_nested and warning.field) if part)


def _more(count: int) -> str:
    return f"; and {count:,} more" if count > 0 else ""
