"""Which sites are played, which of their pages, and which records are marked."""

from collections.abc import Mapping, Sequence
from hashlib import sha1
from typing import Any, NamedTuple

from benchmarks.wrappers.sites import DETAIL, LISTS, Label, Marked, Site, sites
from rowen import Page

SITES = 40
"""So many sites of each set are played."""
PAGES = 5
"""So many pages of a site are compared with their labels."""
LEAST_RECORDS = 4
"""A page of a list has at least so many records: of fewer, little is left after two marks."""


class Case(NamedTuple):
    """A site as a user meets it."""

    name: str
    pages: Sequence[Page]
    labels: Mapping[str, Label]
    fields: Sequence[str]
    """In the order in which the first record has them."""
    marks: Sequence[Mapping[str, Any]]
    """The records that are marked, on the first page."""


def cases(kind: str, *, records: int, limit: int = SITES) -> list[Case]:
    """The sites of a set, `details` or `lists`, each with so many records marked."""
    if kind == "details":
        chosen = sites(*DETAIL)
    else:
        fit = [site for site in sites(*LISTS) if _list_page(site) is not None]
        # The small collections are played whole; of the courts, those that their names' digests
        # choose, so that nobody does.
        small = [site for site in fit if not site.name.startswith(LISTS[0])]
        courts = [site for site in fit if site.name.startswith(LISTS[0])]
        courts.sort(key=lambda site: sha1(site.name.encode()).hexdigest())
        chosen = tuple(sorted((*small, *courts[: SITES - len(small)])))
    return [_case(site, kind, records) for site in _spread(chosen, limit)]


def _spread(chosen: Sequence[Site], limit: int) -> Sequence[Site]:
    """So many of them, from the first to the last."""
    step = max(len(chosen) / max(limit, 1), 1.0)
    return [chosen[int(number * step)] for number in range(min(limit, len(chosen)))]


def _case(site: Site, kind: str, records: int) -> Case:
    first = _detail_page(site) if kind == "details" else _list_page(site)
    assert first is not None
    pages = [first, *(marked for marked in site.pages if marked is not first)][:PAGES]
    marks = first[1][:1] if kind == "details" else first[1][:records]
    fields = sorted(
        {name for _, label in pages for record in label for name in record},
        key=lambda name: _start(marks[0].get(name)),
    )
    labels = {page.id: label for page, label in pages}
    return Case(site.name, [page for page, _ in pages], labels, fields, marks)


def _detail_page(site: Site) -> Marked:
    """The first page with values for most of the fields: what somebody would mark first."""
    return max(site.pages, key=lambda marked: sum(map(bool, marked[1][0].values())))


def _list_page(site: Site) -> Marked | None:
    return next((marked for marked in site.pages if len(marked[1]) >= LEAST_RECORDS), None)


def _start(value: Any) -> float:
    return min((start for start, _ in spans_of(value)), default=float("inf"))


def spans_of(value: Any) -> list[list[int]]:
    """All spans of a field's value."""
    if not value:
        return []
    return [value] if isinstance(value[0], int) else value
