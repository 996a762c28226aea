"""Pages whose labels leave out records that the page shows.

A page is such a page if it has more regions of the labelled records' shape than labelled records.
The region of a record is the innermost element around its values. Others have the same shape if the
names of the elements around them are the same, up to `PATH` of them, and if they have a text or an
attribute in the same elements, by names, as all labelled records have. Pages on which two records
have the same element around them are not judged.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from benchmarks.wrappers.sites import Label, Marked, Site
from benchmarks.wrappers.trial import values_of
from rowen.structure.patterns import common_element, way_to
from rowen.wrappers.region.spot import tag_name
from rowen.wrappers.region.tree import Tree

Way = tuple[str, ...]


def without_missing(sites: Iterable[Site]) -> Iterator[Site]:
    """The sites with the pages that are not known to miss records."""
    for site in sites:
        pages = [marked for marked in site.pages if not misses_records(marked)]
        if pages:
            yield Site(site.name, pages)


def misses_records(marked: Marked) -> bool:
    """Whether a page shows more records than its label has."""
    page, label = marked
    if len(label) < 2:
        return False
    tree = Tree(page.text)
    heads, ways = [], []
    for elements in _elements(tree, label):
        head = common_element(tree, elements)
        heads.append(head)
        ways.append({_way(tree, head, element) for element in elements})
    if 0 in heads or len(set(heads)) < len(heads):
        return False
    shared = set.intersection(*ways)
    regions = way_to(tree, heads[0], "element").find(tree).heads.tolist()
    return sum(shared <= _ways(tree, head) for head in regions) > len(label)


def _elements(tree: Tree, label: Label) -> Iterator[list[int]]:
    """The elements of the values of each record."""
    for record in label:
        elements = []
        for _, start, _ in values_of(record):
            tag = int(np.searchsorted(tree.starts, start, "right")) - 1
            in_tag = start < tree.ends[tag]
            elements.append(tag if in_tag else int(tree.owners[tag]))
        if elements:
            yield elements


def _way(tree: Tree, head: int, element: int) -> Way:
    names = []
    while element > head:
        names.append(tag_name(tree, element))
        element = int(tree.parents[element])
    return tuple(names)


def _ways(tree: Tree, head: int) -> set[Way]:
    """The ways to the elements of a region that have a text or attributes."""
    tags = range(head, int(tree.closes[head]))
    texts = {int(tree.owners[tag]) for tag in tags if tree.filled[tag]}
    with_attributes = set(tree.tags_of_attributes.tolist()) & set(tags)
    return {_way(tree, head, element) for element in texts | with_attributes if element >= head}
