"""Rules for pages of one record each: every field by itself, wherever the data says it.

A value may be in several places: the name of a product in its JSON-LD, in `og:title` and in a list
of links. Those paths are kept that give exactly what was marked on every page. Of these, the source
that has the most fields is preferred, then the one that is written for programs, then the simplest
path.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from rowen.induction import budget
from rowen.learning.data.generalisation import cost, paths_to, source_cost, sources_of
from rowen.learning.data.marked import MarkedPage, Place, Wants, says
from rowen.text.data import ORIGINS
from rowen.wrappers.data.path import leaves_at
from rowen.wrappers.data.wrapper import Rule

CUT = 2
"""What it costs a path that more values are there than the one that is taken."""


def learn_page_rules(
    pages: Sequence[MarkedPage], fields: Sequence[str], several: frozenset[str]
) -> dict[str, Rule]:
    """A rule for each field that has one."""
    consistent = {
        field: dict(_consistent_rules(pages, field, several=field in several)) for field in fields
    }
    if len(pages) == 1:
        consistent = _of_one_source(consistent)
    shared = Counter(
        source for rules in consistent.values() for source in {rule.source for rule in rules}
    )

    def preference(rule: Rule, price: int) -> tuple[int, int, int, int]:
        assert rule.source is not None
        origin = ORIGINS.index(rule.source.origin)
        return (-shared[rule.source], price, origin, len(rule.path))

    return {
        field: min(rules, key=lambda rule: preference(rule, rules[rule]))
        for field, rules in consistent.items()
        if rules
    }


def _of_one_source(consistent: dict[str, dict[Rule, int]]) -> dict[str, dict[Rule, int]]:
    """Only rules of the source that has all fields: on one page a value may be there by chance."""
    sources = [{rule.source for rule in rules} for rules in consistent.values()]
    common = set.intersection(*sources) if sources else set()
    return {
        field: {rule: price for rule, price in rules.items() if rule.source in common}
        for field, rules in consistent.items()
    }


def _consistent_rules(
    pages: Sequence[MarkedPage], field: str, *, several: bool
) -> Iterator[tuple[Rule, int]]:
    """The rules that give what was marked on every page, each with its cost."""
    wants = [page.records[0].get(field) for page in pages]
    marked = [(page, wanted) for page, wanted in zip(pages, wants, strict=True) if wanted]
    if not marked:
        return
    # From the page with the fewest places: the paths of the others must be among these.
    page, wanted = min(marked, key=lambda pair: len(pair[0].places[pair[1][0]]))
    tried: set[Rule] = set()
    for place in page.places[wanted[0]]:
        budget.check()
        for rule in _rules_of(place):
            if rule in tried:
                continue
            tried.add(rule)
            price = _price(rule, pages, wants, several=several)
            if price is not None:
                yield rule, price


def _rules_of(place: Place) -> Iterator[Rule]:
    root, leaf = place
    paths = paths_to(root.tree, root.node, leaf)
    for source in sources_of(root):
        for path in paths:
            yield Rule(path, source)


def _price(
    rule: Rule, pages: Sequence[MarkedPage], wants: Sequence[Wants | None], *, several: bool
) -> int | None:
    """What a rule costs; None where it gives something else than was marked."""
    price = sum(map(cost, rule.path))
    cut = False
    for page, wanted in zip(pages, wants, strict=True):
        if wanted is None:
            continue
        places = _read(rule, page)
        if not agrees(places, wanted, several=several):
            return None
        cut = cut or len(places) > len(wanted)
    assert rule.source is not None
    return price + CUT * cut + source_cost(rule.source)


def _read(rule: Rule, page: MarkedPage) -> list[Place]:
    assert rule.source is not None
    for root in rule.source.roots(page.data):
        leaves = leaves_at(root.tree, root.node, rule.path)
        if leaves:
            return [Place(root, leaf) for leaf in leaves]
    return []


def agrees(places: Sequence[Place], wanted: Wants, *, several: bool) -> bool:
    """Whether leaves are what was marked: all of them in any order, or the first one."""
    if not several:
        places = places[:1]
    left = list(places)
    for want in wanted:
        match = next((place for place in left if says(place, want)), None)
        if match is None:
            return False
        left.remove(match)
    return not left
