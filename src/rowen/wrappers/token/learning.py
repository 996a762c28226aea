"""Learning the token class: boundaries first, then each field's rules inside its record."""

from collections.abc import Iterable, Sequence

from rowen.model import Example, NoConsistentWrapper, Record, SearchCutShort
from rowen.wrappers.base import Evidence
from rowen.wrappers.token.boundaries import boundaries as find_boundaries
from rowen.wrappers.token.field_search import FieldSearch
from rowen.wrappers.token.occurrence import Occurrence
from rowen.wrappers.token.sample import Sample, divide, read_sample
from rowen.wrappers.token.wrapper import Boundary, Rule, Token

BOUNDARIES = 6
"""So many boundaries are tried at the most, from the outermost inwards."""


def learn_token(examples: Sequence[Example], *, lenient: bool = False) -> Token:
    """The token wrapper that reproduces the examples; see `rowen.wrappers.token.wrapper`.

    Raises `NoConsistentWrapper` where there is none among those that are tried. With `lenient`, a
    field for which no rule is found stays without, and labels may be missed.
    """
    sample = read_sample(examples)
    single = all(len(example.records) == 1 and not example.partial for example in examples)
    boundaries: Iterable[Boundary | None] = [None] if single else find_boundaries(sample)
    best: Token | None = None
    fewest = len(sample.fields)
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
            wrapper, failures = _learn_fields(sample, boundary)
        except SearchCutShort:
            if not consistent:
                raise
            break
        if not failures and reproduces(wrapper, sample):
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
        rules[name] = FieldSearch(sample, name, occurrences).learn(several=max(counts) > 1)
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


def reproduces(wrapper: Token, sample: Sample) -> bool:
    """Whether a wrapper gives back every label."""
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
