"""Learning the token class: boundaries first, then each field's rules inside its record."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from rowen.model import Example, NoConsistentWrapper, Record, SearchCutShort
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence, Wrapper
from rowen.wrappers.token.boundaries import boundaries as find_boundaries
from rowen.wrappers.token.doubt import learn_most, learn_some
from rowen.wrappers.token.field_search import FieldSearch
from rowen.wrappers.token.occurrence import Occurrence
from rowen.wrappers.token.sample import Kind, Sample, divide, read_sample
from rowen.wrappers.token.wrapper import Boundary, Rule, Token

BOUNDARIES = 6
"""So many boundaries are tried at the most, from the outermost inwards."""

DOUBTED_BOUNDARIES = 3
"""So many where none agrees with all labels, those first that leave least in doubt."""


def learn_token(examples: Sequence[Example], *, kinds: Mapping[str, Kind] | None = None) -> Token:
    """The token wrapper that reproduces the examples; see `rowen.wrappers.token.wrapper`.

    Fields in `kinds` get a rule of that kind, others the cheapest. Raises `NoConsistentWrapper`
    where there is none among those that are tried.
    """
    sample = read_sample(examples, kinds)
    single = all(len(example.records) == 1 and not example.partial for example in examples)
    boundaries: Iterable[Boundary | None] = [None] if single else find_boundaries(sample)
    trouble = NoConsistentWrapper(
        "no tag begins each record and none of their fields",
        pages=tuple(example.page.id for example in examples),
    )
    consistent: list[Token] = []
    tried = 0
    for boundary in boundaries:
        if not divide(sample, boundary):
            continue
        tried += 1
        try:
            wrapper, failures = _learn_within(sample, boundary)
        except SearchCutShort:
            if not consistent:
                raise
            break
        if wrapper is not None:
            consistent.append(wrapper)
        trouble = failures[0] if failures else trouble
        if tried == BOUNDARIES or (consistent and not any(sample.unmarked)):
            break
    if not consistent:
        raise trouble
    return max(consistent, key=lambda wrapper: _harvest(wrapper, sample))


def _learn_within(
    sample: Sample, boundary: Boundary | None
) -> tuple[Token | None, list[NoConsistentWrapper]]:
    """A wrapper that reproduces the examples with records bounded so, or what stands against it.

    What a field's rules find in rows that are no records does no harm where other fields are not
    there: where a field needs dear rules to keep out of them, it is tried without.
    """
    sample.loose = frozenset()
    wrapper, failures, dear = learn_fields(sample, boundary)
    if dear and sample.has_other_rows:
        sample.loose = dear
        simpler, rest, _ = learn_fields(sample, boundary)
        if not rest and reproduces(simpler, sample):
            return simpler, []
    return (wrapper if not failures and reproduces(wrapper, sample) else None), failures


def learn_doubting(examples: Sequence[Example]) -> Token:
    """The token wrapper that agrees best with the examples where none agrees with all of them.

    Records may be bounded as on any one of the pages. Labels that contradict most others are
    doubted, and a field for which no rule is found even so, or none in time, stays without.
    """
    sample = read_sample(examples)
    tried = sorted(_all_boundaries(sample), key=lambda boundary: _doubts(sample, boundary))
    wrappers: list[tuple[float, Token]] = []
    for boundary in tried[:DOUBTED_BOUNDARIES]:
        if wrappers and budget.spent():
            break
        sample.loose = frozenset()
        divide(sample, boundary, doubting=True)
        wrapper, failures, dear = learn_fields(sample, boundary, doubting=True)
        found = [wrapper]
        if dear and not failures and sample.has_other_rows:  # as in `_learn_within`
            divide(sample, boundary, doubting=True)
            sample.loose = dear
            found.insert(0, learn_fields(sample, boundary, doubting=True)[0])
        wrappers += [(agreement(one, examples), one) for one in found if any(one.rules.values())]
        if not failures:
            break
    if not wrappers:
        raise NoConsistentWrapper(
            "no landmark of tags and texts tells any field",
            pages=tuple(example.page.id for example in examples),
        )
    return max(wrappers, key=itemgetter(0))[1]


def agreement(wrapper: Wrapper, examples: Sequence[Example]) -> float:
    """F1 of the values that a wrapper gives for examples, by their labels."""
    right = found = wanted = 0
    for example in examples:
        wants, gives = values(example.records), values(wrapper.extract(example.page))
        if example.partial:  # other records may be there too
            gives &= wants
        right += len(wants & gives)
        wanted += len(wants)
        found += len(gives)
    return 2 * right / (found + wanted) if found + wanted else 0.0


def values(records: Sequence[Record]) -> set[tuple[str, int, int]]:
    """The values of records, each with its field."""
    return {
        (name, span.start, span.end)
        for record in records
        for name, spans in record.items()
        for span in spans
    }


def _all_boundaries(sample: Sample) -> list[Boundary | None]:
    """The boundaries of all pages together, and of each page by itself."""
    if all(len(example.records) == 1 and not example.partial for example in sample.examples):
        return [None]
    found = dict.fromkeys(find_boundaries(sample))
    for page in range(len(sample.outlines)):
        alone = [one for one in sample.marked if one.page == page]
        if len(alone) > 1:
            found |= dict.fromkeys(find_boundaries(replace(sample, marked=alone)))
    return list(found)


def _doubts(sample: Sample, boundary: Boundary | None) -> int:
    divide(sample, boundary, doubting=True)
    return len(sample.doubted)


def _harvest(wrapper: Token, sample: Sample) -> int:
    """How many more complete records than others a wrapper finds on pages marked in part."""
    harvest = 0
    for example in sample.examples:
        if example.partial:
            for record in wrapper.extract(example.page):
                found = {name for name, spans in record.items() if spans}
                harvest += 1 if wrapper.required <= found else -1
    return harvest


def learn_fields(
    sample: Sample, boundary: Boundary | None, *, doubting: bool = False
) -> tuple[Token, list[NoConsistentWrapper], frozenset[str]]:
    """A wrapper with rules for each field for which some fit, what stands against others, and the
    fields with dear rules or none.

    When `doubting`, the few values that stand in the way of a field's rules are doubted, and
    fields for which there is no time have no rules.
    """
    rules: dict[str, list[Rule]] = {}
    several = []
    required = []
    failures = []
    dear = set()
    for name in sample.fields:
        occurrences = [one for some in sample.believed(name) for one in some]
        often = max((len(some) for some in sample.believed(name)), default=0) > 1
        search = FieldSearch(sample, name, occurrences)
        rules[name] = []
        try:
            rules[name] = search.learn(several=often)
            if doubting and not rules[name]:
                rules[name] = learn_most(sample, name, several=often)
            if doubting and boundary is None and not rules[name]:
                rules[name] = learn_some(sample, name, several=often)
        except SearchCutShort:
            if not doubting:
                raise
        if search.dear:
            dear.add(name)
        if often:
            several.append(name)
        if _is_required(sample, name):
            required.append(name)
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
    return wrapper, failures, frozenset(dear)


def _is_required(sample: Sample, name: str) -> bool:
    """Whether each record has a field, as far as labels are believed."""
    believed = sample.believed(name)
    unknown = sum(name not in one.occurrences for one in sample.marked)
    return bool(believed) and all(believed) and not unknown


def _conflict(sample: Sample, name: str, occurrences: Sequence[Occurrence]) -> NoConsistentWrapper:
    pages = dict.fromkeys(sample.examples[one.page].page.id for one in occurrences)
    return NoConsistentWrapper(
        "no landmark of tags and texts tells its values from everything else",
        field=name,
        pages=tuple(pages),
    )


def reproduces(wrapper: Token, sample: Sample) -> bool:
    """Whether a wrapper gives back every label."""
    for example in sample.examples:
        found = wrapper.extract(example.page)
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
