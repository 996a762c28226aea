"""Warnings in words: one line for all of a kind and a field, as the command line prints them."""

from collections.abc import Iterable, Iterator, Mapping

from rowen.model import Warning  # noqa: A004  # the design's word

PLACES = 3
"""So many places are named in a line; the others are counted."""


def summarise(warnings: Iterable[Warning], *, places: int = PLACES) -> Iterator[str]:
    """One line for all warnings of a kind and a field: the first few places, and how many more."""
    groups: dict[tuple[str, str | None], list[Warning]] = {}
    for warning in warnings:
        groups.setdefault((warning.kind, warning.field), []).append(warning)
    for (kind, field), some in groups.items():
        subject = _SUBJECTS.get(kind)
        if len(some) == 1 or subject is None:
            yield from map(_line, some[:places])
        else:
            about = "" if field is None else f"{field}: "
            told = "; ".join(_place(one) for one in some[:places])
            yield f"{about}{len(some):,} {subject}: {told}{_more(len(some) - places)}"
            continue
        if len(some) > places:
            yield f"and {len(some) - places:,} more of these"


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
    about = "" if warning.field is None else f"{warning.field}: "
    where = _where(warning)
    return f"{about}{where and where + ': '}{warning.message}"


def _place(warning: Warning) -> str:
    where = _where(warning)
    return f"{where} ({warning.message})" if where else warning.message


def _where(warning: Warning) -> str:
    record = None if warning.record is None else f"record {warning.record + 1}"
    return ", ".join(part for part in (warning.page, record) if part)


def _more(count: int) -> str:
    return f"; and {count:,} more" if count > 0 else ""
