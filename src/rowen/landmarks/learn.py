"""Learning a token wrapper: first the boundary of records, then each field's rules inside them.

    <tr><td>Ada<td>36 <tr><td>Bob<td>41      marked: Ada 36, Bob 41
    boundary    <tr>: one record in each stretch from <tr> to <tr>
    rules       name: the first <td> of a stretch; age: the second

On pages of one record each there is no boundary, and rules hold for the whole page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.landmarks.boundaries import find_boundaries, lone_boundaries
from rowen.landmarks.doubt import learn_most, learn_some
from rowen.landmarks.field_search import FieldSearch
from rowen.landmarks.occurrence import Occurrence
from rowen.landmarks.sample import Kind, Sample, divide, read_sample
from rowen.model import NoConsistentWrapper, SearchCutShort
from rowen.records import Example, Record
from rowen.wrappers.base import Wrapper
from rowen.wrappers.token.wrapper import Boundary, Rule, Token

BOUNDARIES = 6
"""Limit: at most this many boundaries are tried, from the outermost inwards."""

DOUBTED_BOUNDARIES = 3
"""Limit: at most this many boundaries are tried where none fits all labels, those first that leave
least in doubt."""


def learn_token(
    examples: Sequence[Example],
    *,
    kinds: Mapping[str, Kind] | None = None,
    repeats: bool | None = None,
) -> Token:
    """The token wrapper that reproduces the examples; see `rowen.wrappers.token.wrapper`.

    Fields in `kinds` get a rule of that kind, others the cheapest. For records of a
    nested field `repeats` says whether some label has two in one record: they are lists even where
    it has not. Raises `NoConsistentWrapper` where none of
    the wrappers tried fits.
    """
    sample = read_sample(examples, kinds)
    boundaries: Iterable[Boundary | None]
    is_lone = all(len(example.records) < 2 for example in examples)
    if repeats is False or (repeats is True and is_lone):
        boundaries = lone_boundaries(sample)
    else:
        single = all(len(example.records) == 1 and not example.partial for example in examples)
        boundaries = [None] if single else find_boundaries(sample)
    trouble = NoConsistentWrapper(
        "no tag begins each record and no part of one",
        pages=tuple(example.page.id for example in examples),
    )
    consistent: list[Token] = []
    tried = 0
    # Where some pages are marked in part, a later boundary may find more whole records beside the
    # marked ones; where all are marked whole, the first that fits is enough.
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
    """A wrapper with this boundary that reproduces the examples, or why there is none.

    What a field's rules find in rows that are not records does no harm where the required fields
    are missing there. So if a field needs expensive rules to avoid such rows, it may ignore them.
    """
    sample.loose = frozenset()
    wrapper, failures, dear = learn_fields(sample, boundary)
    if dear and sample.has_other_rows:
        sample.loose = dear
        simpler, failures_left, _ = learn_fields(sample, boundary)
        if not failures_left and reproduces(simpler, sample):
            return simpler, []
    return (wrapper if not failures and reproduces(wrapper, sample) else None), failures


def learn_doubting(examples: Sequence[Example]) -> Token:
    """The token wrapper that agrees best with the examples where none agrees with all of them.

    The boundary may be that of any single page. Labels that contradict most others are doubted. A
    field for which no rule is found even so, or not in time, has none.
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
        candidates = [wrapper]
        if dear and not failures and sample.has_other_rows:  # as in `_learn_within`
            divide(sample, boundary, doubting=True)
            sample.loose = dear
            candidates.insert(0, learn_fields(sample, boundary, doubting=True)[0])
        wrappers += [
            (agreement(candidate, examples), candidate)
            for candidate in candidates
            if any(candidate.rules.values())
        ]
        if not failures:
            break
    if not wrappers:
        raise NoConsistentWrapper(
            "no landmark of tags and texts distinguishes any field",
            pages=tuple(example.page.id for example in examples),
        )
    return max(wrappers, key=itemgetter(0))[1]


def agreement(wrapper: Wrapper, examples: Sequence[Example]) -> float:
    """F1 of the values that a wrapper extracts from examples, compared with their labels."""
    right = given_back = expected = 0
    for example in examples:
        wants, gives = values(example.records), values(wrapper.extract(example.page))
        if example.partial:  # there may be other records
            gives &= wants
        right += len(wants & gives)
        expected += len(wants)
        given_back += len(gives)
    return 2 * right / (given_back + expected) if given_back + expected else 0.0


def values(records: Sequence[Record]) -> set[tuple[str, int, int]]:
    """The values of records, each with its field; those of nested records by their path."""
    return {
        (name, span.start, span.end)
        for record in records
        for name, spans in record.leaves()
        for span in spans
    }


def _all_boundaries(sample: Sample) -> list[Boundary | None]:
    """The boundaries of all pages together, and of each page by itself."""
    if all(len(example.records) == 1 and not example.partial for example in sample.examples):
        return [None]
    candidates = dict.fromkeys(find_boundaries(sample))
    for page in range(len(sample.outlines)):
        alone = [record for record in sample.marked if record.page == page]
        if len(alone) > 1:
            candidates |= dict.fromkeys(find_boundaries(replace(sample, marked=alone)))
    return list(candidates)


def _doubts(sample: Sample, boundary: Boundary | None) -> int:
    divide(sample, boundary, doubting=True)
    return len(sample.doubted)


def _harvest(wrapper: Token, sample: Sample) -> int:
    """How many more complete records than others a wrapper finds on pages marked in part."""
    harvest = 0
    for example in sample.examples:
        if example.partial:
            for record in wrapper.extract(example.page):
                filled = {name for name, spans in record.items() if spans}
                harvest += 1 if wrapper.required <= filled else -1
    return harvest


def learn_fields(
    sample: Sample, boundary: Boundary | None, *, doubting: bool = False
) -> tuple[Token, list[NoConsistentWrapper], frozenset[str]]:
    """A wrapper with the rules of each field that has some, the failures of the others, and the
    fields with expensive rules or none.

    When `doubting`, the few values that contradict a field's rules are doubted, and fields for
    which there is no time have no rules.
    """
    rules: dict[str, list[Rule]] = {}
    several = []
    required = []
    failures = []
    dear = set()
    for name in sample.fields:
        occurrences = [
            occurrence for of_record in sample.believed(name) for occurrence in of_record
        ]
        often = max((len(of_record) for of_record in sample.believed(name)), default=0) > 1
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
    unknown = sum(name not in record.occurrences for record in sample.marked)
    return bool(believed) and all(believed) and not unknown


def _conflict(sample: Sample, name: str, occurrences: Sequence[Occurrence]) -> NoConsistentWrapper:
    pages = dict.fromkeys(sample.examples[occurrence.page].page.id for occurrence in occurrences)
    return NoConsistentWrapper(
        "no landmark of tags and texts distinguishes its values from everything else",
        field=name,
        pages=tuple(pages),
    )


def reproduces(wrapper: Token, sample: Sample) -> bool:
    """Whether a wrapper reproduces every label."""
    for example in sample.examples:
        records = wrapper.extract(example.page)
        if example.partial:
            by_value = {
                (name, span): record
                for record in records
                for name, spans in record.items()
                for span in spans
            }
            for label in example.records:
                values_marked = [(name, span) for name, spans in label.items() for span in spans]
                record = by_value.get(values_marked[0]) if values_marked else None
                if values_marked and (record is None or not _fits(record, label)):
                    return False
        elif len(records) != len(example.records) or not all(
            _fits(*pair) for pair in zip(records, example.records, strict=True)
        ):
            return False
    return True


def _fits(record: Record, label: Record) -> bool:
    """Whether a record has the values of its label."""
    has = dict(record.items())
    return all(sorted(has.get(name, ())) == sorted(spans) for name, spans in label.items())
