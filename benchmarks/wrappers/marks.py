"""Lists from one, two and three marked records of one page: macro F1 over sites.

Records are marked as people do: the first ones, any, one with a missing value first, by their texts
instead of their places, or in one field only. Fields of which no value was marked are not scored.
The other records of the page are scored, or those of the site's next page. A step is one more
marked record; it hurts where F1 of the records that are marked in neither falls by more than
`LOSS`.

Sites that are called held out were not looked at one by one while regions were developed. Of the
shared ones that is no longer quite true; the made-up ones (`list_sites`) are apart for that reason.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha1
from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from benchmarks.measure import Table
from benchmarks.wrappers.list_sites import list_sites
from benchmarks.wrappers.sites import LISTS, Label, Marked, Site, sites
from benchmarks.wrappers.trial import score, try_learn
from rowen import Wrapper

COUNTS = (1, 2, 3)
"""So many records are marked."""
LEAST = 5
"""Pages with fewer records are left out."""
HELD = 6
"""One in so many shared sites is held out."""
SEEDS = 3
"""Where records are marked by chance, so many times."""
TOO_MANY = 1.5
"""So many times the records there are is too many."""
LOSS = 0.02
"""A step that loses more F1 than this hurts."""


class Result(NamedTuple):
    """What was learned from 1, 2 and 3 records of a page."""

    site: str
    f1: Sequence[float]
    excess: Sequence[bool]
    hurts: Sequence[bool]


def is_held(site: Site) -> bool:
    """Whether a shared site took no part in development."""
    return int(sha1(site.name.encode()).hexdigest(), 16) % HELD == 0


def run() -> str:
    """By collection and way of marking: F1, pages with far too many records, steps that hurt."""
    heads = [f"{count} marked" for count in COUNTS]
    table = Table(
        "wrappers: lists by marked records, macro F1",
        ("sites", "marked", "trials", *heads, f"over {TOO_MANY} times, 1 mark", "steps that hurt"),
    )
    for name, chosen, ways in collections():
        for way in ways:
            results = [result for site in chosen for result in results_of(site, way)]
            if results:
                table.add(name, way, *_cells(results))
    return str(table)


def collections() -> Iterator[tuple[str, Sequence[Site], Sequence[str]]]:
    """Sites by where they are from and whether they were looked at, and how they are marked."""
    for collection in LISTS:
        for held in (False, True):
            chosen = [site for site in sites(collection) if is_held(site) == held]
            yield f"{collection}, {'held out' if held else 'seen'}", chosen, ("first", "any")
    for held in (False, True):
        made = [
            Site(site.name, site.pages)
            for seed in range(SEEDS)
            for site in list_sites(seed)
            if site.is_held == held
        ]
        yield f"made up, {'held out' if held else 'seen'}", made, tuple(WAYS)


def _cells(results: Sequence[Result]) -> Iterator[str]:
    by_site = [
        [result for result in results if result.site == name]
        for name in dict.fromkeys(result.site for result in results)
    ]
    yield str(len(results))
    for number in range(len(COUNTS)):
        yield f"{mean(mean(each.f1[number] for each in group) for group in by_site):.3f}"
    yield f"{sum(result.excess[0] for result in results)} of {len(results)}"
    steps = [hurts for result in results for hurts in result.hurts]
    yield f"{sum(steps) / len(steps):.1%}"


def results_of(site: Site, way: str) -> Iterator[Result]:
    """The results on a site: on its first page that is large enough, marked in that way."""
    number = next(
        (
            at
            for at, (_, label) in enumerate(site.pages)
            if len(label) >= max(LEAST, COUNTS[-1] + 2)
        ),
        None,
    )
    if number is None:
        return
    page, label = site.pages[number]
    chance = Random(site.name + page.text[:2000])
    for _ in range(1 if way == "first" else SEEDS):
        trial = WAYS[way](label, page.text, chance)
        if trial is not None:
            other = site.pages[(number + 1) % len(site.pages)] if way == "next page" else None
            yield _result(site.name, (page, label), trial, other)


class Way(NamedTuple):
    """Records in the order in which they are marked: with offsets, and as they are given."""

    spans: Label
    marks: Label


def _result(name: str, marked: Marked, way: Way, other: Marked | None) -> Result:
    page, label = marked
    target, wanted = other or (page, label)
    wrappers = []
    for count in COUNTS:
        order = sorted(range(count), key=lambda at: _start(way.spans[at]))
        marks = [way.marks[at] for at in order]
        wrappers.append(try_learn([(page, marks)], "auto", partial=True))

    def score_of(wrapper: Wrapper | None, shown: int, known: int) -> float:
        """F1 in the fields of the first marks, of the records that are not known."""
        fields = [name for name in way.spans[0] if any(mark[name] for mark in way.spans[:shown])]
        return score(
            wrapper,
            target,
            _limited(wanted, fields),
            () if other else _limited(way.spans[:known], fields),
            fields,
        ).f1

    hurts = [
        score_of(more, count, count + 1) < score_of(fewer, count, count + 1) - LOSS
        for count, (fewer, more) in zip(COUNTS, pairwise(wrappers), strict=False)
    ]
    sizes = [0 if each is None else len(each.extract(target)) for each in wrappers]
    return Result(
        name,
        [score_of(each, count, count) for count, each in zip(COUNTS, wrappers, strict=True)],
        [size > TOO_MANY * len(wanted) for size in sizes],
        hurts,
    )


def _limited(label: Label, fields: Sequence[str]) -> Label:
    """Only some fields: nobody can know where a value is that was never marked."""
    return [{name: record[name] for name in fields} for record in label]


def _start(record: Mapping[str, Any]) -> int:
    return min(_first(spans) for spans in record.values() if spans)


def _first(spans: Sequence[Any]) -> int:
    return int(spans[0] if isinstance(spans[0], int) else spans[0][0])


def _first_records(label: Label, text: str, chance: Random) -> Way | None:
    del text, chance
    return Way(label[: COUNTS[-1]], label[: COUNTS[-1]])


def _any(label: Label, text: str, chance: Random) -> Way | None:
    del text
    chosen = chance.sample(list(label), COUNTS[-1])
    return Way(chosen, chosen)


def _missing(label: Label, text: str, chance: Random) -> Way | None:
    """A record that lacks a value first."""
    del text
    lacking = [record for record in label if not all(record.values())]
    if not lacking:
        return None
    first = chance.choice(lacking)
    others = [record for record in label if record is not first]
    return _way([first, *chance.sample(others, COUNTS[-1] - 1)])


def _way(chosen: Label) -> Way:
    return Way(chosen, chosen)


def _by_text(label: Label, text: str, chance: Random) -> Way | None:
    """Values as texts."""
    way = _any(label, text, chance)
    assert way is not None
    marks = [
        {
            name: spans
            and (
                [text[slice(*s)] for s in spans]
                if not isinstance(spans[0], int)
                else text[slice(*spans)]
            )
            for name, spans in record.items()
        }
        for record in way.spans
    ]
    return Way(way.spans, marks)


def _one_field(label: Label, text: str, chance: Random) -> Way | None:
    """Only one field, of records that have it."""
    del text
    field = chance.choice(list(label[0]))
    chosen = [{field: record[field]} for record in label if record[field]]
    if len(chosen) < LEAST:
        return None
    return _way(chance.sample(chosen, COUNTS[-1]))


WAYS: Mapping[str, Callable[[Label, str, Random], Way | None]] = {
    "first": _first_records,
    "any": _any,
    "next page": _any,
    "missing first": _missing,
    "by text": _by_text,
    "one field": _one_field,
}
