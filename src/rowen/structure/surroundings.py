"""What is around the content of a page: menus, headers and footers, by names and by links.

Such parts repeat, too, and on some pages they have most of the text. Here their text counts little,
so that they are not taken for the page's tables.
"""

import re

import numpy as np

from rowen._core import name_digest
from rowen.wrappers.region.spot import tag_name
from rowen.wrappers.region.tree import Numbers, Tree
from rowen.wrappers.token.outline import Flags

LINKED = 3
"""So many characters in links count as much as one elsewhere."""

AROUND = 10
"""So many characters of menus count as much as one elsewhere."""

MENU = 0.6
"""An element that is called a menu is one where this share of its text is in links."""

ELEMENTS = ("nav", "select", "header", "footer", "head", "aside")
WORDS = (
    r"nav|navbar|navigation|menu|submenu|megamenu|footer|header|sidebar|breadcrumbs?|pagination"
    r"|pager|social|share|toolbar|topbar|cookies?|login|banner|dropdown|filters?|facets?"
)
NAMES = re.compile(rf"(?:^|[\s_-])(?:{WORDS})(?:[\s_-]|$)", re.IGNORECASE)
"""Words in classes and ids of what is around the content."""

ATTRIBUTES = ("class", "id", "role")


def weigh_texts(tree: Tree) -> Numbers:
    """How long the text of each slot is; text in links and in menus counts little."""
    lengths = np.where(tree.filled, tree.slot_ends - tree.slot_starts, 0)
    linked = in_links(tree)
    menus = _inside(tree, _menus(tree, lengths, linked))
    weighted: Numbers = np.where(
        menus, lengths // AROUND, np.where(linked, lengths // LINKED, lengths)
    )
    return weighted


def in_links(tree: Tree) -> Flags:
    """Which slots are in links."""
    return _inside(tree, np.flatnonzero((tree.names == np.uint64(name_digest("a"))) & tree.is_open))


def is_around(tree: Tree, element: int) -> bool:
    """Whether an element, by its name or what it is called, is around the content."""
    if tag_name(tree, element) in ELEMENTS:
        return True
    bounds = (tree.attribute(element, name_digest(name)) for name in ATTRIBUTES)
    return any(place is not None and NAMES.search(tree.text[slice(*place)]) for place in bounds)


def _menus(tree: Tree, lengths: Numbers, linked: Flags) -> Numbers:
    """Elements that are called menus or the like and have most of their text in links."""
    names = np.array([name_digest(name) for name in ELEMENTS], np.uint64)
    called = np.isin(tree.names, names)
    digests = [np.uint64(name_digest(name)) for name in ATTRIBUTES]
    index = np.flatnonzero(np.isin(tree.attribute_names, digests))
    # Most elements share their classes with others: each is looked at once.
    _, firsts, kind = np.unique(
        tree.attribute_values[index], return_index=True, return_inverse=True
    )
    bounds = zip(
        tree.value_starts[index[firsts]].tolist(),
        tree.value_ends[index[firsts]].tolist(),
        strict=True,
    )
    matches = np.array([bool(NAMES.search(tree.text[slice(*place)])) for place in bounds], bool)
    if len(index):
        called[tree.tags_of_attributes[index[matches[kind]]]] = True
    elements = np.flatnonzero(called & tree.is_element & tree.is_open)
    texts = np.concatenate([[0], np.cumsum(lengths)])
    links = np.concatenate([[0], np.cumsum(np.where(linked, lengths, 0))])
    ends = tree.closes[elements]
    own, own_links = texts[ends] - texts[elements], links[ends] - links[elements]
    menus: Numbers = elements[own_links >= MENU * own]
    return menus


def _inside(tree: Tree, elements: Numbers) -> Flags:
    """Which slots are in some elements."""
    change = np.zeros(tree.size + 1, np.intp)
    np.add.at(change, elements, 1)
    np.add.at(change, tree.closes[elements], -1)
    flags: Flags = np.cumsum(change)[:-1] > 0
    return flags
