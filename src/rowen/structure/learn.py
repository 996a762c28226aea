"""Learning a region wrapper: marks choose among the groups of regions that pages have.

Each group of regions of the same pattern is a candidate, with the rules of each field that find
most values like the marked ones in the group's other regions. The group with the most regions that
look like the marked records wins; regions that have little of them count against it. So a single
marked record is enough where the page repeats it.

    <tr><td>Ada<td>36 <tr><td>Bob<td>41 <tr><td>Eve<td>29     marked: Ada 36
    each <tr>     name: td[1], age: td[2]      3 regions like the marked record
    each <td>     does not hold the record
    the <table>   name: tr[1]/td[1], ...       1 region
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.landmarks.excerpt import excerpt_of
from rowen.learning.likeness import ABSENT, worth
from rowen.learning.suggestions import suggest_marks
from rowen.learning.verification import reproduces
from rowen.model import NoConsistentWrapper, Page
from rowen.records import Example
from rowen.structure.containers import is_elsewhere
from rowen.structure.marks import MarkedRecord, read_marks
from rowen.structure.memory import MEMORY
from rowen.structure.patterns import patterns_of
from rowen.structure.rules import RULES, Group, Likeness, uncut
from rowen.wrappers.region.tree import Tree, View
from rowen.wrappers.region.trees import TREES
from rowen.wrappers.region.wrapper import FieldRule, Pattern, Region, is_record

EXCERPT = 60_000
"""Limit: so many characters after the last marked record of a page are searched at first."""

VOTERS = 5
"""Limit: so many unlabelled pages are searched for regions like the marked records."""

LIKELY = 0.2
"""Regions that look more than this like a marked record decide which fields records have."""

OFTEN = 0.9
"""A field is required of records if this many of these regions have it, compared with the field
that most have."""

CLOSE = 0.4
"""Groups whose regions count this much of what those of the best one do may be meant as well."""

RIVALS = 3
"""Limit: so many other groups, and so many other rules, are compared with what was chosen."""

ELSEWHERE = -0.3
"""What a region counts that looks like a record, but is in another part of the page."""


@dataclass
class Candidate:
    """A group of regions, the rules of each field, and how much its regions look like records."""

    pattern: Pattern
    rules: dict[str, list[FieldRule]]
    rivals: dict[str, FieldRule]
    """For some fields a rule that is about as good, and finds other values."""
    required: list[str]
    """The fields that decide which regions are records."""
    score: float


def learn_class(examples: Sequence[Example], *, pages: Sequence[Page] = ()) -> Region:
    """The region wrapper that reproduces the examples and finds most records like them.

    Records on unlabelled `pages` count as well.
    """
    names = tuple(example.page.id for example in examples)
    if all(len(example.records) == 1 and not example.partial for example in examples):
        raise NoConsistentWrapper("pages of one record each have no repeated regions", pages=names)
    excerpts = [excerpt_of(example, EXCERPT) for example in examples]
    if any(excerpt is not example for excerpt, example in zip(excerpts, examples, strict=True)):
        beginnings = [Page(page.text[:EXCERPT], id=page.id) for page in pages[:VOTERS]]
        try:
            wrapper = _learn(excerpts, beginnings)
        except NoConsistentWrapper:
            pass
        else:
            if _reproduces(wrapper, examples):
                wrapper.evidence = Evidence.of(examples)
                return wrapper
    return _learn(examples, pages[:VOTERS])


def _reproduces(wrapper: Region, examples: Sequence[Example]) -> bool:
    return all(reproduces(example, wrapper.extract(example.page)) for example in examples)


def _learn(examples: Sequence[Example], pages: Sequence[Page]) -> Region:
    names = tuple(example.page.id for example in examples)
    trees = [TREES.of(example.page.text) for example in examples]
    records = read_marks(examples, trees)
    trees += [TREES.of(page.text) for page in pages]
    if not records:
        raise NoConsistentWrapper("a marked value is not at a place of the structure", pages=names)
    fields = tuple(
        dict.fromkeys(
            name for example in examples for record in example.records for name, _ in record.items()
        )
    )
    best: Candidate | None = None
    wrapper: Region | None = None
    others: list[Candidate] = []
    for pattern in dict.fromkeys(patterns_of(trees[records[0].page], records[0])):
        if best is not None and budget.spent():
            break
        group = _group(pattern, trees, records)
        # No group has a higher score than it has regions.
        if group is None or (best is not None and group.size <= best.score):
            continue
        candidate = _candidate(group, fields, records)
        if candidate is None:
            continue
        if best is not None and candidate.score <= best.score:
            others.append(candidate)
            continue
        learned = _wrapper(candidate, fields, records, examples)
        if _reproduces(learned, examples):
            others += [best] if best is not None else []
            best, wrapper = candidate, learned
    if best is None or wrapper is None:
        raise NoConsistentWrapper("no repeated region has the marked values", pages=names)
    rivals = [_wrapper(rival, fields, records, examples) for rival in _rivals(best, others)]
    seen = [*(example.page for example in examples), *pages]
    wrapper.suggestions = suggest_marks(
        wrapper, [rival for rival in rivals if _reproduces(rival, examples)], seen
    )
    return wrapper


def _rivals(best: Candidate, others: Sequence[Candidate]) -> list[Candidate]:
    """Candidates that come next to the best one, and the best one with another rule of a field."""
    close = [other for other in others if other.score >= CLOSE * best.score]
    close.sort(key=lambda other: -other.score)
    with_rule = [
        replace(best, rules={**best.rules, name: [rule]}) for name, rule in best.rivals.items()
    ]
    return [*close[:RIVALS], *with_rule[:RIVALS]]


def _wrapper(
    candidate: Candidate,
    fields: Sequence[str],
    records: Sequence[MarkedRecord],
    examples: Sequence[Example],
) -> Region:
    several = [name for name in fields if any(_count(record, name) > 1 for record in records)]
    return Region(
        fields,
        record=candidate.pattern,
        rules=candidate.rules,
        several=several,
        required=candidate.required,
        evidence=Evidence.of(examples),
    )


def _count(record: MarkedRecord, name: str) -> int:
    return sum(mark.field == name for mark in record.marks)


def _group(
    pattern: Pattern, trees: Sequence[Tree], records: Sequence[MarkedRecord]
) -> Group | None:
    """The regions of a pattern, if each marked record is in a region of its own."""
    views = [View(tree, pattern.find(tree)) for tree in trees]
    placed = []
    taken = set()
    for record in records:
        numbers = {int(views[record.page].numbers[mark.tag]) for mark in record.marks}
        number = numbers.pop()
        if numbers or number < 0 or (record.page, number) in taken:
            return None
        taken.add((record.page, number))
        placed.append((record, number))
    group = Group(pattern, views, placed)
    if pattern.reach == "stretch" and not all(
        group.has_siblings(record.page, number) for record, number in placed
    ):
        return None  # all of the element around it: then that is the region
    return group


def _candidate(
    group: Group, fields: Sequence[str], records: Sequence[MarkedRecord]
) -> Candidate | None:
    """The best rules for each field, and the score of the group."""
    rules: dict[str, list[FieldRule]] = {}
    alike: dict[str, Likeness] = {}
    rivals: dict[str, FieldRule] = {}
    for name in fields:
        chosen = MEMORY.choose_rules(group, name)
        if chosen is None:
            return None
        rules[name], alike[name], rival = chosen
        if rival is not None:
            rivals[name] = rival
    ruled = {name: alike[name] for name in fields if rules[name]}
    if not ruled:
        return None
    worths = _worths(ruled)
    likely = {key for key, value in worths.items() if value > LIKELY}
    for name, like in list(ruled.items()):
        first, *others = rules[name]
        if len(others) + 1 < RULES and (found := uncut(group, name, first, like, likely)):
            looser, more = found
            rules[name].append(looser)
            ruled[name] = {**more, **like}
            worths = _worths(ruled)
    often = _often(ruled, [key for key, value in worths.items() if value > LIKELY])
    required = _required(often, fields, records)
    score = _score(group, ruled, worths, required)
    return Candidate(group.pattern, rules, rivals, required, score)


def _worths(ruled: Mapping[str, Likeness]) -> dict[tuple[int, int], float]:
    """How much each region looks like a marked record: from -1 to 1."""
    return {
        key: sum(worth(like[key]) if key in like else ABSENT for like in ruled.values())
        / len(ruled)
        for key in set().union(*ruled.values())
    }


def _often(ruled: Mapping[str, Likeness], records: Sequence[tuple[int, int]]) -> list[str]:
    """The fields that nearly all of the regions have that look like records."""
    counts = {name: sum(key in like for key in records) for name, like in ruled.items()}
    return [name for name, count in counts.items() if count >= OFTEN * max(counts.values())]


def _required(
    often: Sequence[str], fields: Sequence[str], records: Sequence[MarkedRecord]
) -> list[str]:
    """The fields that decide what is a record: not those that are missing here and there."""
    marked = [name for name in fields if all(_count(record, name) for record in records)]
    return [name for name in often if name in marked] or marked


def _score(
    group: Group,
    ruled: Mapping[str, Likeness],
    worths: Mapping[tuple[int, int], float],
    required: Sequence[str],
) -> float:
    """How much the regions that count as records look like the marked ones."""
    needed = required or list(ruled)
    is_other = _others(group, [key for key, value in worths.items() if value > 0])
    return sum(
        ELSEWHERE if value > 0 and is_other(key) else value
        for key, value in worths.items()
        if is_record([key in ruled[name] for name in needed], required=bool(required))
    )


def _others(group: Group, likely: Sequence[tuple[int, int]]) -> Callable[[tuple[int, int]], bool]:
    """Tells whether a region that looks like a record is of another list than the marked ones.

    It is in another part of the page; or it is by itself and called otherwise, where the marked
    ones have others beside them.
    """
    placed = [(record.page, number) for record, number in group.placed]
    around = [group.names_around(*key) for key in placed]
    names = {group.names_of(*key) for key in placed}
    beside = Counter(group.parent(*key) for key in likely)
    is_together = all(beside[group.parent(*key)] > 1 for key in placed)

    def is_other(key: tuple[int, int]) -> bool:
        is_alone = is_together and beside[group.parent(*key)] == 1
        return (is_alone and group.names_of(*key) not in names) or is_elsewhere(
            group.names_around(*key), around
        )

    return is_other
