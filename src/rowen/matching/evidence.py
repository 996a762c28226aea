"""How probable it is that a citation names a work: evidence for and against, weighed.

The weights are those of a logistic regression over citations of real papers and the works that
share words with them; `python -m training.matching` fits them and writes `weights.toml`. A citation
names at most one work of a dump: so the odds of its candidates compete with each other, and with
none of them.
"""

import math
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rowen.matching.titles import likeness, shingles_of
from rowen.matching.wanted import Wanted
from rowen.matching.work import Work

EVIDENCE = (
    "always", "title", "title equal", "title is a part", "title in reference", "no title",
    "short title", "another kind", "first author", "other author", "authors", "no authors", "year",
    "year beside", "other year", "volume", "other volume", "page", "other page", "container",
    "other container",
)  # fmt: skip
"""The names of the evidence, in the order of `evidence_for`."""

_SURE = 0.999
"""How probable a match by a printed DOI is, unless all the rest speaks against it."""

_MISPRINT = 0.02
"""Below this the rest speaks against a DOI: a misprinted one is that of another work."""


def evidence_for(wanted: Wanted, work: Work) -> tuple[float, ...]:
    """The evidence that a citation names a work, a number for each of `EVIDENCE`."""
    titled = bool(wanted.title and work.plain)
    alike = likeness(wanted.title, work.plain) if titled else 0.0
    names = set(wanted.families)
    shared = len(names & set(work.families)) / len(names) if names and work.families else 0.0
    unnamed = not names or not work.families
    first = not unnamed and wanted.families[0] == work.families[0]
    apart = None if wanted.year is None or work.year is None else abs(wanted.year - work.year)
    return (
        1.0,
        alike,
        float(titled and wanted.title == work.plain),
        float(titled and _is_part(wanted.title, work.plain)),
        _contained(work, wanted),
        float(not titled),
        1 / (1 + len(work.plain.split())),
        float(titled and _tells_apart(wanted.title, work.plain)),
        float(first),
        float(not unnamed and not first),
        shared,
        float(unnamed),
        float(apart == 0),
        float(apart == 1),
        float(apart is not None and apart > 1),
        *_agreement(wanted.volume, work.volume),
        *_agreement(wanted.page, work.page),
        *_containers(wanted.container, work.container),
    )


def probability(wanted: Wanted, work: Work) -> float:
    """How probable it is that a citation names a work, without a look at other works."""
    weights = _weights()
    pairs = zip(weights, evidence_for(wanted, work), strict=True)
    score = sum(weight * value for weight, value in pairs)
    chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))
    if wanted.doi and wanted.doi == work.doi and chance > _MISPRINT:
        return max(chance, _SURE)
    return chance


def confidences(chances: Sequence[float]) -> list[float]:
    """The probability of each candidate, given that at most one of them is right.

    >>> [round(one, 2) for one in confidences([0.9, 0.9])]
    [0.47, 0.47]
    """
    odds = [chance / max(1 - chance, 1e-9) for chance in chances]
    return [one / (1 + sum(odds)) for one in odds]


def _is_part(one: str, other: str) -> bool:
    """Whether one title begins the other: references leave subtitles out."""
    short, long = sorted((one, other), key=len)
    return short != long and " " in short and long.startswith(f"{short} ")


def _tells_apart(one: str, other: str) -> bool:
    """Whether a word that only one title has makes it another work: a correction, a second part."""
    apart = set(one.split()) ^ set(other.split())
    return any(word.isdigit() or word in _knowledge()["telling"] for word in apart)


def _contained(work: Work, wanted: Wanted) -> float:
    """How much of the work's title stands in the whole reference: parsers cut titles wrongly."""
    own = shingles_of(work.plain.split())
    reference = f" {' '.join(wanted.words)} "
    return sum(f" {shingle} " in reference for shingle in own) / len(own) if own else 0.0


def _agreement(one: str, other: str) -> tuple[float, float]:
    known = bool(one and other)
    return float(known and one == other), float(known and one != other)


def _containers(one: Sequence[str], other: Sequence[str]) -> tuple[float, float]:
    """Whether two journals may be the same; `J. Mol. Biol.` is `Journal of Molecular Biology`."""
    if not one or not other:
        return 0.0, 0.0
    short, long = sorted((one, other), key=lambda words: len("".join(words)))
    rest = iter(long)
    same = all(any(word.startswith(begun) for word in rest) for begun in short)
    return float(same), float(not same)


@cache
def _weights() -> tuple[float, ...]:
    weights = _read("weights.toml")["weights"]
    return tuple(float(weights[name]) for name in EVIDENCE)


@cache
def _knowledge() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in _read("words.toml").items()}


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("rowen.matching").joinpath(name).read_text("utf-8"))
