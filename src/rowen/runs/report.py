"""What a run did, for people and for the next run's choice of a plan."""

from dataclasses import asdict, dataclass, field
from typing import Any

from rowen.engines.checking import Difference
from rowen.engines.partition import Outcome, Tally
from rowen.stores.changes import Changes, Fate

_MEASURABLE_SECONDS = 0.1
"""Work that takes less is over before its speed can be told."""

_TOLD_SECONDS = 0.005
"""Steps that took less are not worth a word."""


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
    differed: list[Difference] = field(default_factory=list)
    """Extractors whose copied records were found wrong, each with the first such page; all of
    their records were made anew in this run."""
    unchecked: list[tuple[str, str, str]] = field(default_factory=list)
    """Extractor, page and reason, where copied records could not be checked for want of time."""
    warnings: list[str] = field(default_factory=list)
    """What may be wrong, with what to do about it."""
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
        self.unchecked += outcome.unchecked
        told = {one.extractor for one in self.differed}
        self.differed += [one for one in outcome.differences if one.extractor not in told]
        for name, tally in outcome.tallies.items():
            self.tallies.setdefault(name, Tally()).add(tally)

    def start_over(self, names: set[str]) -> None:
        """Forget the work of extractors that are run again, but that it was checked."""
        for name in names:
            before = self.tallies[name]
            self.tallies[name] = Tally(
                checked=before.checked,
                check_characters=before.check_characters,
                check_seconds=before.check_seconds,
            )
        self.failures = [one for one in self.failures if one[0] not in names]

    @property
    def checked(self) -> int:
        """How many pages with copied records were extracted again, over all extractors."""
        return sum(tally.checked for tally in self.tallies.values())

    @property
    def failed(self) -> int:
        """How many pages an extractor failed on."""
        return sum(tally.failed for tally in self.tallies.values())

    @property
    def speed_up(self) -> float | None:
        """How many times as long matching and extraction would have taken from scratch.

        None where that is not known, or too short to say.
        """
        if self.scratch_seconds is None or self.scratch_seconds < _MEASURABLE_SECONDS:
            return None
        spent = sum(self.seconds.get(step, 0.0) for step in ("match", "extract", "copy"))
        return self.scratch_seconds / max(spent, 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """As it is kept with the snapshot."""
        messages = [{"message": one.message} for one in self.differed]
        written = asdict(self)
        written["checked"] = self.checked
        written["differed"] = [
            {**own, **more} for own, more in zip(written["differed"], messages, strict=True)
        ]
        return written

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
            f"snapshot {self.snapshot}: {_pages(pages['all'])}: "
            + ", ".join(f"{pages[kind]:,} {kind}" for kind in list(pages)[1:])
        ]
        told += [self._work_of(name) for name in self.tallies]
        steps = ", ".join(
            f"{step} {seconds:.2f}"
            for step, seconds in self.seconds.items()
            if step != "total" and seconds >= _TOLD_SECONDS
        )
        told.append(
            f"{self.seconds.get('total', 0.0):.2f} s in all" + (f" ({steps})" if steps else "")
        )
        if self.speed_up is not None and pages["all"] > pages["new"]:
            told.append(
                f"matching and extraction: about {self.speed_up:.1f} times as fast as from scratch"
            )
        return told

    def _work_of(self, name: str) -> str:
        tally = self.tallies[name]
        told = f"{name}: {tally.records:,} records"
        if tally.copied:
            told += f", {tally.copied:,} of them on pages as they were"
        told += f"; {tally.extracted_characters:,} characters extracted"
        if tally.kept_characters:
            matcher = self.plans[name]["matcher"]
            told += f", {tally.kept_characters:,} of changed pages spared by {matcher}"
        if tally.checked:
            told += f"; checked copies on {_pages(tally.checked)}"
            differs = any(one.extractor == name for one in self.differed)
            told += ", which differed: extracted anew" if differs else ""
        if tally.failed:
            told += f"; failed on {_pages(tally.failed)}"
        if tally.incomplete:
            told += f"; stopped early on {_pages(tally.incomplete)}"
        return told


def _pages(count: int) -> str:
    return f"{count:,} page" if count == 1 else f"{count:,} pages"


def _way(plan: dict[str, Any]) -> str:
    if plan["matcher"] == "none":
        return "changed pages are extracted anew"
    least = plan["from_size"]
    small = f"; those under {least:,} characters are extracted anew" if least > 1 else ""
    return f"changed pages are matched by {plan['matcher']}{small}"
