"""Finding the works that citations name, pass by pass over a dump."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rowen.citations.citation import Citation
from rowen.matching.dump import Dump
from rowen.matching.evidence import confidences, probability
from rowen.matching.index import Index
from rowen.matching.wanted import Wanted
from rowen.matching.work import Work, work_of

CITATIONS_AT_ONCE = 50_000
"""Limit: how many citations are matched in one pass over the works: about 200 MB of memory."""

CANDIDATES = 5
"""Limit: how many candidates of a citation are kept; the best ones share nearly all probability."""

LEAST_CONFIDENCE = 0.5
"""Matches that are less probable than this are left out, unless told otherwise."""

_WORTH_KEEPING = 0.01

Wish = Citation | Mapping[str, Any]
Places = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True, slots=True)
class Match:
    """The work that a citation names, and how probable that is.

    >>> match = Match("W1", "10.1093/comjnl/27.2.97", "Literate programming", 1984, 0.98)
    >>> match.to_dict()["doi"]
    '10.1093/comjnl/27.2.97'
    """

    id: str
    """The work's id in the dump, or its DOI."""
    doi: str | None
    title: str
    year: int | None
    confidence: float
    authors: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The match as a dict for JSON."""
        return {
            "id": self.id,
            "doi": self.doi,
            "title": self.title,
            "authors": list(self.authors),
            "year": self.year,
            "confidence": self.confidence,
        }


def match_citations(
    citations: Iterable[Wish],
    works: Places,
    *,
    least: float = LEAST_CONFIDENCE,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[Wish, Match | None]]:
    """Each citation with the work that it names, in order; None where none is probable enough.

    `works` are Parquet files or folders with such, in Crossref's, OpenAlex' or plain columns
    (`title`, `authors`, `year`, `doi`). `progress` is called with how many works were compared, and
    how many there are. Memory is bounded: of many citations, some thousands are matched at a time.

    >>> import pyarrow as pa, pyarrow.parquet as pq, rowen
    >>> works = {"doi": ["10.1000/x"], "title": ["On wrappers"], "authors": [["A. Smith"]],
    ...          "year": [2020]}
    >>> pq.write_table(pa.table(works), "works.parquet")
    >>> cited = rowen.parse_citations(["Smith, A. (2020). On wrappers. Journal of Webs, 3, 14."])
    >>> [match.doi for _, match in rowen.match_citations(cited, "works.parquet")]
    ['10.1000/x']
    """
    dump = Dump([works] if isinstance(works, str | os.PathLike) else list(works))
    rest = iter(citations)
    while wishes := list(islice(rest, CITATIONS_AT_ONCE)):
        best = _pass([Wanted.of(wish) for wish in wishes], dump, progress)
        for wish, candidates in zip(wishes, best, strict=True):
            yield wish, _chosen(candidates, least)


def _pass(
    wanted: Sequence[Wanted], dump: Dump, progress: Callable[[int, int], None] | None
) -> list[list[tuple[float, Work]]]:
    """The best candidates of each citation."""
    index = Index(wanted)
    best: list[list[tuple[float, Work]]] = [[] for _ in wanted]
    done = 0
    for batch in dump.batches():
        for number, keys in enumerate(batch.keys()):
            work = None
            for place in index.find(keys):
                if work is None:
                    work = work_of(batch.row(number))
                chance = probability(wanted[place], work)
                if chance >= _WORTH_KEEPING:
                    _keep(best[place], chance, work)
        done += len(batch)
        if progress is not None:
            progress(done, dump.works)
    return best


def _keep(candidates: list[tuple[float, Work]], chance: float, work: Work) -> None:
    """Add a candidate; a work that a dump has twice counts once."""
    for place, (before, other) in enumerate(candidates):
        if (work.id and other.id == work.id) or (work.doi and other.doi == work.doi):
            candidates[place] = max((before, other), (chance, work), key=lambda pair: pair[0])
            return
    candidates.append((chance, work))
    candidates.sort(key=lambda pair: -pair[0])
    del candidates[CANDIDATES:]


def _chosen(candidates: Sequence[tuple[float, Work]], least: float) -> Match | None:
    if not candidates:
        return None
    sure = confidences([chance for chance, _ in candidates])
    confidence, work = sure[0], candidates[0][1]
    if confidence < least:
        return None
    return Match(work.id, work.doi or None, work.title, work.year, round(confidence, 4), work.known)
