"""The search for the rules of one field of a token wrapper."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from rowen.wrappers.token import context
from rowen.wrappers.token.context import Shared
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark
from rowen.wrappers.token.matches import Matches
from rowen.wrappers.token.occurrence import Occurrence, as_elements, common_cut, tag_name
from rowen.wrappers.token.outline import Flags, Outline, Tags
from rowen.wrappers.token.sample import Kind, Sample
from rowen.wrappers.token.trial import Trial
from rowen.wrappers.token.wrapper import Rule, Take

GROUPS = 6
"""A field may stand in so many ways; more are coincidence."""

REGION_SLACK = 2.0
"""Links may come in numbers: a container of them may cost so much more than a plain rule."""


ELEMENT_SLACK = 2.0
"""Tags inside values come and go: all of an element may cost so much more than a plain rule."""


class FieldSearch:
    """Looks for the cheapest rules that find what is marked of one field, and nothing else."""

    def __init__(self, sample: Sample, name: str, occurrences: list[Occurrence]) -> None:
        self.sample = sample
        self.name = name
        self.occurrences = occurrences
        self._valued = sample.valued
        self.dear = False
        """Whether what was learned looks like data, or nothing was."""
        self._trials: dict[tuple[Cut, tuple[Occurrence, ...]], Trial | None] = {}

    def learn(self, *, several: bool) -> list[Rule]:
        """The cheapest rules that fit, as few of them as do; none where nothing fits."""
        if not self.occurrences:
            return []
        if (kind := self.sample.kinds.get(self.name)) is not None:
            return self._of_kind(kind)
        plain = self.rule(self.occurrences, "all")
        if any(one.last != one.tag for one in self.occurrences):
            whole = self.element(self.occurrences)
            if whole is not None and (plain is None or whole[0] <= plain[0] + ELEMENT_SLACK):
                plain = whole
        linked = all(
            one.attribute is None and tag_name(one.outline, one.tag) == "a"
            for one in self.occurrences
        )
        linked = linked and not self.sample.listed
        if several or linked or plain is None:
            region = self.region(self.occurrences)
            slack = 0.0 if several or self.sample.listed else REGION_SLACK
            if region is not None and (
                plain is None or ((several or linked) and region[0] <= plain[0] + slack)
            ):
                return [region[1]]
        if plain is not None and plain[0] < context.DATA:
            return [plain[1]]
        self.dear = True
        return self.split(several=several) or ([plain[1]] if plain is not None else [])

    def _of_kind(self, kind: Kind) -> list[Rule]:
        if kind == "element":
            found = self.element(self.occurrences)
        elif kind == "container":
            found = self.region(self.occurrences)
        else:
            found = self.rule(self.occurrences, "all")
        self.dear = found is None or found[0] >= context.DATA
        return [] if found is None else [found[1]]

    def split(self, *, several: bool) -> list[Rule]:
        """Rules for groups of occurrences that look alike, in ever finer groups."""
        takes: list[Take] = ["all"] if several else ["all", "first", "last"]
        ways = self._groupings()
        for take in takes:
            for groups in ways:
                rules = self._rules(groups, take)
                if rules:
                    return rules
        return []

    def _groupings(self) -> list[list[list[Occurrence]]]:
        """The ways to group occurrences by how much alike they are, each once."""
        ways: list[list[list[Occurrence]]] = []
        for level in range(6):
            groups: dict[object, list[Occurrence]] = defaultdict(list)
            for one in self.occurrences:
                groups[likeness(one, level)].append(one)
            # Each level divides the groups of the one before: as many groups are the same ones.
            if len(groups) <= GROUPS and not (ways and len(groups) == len(ways[-1])):
                ways.append(list(groups.values()))
        return ways

    def _rules(self, groups: list[list[Occurrence]], take: Take) -> list[Rule]:
        """A rule for each group, none at all where one group has none."""
        rules = []
        for group in groups:
            found = self.rule(group, take)
            if found is None or found[0] >= 2 * context.DATA:
                return []
            rules.append(found[1])
        return rules

    def rule(self, occurrences: list[Occurrence], take: Take) -> tuple[float, Rule] | None:
        """The cheapest rule for these occurrences, with its price."""
        cut = common_cut(occurrences)
        return None if cut is None else self._cheapest(occurrences, cut, take)

    def element(self, occurrences: list[Occurrence]) -> tuple[float, Rule] | None:
        """The cheapest rule for these as all that is in an element, with its price."""
        found = [
            self._cheapest(elements, Cut(element=True), "all")
            for elements in as_elements(occurrences)
        ]
        return min((one for one in found if one is not None), key=itemgetter(0), default=None)

    def _cheapest(
        self, occurrences: list[Occurrence], cut: Cut, take: Take
    ) -> tuple[float, Rule] | None:
        key = (cut, tuple(occurrences))
        if key not in self._trials:
            self._trials[key] = self._trial(occurrences, cut)
        trial = self._trials[key]
        found = None if trial is None else trial.cheapest(take)
        if trial is None or found is None:
            return None
        mark = context.landmark(found, trial.back, trial.ahead, occurrences[0])
        return found.price, Rule(mark, cut, take=take)

    def _trial(self, occurrences: list[Occurrence], cut: Cut) -> Trial | None:
        back = self._before(occurrences, self._depth(occurrences))
        ahead = (
            []
            if cut.until or cut.element
            else self._after(occurrences, slot_first=cut.attribute is not None)
        )
        if not back:
            return None
        return Trial(self.sample, self.name, occurrences, cut, back=back, ahead=ahead)

    def region(self, occurrences: list[Occurrence]) -> tuple[float, Rule] | None:
        """The cheapest rule that finds a container first, with its price."""
        cut = common_cut(occurrences)
        if cut is None or cut.until:
            return None
        by_record: dict[int, list[Occurrence]] = defaultdict(list)
        for one in occurrences:
            by_record[one.record].append(one)
        around = {record: _common_ancestors(some) for record, some in by_record.items()}
        fullest = max(by_record, key=lambda record: len(by_record[record]))
        best: tuple[float, Rule] | None = None
        for element in around[fullest][:4]:
            containers = _containers(by_record, around, fullest, element)
            if containers is None:
                continue
            item = self._item(by_record, containers, cut)
            if item is None:
                continue
            found = self._container(list(containers.values()), item[1], cut)
            if found is not None and (best is None or found[0] + item[0] < best[0]):
                best = (found[0] + item[0], Rule(item[1], cut, container=found[1]))
        return best

    def _item(
        self,
        by_record: dict[int, list[Occurrence]],
        containers: dict[int, Occurrence],
        cut: Cut,
    ) -> tuple[float, Landmark] | None:
        """The cheapest landmark that finds the values inside their containers."""
        occurrences = [one for some in by_record.values() for one in some]
        back = self._before(occurrences, 2)
        if not back:
            return None
        ahead = self._after(occurrences, slot_first=cut.attribute is not None)[:3]
        stretches = {
            (one.page, one.tag): (one.tag, int(one.outline.closes[one.tag]))
            for one in containers.values()
        }
        trial = Trial(
            self.sample,
            self.name,
            occurrences,
            cut,
            back=back,
            ahead=ahead,
            inside=list(stretches.items()),
        )
        found = trial.cheapest("all")
        if found is None:
            return None
        return found.price, context.landmark(found, back, ahead, occurrences[0])

    def _container(
        self, containers: list[Occurrence], item: Landmark, cut: Cut
    ) -> tuple[float, Landmark] | None:
        """The cheapest landmark of containers in which the item finds the values, no others."""
        back = self._before(containers, self._depth(containers))
        ahead = self._after(containers, slot_first=True)
        wanted = {(one.page, one.tag) for one in self.occurrences}
        items = [self._items(page, Rule(item, cut)) for page in range(len(self.sample.outlines))]
        marked = [
            np.array([(page, tag) in wanted for tag in tags.tolist()], bool)
            for page, tags in enumerate(items)
        ]
        if sum(int(some.sum()) for some in marked) != len(self.occurrences):
            return None

        outlines = self.sample.outlines

        def fit(found: Iterable[Tags | NDArray[np.int32]]) -> bool:
            pages = zip(outlines, found, items, marked, strict=True)
            return all(
                np.array_equal(_inside(outline, here, tags), some)
                for outline, here, tags, some in pages
            )

        full = context.landmark(context.fullest(back, ahead), back, ahead, containers[0])
        if not fit(full.find(outline) for outline in outlines):
            return None  # what says most lets too much through, so all that say less do
        name = containers[0].outline.names[containers[0].tag]
        named = [np.flatnonzero(outline.names == name) for outline in outlines]
        matches = Matches(list(zip(outlines, named, strict=True)), back=back, ahead=ahead)
        ends = np.cumsum([len(tags) for tags in named])[:-1]
        for choice in context.choices(back, ahead, containers, listed=self.sample.listed):
            self.sample.check_time()
            there = np.split(matches.at(choice), ends)
            if fit(tags[flags] for tags, flags in zip(named, there, strict=True)):
                return choice.price, context.landmark(choice, back, ahead, containers[0])
        return None

    def _items(self, page: int, rule: Rule) -> Tags:
        """The tags of a page's stretches at which an item stands."""
        values = rule.values(self.sample.outlines[page])
        stretches = self.sample.known_stretches(page, self.name)
        firsts = np.array([low for low, _, _ in stretches])
        tags = []
        for _, _, tag in values:
            place = int(np.searchsorted(firsts, tag, side="right")) - 1
            if place >= 0 and tag < stretches[place][1]:
                tags.append(tag)
        return np.array(tags, np.intp)

    def _before(self, occurrences: Sequence[Occurrence], depth: int) -> list[Shared]:
        return [self._said(one, occurrences) for one in context.before(occurrences, depth)]

    def _after(self, occurrences: Sequence[Occurrence], *, slot_first: bool) -> list[Shared]:
        shared = context.after(occurrences, slot_first=slot_first)
        return [self._said(one, occurrences) for one in shared]

    def _said(self, shared: Shared, occurrences: Sequence[Occurrence]) -> Shared:
        """A token without what is alike by chance: texts that are marked, data of their tags."""
        if not shared.by or not any(
            (one.page, one.tag + shared.by) in self._valued for one in occurrences
        ):
            return shared
        pairs = frozenset(pair for pair in shared.pairs if context.is_name(pair))
        return shared._replace(pairs=pairs, slot=None, text="")

    def _depth(self, occurrences: Sequence[Occurrence]) -> int:
        """How far back a landmark may look: not beyond the stretch of its record."""
        if not self.sample.listed:
            return context.DEPTH
        depth = context.DEPTH
        for one in occurrences:
            depth = min(depth, one.tag - self.sample.stretch_of(one) + 1)
        return depth


def _inside(outline: Outline, containers: Tags | NDArray[np.int32], tags: Tags) -> Flags:
    """Which tags lie in one of the elements."""
    depth = np.zeros(len(tags) + 1, np.intp)
    np.add.at(depth, np.searchsorted(tags, containers), 1)
    np.add.at(depth, np.searchsorted(tags, outline.closes[containers]), -1)
    inside: Flags = np.cumsum(depth[:-1]) > 0
    return inside


def likeness(one: Occurrence, level: int) -> tuple[object, ...]:
    """What occurrences of one group have in common; more at each level."""
    outline, tag = one.outline, one.tag
    before = max(tag - 2, 0)
    parts: list[object] = [one.attribute, one.last - tag]
    further = [
        int(outline.names[tag]),
        frozenset(filter(context.is_name, outline.pairs(tag))),
        (int(outline.slots[before]), int(outline.names[tag - 1]), int(outline.names[before])),
        int(outline.names[tag + 1]) if tag + 1 < outline.size else 0,
    ]
    if level == 0:
        return ()
    return (*parts, *further[: level - 1])


def _common_ancestors(occurrences: Sequence[Occurrence]) -> list[int]:
    chains = [one.outline.ancestors(one.tag) for one in occurrences]
    return [element for element in chains[0] if all(element in chain for chain in chains[1:])]


def _containers(
    by_record: dict[int, list[Occurrence]],
    around: dict[int, list[int]],
    fullest: int,
    element: int,
) -> dict[int, Occurrence] | None:
    """In each record the element that corresponds to one in the fullest record."""
    pattern = by_record[fullest][0].outline
    wanted = context.looks(pattern, element)
    containers = {}
    for record, elements in around.items():
        one = by_record[record][0]
        same = [each for each in elements if context.looks(one.outline, each) == wanted] or [
            each for each in elements if one.outline.names[each] == pattern.names[element]
        ]
        if not same:
            return None
        tag = same[0]
        start, end = int(one.outline.starts[tag]), int(one.outline.ends[tag])
        containers[record] = Occurrence(one.outline, one.page, record, tag, tag, None, start, end)
    return containers
