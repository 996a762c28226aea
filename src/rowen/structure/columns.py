"""The columns of a group of regions: the slots that vary, each text under the key that fits best.

    <li><a href="/1">Ada</a> <i>1815</i></li> <li><a href="/2">Alan</a></li>
    columns    a[1] and its href in both regions; i[1] in the first

A text has several keys: its place, the name of an element around it, the label before it. Columns
are chosen one after the other, the one with the most texts that no column has yet first. A label
counts more than a name, and a name more than a place: optional parts before them shift nothing.
"""

import dataclasses
import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rowen.structure.cells import (
    FRAMED,
    TEXTS,
    addresses_of,
    brackets_of,
    frames_of,
    shapes_of,
    split_texts,
)
from rowen.structure.column_types import ANY_ORDER, type_of
from rowen.structure.groups import Digests, combine
from rowen.structure.slots import ATTRIBUTES, Contents, Kind, Slots, Way, find_slots, inline_label
from rowen.structure.ways import MEANINGFUL, NAMES, Ways
from rowen.wrappers.region.part import WITH_DIGIT, Part, shape_of
from rowen.wrappers.region.spot import Spot, tag_name
from rowen.wrappers.region.tree import Numbers, Tree, View
from rowen.wrappers.region.wrapper import FieldRule
from rowen.wrappers.token.outline import Flags

FILLED = 0.15
"""A column has a value in this share of the regions at least, and in more than one."""

NEW = 0.4
"""This share of a column's texts is in no other column yet."""

LABELLED = 0.95
"""A column with this share of its texts after labels is the labels' one."""

USUAL = 0.7
"""Where this share of the regions has the same number of values, these are different columns."""

COLUMNS = 120
"""Limit: at most this many columns of a table with one value in a region, those with most."""

LABELS = 60
"""Limit: at most this many of them by labels."""

INLINE_TEXTS = 8
"""Limit: a label is looked for in so many texts of a region, those that have it most often."""

SEVERAL = 40
"""Limit: at most this many of them with several values in a region."""

RUNS = 20
"""Limit: at most this many of them of several texts that differ only in their look."""

LEAST_RUNS = 2
"""So many regions have several texts there."""

TAG = re.compile("<[^<>]*>")

LONGEST_LABEL = 60
"""A longer text is no label."""

LABEL_ELEMENTS = ("dt", "th", "b", "strong", "label", "em", "h3", "h4", "h5", "h6")

WORTH = (1.0, 1.05, 0.97, 0.95, 0.95, 0.95)
"""What a text counts by the way to it."""

SPLIT_ATTRIBUTES = ("onclick", "title", "alt", "content")
"""Attributes that may hold a value with other text around it."""

MEANT = 1.15
"""What it counts if a page says what the text is: an item's property, or a label with a colon."""

NEAR_LABEL = 0.9
"""What it counts if another text, which may be a label, is always before it."""

REPEATING = ("alt", "title", "aria-label")
"""Attributes that often repeat a text of the page: the text itself is what a reader sees."""

REPEATED_WORTH = 0.85
"""What a text counts in one of these."""

COUNTS = ("integer", "number")
"""Types of texts such as "29 comments", of which the number is a part."""

SURE_TYPES = ("date", "datetime", "price")
"""Types that no template text has."""

BRACKETS = "<>&\"“”'"
"""Texts with tags, references or quotation marks are left whole."""

LABEL_KEYS = 5_000
"""Limit: with more texts that may be labels, none of them is taken for a value."""

RIVALS = 3
"""So many labels in elements of one kind, of which regions have one each, are values."""

ALONE = 1.25
"""Regions have one label each if they have no more than this on average."""

LISTS = 0.5
"""If a smaller share of the stretches is the last of its parent, they are in lists."""

MARGIN = 1.02
"""All of an element counts so much more than its only text."""


@dataclass(frozen=True, slots=True)
class Place:
    """A column: the rules that find it, and what is known of its values.

    `filled` is the share of regions with a value, `varied` how much values vary from 0 to 1,
    `several` whether a region may have more than one. `label` is the text that names the values.
    """

    rules: tuple[FieldRule, ...]
    filled: float
    varied: float
    several: bool
    order: float
    label: str = ""
    is_part: bool = False
    """Whether it is a part of the texts of another column."""
    is_run: bool = False
    """Whether it is several texts, each of which may be a column, too."""

    @property
    def spot(self) -> Spot:
        """Where most values stand."""
        return self.rules[0].spot


@dataclass(slots=True)
class _Candidate:
    key: int
    rows: Numbers
    regions: int
    distinct: int
    several: bool
    worth: float
    is_run: bool


def find_columns(views: Sequence[View], contents: Sequence[Contents]) -> list[Place]:
    """The columns of the regions of a pattern on all pages, in page order."""
    count = sum(view.count for view in views)
    if count < 2:
        return []
    ways = Ways(views)
    slots = find_slots(views, ways, contents)
    if slots is None:
        return []
    candidates = _candidates(slots, ways, count, _are_last(views))
    places = []
    if candidates:
        for candidate in _choose(candidates, slots, views):
            place = _place(candidate, slots, ways, count)
            places += _with_parts(place, candidate, slots, views)
    return sorted(places, key=lambda place: (place.order, str(place.rules[0])))


def _with_parts(
    place: Place, candidate: _Candidate, slots: Slots, views: Sequence[View]
) -> list[Place]:
    """A column, and the parts of its texts as columns of their own."""
    if place.is_run:
        return [place]
    attribute = place.spot.attribute
    rule = place.rules[0]
    texts = _values(rule, candidate, slots, views)
    if attribute == "href":
        pieces = addresses_of(texts)
        return [place, *_inner(place, [([part], name) for name, part in pieces.items()])]
    if attribute is not None and attribute not in SPLIT_ATTRIBUTES:
        return [place]
    frames = frames_of(texts) if rule.part == Part() and attribute is None else []
    if frames:
        place = dataclasses.replace(
            place, rules=tuple(FieldRule(rule.spot, frame) for frame in frames)
        )
        if len(frames) > 1:
            return [place]
        rule = place.rules[0]
        texts = _values(rule, candidate, slots, views)
    inner = [Part("'", "'")] if attribute == "onclick" else _parts(texts)
    if len(inner) == 1 and _is_punctuation(inner[0], texts):
        # A comma before a year says nothing: the year is the value.
        rules = (FieldRule(rule.spot, _within(rule.part, inner[0])),)
        return [dataclasses.replace(place, rules=rules)]
    return [place, *_inner(place, _named_parts(rule, inner, texts))]


def _values(
    rule: FieldRule, candidate: _Candidate, slots: Slots, views: Sequence[View]
) -> list[str]:
    """Some of the texts of a column."""
    texts = []
    rows = candidate.rows[:: max(len(candidate.rows) // TEXTS, 1)]
    pages = slots.page[rows]
    # Rows are in page order.
    for page in dict.fromkeys(pages.tolist()):
        view = views[page]
        bounds = rule.spot.bounds(view, slots.tag[rows[pages == page]])
        for start, end in zip(*(own.tolist() for own in bounds), strict=True):
            if (place := rule.part.value(view.tree.text, start, end)) is not None:
                texts.append(view.tree.text[slice(*place)])
    return texts


def _named_parts(
    rule: FieldRule, inner: Sequence[Part], texts: Sequence[str]
) -> list[tuple[list[Part], str]]:
    """The parts of texts, each in one or two ways of writing, with a label."""
    named = [([part], part.left or "") for part in inner]
    if any(not part.left and _word_after(part) for part in inner) and type_of(texts) in COUNTS:
        named = [([part], part.left or _word_after(part)) for part in inner]
    if not named and rule.part.shape is None and rule.spot.attribute is None:
        named = [(parts, "") for parts in brackets_of(texts)]
    if rule.part == Part() and rule.spot.attribute is None and _are_beside_words(texts):
        named.append(([Part(shape=WITH_DIGIT)], ""))
    elif rule.part == Part() and type_of(texts) == "text":
        named += [([part], "") for part in shapes_of(texts)]
    return named


def _are_beside_words(texts: Sequence[str]) -> bool:
    """Whether most texts are numbers, dates or prices, and others words: "7.50 EUR", "sold out"."""
    having = [text for text in texts if any(map(str.isdigit, text))]
    if not FRAMED * len(texts) <= len(having) < len(texts):
        return False
    return len({shape_of(text) for text in having}) == 1 or type_of(having) != "text"


def _inner(place: Place, parts: Sequence[tuple[Sequence[Part], str]]) -> list[Place]:
    """Columns for parts of the texts of a column, each with a label."""
    rule = place.rules[0]
    return [
        dataclasses.replace(
            place,
            rules=tuple(FieldRule(rule.spot, _within(rule.part, part)) for part in own),
            order=place.order + number / 1e6,
            label=label,
            is_part=True,
        )
        for number, (own, label) in enumerate(parts, 1)
    ]


def _parts(texts: list[str]) -> list[Part]:
    """The parts of texts; a price, a date or a number is a value as it stands."""
    parts = split_texts(texts)
    type_ = type_of(texts) if parts else "text"
    if type_ == "text":
        return parts
    return [
        part
        for part in parts
        if (part.left and any(map(str.isalpha, part.left)))
        or (type_ in COUNTS and not part.left and _word_after(part))
    ]


def _word_after(part: Part) -> str:
    """What a number counts: the word after it."""
    word = part.right or ""
    return word if any(map(str.isalpha, word)) else ""


def _is_punctuation(part: Part, texts: list[str]) -> bool:
    """Whether all that texts have beside a part are marks and white space."""
    values = [(text, part.value(text, 0, len(text))) for text in texts]
    return all(
        bounds is not None
        and not any(map(str.isalnum, text[: bounds[0]] + text[bounds[1] :]))
        and not any(sign in BRACKETS for sign in text)
        for text, bounds in values
    )


def _within(outer: Part, inner: Part) -> Part:
    if outer == Part():
        return inner
    return Part(inner.left or outer.left, inner.right or outer.right, inner.last, inner.shape)


def _are_last(views: Sequence[View]) -> Flags:
    """Which stretches are the last of their list: they reach to the end of what is around it, so
    that what only they have is what comes after the list.
    """
    flags = [np.zeros(0, bool)]
    for view in views:
        parents = view.regions.parents(view.tree)
        last = np.zeros(view.count, bool)
        if not view.regions.around and view.count:
            # Heads are in page order, so the first of a parent from behind is the last one.
            _, first = np.unique(parents[::-1], return_index=True)
            last[view.count - 1 - first] = True
        flags.append(last)
    is_last: Flags = np.concatenate(flags)
    return is_last if is_last.mean() < LISTS else np.zeros(len(is_last), bool)


def _candidates(slots: Slots, ways: Ways, count: int, is_last: Flags) -> list[_Candidate]:
    """Keys that enough regions have and whose values vary."""
    order = np.lexsort((slots.tag, slots.region, slots.key))
    key, region = slots.key[order], slots.region[order]
    is_new = np.concatenate([[True], key[1:] != key[:-1]])
    starts = np.flatnonzero(is_new)
    ends = np.append(starts[1:], len(key))
    fresh = is_new | np.concatenate([[True], region[1:] != region[:-1]])
    regions = np.add.reduceat(fresh, starts)
    several = slots.way[order[starts]] >= Way.REPEATED
    # A column with one value in a region has the first of each.
    counts = fresh | np.repeat(several, ends - starts)
    distinct = _distinct(slots.value[order], np.cumsum(is_new) - 1, counts)
    fits = regions >= max(2.0, FILLED * count)
    fits &= ~np.logical_and.reduceat(is_last[region], starts)
    fits &= ~several | ((distinct >= 2) & (ends - starts != regions))
    candidates = []
    for number in np.flatnonzero(fits).tolist():
        own = slice(starts[number], ends[number])
        rows = order[own][counts[own]]
        if distinct[number] < 2 and not _is_data(int(rows[0]), slots, ways):
            continue
        candidate = _Candidate(
            int(key[starts[number]]),
            rows,
            int(regions[number]),
            int(distinct[number]),
            bool(several[number]),
            0.0,
            bool((slots.texts[rows] > 1).sum() >= LEAST_RUNS),
        )
        candidate.worth = _worth(candidate, slots, ways)
        if candidate.worth:
            candidates.append(candidate)
    values = _labels_that_are_values(slots, ways)
    return [candidate for candidate in candidates if candidate.key not in values]


def _distinct(values: Digests, groups: Numbers, chosen: Flags) -> Numbers:
    """How many different values each group has among the chosen rows; each has some."""
    values, groups = values[chosen], groups[chosen]
    order = np.lexsort((values, groups))
    values, groups = values[order], groups[order]
    is_other = np.concatenate([[True], (values[1:] != values[:-1]) | (groups[1:] != groups[:-1])])
    return np.bincount(groups[is_other])


def _is_data(row: int, slots: Slots, ways: Ways) -> bool:
    """Whether a text that is the same in all regions is data: all of a list may be of one day."""
    kind, tag = int(slots.kind[row]), slots.tag[row : row + 1]
    if kind not in (Kind.TEXT, Kind.WHOLE) or slots.way[row] > Way.NAMES:
        return False
    view = ways.views[int(slots.page[row])]
    starts, ends = (Spot(text=1) if kind == Kind.TEXT else Spot()).bounds(view, tag)
    text = view.tree.text[int(starts[0]) : int(ends[0])]
    return len(text) <= LONGEST_LABEL and type_of([text], setting=ANY_ORDER) in SURE_TYPES


def _labels_that_are_values(slots: Slots, ways: Ways) -> frozenset[int]:
    """Keys by labels that exclude each other: titles or brands that several records share.

    In `<h3>Tea</h3> 2 €`, `<h3>Jam</h3> 3 €` and `<h3>Tea</h3> 4 €` Tea and Jam are values, since
    no region has both. In `<dt>Price</dt> 2 € <dt>Size</dt> L` Price and Size are labels.
    """
    labelled = np.flatnonzero(slots.kind == Kind.LABELLED)
    keys, firsts = np.unique(slots.key[labelled], return_index=True)
    if len(keys) > LABEL_KEYS:
        return frozenset()
    families: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for key, first in zip(keys.tolist(), labelled[firsts].tolist(), strict=True):
        tree = ways.views[int(slots.page[first])].tree
        label = _label_before(tree, int(slots.tag[first]))
        if label is not None:
            families[_elements_around(tree, label)].append(key)
    values: set[int] = set()
    for family in families.values():
        rows = labelled[np.isin(slots.key[labelled], np.array(family, np.uint64))]
        # A region and one of its labels. A text with formatting in it counts as two labels.
        pairs = np.unique(np.stack([slots.region[rows].astype(np.uint64), slots.key[rows]]), axis=1)
        if len(family) >= RIVALS and pairs.shape[1] <= ALONE * len(np.unique(pairs[0])):
            values.update(family)
    return frozenset(values)


def _elements_around(tree: Tree, tag: int) -> tuple[str, ...]:
    """The names of the element that a text is in, and of the one around that."""
    owner = int(tree.owners[tag])
    return tuple(tag_name(tree, each) for each in (owner, int(tree.parents[owner])) if each > 0)


def _worth(candidate: _Candidate, slots: Slots, ways: Ways) -> float:
    """What a text counts in a candidate; 0 if it is no column."""
    first = int(candidate.rows[0])
    kind, way = int(slots.kind[first]), int(slots.way[first])
    page, tag = int(slots.page[first]), int(slots.tag[first])
    view = ways.views[page]
    if kind == Kind.LABELLED:
        label = _label_before(view.tree, tag)
        return 0.0 if label is None else _label_worth(view.tree, label)
    if kind == Kind.INLINE:
        return MEANT
    if candidate.several and not _varies_in_number(slots, candidate):
        return 0.0
    worth = WORTH[way]
    if kind >= Kind.ATTRIBUTE and ATTRIBUTES[kind - Kind.ATTRIBUTE] in REPEATING:
        worth *= REPEATED_WORTH
    elif way == Way.NAMES and _is_meaningful(ways, page, tag):
        worth = MEANT
    if kind == Kind.WHOLE:
        if slots.texts[candidate.rows].max() > 1 and not _is_value(candidate, slots, ways):
            return 0.0
        worth *= MARGIN
    return worth


def _is_value(candidate: _Candidate, slots: Slots, ways: Ways) -> bool:
    """Whether several texts that differ only in their look are one value, as in "<b>Lovelace</b>
    Ada": not where words or marks of the page are between them, as in "<b>Ada</b>, born 1815".
    """
    rows = candidate.rows
    if not candidate.is_run or not slots.is_plain[rows].all():
        return False
    texts = []
    for row in rows[:: max(len(rows) // TEXTS, 1)].tolist():
        tree, tag = ways.views[int(slots.page[row])].tree, slots.tag[row : row + 1]
        start, end = (int(bounds[0]) for bounds in tree.contents_of(tag))
        texts.append(TAG.sub("", tree.text[start:end]))
    return not split_texts(texts)


def _varies_in_number(slots: Slots, candidate: _Candidate) -> bool:
    """Whether most regions have one value, or their numbers differ: else each is a column."""
    counts = np.unique(slots.region[candidate.rows], return_counts=True)[1]
    usual = np.bincount(counts)
    return bool(usual.argmax() == 1 or usual.max() < USUAL * len(counts))


def _is_meaningful(ways: Ways, page: int, tag: int) -> bool:
    names, view = ways.once[page].attributes, ways.views[page]
    node = tag
    while 0 < node < view.tree.size and names[node] < 0:
        node = int(view.parents[node])
    if not 0 < node < view.tree.size:
        return False
    start, end = view.tree.attribute_bounds[int(names[node])][:2].tolist()
    return view.tree.text[start:end].lower() in NAMES[:MEANINGFUL]


def _label_before(tree: Tree, tag: int) -> int | None:
    """The tag of the text before a text, if it may be a label."""
    before = tag - 1
    while before >= 0 and not tree.filled[before]:
        before -= 1
    length = int(tree.slot_ends[before] - tree.slot_starts[before]) if before >= 0 else 0
    if not 0 < length <= LONGEST_LABEL:
        return None
    text = tree.text[tree.slot_starts[before] : tree.slot_ends[before]]
    return before if any(map(str.isalpha, text)) else None


def _label_worth(tree: Tree, label: int) -> float:
    text = tree.text[tree.slot_starts[label] : tree.slot_ends[label]]
    owner = int(tree.owners[label])
    is_meant = text.rstrip().endswith(":") or (owner and tag_name(tree, owner) in LABEL_ELEMENTS)
    return MEANT if is_meant else NEAR_LABEL


def _choose(candidates: list[_Candidate], slots: Slots, views: Sequence[View]) -> list[_Candidate]:
    """Candidates one after the other, the one with the most new texts first."""
    size = int(slots.tag.max()) + 1
    # Texts are the same slot whatever they are found by; each attribute is a slot of its own.
    # So is what stands after a label in a text: all of the text may be wanted as well.
    of_kind = np.maximum(slots.kind - Kind.ATTRIBUTE + 1, 0)
    of_kind[slots.kind == Kind.INLINE] = len(ATTRIBUTES) + 1
    numbers = (slots.page * size + slots.at) * (len(ATTRIBUTES) + 2) + of_kind
    distinct, identity = np.unique(numbers, return_inverse=True)
    # Labels, other columns and those with several values may have the same texts: which of them
    # is wanted nobody can say.
    known = np.zeros((4, int(identity.max()) + 1), bool)
    heap = [
        (_turn(candidate, slots), -candidate.worth * candidate.regions, candidate.key, number)
        for number, candidate in enumerate(candidates)
    ]
    heapq.heapify(heap)
    chosen: list[_Candidate] = []
    seen: set[int] = set()
    regions = slots.region.astype(np.uint64)
    left = [LABELS, COLUMNS, SEVERAL, RUNS]
    while heap and left[-1]:
        turn, bound, key, number = heapq.heappop(heap)
        candidate = candidates[number]
        if not left[turn]:
            continue
        covered = known[turn]
        rows = candidate.rows[~covered[identity[candidate.rows]]]
        labelled = known[0][identity[candidate.rows]].mean() if turn == 1 else 0.0
        if len(rows) < NEW * len(candidate.rows) or labelled >= LABELLED:
            continue
        new = len(np.unique(slots.region[rows]))
        score = -candidate.worth * new
        # What is left of it counts less than when it was entered: it waits for its turn.
        if heap and score > bound and (turn, score) > heap[0][:2]:
            heapq.heappush(heap, (turn, score, key, number))
            continue
        covered[identity[candidate.rows]] = True
        if turn == 0 and slots.kind[candidate.rows[0]] == Kind.LABELLED:
            # What names values is no value itself.
            labels = _labels_of(candidate.rows, slots, views) * (len(ATTRIBUTES) + 2)
            known[:, np.isin(distinct, labels)] = True
        # An attribute may repeat a text, and a column with several values one with a value each.
        values = int(combine(slots.value[candidate.rows], regions[candidate.rows]).sum())
        if slots.kind[candidate.rows[0]] != Kind.INLINE:
            if values in seen:
                continue
            seen.add(values)
        chosen.append(candidate)
        left[turn] -= 1
    return chosen


def _labels_of(rows: Numbers, slots: Slots, views: Sequence[View]) -> Numbers:
    """The numbers of the texts before some texts."""
    size = int(slots.tag.max()) + 1
    numbers = []
    for page in np.unique(slots.page[rows]).tolist():
        full = np.flatnonzero(views[page].tree.filled)
        tags = slots.tag[rows[slots.page[rows] == page]]
        numbers.append(page * size + full[np.searchsorted(full, tags) - 1])
    return np.concatenate(numbers)


def _turn(candidate: _Candidate, slots: Slots) -> int:
    """Labels come first: a place that more regions have may hold what other labels name, too."""
    if candidate.is_run and slots.kind[candidate.rows[0]] == Kind.WHOLE:
        return 3
    if candidate.several:
        return 2
    is_label = slots.kind[candidate.rows[0]] in (Kind.LABELLED, Kind.INLINE)
    return 0 if is_label and candidate.worth == MEANT else 1


def _place(candidate: _Candidate, slots: Slots, ways: Ways, count: int) -> Place:
    first = int(candidate.rows[0])
    page, tag, kind = (int(column[first]) for column in (slots.page, slots.tag, slots.kind))
    rows = candidate.rows
    is_run = candidate.is_run and kind == Kind.WHOLE
    if kind == Kind.INLINE and int(ways.views[page].owners[tag]) >= ways.views[page].tree.size:
        rules, label = _inline_rules(rows, slots, ways.views)
    else:
        rules, label = _rules(ways, page, tag, kind, int(slots.way[first]))
    return Place(
        rules,
        candidate.regions / count,
        (candidate.distinct - 1) / max(len(rows) - 1, 1),
        candidate.several,
        # All of a text comes before its parts.
        _order(rows, slots, ways.views) - (1e-6 if is_run else 0.0),
        label,
        is_run=is_run,
    )


def _order(rows: Numbers, slots: Slots, views: Sequence[View]) -> float:
    """Where in their regions slots stand, on average."""
    offsets = np.cumsum([0, *(view.count for view in views)])
    total = 0.0
    for page in np.unique(slots.page[rows]).tolist():
        own = rows[slots.page[rows] == page]
        view = views[page]
        number = slots.region[own] - offsets[page]
        heads, ends = view.regions.heads[number], view.regions.ends[number]
        # An attribute stands before the text of its element.
        part = np.where(slots.kind[own] >= Kind.ATTRIBUTE, 0.25, 0.5)
        total += float(((slots.tag[own] - heads + part) / np.maximum(ends - heads, 1)).sum())
    return total / len(rows)


def _rules(
    ways: Ways, page: int, tag: int, kind: int, way: int
) -> tuple[tuple[FieldRule, ...], str]:
    """The rules that find a slot in its region, and its label."""
    view = ways.views[page]
    tree = view.tree
    if kind == Kind.LABELLED:
        before = _label_before(tree, tag)
        assert before is not None
        label = tree.text[tree.slot_starts[before] : tree.slot_ends[before]]
        return (FieldRule(Spot(label=label), Part()),), label
    whole = kind >= Kind.ATTRIBUTE or kind == Kind.WHOLE
    node = _node(view, tag) if whole else int(view.owners[tag])
    if way >= Way.ANY:
        steps = ways.steps_through_any(page, node, way - Way.ANY)
    else:
        names = {Way.NAMES: ways.once, Way.REPEATED: ways.repeated}.get(way)
        steps = ways.steps(page, node, names)
    if kind == Kind.INLINE:
        label = inline_label(tree, tag) or ""
        spot = Spot(steps)
        return (FieldRule(spot, Part(label, "<")), FieldRule(spot, Part(label))), label
    if kind == Kind.WHOLE:
        return (FieldRule(Spot(steps), Part()),), ""
    if kind >= Kind.ATTRIBUTE:
        return (FieldRule(Spot(steps, attribute=ATTRIBUTES[kind - Kind.ATTRIBUTE]), Part()),), ""
    return (FieldRule(Spot(steps, text=int(view.text_numbers[tag])), Part()),), ""


def _inline_rules(
    rows: Numbers, slots: Slots, views: Sequence[View]
) -> tuple[tuple[FieldRule, ...], str]:
    """The rules for what stands after a label in one of the texts of a region itself: in whichever
    of them it is.
    """
    first = int(rows[0])
    label = inline_label(views[slots.page[first]].tree, int(slots.tag[first])) or ""
    numbers = Counter(
        int(views[page].text_numbers[tag])
        for page, tag in zip(slots.page[rows].tolist(), slots.tag[rows].tolist(), strict=True)
    )
    usual = sorted(number for number, _ in numbers.most_common(INLINE_TEXTS))
    return tuple(FieldRule(Spot(text=number), Part(label)) for number in usual), label


def _node(view: View, tag: int) -> int:
    number = int(view.numbers[tag])
    is_root = view.regions.around and int(view.regions.heads[number]) == tag
    return view.tree.size + number if is_root else tag
