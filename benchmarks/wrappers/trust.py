"""Whether learning and `check` say what is wrong: labels that are not reproduced, borrowed values.

*Labels*: each wrapper is compared with what was marked, by itself, and each one that misses a label
must have a warning. *Alarms*: pages that were not marked are checked one by one; where what is
extracted equals the labels, an alarm is false. `reaches over` counts the pages on which a record
is said to reach over the start of another one, among the right ones and among the wrong ones.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from benchmarks.measure import Table
from benchmarks.wrappers.quality import KINDS, Task, tasks
from benchmarks.wrappers.sites import Label, Marked
from benchmarks.wrappers.trial import Value, found_by, try_learn, values_of
from rowen import Page, Wrapper
from rowen.maintenance.drift import check

CLASSES = ("auto", "m-hlrt", "hlrt", "lr")


class Verdict(NamedTuple):
    """One page: whether its records are right, and what `check` says."""

    right: bool
    drifted: bool
    over: bool


def run() -> str:
    """Both tables."""
    labels = Table(
        "wrappers: labels that are not reproduced",
        ("kind", "class", "wrappers", "miss a label", "of these with a warning", "false warnings"),
    )
    alarms = Table(
        "wrappers: check on unseen pages, one by one",
        ("kind", "class", "right pages", "alarms", "reaches over", "wrong pages", "alarms", "over"),
    )
    for kind in KINDS:
        for name in CLASSES:
            learned = [
                (task, try_learn(task.marked, name, partial=task.partial)) for task in tasks(kind)
            ]
            made = [(task, wrapper) for task, wrapper in learned if wrapper is not None]
            missing = [_misses(wrapper, task) for task, wrapper in made]
            warned = [any(one.is_about_labels for one in wrapper.warnings) for _, wrapper in made]
            pairs = list(zip(missing, warned, strict=True))
            labels.add(
                kind,
                name,
                str(len(made)),
                str(sum(missing)),
                str(sum(miss and warn for miss, warn in pairs)),
                str(sum(warn and not miss for miss, warn in pairs)),
            )
            verdicts = [one for task, wrapper in made for one in _verdicts(wrapper, task)]
            cells: list[str] = []
            for right in (True, False):
                some = [one for one in verdicts if one.right == right]
                cells += [
                    str(len(some)),
                    str(sum(one.drifted for one in some)),
                    str(sum(one.over for one in some)),
                ]
            alarms.add(kind, name, *cells)
    return f"{labels}\n\n{alarms}"


def _misses(wrapper: Wrapper, task: Task) -> bool:
    return any(
        not _gives(wrapper, page, label, partial=task.partial) for page, label in task.marked
    )


def _gives(wrapper: Wrapper, page: Page, label: Label, *, partial: bool) -> bool:
    """Whether the marked records are found; a field that a label leaves out is unknown."""
    found = found_by(wrapper, page)
    if partial:
        return all(any(_is(one, record) for one in found) for record in label)
    return len(found) == len(label) and all(map(_is, found, label))


def _is(found: frozenset[Value], record: Mapping[str, Any]) -> bool:
    return {value for value in found if value[0] in record} == values_of(record)


def _verdicts(wrapper: Wrapper, task: Task) -> Iterator[Verdict]:
    asked: Marked
    for asked in task.asked:
        page, label = asked
        report = check(wrapper, [page])
        findings = [one for each in report.pages for one in each.findings]
        findings += [one for one in report.findings if not one.message.startswith("from learning")]
        yield Verdict(
            _gives(wrapper, page, label, partial=False),
            any(one.severity == "drift" for one in findings),
            any("next record's value" in one.message for one in findings),
        )
