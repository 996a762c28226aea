"""Learning the token class: boundaries first, then each field's rules inside its record."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic

import numpy as np

from rowen.limits import LEARNING_SECONDS
from rowen.model import Example, NoConsistentWrapper, Record
from rowen.wrappers import context
from rowen.wrappers.base import Evidence
from rowen.wrappers.context import Choice, Shared
from rowen.wrappers.cut import Cut
from rowen.wrappers.landmark import Landmark, Tag
from rowen.wrappers.occurrence import Occurrence, common_cut, locate
from rowen.wrappers.outline import Flags, Outline, Tags
from rowen.wrappers.token import Boundary, Rule, Take, Token

BOUNDARIES = 6
"""So many boundaries are tried at the most, from the outermost inwards."""

GROUPS = 6
"""A field may stand in so many ways; more are coincidence."""

COVERAGE = 8.0
"""What a rule may cost more if it finds something in all unmarked records instead of in none."""

REGION_SLACK = 2.0
"""Links may come in numbers: a container of them may cost so much more than a plain rule."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A record of an example with its occurrences, and its fields that are known to be missing."""

    page: int
    number: int
    record: Record
    occurrences: dict[str, list[Occurrence]]

    @property
    def all(self) -> list[Occurrence]:
        """All occurrences of the record."""
        return [one for some in self.occurrences.values() for one in some]

    @property
    def tags(self) -> tuple[int, int]:
        """The first and the last tag that it touches."""
        return min(one.tag for one in self.all), max(one.last for one in self.all)


@dataclass(slots=True)
class Sample:
    """The examples as outlines, with the stretches in which a field's rules have to be right."""

    examples: Sequence[Example]
    outlines: list[Outline]
    marked: list[Marked]
    stretches: list[list[tuple[int, int]]] = field(default_factory=list)
    """For each page, the tags at which each stretch begins and has ended, in order."""
    owners: dict[tuple[int, int], Marked] = field(default_factory=dict)
    """The record of a stretch, by page and first tag; other stretches have none."""
    unmarked: list[list[tuple[int, int]]] = field(default_factory=list)
    """The stretches of partly marked pages in which there may be records."""

    deadline: float = field(default_factory=lambda: monotonic() + LEARNING_SECONDS)

    def check_time(self) -> None:
        """Give up where the search has taken too long."""
        if monotonic() > self.deadline:
            raise NoConsistentWrapper(
                f"none was found in {LEARNING_SECONDS:g} s; mark fewer or simpler pages",
                pages=tuple(example.page.id for example in self.examples),
            )

    @property
    def listed(self) -> bool:
        """Whether pages have several records."""
        return any(len(some) != 1 or some[0][0] for some in self.stretches)

    @property
    def fields(self) -> list[str]:
        """All fields, in the order in which they stand on the first page that has them."""
        places: dict[str, int] = {}
        for one in self.marked:
            for name, some in one.occurrences.items():
                place = some[0].start if some else 1 << 60
                places[name] = (
                    min(places.get(name, 1 << 60), place)
                    if one.page == 0
                    else (places.get(name, place))
                )
        return sorted(places, key=places.__getitem__)


def learn_token(examples: Sequence[Example], *, lenient: bool = False) -> Token:
    """The token wrapper that reproduces the examples; see `rowen.wrappers.token`.

    Raises `NoConsistentWrapper` where there is none among those that are tried. With `lenient`, a
    field for which no rule is found stays without, and labels may be missed.
    """
    sample = _sample(examples)
    single = all(len(example.records) == 1 and not example.partial for example in examples)
    boundaries: Iterable[Boundary | None] = [None] if single else _boundaries(sample)
    best: Token | None = None
    fewest = len(sample.fields)
    trouble = NoConsistentWrapper(
        "no tag begins each record and none of their fields",
        pages=tuple(example.page.id for example in examples),
    )
    consistent: list[Token] = []
    tried = 0
    for boundary in boundaries:
        if not _divide(sample, boundary):
            continue
        tried += 1
        wrapper, failures = _learn_fields(sample, boundary)
        if not failures and _reproduces(wrapper, sample):
            consistent.append(wrapper)
        trouble = failures[0] if failures else trouble
        if len(failures) < fewest:
            best, fewest = wrapper, len(failures)
        if tried == BOUNDARIES or (consistent and not any(sample.unmarked)):
            break
    if consistent:
        return max(consistent, key=lambda wrapper: _harvest(wrapper, sample))
    if best is None or not lenient or not any(best.rules.values()):
        raise trouble
    return best


def _harvest(wrapper: Token, sample: Sample) -> int:
    """How many more complete records than others a wrapper finds on pages marked in part."""
    harvest = 0
    for example, outline in zip(sample.examples, sample.outlines, strict=True):
        if example.partial:
            for record in wrapper.records(outline, example.page):
                found = {name for name, spans in record.items() if spans}
                harvest += 1 if wrapper.required <= found else -1
    return harvest


def _sample(examples: Sequence[Example]) -> Sample:
    outlines = [Outline(example.page.text) for example in examples]
    marked: list[Marked] = []
    for page, (example, outline) in enumerate(zip(examples, outlines, strict=True)):
        for record in example.records:
            if record.children:
                raise NoConsistentWrapper(
                    "the token class has no nested records; try n-lr", pages=(example.page.id,)
                )
            occurrences: dict[str, list[Occurrence]] = {}
            for name, spans in record.items():
                found = [locate(outline, span, page, len(marked)) for span in spans]
                placed = [one for one in found if one is not None and one.end > one.start]
                if len(placed) < len(found):
                    raise NoConsistentWrapper(
                        "a value is empty, or begins or ends inside a tag",
                        field=name,
                        pages=(example.page.id,),
                    )
                occurrences[name] = placed
            if any(occurrences.values()):
                marked.append(Marked(page, len(marked), record, occurrences))
    return Sample(examples, outlines, marked)


def _boundaries(sample: Sample) -> list[Boundary]:
    """Tags that begin records, outermost first."""
    gaps = _gaps(sample)
    starts = [_start_tags(outline, first, last) for outline, first, last in gaps]
    looks = set.intersection(*(set(some) for some in starts)) if starts else set()
    found: list[tuple[float, int, Boundary]] = []
    for name in looks:
        for nearest in (False, True):
            tags = [
                (outline, some[name][-1 if nearest or first < 0 else 0])
                for (outline, first, _), some in zip(gaps, starts, strict=True)
            ]
            around = [(outline, int(outline.parents[one])) for outline, one in tags]
            parent = context.shared_tag(around)
            depth = float(np.mean([outline.depth(one) for outline, one in tags]))
            rank = 0
            for all_attributes in (False, True):
                tag = context.shared_tag(tags, all_attributes=all_attributes)
                assert tag is not None
                for one in _unique(parent, None):
                    found.append((depth, rank, Boundary(tag, one)))
                    rank += 1
    found.sort(key=lambda one: one[:2])
    return list(dict.fromkeys(boundary for _, _, boundary in found))


def _unique(*given: Tag | None) -> list[Tag | None]:
    return list(dict.fromkeys(given))


def _gaps(sample: Sample) -> list[tuple[Outline, int, int]]:
    """For each record the tags before it, after the record before; -1 where there is none."""
    gaps = []
    before: Marked | None = None
    for one in sample.marked:
        first = before.tags[1] + 1 if before is not None and before.page == one.page else -1
        gaps.append((sample.outlines[one.page], first, one.tags[0]))
        before = one
    return gaps


def _start_tags(outline: Outline, first: int, last: int) -> dict[object, list[int]]:
    """The start tags before a record, by their name, and by name and naming attributes."""
    found: dict[object, list[int]] = defaultdict(list)
    if first < 0:  # the page's first record: what is around it, and what stands just before
        tags = {*outline.ancestors(last), last, *range(max(1, last - 40), last + 1)}
    else:
        tags = set(range(first, last + 1))
    for tag in sorted(tags):
        if outline.is_start(tag):
            found[int(outline.names[tag])].append(tag)
            found[_looks(outline, tag)].append(tag)
    return found


def _divide(sample: Sample, boundary: Boundary | None) -> bool:
    """Set the stretches; tells whether each has at most one record, and that one whole."""
    sample.stretches = []
    sample.unmarked = []
    sample.owners = {}
    for page, outline in enumerate(sample.outlines):
        stretches = [(0, outline.size)] if boundary is None else boundary.stretches(outline)
        for one in (one for one in sample.marked if one.page == page):
            first, last = one.tags
            place = bisect_right(stretches, (first, outline.size + 1)) - 1
            if place < 0 or last >= stretches[place][1]:
                return False
            if (page, stretches[place][0]) in sample.owners:
                return False
            sample.owners[page, stretches[place][0]] = one
        owned = [s for s in stretches if (page, s[0]) in sample.owners]
        others = [s for s in stretches if (page, s[0]) not in sample.owners]
        partial = sample.examples[page].partial
        sample.unmarked.append(others if partial else [])
        sample.stretches.append(owned if partial else stretches)
    return True


def _learn_fields(
    sample: Sample, boundary: Boundary | None
) -> tuple[Token, list[NoConsistentWrapper]]:
    rules: dict[str, list[Rule]] = {}
    several = []
    required = []
    failures = []
    for name in sample.fields:
        occurrences = [one for some in sample.marked for one in some.occurrences.get(name, ())]
        counts = [len(some.occurrences.get(name, ())) for some in sample.marked]
        if max(counts) > 1:
            several.append(name)
        if min(counts) > 0:
            required.append(name)
        rules[name] = _Field(sample, name, occurrences).learn(several=max(counts) > 1)
        if not rules[name] and occurrences:
            failures.append(_conflict(sample, name, occurrences))
    wrapper = Token(
        list(rules),
        rules=rules,
        record=boundary,
        several=several,
        required=[name for name in required if rules[name]],
        evidence=Evidence.of(sample.examples),
    )
    return wrapper, failures


def _conflict(sample: Sample, name: str, occurrences: Sequence[Occurrence]) -> NoConsistentWrapper:
    pages = dict.fromkeys(sample.examples[one.page].page.id for one in occurrences)
    return NoConsistentWrapper(
        "no landmark of tags and texts tells its values from everything else",
        field=name,
        pages=tuple(pages),
    )


def _reproduces(wrapper: Token, sample: Sample) -> bool:
    for example, outline in zip(sample.examples, sample.outlines, strict=True):
        found = list(wrapper.records(outline, example.page))
        if example.partial:
            by_value = {
                (name, span): record
                for record in found
                for name, spans in record.items()
                for span in spans
            }
            for label in example.records:
                known = [(name, span) for name, spans in label.items() for span in spans]
                record = by_value.get(known[0]) if known else None
                if known and (record is None or not _fits(record, label)):
                    return False
        elif len(found) != len(example.records) or not all(
            _fits(*pair) for pair in zip(found, example.records, strict=True)
        ):
            return False
    return True


def _fits(found: Record, label: Record) -> bool:
    """Whether a record says what the label knows."""
    has = dict(found.items())
    return all(sorted(has.get(name, ())) == sorted(spans) for name, spans in label.items())


class _Field:
    """The search for the rules of one field."""

    def __init__(self, sample: Sample, name: str, occurrences: list[Occurrence]) -> None:
        self.sample = sample
        self.name = name
        self.occurrences = occurrences

    def learn(self, *, several: bool) -> list[Rule]:
        """The cheapest rules that fit, as few of them as do; none where nothing fits."""
        if not self.occurrences:
            return []
        plain = self.rule(self.occurrences, "all")
        linked = all(
            one.attribute is None and self.tag_name(one) == "a" for one in self.occurrences
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
        return self.split(several=several) or ([plain[1]] if plain is not None else [])

    def split(self, *, several: bool) -> list[Rule]:
        """Rules for groups of occurrences that look alike, in ever finer groups."""
        takes: list[Take] = ["all"] if several else ["all", "first", "last"]
        for take in takes:
            for level in range(6):
                groups: dict[object, list[Occurrence]] = defaultdict(list)
                for one in self.occurrences:
                    groups[_likeness(one, level)].append(one)
                if len(groups) > GROUPS or (level and len(groups) == 1):
                    continue
                rules = [self.rule(group, take) for group in groups.values()]
                if all(rule is not None and rule[0] < 2 * context.DATA for rule in rules):
                    return [rule[1] for rule in rules if rule is not None]
        return []

    def rule(self, occurrences: list[Occurrence], take: Take) -> tuple[float, Rule] | None:
        """The cheapest rule for these occurrences, with its price."""
        cut = common_cut(occurrences)
        if cut is None:
            return None
        back = context.before(occurrences, self._depth(occurrences))
        ahead = (
            [] if cut.until else context.after(occurrences, slot_first=cut.attribute is not None)
        )
        if not back:
            return None
        trial = _Trial(self, occurrences, cut, back, ahead)
        found = trial.cheapest(take)
        if found is None:
            return None
        mark = context.landmark(found, back, ahead, occurrences[0])
        return found.price, Rule(mark, cut, take=take)

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
        back = context.before(occurrences, 2)
        if not back:
            return None
        ahead = context.after(occurrences, slot_first=cut.attribute is not None)[:3]
        stretches = {
            (one.page, one.tag): (one.tag, int(one.outline.closes[one.tag]))
            for one in containers.values()
        }
        trial = _Trial(self, occurrences, cut, back, ahead, inside=list(stretches.items()))
        found = trial.cheapest("all")
        if found is None:
            return None
        return found.price, context.landmark(found, back, ahead, occurrences[0])

    def _container(
        self, containers: list[Occurrence], item: Landmark, cut: Cut
    ) -> tuple[float, Landmark] | None:
        """The cheapest landmark of containers in which the item finds the values, no others."""
        back = context.before(containers, self._depth(containers))
        ahead = context.after(containers, slot_first=True)
        wanted = {(one.page, one.tag) for one in self.occurrences}
        items = [self._items(page, Rule(item, cut)) for page in range(len(self.sample.outlines))]
        marked = [
            np.array([(page, tag) in wanted for tag in tags.tolist()], bool)
            for page, tags in enumerate(items)
        ]
        if sum(int(some.sum()) for some in marked) != len(self.occurrences):
            return None

        def fits(mark: Landmark) -> bool:
            return all(
                np.array_equal(_inside(outline, mark, tags), some)
                for outline, tags, some in zip(self.sample.outlines, items, marked, strict=True)
            )

        if not fits(context.landmark(context.fullest(back, ahead), back, ahead, containers[0])):
            return None  # what says most lets too much through, so all that say less do
        for choice in context.choices(back, ahead, listed=self.sample.listed):
            self.sample.check_time()
            mark = context.landmark(choice, back, ahead, containers[0])
            if fits(mark):
                return choice.price, mark
        return None

    def _items(self, page: int, rule: Rule) -> Tags:
        """The tags of a page's stretches at which an item stands."""
        values = rule.values(self.sample.outlines[page])
        stretches = self.stretches(page)
        firsts = np.array([low for low, _, _ in stretches])
        tags = []
        for _, _, tag in values:
            place = int(np.searchsorted(firsts, tag, side="right")) - 1
            if place >= 0 and tag < stretches[place][1]:
                tags.append(tag)
        return np.array(tags, np.intp)

    def stretches(self, page: int) -> list[tuple[int, int, bool]]:
        """The stretches of a page in which it is known whether the field is there."""
        known = []
        for first, last in self.sample.stretches[page]:
            owner = self.sample.owners.get((page, first))
            if owner is None or self.name in owner.occurrences:
                known.append((first, last, owner is not None))
        return known

    def tag_name(self, one: Occurrence) -> str | None:
        """The name of the tag before a value."""
        from rowen.wrappers.occurrence import tag_name

        return tag_name(one.outline, one.tag)

    def _depth(self, occurrences: Sequence[Occurrence]) -> int:
        """How far back a landmark may look: not beyond the stretch of its record."""
        if not self.sample.listed:
            return context.DEPTH
        depth = context.DEPTH
        for one in occurrences:
            stretches = self.sample.stretches[one.page]
            place = bisect_right(stretches, (one.tag, one.outline.size + 1)) - 1
            first = stretches[place][0] if place >= 0 else 0
            depth = min(depth, one.tag - first + 1)
        return depth


class _Trial:
    """All tags that a landmark might confuse with the marked ones, and which tokens tell them."""

    def __init__(
        self,
        search: _Field,
        occurrences: list[Occurrence],
        cut: Cut,
        back: list[Shared],
        ahead: list[Shared],
        *,
        inside: list[tuple[tuple[int, int], tuple[int, int]]] | None = None,
    ) -> None:
        self.back, self.ahead = back, ahead
        self.pages: list[tuple[Outline, Tags]] = []
        marked, stretch_of = [], []
        positives = {(one.page, one.tag) for one in occurrences}
        number = 0
        for page, outline in enumerate(search.sample.outlines):
            stretches = (
                search.stretches(page)
                if inside is None
                else [(low, high, True) for (of, _), (low, high) in inside if of == page]
            )
            tags, numbers = _candidates(outline, back[0], cut, stretches)
            self.pages.append((outline, tags))
            marked.append(np.array([(page, tag) in positives for tag in tags.tolist()], bool))
            stretch_of.append(numbers + number)
            number += len(stretches)
        self.marked = np.concatenate(marked)
        self.stretch = np.concatenate(stretch_of)
        self.complete = int(self.marked.sum()) == len(positives) == len(occurrences)
        self.sample = search.sample
        self.listed = search.sample.listed
        if inside is None and any(search.sample.unmarked):
            self._open(search.sample, cut)
        self._told: dict[tuple[Shared, frozenset[object], int | None], Flags] = {}

    def _open(self, sample: Sample, cut: Cut) -> None:
        """Add the tags of stretches where records may be: they count for nothing but coverage."""
        stretch = int(self.stretch.max(initial=-1)) + 1
        more = [self.stretch]
        for page, stretches in enumerate(sample.unmarked):
            outline, _ = self.pages[page]
            known = [(low, high, False) for low, high in stretches]
            others, numbers = _candidates(outline, self.back[0], cut, known)
            self.pages.append((outline, others))
            more.append(numbers + stretch)
            stretch += len(stretches)
        self.stretch = np.concatenate(more)

    def cheapest(self, take: Take) -> Choice | None:
        """The first choice that finds exactly what is marked.

        Where a page is marked in part, a somewhat dearer one wins that finds more in the rest.
        """
        if not self.complete:
            return None
        self.sample.check_time()
        running: dict[tuple[object, bool, int], Flags] = {}
        best: tuple[float, Choice] | None = None
        known = len(self.marked)
        for choice in context.choices(self.back, self.ahead, listed=self.listed):
            if best is not None and choice.price >= best[0]:
                break
            found = self._running(running, choice, forward=False, count=choice.before)
            if choice.after:
                found = found & self._running(running, choice, forward=True, count=choice.after)
            if not self._fits(found[:known], take):
                continue
            if len(self.stretch) == known:
                return choice
            places = self.stretch[known:]
            share = len(np.unique(places[found[known:]])) / max(len(np.unique(places)), 1)
            price = choice.price + COVERAGE * (1 - share)
            if best is None or price < best[0]:
                best = (price, choice)
        return None if best is None else best[1]

    def _running(
        self,
        running: dict[tuple[object, bool, int], Flags],
        choice: Choice,
        *,
        forward: bool,
        count: int,
    ) -> Flags:
        """Which candidates the first so many tokens of a side let through."""
        key = (choice.detail, forward, count)
        if key not in running:
            token = (self.ahead if forward else self.back)[count - 1]
            told = self._tell(token, choice)
            if count > 1:
                told = told & self._running(running, choice, forward=forward, count=count - 1)
            running[key] = told
        return running[key]

    def _tell(self, shared: Shared, choice: Choice) -> Flags:
        pairs = choice.detail.pairs(shared) if shared.name is not None else frozenset()
        slot = choice.detail.slot(shared) if shared.name is None else None
        key = (shared, frozenset(pairs), slot)
        if key not in self._told:
            parts = []
            for outline, tags in self.pages:
                place = tags + shared.by
                there = (place >= 0) & (place < outline.size)
                safe = np.where(there, place, 0)
                if shared.name is not None:
                    there = there & (outline.names[safe] == np.uint64(shared.name))
                    for pair in pairs:
                        there = there & outline.having(pair)[safe]
                elif slot is not None:
                    there = there & (outline.slots[safe] == np.uint64(slot))
                parts.append(there)
            self._told[key] = np.concatenate(parts)
        return self._told[key]

    def _fits(self, found: Flags, take: Take) -> bool:
        if take == "all":
            return not bool((found & ~self.marked).any())
        places = np.flatnonzero(found)
        if take == "last":
            places = places[::-1]
        _, firsts = np.unique(self.stretch[: len(found)][places], return_index=True)
        chosen = places[firsts]
        return bool(self.marked[chosen].all()) and len(chosen) == int(self.marked.sum())


def _inside(outline: Outline, mark: Landmark, tags: Tags) -> Flags:
    """Which tags lie in an element that stands at the landmark."""
    containers = mark.find(outline)
    depth = np.zeros(len(tags) + 1, np.intp)
    np.add.at(depth, np.searchsorted(tags, containers), 1)
    np.add.at(depth, np.searchsorted(tags, outline.closes[containers]), -1)
    inside: Flags = np.cumsum(depth[:-1]) > 0
    return inside


def _candidates(
    outline: Outline, token: Shared, cut: Cut, stretches: list[tuple[int, int, bool]]
) -> tuple[Tags, Tags]:
    """The tags of that name in the stretches at which the cut gives a value; and whose they are."""
    assert token.name is not None
    tags = np.flatnonzero(outline.names == np.uint64(token.name))
    numbers = np.full(len(tags), -1)
    for number, (low, high, _) in enumerate(stretches):
        numbers[np.searchsorted(tags, low) : np.searchsorted(tags, high)] = number
    tags, numbers = tags[numbers >= 0], numbers[numbers >= 0]
    if cut == Cut():
        full = outline.slots[tags] != 0
    else:
        full = np.array([cut.value(outline, tag) is not None for tag in tags.tolist()], bool)
    return tags[full], numbers[full]


def _likeness(one: Occurrence, level: int) -> tuple[object, ...]:
    """What occurrences of one group have in common; more at each level."""
    outline, tag = one.outline, one.tag
    before = max(tag - 2, 0)
    parts: list[object] = [one.attribute, one.last - tag]
    further = [
        int(outline.names[tag]),
        frozenset(pair for pair in outline.pairs(tag) if pair.name in context.naming_attributes()),
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
    wanted = _looks(pattern, element)
    containers = {}
    for record, elements in around.items():
        one = by_record[record][0]
        same = [each for each in elements if _looks(one.outline, each) == wanted] or [
            each for each in elements if one.outline.names[each] == pattern.names[element]
        ]
        if not same:
            return None
        tag = same[0]
        start, end = int(one.outline.starts[tag]), int(one.outline.ends[tag])
        containers[record] = Occurrence(one.outline, one.page, record, tag, tag, None, start, end)
    return containers


def _looks(outline: Outline, tag: int) -> tuple[object, ...]:
    pairs = outline.pairs(tag)
    named = frozenset(pair for pair in pairs if pair.name in context.naming_attributes())
    return int(outline.names[tag]), named
