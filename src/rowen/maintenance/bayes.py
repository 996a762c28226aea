"""Bayes factors: how much better two distributions explain old and new counts than one does.

    old   9 of 10 values have digits      new   8 of 10      odds 0.4: one rate explains both
    old   9 of 10                         new   0 of 10      odds 8,800: there are two rates

Rates have a symmetric Dirichlet prior (0.5 in the example). Its parameter says how far they are
spread: near 0 they are all or nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp, lgamma, log

from rowen.maintenance.drift_report import Severity
from rowen.wrappers.profile import FieldProfile

NOTICEABLE = 0.4
"""Shares that differ by less are left alone, however sure the difference is: with enough values any
site shows sure differences that nobody would notice."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How a kind of difference is weighed; tuned on halves of sites that did not change."""

    prior: float
    """The parameter of the prior."""
    drift: float
    """The odds from which it counts as drift."""
    note: float
    """The odds from which it is worth a line."""
    together: float
    """The odds of several fields, multiplied, from which they count as drift."""

    def severity(self, old: Mapping[int, float], new: Mapping[int, float]) -> Severity | None:
        """What the difference between two distributions is worth."""
        return self.of(log_odds(old, new, self.prior))

    def of(self, odds: float) -> Severity | None:
        """What log odds are worth."""
        if odds > log(self.drift):
            return "drift"
        return "note" if odds > log(self.note) else None


FORM = Scale(prior=0.1, drift=60.0, note=15.0, together=200.0)
"""For tags and lengths: while a delimiter holds, all values of a field are alike in them."""

GAPS = Scale(prior=0.1, drift=10.0, note=4.0, together=200.0)
"""For fields that go missing: of 390 comparisons within sites that did not change (1, 2, 3 or half
of a site's labelled pages with the others) one had odds above 3, and that was above 60."""

CONTENT = Scale(prior=0.5, drift=1000.0, note=50.0, together=20_000.0)
"""For what values say: it differs from page to page of a site that has not changed."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How many of how many, before and now."""

    old: float
    of_old: float
    new: float
    of_new: float

    def severity(self, scale: Scale) -> Severity | None:
        """What the difference is worth, where it is sure and large enough."""
        return scale.of(self.log_odds(scale.prior)) if self.noticeable else None

    @property
    def noticeable(self) -> bool:
        """Whether a person would notice the difference."""
        if not self.of_old or not self.of_new:
            return False
        return abs(self.new / self.of_new - self.old / self.of_old) >= NOTICEABLE

    def log_odds(self, prior: float) -> float:
        """The log odds that there are two rates rather than one."""
        before = {1: self.old, 0: self.of_old - self.old}
        return log_odds(before, {1: self.new, 0: self.of_new - self.new}, prior)

    def by_page(self, old: FieldProfile, new: FieldProfile) -> "Rates":
        """The same shares with each page counting once.

        The values of one page resemble each other; as independent counts they would prove too much.
        """
        before, now = old.pages / self.of_old, new.pages / self.of_new
        return Rates(self.old * before, old.pages, self.new * now, new.pages)

    @property
    def rises(self) -> bool:
        """Whether the share grows."""
        return self.new / self.of_new > self.old / self.of_old

    def describe(self, subject: str) -> str:
        """Both shares, in words."""
        return f"{self.new / self.of_new:.0%} {subject}, used to be {self.old / self.of_old:.0%}"


def log_odds(old: Mapping[int, float], new: Mapping[int, float], prior: float) -> float:
    """The logarithm of the Bayes factor: two distributions against one for all counts."""
    keys = old.keys() | new.keys()
    pooled = {key: old.get(key, 0.0) + new.get(key, 0.0) for key in keys}
    separate = _evidence(old, keys, prior) + _evidence(new, keys, prior)
    return separate - _evidence(pooled, keys, prior)


def _evidence(counts: Mapping[int, float], keys: Iterable[int], prior: float) -> float:
    """The log probability of counts under the prior: a Dirichlet-multinomial."""
    numbers = [max(counts.get(key, 0.0), 0.0) for key in keys]
    return (
        lgamma(prior * len(numbers))
        - lgamma(prior * len(numbers) + sum(numbers))
        + sum(lgamma(prior + number) - lgamma(prior) for number in numbers)
    )


def typical(powers: Mapping[int, float]) -> float:
    """The geometric mean of numbers that were counted by powers of two."""
    total = sum(powers.values())
    if not total:
        return 0.0
    mean: float = sum(power * weight for power, weight in powers.items()) / total
    return exp(mean * log(2.0)) - 1
