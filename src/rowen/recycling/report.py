"""What a run did, for people and for the next run's choice of a plan."""

import math
from dataclasses import asdict, dataclass, field, replace
from html import escape
from typing import Any

from rowen.recycling.drift import describe_drift
from rowen.recycling.outcome import Outcome, Tally
from rowen.recycling.page_changes import Changes, Fate
from rowen.recycling.verification.difference import Difference

_MEASURABLE_SECONDS = 0.1
"""Work that takes less is over before its speed can be measured."""

_SHOWN_SECONDS = 0.005
"""Steps that took less are not shown."""


@dataclass(frozen=True, slots=True)
class Report:
    r"""What a run did: pages by fate, work by extractor, seconds by step.

    Seconds are summed over workers, except for `total`.

    >>> import rowen
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
    >>> report = rowen.Store("store").run([rooms], {"a.html": "CS 105", "b.html": "no room"})
    >>> report.snapshot, report.pages["new"], report.tallies["rooms"].records
    (0, 2, 1)
    >>> report.failed, report.differed
    (0, [])
    """

    snapshot: int = 0
    """The number of the snapshot."""
    pages: dict[str, int] = field(default_factory=dict)
    """How many pages are `all`, `unchanged`, `changed`, `renamed`, `new` and `gone`; in an update
    also how many were `kept` because the crawl does not have them."""
    unread: int = 0
    """How many of the unchanged pages were not read, because their source knew that they are the
    same: files of git, or of a folder whose times are trusted."""
    characters: int = 0
    matched_characters: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    plans: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By extractor the matcher, the least size of pages that it matches, and the estimates."""
    known: dict[str, int] = field(default_factory=dict)
    """By extractor, how many new and changed pages have a text that the store knows."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """By extractor, counts of records, pages and characters."""
    failures: list[tuple[str, str, str]] = field(default_factory=list)
    """Extractor, page and reason of the first failures; `Store.failures` has all of them."""
    unreadable: list[str] = field(default_factory=list)
    """Messages about pages that could not be read."""
    kept: list[str] = field(default_factory=list)
    """Messages about pages that could not be fetched or read, and stay as they were."""
    repeated: list[str] = field(default_factory=list)
    """Ids that came more than once. Only the first page of an id counts."""
    rates: dict[str, Any] = field(default_factory=dict)
    """What was measured, for the next run's plan."""
    differed: list[Difference] = field(default_factory=list)
    """Extractors whose copied records were found wrong, each with the first such page. All of
    their pages were extracted again in this run."""
    unchecked: list[tuple[str, str, str]] = field(default_factory=list)
    """Extractor, page and reason, where the check of copied records ran out of time."""
    warnings: list[str] = field(default_factory=list)
    """Possible problems, with what to do about them."""
    drift: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By wrapper whether it still fits (`drift`), how many new and changed pages were checked for
    that, the findings, and the `drifted` pages, those of earlier nights included."""
    turns: dict[str, dict[str, float | None]] = field(default_factory=dict)
    """By extractor about how many runs like this one it takes to check all copied records:
    `pages` as a whole and, where that takes too long, `parts` of each page."""
    scratch_seconds: float | None = None
    """About how long extraction and matching would have taken from scratch."""

    @property
    def checked(self) -> int:
        """How many pages with copied records were extracted again, over all extractors."""
        return sum(tally.checked for tally in self.tallies.values())

    @property
    def failed(self) -> int:
        """How many pages an extractor failed on."""
        return sum(tally.failed for tally in self.tallies.values())

    @property
    def drifted(self) -> list[str]:
        """The wrappers that no longer fit their site."""
        return [name for name, drift in self.drift.items() if drift["drift"]]

    @property
    def speed_up(self) -> float | None:
        """How many times as long matching and extraction would have taken from scratch.

        None if that is not known, or the time is too short to measure.
        """
        if self.scratch_seconds is None or self.scratch_seconds < _MEASURABLE_SECONDS:
            return None
        spent = sum(self.seconds.get(step, 0.0) for step in ("match", "extract", "copy"))
        return self.scratch_seconds / max(spent, 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """The report as it is stored with the snapshot."""
        messages = [{"message": difference.message} for difference in self.differed]
        written = asdict(self)
        written["checked"] = self.checked
        written["differed"] = [
            {**own, **more} for own, more in zip(written["differed"], messages, strict=True)
        ]
        return written

    def _repr_html_(self) -> str:
        from rowen.records.notebook import bar, text_table

        fates = {fate: count for fate, count in self.pages.items() if fate != "all"}
        took = f"{self.seconds.get('total', 0.0):.2f} s"
        if (speed_up := self.speed_up) is not None:
            took += f", {speed_up:.1f} times as fast as from scratch"
        rows = [
            (name, tally.records, tally.checked, tally.failed)
            for name, tally in self.tallies.items()
        ]
        warnings = "".join(f"<p>{escape(line)}</p>" for line in self.warnings)
        heads = ("extractor", "records", "pages checked", "pages failed")
        return (
            f"<p><b>snapshot {self.snapshot}</b>: {_pages(self.pages.get('all', 0))}, {took}</p>"
            f"{bar(fates)}{text_table(heads, rows)}{warnings}"
        )

    def explanation(self) -> list[str]:
        """Lines that say what would be done, and why."""
        lines = self.lines()[:1]
        for name, plan in self.plans.items():
            lines.append(f"{name}: {_way(plan)}")
            if known := self.known.get(name):
                lines.append(f"  {_pages(known)} known by text: their records are copied")
            estimates: dict[str, float] = plan["estimates"]
            for matcher in sorted(estimates, key=estimates.__getitem__):
                seconds = estimates[matcher]
                lines.append(f"  {matcher}: about {seconds:.3f} s for the changed pages")
        return lines

    def problems(self) -> list[str]:
        """What went wrong, one line each, with what to do about it."""
        return [
            *self.unreadable,
            *self.kept,
            *(f"{page}: extractor {name!r} {reason}" for name, page, reason in self.failures),
            *self.warnings,
            *(difference.message for difference in self.differed),
            *(describe_drift(name, self.drift[name]) for name in self.drifted),
            *(
                f"{page}: copied records of {name!r} could not be checked: it {reason}"
                for name, page, reason in self.unchecked
            ),
            *(f"{page}: this id came twice; only the first page counts" for page in self.repeated),
        ]

    def lines(self) -> list[str]:
        """The summary that a person reads."""
        pages = self.pages
        lines = [
            f"snapshot {self.snapshot}: {_pages(pages['all'])}: "
            + ", ".join(f"{pages[kind]:,} {kind}" for kind in list(pages)[1:])
        ]
        lines += [self._work_of(name) for name in self.tallies]
        steps = ", ".join(
            f"{step} {seconds:.2f}"
            for step, seconds in self.seconds.items()
            if step != "total" and seconds >= _SHOWN_SECONDS
        )
        lines.append(
            f"{self.seconds.get('total', 0.0):.2f} s in total" + (f" ({steps})" if steps else "")
        )
        if self.speed_up is not None and pages["all"] > pages["new"]:
            lines.append(
                f"matching and extraction: about {self.speed_up:.1f} times as fast as from scratch"
            )
        return lines

    def _work_of(self, name: str) -> str:
        tally = self.tallies[name]
        line = f"{name}: {tally.records:,} records"
        if tally.copied:
            line += f", {tally.copied:,} of them copied from unchanged pages"
        if tally.known_pages:
            line += f", {_pages(tally.known_pages)} known by text"
        line += f"; {tally.extracted_characters:,} characters extracted"
        if tally.kept_characters:
            matcher = self.plans[name]["matcher"]
            line += f", {tally.kept_characters:,} of changed pages skipped (matcher {matcher})"
        if tally.checked or tally.checked_in_part:
            line += f"; checked copies on {self._checked(name)}"
        if tally.failed:
            line += f"; failed on {_pages(tally.failed)}"
        if tally.incomplete:
            line += f"; stopped early on {_pages(tally.incomplete)}"
        return line

    def _checked(self, name: str) -> str:
        tally, turns = self.tallies[name], self.turns.get(name, {})
        if any(difference.extractor == name for difference in self.differed):
            count = tally.checked + tally.checked_in_part
            return f"{_pages(count)}: some differed, so all pages were extracted again"
        counts = [_pages(tally.checked)] if tally.checked else []
        counts += [f"parts of {_pages(tally.checked_in_part)}"] if tally.checked_in_part else []
        runs = [
            f"{kind} in about {math.ceil(turn):,} runs"
            for key, kind in (("pages", "all pages"), ("parts", "parts of all pages"))
            if (turn := turns.get(key)) and turn > 1
        ]
        return " and ".join(counts) + (f" ({', '.join(runs)})" if runs else "")


def pages_by_fate(changes: Changes, kept: int = 0) -> dict[str, int]:
    """How many pages have each fate, as reports show it; `kept` pages did not come in."""
    return {
        "all": len(changes.fates),
        "unchanged": changes.count(Fate.UNCHANGED) - kept,
        "changed": changes.count(Fate.CHANGED),
        "renamed": changes.count(Fate.RENAMED, Fate.MOVED),
        "new": changes.count(Fate.NEW),
        "gone": len(changes.gone),
        **({"kept": kept} if kept else {}),
    }


def add_outcome(report: Report, outcome: Outcome) -> Report:
    """The report with one more partition; its lists and dictionaries are extended in place."""
    report.failures.extend(outcome.failures)
    report.unchecked.extend(outcome.unchecked)
    for step, seconds in outcome.seconds.items():
        report.seconds[step] = report.seconds.get(step, 0.0) + seconds
    # Partitions check on their own, so that several may find the same extractor wrong.
    reported = {difference.extractor for difference in report.differed}
    report.differed.extend(
        difference for difference in outcome.differences if difference.extractor not in reported
    )
    for name, tally in outcome.tallies.items():
        report.tallies.setdefault(name, Tally()).add(tally)
    matched = report.matched_characters + outcome.matched_characters
    return replace(report, matched_characters=matched)


def start_over(report: Report, names: set[str]) -> Report:
    """The report without the work of extractors that are run again; their checks stay in it."""
    for name in names:
        before = report.tallies[name]
        report.tallies[name] = Tally(
            checked=before.checked,
            checked_in_part=before.checked_in_part,
            check_characters=before.check_characters,
            check_seconds=before.check_seconds,
            part_characters=before.part_characters,
            part_seconds=before.part_seconds,
            compare_seconds=before.compare_seconds,
        )
    failures = [failure for failure in report.failures if failure[0] not in names]
    return replace(report, failures=failures)


def _pages(count: int) -> str:
    return f"{count:,} page" if count == 1 else f"{count:,} pages"


def _way(plan: dict[str, Any]) -> str:
    if plan["matcher"] == "none":
        return "changed pages are extracted as a whole"
    least = plan["from_size"]
    small = f"; those under {least:,} characters are extracted as a whole" if least > 1 else ""
    return f"changed pages are matched with {plan['matcher']}{small}"
