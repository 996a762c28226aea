"""Alternatives: further rules for a field of pages that are one record each.

The cheapest rule that fits a few marked pages may rest on what these pages share by chance, and
finds nothing elsewhere. Other rules fit them as well: by a label, by a class, by what follows,
inside a container, or learned from fewer of the pages. They follow the chosen rule, and each is
tried only where those before it find nothing.

    <p>Cuisine: Thai</p><p>02116</p><b>12 Oak Street</b>      two marked pages of one ZIP code
    address      the text after 02116 </p> <b>
    otherwise    the text after <b>

An alternative never contradicts a label: on each marked page it finds what is marked, or nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rowen.induction import budget
from rowen.landmarks import context
from rowen.landmarks.election import Election
from rowen.landmarks.field_search import FieldSearch
from rowen.landmarks.reading import is_sound, labels_of
from rowen.landmarks.sample import Sample, divide, read_sample
from rowen.landmarks.votes import Votes
from rowen.model import Page
from rowen.model.suggestion import Suggestion
from rowen.records import Example
from rowen.wrappers.token.landmark import Landmark, Slot, Tag
from rowen.wrappers.token.landmark import Token as LandmarkToken
from rowen.wrappers.token.wrapper import Rule, Token

ALTERNATIVES = 3
"""Limit: a field has at most this many alternatives. Later ones hardly ever find a value."""

FEWER = 2.0
"""A rule that was learned from fewer pages than there are counts as this much dearer."""

BARE = 4.0
"""A rule that rests on tags alone counts as this much dearer: where what was marked is missing, it
may well find something else."""

DEAREST = 12.0
"""Limit: alternatives cost less than this. Dearer ones are long runs of tags."""

OPEN = 1.0
"""A cut whose end may be missing counts as this much dearer."""

SINGLES = 5
"""Limit: rules are learned from single pages for the first few of them."""


TIES = 3
"""Limit: so many places are suggested, those of the first fields."""


class Priced(NamedTuple):
    """A rule with its price."""

    price: float
    rule: Rule


def add_alternatives(
    wrapper: Token, examples: Sequence[Example], pages: Sequence[Page] = ()
) -> Token:
    """The wrapper with alternatives for its fields; itself where pages have several records.

    Unlabelled pages vote which rule comes first, and for which others there is a use.
    """
    if wrapper.record is not None or any(len(example.records) != 1 for example in examples):
        return wrapper
    sample = read_sample(examples)
    divide(sample, None)
    votes = Votes(sample.outlines, pages) if pages else None
    rules: dict[str, list[Rule]] = {}
    several = []
    ties: list[Suggestion] = []
    for name, chosen in wrapper.rules.items():
        has_several = name in wrapper.several
        rules[name] = list(chosen)
        if chosen and not budget.spent() and votes is None:
            rules[name] += _alternatives(sample, name, chosen, several=has_several)
        elif chosen and not budget.spent() and votes is not None:
            election = Election(sample, name, votes, has_several)
            elected = election.elect(chosen, _sound(sample, name, chosen, several=has_several))
            rules[name], has_several = elected.rules, elected.several
            ties += [] if elected.tie is None else [elected.tie]
        several += [name] * has_several
    extended = Token(
        wrapper.fields,
        rules=rules,
        several=several,
        required=wrapper.required,
        evidence=wrapper.evidence,
    )
    extended.reason = wrapper.reason
    extended.suggestions = tuple(ties[:TIES])
    return extended


def _alternatives(
    sample: Sample, name: str, chosen: Sequence[Rule], *, several: bool
) -> list[Rule]:
    """Rules that never contradict a label, the cheapest first."""
    if () in labels_of(sample, name):
        return []  # it is missing here and there, so that nothing found is probably right
    rules = list(chosen)
    for _, rule in _sound(sample, name, chosen, several=several):
        if not any(finds_all_of(before, rule) for before in rules):
            rules.append(replace(rule, otherwise=True))
        if len(rules) == len(chosen) + ALTERNATIVES:
            break
    return rules[len(chosen) :]


def _sound(sample: Sample, name: str, chosen: Sequence[Rule], *, several: bool) -> Iterator[Priced]:
    """Candidates that find what is marked or nothing on each marked page, the cheapest first."""
    labels = labels_of(sample, name)
    candidates = dict.fromkeys(_candidates(sample, name))
    for price, rule in sorted(candidates, key=lambda priced: priced.price):
        candidate = replace(rule, take=chosen[0].take)
        if is_sound(candidate, sample, labels, several=several):
            yield Priced(price, candidate)


def _candidates(sample: Sample, name: str) -> Iterator[Priced]:
    """Rules of all kinds, from all pages with the field and from single ones."""
    by_record = [occurrences for occurrences in sample.believed(name) if occurrences]
    together = [occurrence for occurrences in by_record for occurrence in occurrences]
    search = FieldSearch(sample, name, together)
    # Where a block comes before the value, elements around both would take the block as well.
    is_plain = all(occurrence.last == occurrence.tag for occurrence in together)
    whole = [
        search.element(together, innermost=is_plain),
        search.run(together),
        search.region(together, context.DATA),
    ]
    priced = [*filter(None, whole), *search.varied(together, DEAREST)]
    for occurrences in by_record[:SINGLES] if len(by_record) > 1 else ():
        priced += [(price + FEWER, rule) for price, rule in search.varied(occurrences, DEAREST)]
    for price, rule in priced:
        full = price + (BARE if _is_bare(rule) else 0.0)
        yield Priced(full, rule)
        if rule.cut.right is not None and not rule.cut.open:
            yield Priced(full + OPEN, replace(rule, cut=replace(rule.cut, open=True)))


def _is_bare(rule: Rule) -> bool:
    """Whether a rule rests on tags alone, without names or texts."""
    landmarks = [rule.item] if rule.container is None else [rule.item, rule.container]
    tokens = [token for mark in landmarks for token in (*mark.before, *mark.after)]
    return not rule.cut.left and not any(
        token.attributes if isinstance(token, Tag) else token.text for token in tokens
    )


def finds_all_of(general: Rule, special: Rule) -> bool:
    """Whether a rule finds something wherever another one does, as far as landmarks say so."""
    if special.cut not in (general.cut, replace(general.cut, open=False)):
        return False
    if general.container is not None and (
        special.container is None or not _implies(special.container, general.container)
    ):
        return False
    return _implies(special.item, general.item)


def _implies(special: Landmark, general: Landmark) -> bool:
    """Whether a landmark is only where the other one is, too."""
    sides = ((general.before, special.before), (general.after, special.after))
    return all(
        len(wide) <= len(narrow) and all(map(_is_part, wide, narrow)) for wide, narrow in sides
    )


def _is_part(wide: LandmarkToken, narrow: LandmarkToken) -> bool:
    """Whether a token lets through all that another one does."""
    if isinstance(wide, Slot):
        return isinstance(narrow, Slot) and wide.text in {None, narrow.text}
    return (
        isinstance(narrow, Tag)
        and wide.name == narrow.name
        and set(wide.attributes) <= set(narrow.attributes)
        and wide.place in {None, narrow.place}
    )
