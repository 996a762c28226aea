"""The search for the rules of one field of a token wrapper.

Four kinds of rules are tried, and the cheapest that finds exactly what is marked wins:

    text         the text at a landmark          <b>|Ada|</b>
    element      all of an element               <td>|Ada <i>Lovelace</i>|</td>
    container    the items of a container        <ul class=tags><li>|x|<li>|y|</ul>
    run          a part of an element            <article><h1>A</h1><p>|x<p>y|</article>

Where no single rule does, the occurrences are grouped by how much their surroundings are alike, and
each group gets a rule.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from rowen.landmarks import context
from rowen.landmarks.context import Shared
from rowen.landmarks.missing import missing_texts, used_texts
from rowen.landmarks.occurrence import Occurrence, as_elements, common_cut, tag_name
from rowen.landmarks.runs import as_runs
from rowen.landmarks.sample import Kind, Sample
from rowen.landmarks.trial import Matches, Trial
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark
from rowen.wrappers.token.outline import Flags, Outline, Tags
from rowen.wrappers.token.wrapper import Rule, Take

GROUPS = 6
"""Limit: a field may have this many rules. More are coincidence."""

REGION_SLACK = 2.0
"""A container of links may cost this much more than a plain rule: links often come in numbers."""


ELEMENT_SLACK = 2.0
"""All of an element may cost this much more than a plain rule: tags inside values come and go."""


class FieldSearch:
    """Searches for the cheapest rules that find what is marked of one field, and nothing else."""

    def __init__(self, sample: Sample, name: str, occurrences: list[Occurrence]) -> None:
        self.sample = sample
        self.name = name
        self.occurrences = occurrences
        self._valued = sample.valued
        self.dear = False
        """Whether the rules rest on what looks like data, or there are none."""
        self._trials: dict[tuple[Cut, tuple[Occurrence, ...]], Trial | None] = {}

    def learn(self, *, several: bool) -> list[Rule]:
        """The cheapest rules that fit, as few as possible; none where nothing fits."""
        if not self.occurrences:
            return []
        if (kind := self.sample.kinds.get(self.name)) is not None:
            return self._of_kind(kind)
        plain = self.rule(self.occurrences, "all")
        # Where values run over tags, other pages may have other tags inside them.
        if any(occurrence.last != occurrence.tag for occurrence in self.occurrences):
            for whole in (self.run(self.occurrences), self.element(self.occurrences)):
                if whole is not None and (plain is None or whole[0] <= plain[0] + ELEMENT_SLACK):
                    plain = whole
        linked = all(
            occurrence.attribute is None and tag_name(occurrence.outline, occurrence.tag) == "a"
            for occurrence in self.occurrences
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
        return self._dear(plain, several=several)

    def _dear(self, plain: tuple[float, Rule] | None, *, several: bool) -> list[Rule]:
        """Rules where the plain one rests on data, or there is none."""
        if not several:
            # The same element may have a link or not.
            whole = self.element(self.occurrences)
            if whole is not None and whole[0] < context.DATA:
                return [whole[1]]
            if (known := self._with_missing()) is not None:
                return [known]
        # A rule that rests on data holds on these pages alone; two rules without data are better.
        self.dear = True
        return self.split(several=several) or ([plain[1]] if plain is not None else [])

    def _with_missing(self) -> Rule | None:
        """The cheapest rule where some texts in its place say that there is no value."""
        cut = common_cut(self.occurrences)
        ways = [] if cut is None or cut.until else [(self.occurrences, cut)]
        ways += [(elements, Cut(element=True)) for elements in as_elements(self.occurrences)]
        for occurrences, way in ways:
            texts = missing_texts(self.sample, self.name, occurrences, way)
            priced = None
            if texts:
                priced = self._cheapest(occurrences, replace(way, missing=tuple(texts)), "all")
            if priced is None or priced[0] >= context.DATA:
                continue
            rule = replace(priced[1], cut=way)
            used = used_texts(self.sample, self.name, rule, texts)
            if used is not None:
                return replace(rule, cut=replace(way, missing=used))
        return None

    def _of_kind(self, kind: Kind) -> list[Rule]:
        if kind == "element":
            priced = self.element(self.occurrences)
        elif kind == "container":
            priced = self.region(self.occurrences)
        elif kind == "run":
            priced = self.run(self.occurrences)
        else:
            priced = self.rule(self.occurrences, "all")
        self.dear = priced is None or priced[0] >= context.DATA
        return [] if priced is None else [priced[1]]

    def split(self, *, several: bool) -> list[Rule]:
        """Rules for groups of occurrences that look alike, in ever finer groups."""
        # Taking the first or the last match is a guess about pages with more of them: tried last.
        takes: list[Take] = ["all"] if several else ["all", "first", "last"]
        ways = self._groupings()
        for take in takes:
            for groups in ways:
                rules = self._rules(groups, take)
                if rules:
                    return rules
        return []

    def _groupings(self) -> list[list[list[Occurrence]]]:
        """The ways to group occurrences by likeness, each once."""
        ways: list[list[list[Occurrence]]] = []
        for level in range(6):
            groups: dict[object, list[Occurrence]] = defaultdict(list)
            for occurrence in self.occurrences:
                groups[likeness(occurrence, level)].append(occurrence)
            # Each level divides the groups of the one before: as many groups are the same groups.
            if len(groups) <= GROUPS and not (ways and len(groups) == len(ways[-1])):
                ways.append(list(groups.values()))
        return ways

    def _rules(self, groups: list[list[Occurrence]], take: Take) -> list[Rule]:
        """A rule for each group; none at all where one group has none."""
        rules = []
        for group in groups:
            priced = self.rule(group, take)
            if priced is None or priced[0] >= 2 * context.DATA:
                return []
            rules.append(priced[1])
        return rules

    def rule(self, occurrences: list[Occurrence], take: Take) -> tuple[float, Rule] | None:
        """The cheapest rule for these occurrences, with its price."""
        cut = common_cut(occurrences)
        return None if cut is None else self._cheapest(occurrences, cut, take)

    def element(
        self, occurrences: list[Occurrence], *, innermost: bool = False
    ) -> tuple[float, Rule] | None:
        """The cheapest rule that takes all of an element, with its price.

        With `innermost` only elements count in which the values stand directly.
        """
        candidates = [
            self._cheapest(elements, Cut(element=True), "all")
            for elements in as_elements(occurrences)
            if not innermost
            or all(
                element.tag == occurrence.tag
                for element, occurrence in zip(elements, occurrences, strict=True)
            )
        ]
        return min(
            (priced for priced in candidates if priced is not None), key=itemgetter(0), default=None
        )

    def run(self, occurrences: list[Occurrence]) -> tuple[float, Rule] | None:
        """The cheapest rule that takes a part of an element's children, with its price."""
        candidates = (self._cheapest(around, cut, "all") for around, cut in as_runs(occurrences))
        return min(filter(None, candidates), key=itemgetter(0), default=None)

    def _cheapest(
        self, occurrences: list[Occurrence], cut: Cut, take: Take
    ) -> tuple[float, Rule] | None:
        # The same trial serves "all", "first" and "last", and occurs in several groupings.
        key = (cut, tuple(occurrences))
        if key not in self._trials:
            self._trials[key] = self._trial(occurrences, cut)
        trial = self._trials[key]
        choice = None if trial is None else trial.cheapest(take)
        if trial is None or choice is None:
            return None
        mark = context.landmark(choice, trial.back, trial.ahead, occurrences[0])
        return choice.price, Rule(mark, cut, take=take)

    def varied(self, occurrences: list[Occurrence], limit: float) -> Iterator[tuple[float, Rule]]:
        """Rules below a price that rest on different things; none finds what is not marked.

        They are learned from these occurrences, and may find the others as well.
        """
        cut = common_cut(occurrences)
        trial = (
            None
            if cut is None
            else self._trial(occurrences, cut, marked=self.occurrences, most=context.FAR_AFTER)
        )
        if cut is None or trial is None:
            return
        for choice in trial.varied(limit):
            mark = context.landmark(choice, trial.back, trial.ahead, occurrences[0])
            yield choice.price, Rule(mark, cut)

    def _trial(
        self,
        occurrences: list[Occurrence],
        cut: Cut,
        *,
        marked: Sequence[Occurrence] | None = None,
        most: int = context.AFTER,
    ) -> Trial | None:
        back = self._before(occurrences, self._depth(occurrences))
        ahead = (
            []
            if cut.until or cut.element or cut.run
            else self._after(occurrences, slot_first=cut.attribute is not None, most=most)
        )
        if not back:
            return None
        return Trial(
            self.sample, self.name, occurrences, cut, back=back, ahead=ahead, marked=marked
        )

    def region(
        self, occurrences: list[Occurrence], limit: float | None = None
    ) -> tuple[float, Rule] | None:
        """The cheapest rule that finds a container first, then its items; with its price.

        With a limit, only landmarks without data and below this price are tried.
        """
        cut = common_cut(occurrences)
        if cut is None or cut.until:
            return None
        by_record: dict[int, list[Occurrence]] = defaultdict(list)
        for occurrence in occurrences:
            by_record[occurrence.record].append(occurrence)
        around = {
            record: _common_ancestors(occurrences_of_record)
            for record, occurrences_of_record in by_record.items()
        }
        fullest = max(by_record, key=lambda record: len(by_record[record]))
        best: tuple[float, Rule] | None = None
        # Innermost first: the outer elements around the values also hold other fields.
        for element in around[fullest][:4]:
            containers = _containers(by_record, around, fullest, element)
            if containers is None:
                continue
            item = self._item(by_record, containers, cut)
            if item is None:
                continue
            priced = self._container(list(containers.values()), item[1], cut, limit)
            if priced is not None and (best is None or priced[0] + item[0] < best[0]):
                best = (priced[0] + item[0], Rule(item[1], cut, container=priced[1]))
        return best

    def _item(
        self,
        by_record: dict[int, list[Occurrence]],
        containers: dict[int, Occurrence],
        cut: Cut,
    ) -> tuple[float, Landmark] | None:
        """The cheapest landmark that finds the values inside their containers."""
        occurrences = [occurrence for of_record in by_record.values() for occurrence in of_record]
        back = self._before(occurrences, 2)
        if not back:
            return None
        ahead = self._after(occurrences, slot_first=cut.attribute is not None)[:3]
        stretches = {
            (container.page, container.tag): (
                container.tag,
                int(container.outline.closes[container.tag]),
            )
            for container in containers.values()
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
        choice = trial.cheapest("all")
        if choice is None:
            return None
        return choice.price, context.landmark(choice, back, ahead, occurrences[0])

    def _container(
        self, containers: list[Occurrence], item: Landmark, cut: Cut, limit: float | None
    ) -> tuple[float, Landmark] | None:
        """The cheapest landmark of containers in which the item finds the values, no others."""
        back = self._before(containers, self._depth(containers))
        ahead = self._after(containers, slot_first=True)
        expected = {(occurrence.page, occurrence.tag) for occurrence in self.occurrences}
        items = [self._items(page, Rule(item, cut)) for page in range(len(self.sample.outlines))]
        marked = [
            np.array([(page, tag) in expected for tag in tags.tolist()], bool)
            for page, tags in enumerate(items)
        ]
        if sum(int(flags.sum()) for flags in marked) != len(self.occurrences):
            return None

        outlines = self.sample.outlines

        def fit(tags_found: Iterable[Tags | NDArray[np.int32]]) -> bool:
            pages = zip(outlines, tags_found, items, marked, strict=True)
            return all(
                np.array_equal(_inside(outline, containers_found, tags), expected_flags)
                for outline, containers_found, tags, expected_flags in pages
            )

        full = context.landmark(context.fullest(back, ahead), back, ahead, containers[0])
        if not fit(full.find(outline) for outline in outlines):
            return None  # even the strictest landmark lets too much through, so all others do
        name = containers[0].outline.names[containers[0].tag]
        named = [np.flatnonzero(outline.names == name) for outline in outlines]
        matches = Matches(list(zip(outlines, named, strict=True)), back=back, ahead=ahead)
        ends = np.cumsum([len(tags) for tags in named])[:-1]
        listed = self.sample.listed
        for choice in context.choices(back, ahead, containers, listed=listed, limit=limit):
            self.sample.check_time()
            by_page = np.split(matches.at(choice), ends)
            if fit(tags[flags] for tags, flags in zip(named, by_page, strict=True)):
                return choice.price, context.landmark(choice, back, ahead, containers[0])
        return None

    def _items(self, page: int, rule: Rule) -> Tags:
        """The tags of a page's stretches at which an item is."""
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
        return [
            self._said(shared_token, occurrences)
            for shared_token in context.before(occurrences, depth)
        ]

    def _after(
        self, occurrences: Sequence[Occurrence], *, slot_first: bool, most: int = context.AFTER
    ) -> list[Shared]:
        shared = context.after(occurrences, slot_first=slot_first, most=most)
        return [self._said(shared_token, occurrences) for shared_token in shared]

    def _said(self, shared: Shared, occurrences: Sequence[Occurrence]) -> Shared:
        """A token without what is alike by chance: marked texts, and data in their tags."""
        if not shared.by or not any(
            (occurrence.page, occurrence.tag + shared.by) in self._valued
            for occurrence in occurrences
        ):
            return shared
        pairs = frozenset(pair for pair in shared.pairs if context.is_name(pair))
        return shared._replace(pairs=pairs, slot=None, text="")

    def _depth(self, occurrences: Sequence[Occurrence]) -> int:
        """How far back a landmark may reach: not beyond the stretch of its record."""
        if not self.sample.listed:
            return context.DEPTH
        depth = context.DEPTH
        for occurrence in occurrences:
            depth = min(depth, occurrence.tag - self.sample.stretch_of(occurrence) + 1)
        return depth


def _inside(outline: Outline, containers: Tags | NDArray[np.int32], tags: Tags) -> Flags:
    """Which tags lie in one of the elements."""
    # How many containers are open at each tag: +1 where one starts, -1 where it closes.
    depth = np.zeros(len(tags) + 1, np.intp)
    np.add.at(depth, np.searchsorted(tags, containers), 1)
    np.add.at(depth, np.searchsorted(tags, outline.closes[containers]), -1)
    inside: Flags = np.cumsum(depth[:-1]) > 0
    return inside


def likeness(occurrence: Occurrence, level: int) -> tuple[object, ...]:
    """What the occurrences of a group have in common; more at each level."""
    outline, tag = occurrence.outline, occurrence.tag
    before = max(tag - 2, 0)
    parts: list[object] = [occurrence.attribute, occurrence.last - tag]
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
    chains = [occurrence.outline.ancestors(occurrence.tag) for occurrence in occurrences]
    return [element for element in chains[0] if all(element in chain for chain in chains[1:])]


def _containers(
    by_record: dict[int, list[Occurrence]],
    around: dict[int, list[int]],
    fullest: int,
    element: int,
) -> dict[int, Occurrence] | None:
    """In each record the element that corresponds to one in the fullest record."""
    pattern = by_record[fullest][0].outline
    looks = context.looks(pattern, element)
    containers = {}
    for record, elements in around.items():
        occurrence = by_record[record][0]
        same = [tag for tag in elements if context.looks(occurrence.outline, tag) == looks] or [
            tag for tag in elements if occurrence.outline.names[tag] == pattern.names[element]
        ]
        if not same:
            return None
        tag = same[0]
        start, end = int(occurrence.outline.starts[tag]), int(occurrence.outline.ends[tag])
        containers[record] = Occurrence(
            occurrence.outline, occurrence.page, record, tag, tag, None, start, end
        )
    return containers
