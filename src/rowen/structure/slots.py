"""The slots of regions: every text and attribute in them, under each key that it may be found by.

    <li><a href="/1">Ada</a> <b>Born:</b> 1815, <i>London</i></li>

    a[1], text 1           Ada            by places; also from elements that have a name
    a[1], href             /1
    text after "Born:"     1815,          by the text before it
    all of i[1]            London         with the tags inside it, if any

A key is a digest that is the same in all regions. What has the same key in many regions, and
varies, is a candidate column.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rowen._core import name_digest, text_digest
from rowen.structure.groups import Digests, combine
from rowen.structure.ways import Ways
from rowen.wrappers.region.tree import Numbers, Tree, View
from rowen.wrappers.token.outline import Flags

ATTRIBUTES = (
    *("href", "src", "datetime", "content", "title", "alt", "value", "onclick", "data-src"),
    *("data-href", "data-url", "data-value", "data-price", "data-id", "aria-label"),
)
"""Attributes that hold data."""

BLOCKS = (
    *("address", "article", "aside", "blockquote", "body", "dd", "div", "dl", "dt", "fieldset"),
    *("figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr"),
    *("li", "main", "nav", "ol", "option", "p", "pre", "section", "select", "table", "tbody"),
    *("td", "textarea", "tfoot", "th", "thead", "tr", "ul"),
    *("iframe", "noscript", "script", "style", "template"),
)
"""Elements that begin a line of their own, or are not read: what holds one is no single text."""

FORMATTING = (
    *("abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "dfn", "em", "font", "i", "kbd"),
    *("mark", "q", "small", "span", "strong", "sub", "sup", "tt", "u", "var", "wbr"),
)
"""Elements that only say how a part of a text looks: `<b>Lovelace</b> Ada` is one name."""

MACHINERY = ("script", "style", "link", "iframe", "noscript", "form", "input", "param", "embed")
"""Elements whose attributes are for the browser."""

LABEL = re.compile(r"\s*([^\W\d_][^:<>\n]{0,38}:)(?=\s+\S)")
"""A label at the beginning of a text."""


class Kind:
    """What a slot is in its element, or what it is found by."""

    TEXT = 0
    WHOLE = 1
    LABELLED = 2
    INLINE = 3
    ATTRIBUTE = 4
    """And from here on the attributes by their number."""


class Way:
    """What the way to a slot's element is described by."""

    PLACES = 0
    NAMES = 1
    REPEATED = 2
    ANY = 3
    """By names or places, but the last element may have any place."""
    ABOVE_ANY = 4
    """The same for the element around the last one, and the one around that."""
    FAR_ABOVE_ANY = 5


class Slots(NamedTuple):
    """Slots of all regions, row by row."""

    key: Digests
    value: Digests
    region: Numbers
    page: Numbers
    tag: Numbers
    kind: Numbers
    way: Numbers
    texts: Numbers
    """How many texts there are in the slot."""
    at: Numbers
    """The tag before the slot's first text; the tag itself for attributes."""
    is_plain: Flags
    """Whether only the look of its parts differs: nothing but formatting is inside."""


class Contents:
    """What of a page may be a slot, whatever its regions are: found once for all groups."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.texts = np.flatnonzero(tree.filled)
        self.labels = inline_labels(tree)
        self.wholes = _wholes(tree)
        self.attributes = _attributes(tree)


class Wholes(NamedTuple):
    """Elements with text and no line of their own inside."""

    tags: Numbers
    counts: Numbers
    values: Digests
    is_plain: Flags
    """Whether there is nothing but formatting inside."""

    def chosen(self, is_inside: Flags) -> "Wholes":
        """Those in some tags."""
        flags = is_inside[self.tags]
        return Wholes(
            self.tags[flags], self.counts[flags], self.values[flags], self.is_plain[flags]
        )


class Attributes(NamedTuple):
    """Attributes that hold data: their kinds, the tags that have them, their values."""

    kinds: Numbers
    tags: Numbers
    values: Digests

    def chosen(self, is_inside: Flags) -> "Attributes":
        """Those in some tags."""
        flags = is_inside[self.tags]
        return Attributes(self.kinds[flags], self.tags[flags], self.values[flags])


def find_slots(views: Sequence[View], ways: Ways, contents: Sequence[Contents]) -> Slots | None:
    """The slots of the regions of pages, under all of their keys."""
    rows: list[tuple[Digests | Numbers | Flags, ...]] = []
    offset = 0
    for page, view in enumerate(views):
        if view.count:
            for kind, way, tags, key, value, texts, plain in _slots(
                ways, page, view, contents[page]
            ):
                there = np.flatnonzero(key)
                own = tags[there]
                kinds = np.broadcast_to(kind, len(tags))[there]
                salted = combine(key[there], (64 * way + kinds).astype(np.uint64))
                region = view.numbers[own] + offset
                counts = np.broadcast_to(texts, len(tags))[there]
                at = own if kind is not _WHOLE else _first_texts(view.tree, own)
                of_page, of_way = np.full(len(own), page), np.full(len(own), way)
                is_plain = np.broadcast_to(plain, len(tags))[there]
                row = (salted, value[there], region, of_page, own, kinds, of_way, counts, at)
                rows.append((*row, is_plain))
        offset += view.count
    if not any(len(row[0]) for row in rows):
        return None
    return Slots(*(np.concatenate([row[part] for row in rows]) for part in range(len(rows[0]))))


_Row = tuple["Numbers | int", int, Numbers, Digests, Digests, "Numbers | int", "Flags | bool"]

_TEXT, _WHOLE = np.array(Kind.TEXT), np.array(Kind.WHOLE)
_LABELLED, _INLINE = np.array(Kind.LABELLED), np.array(Kind.INLINE)


def _slots(ways: Ways, page: int, view: View, contents: Contents) -> Iterator[_Row]:
    """Kind, way, tags, keys, values, texts and formatting of slots of the same kind."""
    by_way = {
        Way.PLACES: ways.by_places[page],
        Way.NAMES: ways.by_names[page],
        Way.REPEATED: ways.by_repeated_names[page],
    }
    by_way |= zip((Way.ANY, Way.ABOVE_ANY, Way.FAR_ABOVE_ANY), _any_places(ways, page), strict=True)
    tree = view.tree
    is_inside = view.numbers >= 0
    texts = contents.texts[is_inside[contents.texts]]
    owners = view.owners[texts]
    numbers = view.text_numbers[texts].astype(np.uint64)
    wholes = contents.wholes.chosen(is_inside)
    attributes = contents.attributes.chosen(is_inside)
    roots, nodes = _nodes(view, wholes.tags), _nodes(view, attributes.tags)
    for way, keys in by_way.items():
        yield _TEXT, way, texts, _under(keys[owners], numbers), tree.slots[texts], 1, True
        yield _WHOLE, way, wholes.tags, keys[roots], wholes.values, wholes.counts, wholes.is_plain
        yield attributes.kinds, way, attributes.tags, keys[nodes], attributes.values, 1, True
    named = by_way[Way.NAMES][owners]
    nearest = np.where(named != 0, named, by_way[Way.PLACES][owners])
    way = Way.NAMES
    inline = contents.labels[texts]
    yield _INLINE, way, texts, _under(nearest, inline) * (inline != 0), tree.slots[texts], 1, True
    before = np.zeros(len(texts), np.uint64)
    same = view.numbers[texts[1:]] == view.numbers[texts[:-1]]
    before[1:][same] = tree.slots[texts[:-1]][same]
    yield _LABELLED, Way.PLACES, texts, before, tree.slots[texts], 1, True


def _first_texts(tree: Tree, tags: Numbers) -> Numbers:
    """The tags before the first texts of elements that have some."""
    full = np.flatnonzero(tree.filled)
    return full[np.searchsorted(full, tags)]


def _under(keys: Digests, numbers: Digests) -> Digests:
    """Keys of what is in elements; 0 where the element has none."""
    return np.where(keys != 0, combine(keys, numbers), np.uint64(0))


def _any_places(ways: Ways, page: int) -> list[Digests]:
    """Keys of elements without a place: all children of a name are the same; and of what is inside
    such children, by places, one and two levels down.
    """
    view = ways.views[page]
    size = view.tree.size
    names, places = ways.by_names[page], ways.by_places[page]
    around = view.parents
    outer = np.where(names[around] != 0, names[around], places[around])
    keys = np.zeros(size + view.count, np.uint64)
    # The cells of a row are never values of one field.
    cells = np.array([name_digest(name) for name in ("td", "th")], np.uint64)
    inside = view.tree.is_element & (view.numbers >= 0) & (outer != 0)
    inside &= ~np.isin(view.tree.names, cells)
    if view.regions.around:
        inside[view.regions.heads] = False
    keys[:size][inside] = combine(outer[inside], view.tree.names[inside])
    levels = [keys]
    step = combine(view.tree.names, view.places.astype(np.uint64))
    for _ in range(2):
        inner = np.zeros(size + view.count, np.uint64)
        inner[:size] = _under(levels[-1][around], step) * view.tree.is_element
        levels.append(inner)
    return levels


def _wholes(tree: Tree) -> Wholes:
    blocks = np.array([name_digest(name) for name in BLOCKS], np.uint64)
    before = _sums(tree.is_element & np.isin(tree.names, blocks))
    # A place where a line may break divides no text.
    filled = _sums(tree.filled & (tree.names != np.uint64(name_digest("wbr"))))
    tags = np.flatnonzero(tree.is_element & tree.is_open)
    ends = tree.closes[tags]
    count = filled[ends] - filled[tags]
    is_line = (before[ends] - before[np.minimum(tags + 1, ends)] == 0) & (count > 0)
    tags, ends, count = tags[is_line], ends[is_line], count[is_line]
    formatting = np.array([name_digest(name) for name in FORMATTING], np.uint64)
    others = _sums(tree.is_element & ~np.isin(tree.names, formatting))
    is_plain = others[ends] == others[np.minimum(tags + 1, ends)]
    digests = np.concatenate(
        [[np.uint64(0)], np.cumsum(np.where(tree.filled, tree.slots, np.uint64(0)))]
    )
    return Wholes(tags, count, digests[ends] - digests[tags], is_plain)


def _nodes(view: View, tags: Numbers) -> Numbers:
    """Tags as nodes of the view: the first tag of a region that is an element is its root."""
    if not view.regions.around:
        return tags
    numbers = view.numbers[tags]
    return np.where(view.regions.heads[numbers] == tags, view.tree.size + numbers, tags)


def _sums(flags: Flags) -> Numbers:
    return np.concatenate([[0], np.cumsum(flags)])


def _attributes(tree: Tree) -> Attributes:
    unread = np.array([name_digest(name) for name in MACHINERY], np.uint64)
    kinds = np.zeros(len(tree.attribute_names), np.intp)
    for number, name in enumerate(ATTRIBUTES, Kind.ATTRIBUTE):
        kinds[tree.attribute_names == np.uint64(name_digest(name))] = number
    tags = tree.tags_of_attributes
    index = np.flatnonzero(
        (kinds > 0) & (tree.attribute_values != 0) & ~np.isin(tree.names[tags], unread)
    )
    return Attributes(kinds[index], tags[index], tree.attribute_values[index])


def inline_labels(tree: Tree) -> Digests:
    """For texts that begin with a label its digest; else 0."""
    labels = np.zeros(tree.size, np.uint64)
    for tag in np.flatnonzero(tree.filled).tolist():
        if label := inline_label(tree, tag):
            labels[tag] = text_digest(label)
    return labels


def inline_label(tree: Tree, tag: int) -> str | None:
    """The label at the beginning of a text."""
    match = LABEL.match(tree.text, int(tree.slot_starts[tag]), int(tree.slot_ends[tag]))
    return None if match is None else match[1]
