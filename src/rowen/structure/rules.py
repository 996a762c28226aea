"""The rules of a field in a group of regions: those that find most values like the marked ones.

<tr><td>1987</td>            marked in a row of a group
td[1], text 1                in 40 of 40 rows, all of them numbers: chosen
td[@class="even"], text 1    in 20 of 40 rows
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from rowen.learning.likeness import is_numeric, likeness, worth
from rowen.structure.containers import Names, names_around, names_of
from rowen.structure.marks import Mark, MarkedRecord
from rowen.structure.naming import Naming
from rowen.structure.parts import parts_of
from rowen.structure.spots import spots_of
from rowen.wrappers.region.part import WITH_DIGIT, Part
from rowen.wrappers.region.spot import Spot
from rowen.wrappers.region.tree import View
from rowen.wrappers.region.wrapper import Cell, FieldRule, Pattern, column_of
from rowen.wrappers.token.outline import Flags

SAMPLE = 150
BESIDE = 20
"""Limits: rules are compared on this many regions of a page, the first ones, and on this many at
each side of a marked one."""

SOURCES = 3
"""Limit: the rules that so many marked records suggest are tried."""

PARTS = 4
"""Limit: so many ways to cut a value out of its text are tried at every spot, the best ones of the
plainest spot."""

ENOUGH = 0.98
"""A rule whose values look so much like the marked ones in all regions ends the search."""

MARGIN = 0.05
"""A rule that is less plain has to find values like the marked ones in this share of the regions
more, and in more than one: that may be a header."""

NAMED_MARGIN = 0.3
"""How much more the values of a rule must count that goes by the name of an element: a name says
more than a place."""

RARE = 0.25
"""A text before the value that fewer regions have is data, no label; so is a number."""

FEW = 0.5
"""Values without a digit are no values where marked ones have digits, if they are at most this
share."""

SURE = 0.5
"""Uncut texts are values where they count this much on average, from -1 to 1."""

CLOSE = 0.8
"""A rule that finds other values is a rival if they count this much of what those of the best one
do."""

SIGNED = 0.8
"""A value is cut off at white space alone only if signs or words divide fewer than this share of
such values: the other names of a place would look like single words."""

RULES = 3
"""Limit: a field has at most this many rules, each for records for which those before find
nothing."""

Likeness: TypeAlias = dict[tuple[int, int], float]
"""By page and region: how much the value looks like a marked one."""


@dataclass
class Group:
    """The regions of a pattern on all pages, with the marked records in them."""

    pattern: Pattern
    views: list[View]
    placed: list[tuple[MarkedRecord, int]]
    """Marked records with the numbers of their regions."""

    @cached_property
    def samples(self) -> list[Flags]:
        """Which regions of each page are looked at."""
        samples = [np.arange(view.count) < SAMPLE for view in self.views]
        for record, number in self.placed:
            samples[record.page][max(number - BESIDE, 0) : number + BESIDE + 1] = True
        return samples

    @cached_property
    def naming(self) -> Naming:
        """What the values of the marked records are called."""
        return Naming(self.views, self.placed)

    @cached_property
    def size(self) -> int:
        """How many regions are looked at in all."""
        return sum(int(sample.sum()) for sample in self.samples)

    def columns(self, rule: FieldRule, *, several: bool = False) -> Iterator[tuple[int, int, Cell]]:
        """Page, region and values of a rule, where it finds some."""
        for page, (view, sample) in enumerate(zip(self.views, self.samples, strict=True)):
            column = column_of([rule], view, several=several, sample=sample)
            yield from ((page, number, cell) for number, cell in enumerate(column) if cell)

    def has_siblings(self, page: int, number: int) -> bool:
        """Whether another region is in the same element."""
        view = self.views[page]
        parents = view.regions.parents(view.tree)
        return int((parents == parents[number]).sum()) > 1

    def names_around(self, page: int, number: int) -> tuple[Names, ...]:
        """What the elements around a region are called."""
        view = self.views[page]
        return names_around(view.tree, int(view.regions.parents(view.tree)[number]))

    def parent(self, page: int, number: int) -> tuple[int, int]:
        """The element around a region."""
        view = self.views[page]
        return page, int(view.regions.parents(view.tree)[number])

    def names_of(self, page: int, number: int) -> Names:
        """What the first element of a region is called."""
        view = self.views[page]
        if view.regions.lines:
            return Names("", frozenset())  # it has no element
        return names_of(view.tree, int(view.regions.heads[number]))

    def wanted(self, name: str) -> dict[tuple[int, int], Cell]:
        """What is known of a field, by page and region; nothing where it is known to be missing."""
        known: dict[tuple[int, int], Cell] = {}
        for record, number in self.placed:
            marks = [mark for mark in record.marks if mark.field == name]
            if marks or name in record.missing:
                known[record.page, number] = tuple(sorted((m.start, m.end) for m in marks))
        return known


@dataclass
class _Trial:
    """A rule on all regions: which marks it reproduces, and how much its values look like them."""

    rule: FieldRule
    cells: dict[tuple[int, int], Cell]
    right: frozenset[tuple[int, int]]
    wrong: frozenset[tuple[int, int]]
    """The marks that it contradicts: it may only follow rules that find these values."""
    likeness: Likeness
    is_named: bool = False
    """Whether it goes by a label, or by an attribute of an element, and not by a count of texts.

    Where a part is missing that comes before, a count leads to something else.
    """

    @property
    def total(self) -> float:
        """What all its values count together."""
        return sum(map(worth, self.likeness.values()))


class Rules(NamedTuple):
    """The rules of a field in a group."""

    rules: list[FieldRule]
    likeness: Likeness
    rival: FieldRule | None
    """A rule that reproduces the same marks about as well, and finds other values."""


def choose_rules(group: Group, name: str) -> Rules | None:
    """Rules that together reproduce what is known of a field; None where there are none.

    The first finds most values like the marked ones; others follow where some marked records have
    their value elsewhere.
    """
    wanted = group.wanted(name)
    open_marks = {key for key, cell in wanted.items() if cell}
    texts = _texts(group, name)
    trials = []
    for rule in _suggested(group, name, texts):
        trial = _try(group, rule, name, wanted, texts)
        if trial is not None:
            trial = _with_digits(group, trial, texts)
            trials.append(trial)
            alike_in_all = sum(trial.likeness.values()) >= ENOUGH * group.size
            if alike_in_all and trial.right >= open_marks and not trial.wrong:
                break
    rules: list[FieldRule] = []
    alike: Likeness = {}
    rival: FieldRule | None = None
    while open_marks and len(rules) < RULES:
        best = _best(trials, open_marks, alike, max(1.0, MARGIN * group.size))
        if best is None:
            return None
        if not rules and best.right >= open_marks:
            rival = _rival(trials, best)
        rules.append(best.rule)
        alike = {**best.likeness, **alike}
        open_marks -= best.right
    return None if open_marks else Rules(rules, alike, rival)


def _rival(trials: Sequence[_Trial], best: _Trial) -> FieldRule | None:
    """The rule that comes next to the best one, if it finds other values."""
    least = CLOSE * best.total
    others = [
        trial
        for trial in trials
        if trial.right >= best.right and not trial.wrong and trial.total >= least
        if trial.cells != best.cells
    ]
    return max(others, key=lambda trial: trial.total).rule if others else None


def _with_digits(group: Group, trial: _Trial, texts: Sequence[str]) -> _Trial:
    """The rule for texts with digits only, where all marked values have some and a few others
    have none: these are headers, or say that there is no number.
    """
    rule = trial.rule
    if rule.part.shape is not None or not all(map(has_digit, texts)):
        return trial
    without = {
        key
        for key, cell in trial.cells.items()
        if not any(has_digit(group.views[key[0]].tree.text[slice(*bounds)]) for bounds in cell)
    }
    if not 0 < len(without) <= FEW * len(trial.cells):
        return trial
    part = Part(rule.part.left, rule.part.right, rule.part.last, WITH_DIGIT)
    kept = {key: cell for key, cell in trial.cells.items() if key not in without}
    alike = {key: like for key, like in trial.likeness.items() if key not in without}
    wrong = trial.wrong - without
    return replace(trial, rule=FieldRule(rule.spot, part), cells=kept, wrong=wrong, likeness=alike)


def uncut(
    group: Group, name: str, rule: FieldRule, alike: Likeness, records: Collection[tuple[int, int]]
) -> tuple[FieldRule, Likeness] | None:
    """A rule for the values at the same spot where a delimiter is missing, if they look like the
    marked ones: a remark after a name is not after every name.

    Most of them must be in regions that are records without them.
    """
    if rule.part.shape is not None or not (rule.part.left or rule.part.right):
        return None
    texts, wanted = _texts(group, name), group.wanted(name)
    for part in _looser(rule.part):
        looser = FieldRule(rule.spot, part)
        cells = {(page, number): cell for page, number, cell in group.columns(looser)}
        more = {
            key: likeness(group.views[key[0]].tree.text[slice(*cell[0])], texts)
            for key, cell in cells.items()
            if key not in alike
        }
        within = [worth(like) for key, like in more.items() if key in records]
        is_sure = len(within) > 1 and 2 * len(within) > len(more)
        if is_sure and not more.keys() & wanted.keys() and sum(within) > SURE * len(within):
            return looser, more
    return None


def _looser(part: Part) -> Iterator[Part]:
    """The part with one delimiter less, then with none."""
    if part.left and part.right:
        yield Part(part.left, last=part.last)
        yield Part(right=part.right)
    yield Part()


def has_digit(text: str) -> bool:
    """Whether a text has a digit from 0 to 9."""
    return any("0" <= character <= "9" for character in text)


def _best(
    trials: Sequence[_Trial], open_marks: set[tuple[int, int]], alike: Likeness, margin: float
) -> _Trial | None:
    """The rule with most of the marks, then with most values like them, then the plainest."""
    best: _Trial | None = None
    best_right, best_sum = 0, 0.0
    for trial in trials:
        if not trial.wrong <= alike.keys():
            continue
        right = len(trial.right & open_marks)
        total = sum(worth(trial.likeness[key]) for key in trial.likeness.keys() - alike.keys())
        needed = best_sum + (NAMED_MARGIN if trial.is_named else margin)
        if right > best_right or (right == best_right and right and total > needed):
            best, best_right, best_sum = trial, right, total
    return best


def _texts(group: Group, name: str) -> list[str]:
    return [
        group.views[record.page].tree.text[mark.start : mark.end]
        for record, _ in group.placed
        for mark in record.marks
        if mark.field == name
    ]


def _suggested(group: Group, name: str, texts: Sequence[str]) -> Iterator[FieldRule]:
    """Rules that the first marked values of a field suggest, each once, the plainest first."""
    suggested: set[FieldRule] = set()
    several = is_several(group.placed, name)
    marked = [
        (group.views[record.page], mark)
        for record, _ in group.placed
        for mark in [mark for mark in record.marks if mark.field == name][:1]
    ]
    for view, mark in marked[:SOURCES]:
        parts: list[Part] = []
        for spot in spots_of(view, mark, several=several):
            if not spot.is_whole and not parts:
                parts = _best_parts(group, spot, (view, mark), marked, texts)
            # All of an element is not cut.
            for part in [Part()] if spot.is_whole else parts:
                if (rule := FieldRule(spot, part)) not in suggested:
                    suggested.add(rule)
                    yield rule


def _best_parts(
    group: Group,
    spot: Spot,
    source: tuple[View, Mark],
    marked: Sequence[tuple[View, Mark]],
    texts: Sequence[str],
) -> list[Part]:
    """The parts that give most of the marked values, and values like them in other regions."""
    view, mark = source
    parts = list(parts_of(view.tree, mark))
    if len(parts) <= 1:
        return parts
    scores, counts = {}, {}
    for number, part in enumerate(parts):
        values = [
            (part.value(seen.tree.text, *other.bounds(seen.tree)), other) for seen, other in marked
        ]
        right = sum(bounds == (other.start, other.end) for bounds, other in values)
        wrong = sum(bounds is not None for bounds, _ in values) - right
        cells = [
            (group.views[page], cell) for page, _, cell in group.columns(FieldRule(spot, part))
        ]
        alike = sum(
            likeness(view.tree.text[slice(*bounds)], texts)
            for view, cell in cells
            for bounds in cell
        )
        scores[part] = (right - wrong, round(alike, 6), -number)
        counts[part] = len(cells)
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:PARTS]
    signed = max((counts[part] for part in best if not _splits_words(part)), default=0)
    return [part for part in best if not _splits_words(part) or SIGNED * counts[part] > signed]


def _splits_words(part: Part) -> bool:
    """Whether nothing but white space divides the value from the rest of its text."""
    return any(side is not None and side.isspace() for side in (part.left, part.right))


def is_several(placed: Sequence[tuple[MarkedRecord, int]], name: str) -> bool:
    """Whether a field has several values in a marked record."""
    return any(sum(mark.field == name for mark in record.marks) > 1 for record, _ in placed)


def _try(
    group: Group,
    rule: FieldRule,
    name: str,
    wanted: dict[tuple[int, int], Cell],
    texts: Sequence[str],
) -> _Trial | None:
    """A rule on all regions; None where it says nothing about other records."""
    several = is_several(group.placed, name)
    cells = {(page, number): cell for page, number, cell in group.columns(rule, several=several)}
    known = wanted.keys() & cells.keys()
    right = {key for key in known if tuple(sorted(cells[key])) == wanted[key]}
    if not right:
        return None
    # A name that is found nowhere but at the marks is data, and says nothing about other records.
    named = rule.spot.label is not None or any(step.attributes for step in rule.spot.steps)
    if named and len(cells) == len(right) < group.size:
        return None
    label = rule.spot.label
    if label is not None and (len(cells) < RARE * group.size or is_numeric(label)):
        return None
    alike = {
        key: max(likeness(group.views[key[0]].tree.text[slice(*bounds)], texts) for bounds in cell)
        for key, cell in cells.items()
    }
    alike.update(dict.fromkeys(_struck(group, cells, wanted), 0.0))
    for (page, number), cell in cells.items():
        if group.naming.is_of_another(name, page, number, cell[0][0]):
            alike[page, number] = 0.0
    is_named = _is_named(rule.spot) or (label is not None and group.naming.is_label_of(name, label))
    return _Trial(rule, cells, frozenset(right), frozenset(known - right), alike, is_named)


def _is_named(spot: Spot) -> bool:
    """Whether a spot goes by an attribute of an element."""
    return spot.content is None and any(step.attributes for step in spot.steps)


def _struck(
    group: Group, cells: dict[tuple[int, int], Cell], wanted: dict[tuple[int, int], Cell]
) -> list[tuple[int, int]]:
    """The regions whose value is struck out, unless a marked one is, too."""

    def is_struck(key: tuple[int, int], cell: Cell) -> bool:
        tree = group.views[key[0]].tree
        return any(tree.struck[tree.tag_at(start)] for start, _ in cell)

    if not any(view.tree.struck.any() for view in group.views):
        return []
    if any(is_struck(key, cell) for key, cell in wanted.items()):
        return []
    return [key for key, cell in cells.items() if is_struck(key, cell)]
