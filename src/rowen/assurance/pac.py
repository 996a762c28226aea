"""The PAC model: how sure one can be of a wrapper, and how many pages it takes.

Kushmerick's thesis, sections 4.6 and 6.5.2, for class HLRT. The model assumes the worst of all
distributions of pages, so that it asks for ten to a hundred times the pages that real sites need
(7.4): a guarantee, not an estimate.

With 4 fields, 5 records per page and a shortest page of 5000 characters, an error below 0.1 with a
probability of 0.9 takes 295 pages (`tests/wrappers/test_pac.py`). A wrapper learned from 3 such
pages has a confidence of 0, one learned from 300 more than 0.9.

The module belongs to the wrappers and not to learning, because it needs only what a wrapper
remembers of its examples: a saved wrapper answers `Wrapper.confidence` and `explain` by it.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import Protocol

from rowen.assurance.evidence import Evidence
from rowen.model import UsageError

PAC_PAGES = 10**12
"""Limit: where the search for the number of example pages ends; nobody labels more."""

NO_RECORDS = 1.0
"""Records per page where none is known: one is the least that an example with records has."""


class Learned(Protocol):
    """What the model needs to know of a wrapper."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a record."""

    @property
    def evidence(self) -> Evidence | None:
        """What the wrapper was learned from."""


def confidence(wrapper: Learned, epsilon: float = 0.1, *, mistaken: float = 0.0) -> float:
    """A lower bound on the probability that the wrapper errs on less than `epsilon` of all pages.

    By equation 4.5, or by 6.5 where values, heads or tails are unknown. With recognizers `mistaken`
    is the chance that a wrapper fits although labels are wrong (equation 6.7); the thesis found no
    such case in 20,000 trials. Without evidence the bound is 0.
    """
    evidence = wrapper.evidence
    if evidence is None:
        _check(epsilon=epsilon)
        return 0.0
    bound = error_bound(
        epsilon,
        counts=_counts(wrapper.fields, evidence),
        pages=_framed(evidence),
        shortest=evidence.shortest,
        mistaken=mistaken,
    )
    return 1.0 - min(1.0, bound)


def pages_needed(
    wrapper: Learned, epsilon: float = 0.1, delta: float = 0.1, *, mistaken: float = 0.0
) -> int:
    """How many example pages it takes in all, if further ones are like those seen so far."""
    evidence = wrapper.evidence
    if evidence is None or not evidence.records:
        counts, framed = [NO_RECORDS] * len(wrapper.fields), 1.0
    else:
        # What no page has yet, one of them is taken to have: else no number would be enough.
        counts = [max(count, 1) / evidence.pages for count in _counts(wrapper.fields, evidence)]
        framed = max(_framed(evidence), 1) / evidence.pages
    return pages_for(
        epsilon,
        delta,
        counts_per_page=counts,
        framed=framed,
        shortest=0 if evidence is None else evidence.shortest,
        mistaken=mistaken,
    )


def more_pages(
    wrapper: Learned, epsilon: float = 0.1, delta: float = 0.1, *, mistaken: float = 0.0
) -> int:
    """How many further pages it takes."""
    have = 0 if wrapper.evidence is None else wrapper.evidence.pages
    return max(0, pages_needed(wrapper, epsilon, delta, mistaken=mistaken) - have)


def _counts(fields: Sequence[str], evidence: Evidence) -> list[int]:
    return [evidence.known.get(name, evidence.records) for name in fields]


def _framed(evidence: Evidence) -> int:
    return evidence.pages if evidence.framed is None else evidence.framed


def error_bound(
    epsilon: float,
    *,
    counts: Sequence[float],
    pages: float,
    shortest: int,
    mistaken: float = 0.0,
) -> float:
    """A bound on the chance that the error is `epsilon` or more: the left side of equation 6.5.

    `counts` has the number of known values of each field, `pages` is the number of pages of which
    both head and tail are known (N*). Where all counts are equal this is equation 4.5. `mistaken`
    (the thesis' μ) is the chance that a wrapper fits labels that are wrong (6.7). For few examples
    the bound exceeds 1, and says nothing.
    """
    _check(epsilon=epsilon)
    if not counts:
        raise UsageError("the PAC model needs at least one field")
    delimiters = _delimiters(len(counts))
    miss = 1.0 - epsilon / delimiters
    first, *later = (math.pow(miss, count) for count in counts)
    # A left and a right delimiter per field count twice each. The first left one is learned with
    # head and tail, and is in the term of these.
    inside = 2.0 * (first + 2.0 * sum(later))
    return inside + _fragments(shortest) * math.pow(1.0 - epsilon / 2.0, pages) + mistaken


def pages_for(
    epsilon: float,
    delta: float,
    *,
    counts_per_page: Sequence[float],
    framed: float,
    shortest: int,
    mistaken: float = 0.0,
) -> int:
    """The fewest pages for which `error_bound` is below `delta`.

    `counts_per_page` has for each field how many values become known with a page, `framed` is the
    share of pages of which head and tail are known. A `UsageError` where no number of pages will
    do.
    """
    _check(epsilon=epsilon, delta=delta)
    if min(counts_per_page, default=1.0) <= 0 or framed <= 0:
        raise UsageError("pages without records teach nothing about fields")

    def is_enough(pages: int) -> bool:
        bound = error_bound(
            epsilon,
            counts=[count * pages for count in counts_per_page],
            pages=framed * pages,
            shortest=shortest,
            mistaken=mistaken,
        )
        return bound < delta

    # More pages never raise the bound, so that the numbers that are enough are all those from one
    # on. Doubling first keeps the exponents small.
    enough = 1
    while not is_enough(enough):
        enough *= 2
        if enough > PAC_PAGES:
            raise UsageError(f"more than {PAC_PAGES} pages would be needed")
    return bisect_left(range(enough), True, lo=enough // 2, key=is_enough)  # noqa: FBT003  # sought


def simple_pages_for(epsilon: float, delta: float, *, shortest: int) -> int:
    """Equation 4.11: the pages needed where each has many records, whatever their fields.

    The simpler model of figure 7.7; `benchmarks/wrappers/prediction.py` compares both.
    """
    _check(epsilon=epsilon, delta=delta)
    fragments = _fragments(shortest)
    return math.ceil(max(0.0, 2.0 / epsilon * math.log(fragments / delta))) if fragments else 0


def _delimiters(fields: int) -> int:
    """Ψ(K), equation 4.6: a record's delimiters but the first, twice each."""
    return 4 * fields - 2


def _fragments(shortest: int) -> float:
    """Φ(R): the heads, tails and first delimiters to choose from, if each stems from ∛R characters.

    Only the leading term of equation 4.7 is kept, which is more than the whole: the thesis' 295 and
    3476 pages come out with it, while 4.7 as printed gives 293 and 3452.
    """
    return math.pow(shortest, 5 / 3) / 4


def _check(**parameters: float) -> None:
    for name, value in parameters.items():
        if not 0.0 < value < 1.0:
            raise UsageError(f"{name} must be a probability between 0 and 1, not {value!r}")
