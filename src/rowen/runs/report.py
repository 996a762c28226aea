"""What a run did, for people and for the next run's choice of a plan."""

from dataclasses import asdict, dataclass, field
from typing import Any

from rowen.engines.partition import Outcome, Tally
from rowen.stores.changes import Changes, Fate


@dataclass(slots=True)
class Report:
    """Pages by fate, work by extractor, seconds by step (summed over workers but for `total`)."""

    snapshot: int = 0
    pages: dict[str, int] = field(default_factory=dict)
    characters: int = 0
    matched_characters: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    plans: dict[str, dict[str, Any]] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    failures: list[tuple[str, str, str]] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    rates: dict[str, Any] = field(default_factory=dict)
    scratch_seconds: float | None = None
    """About how long extraction and matching would have taken from scratch."""

    def count(self, changes: Changes) -> None:
        """Pages by what became of them."""
        self.pages = {
            "all": len(changes.fates),
            "unchanged": changes.count(Fate.UNCHANGED),
            "changed": changes.count(Fate.CHANGED),
            "renamed": changes.count(Fate.RENAMED, Fate.MOVED),
            "new": changes.count(Fate.NEW),
            "gone": len(changes.gone),
        }

    def add(self, outcome: Outcome) -> None:
        """One partition more."""
        self.matched_characters += outcome.matched_characters
        self.failures += outcome.failures
        for step, seconds in outcome.seconds.items():
            self.seconds[step] = self.seconds.get(step, 0.0) + seconds
        for name, tally in outcome.tallies.items():
            self.tallies.setdefault(name, Tally()).add(tally)

    @property
    def failed(self) -> int:
        """How many pages an extractor failed on."""
        return sum(tally.failed for tally in self.tallies.values())

    @property
    def speed_up(self) -> float | None:
        """How many times as long matching and extraction would have taken from scratch."""
        if self.scratch_seconds is None:
            return None
        spent = sum(self.seconds.get(step, 0.0) for step in ("match", "extract", "copy"))
        return self.scratch_seconds / max(spent, 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """As it is kept with the snapshot."""
        return asdict(self)

    def explanation(self) -> list[str]:
        """What would be done, and why."""
        told = self.lines()[:1]
        for name, plan in self.plans.items():
            told.append(f"{name}: {_way(plan)}")
            for matcher, seconds in sorted(plan["estimates"].items(), key=lambda one: one[1]):
                told.append(f"  {matcher}: about {seconds:.3f} s for the changed pages")
        return told

    def lines(self) -> list[str]:
        """The summary that a person reads."""
        pages = self.pages
        told = [
            f"snapshot {self.snapshot}: {pages['all']:,} pages: "
            + ", ".join(f"{pages[kind]:,} {kind}" for kind in list(pages)[1:])
        ]
        for name, tally in self.tallies.items():
            plan = self.plans.get(name, {}).get("matcher", "none")
            told.append(
                f"{name} ({plan}): {tally.records:,} records, {tally.copied:,} of them on pages "
                f"as they were; {tally.extracted_characters:,} characters extracted, "
                f"{tally.kept_characters:,} of changed pages spared"
                + (f"; failed on {tally.failed:,} pages" if tally.failed else "")
                + (f"; stopped early on {tally.incomplete:,} pages" if tally.incomplete else "")
            )
        steps = ", ".join(
            f"{step} {seconds:.2f}" for step, seconds in self.seconds.items() if step != "total"
        )
        told.append(f"{self.seconds.get('total', 0.0):.2f} s in all ({steps})")
        if self.speed_up is not None and pages["all"] > pages["new"]:
            told.append(
                f"matching and extraction: about {self.speed_up:.1f} times as fast as from scratch"
            )
        return told


def _way(plan: dict[str, Any]) -> str:
    if plan["matcher"] == "none":
        return "changed pages are extracted anew"
    least = plan["from_size"]
    small = f"; those under {least:,} characters are extracted anew" if least > 1 else ""
    return f"changed pages are matched by {plan['matcher']}{small}"
