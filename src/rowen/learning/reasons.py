"""Why a class was chosen, in words for `explain`."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Scores:
    """What speaks for each class, by its name."""

    predictions: Mapping[str, float]
    """F1 of what was left out."""
    could_leave_out: bool = True
    """Whether there was anything to leave out: not from a single record."""
    votes: Mapping[str, float] = field(default_factory=dict)
    """The share of the unlabelled pages with a whole record; empty without such pages."""
    support: Mapping[str, float] = field(default_factory=dict)
    """How many records look like the marked ones; empty where pages are marked in full."""

    def words(self, best: str) -> str:
        """Why the best class was chosen."""
        parts = []
        if self.could_leave_out:
            listed = ", ".join(f"{name} {score:.2f}" for name, score in self.predictions.items())
            parts.append(f"by how well it predicts examples left out (F1): {listed}")
        else:
            parts.append(
                "from a single record, so that nothing could be left out to try it: its other "
                "records are only as sure as the page is regular"
            )
        if self.support:
            listed = ", ".join(f"{name} {count:.0f}" for name, count in self.support.items())
            parts.append(f"records like the marked ones: {listed}")
        if self.votes:
            shares = ", ".join(f"{name} {share:.0%}" for name, share in self.votes.items())
            parts.append(f"whole records on unlabelled pages: {shares}")
        return f"class {best}, " + "; ".join(parts)
