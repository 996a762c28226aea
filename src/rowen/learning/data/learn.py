"""Learning a wrapper of the data class: paths that give what was marked in all examples.

On pages of one record each, every field has a source of its own (`page_rules`). On others a source
and a path say where the records are, and fields are found inside them (`list_rules`).
"""

from collections.abc import Sequence

from rowen.assurance.evidence import Evidence
from rowen.learning.data.list_rules import assign, distinguishing, learn_field, record_rules
from rowen.learning.data.marked import MarkedPage, read_marked
from rowen.learning.data.page_rules import learn_page_rules
from rowen.learning.data.relabelling import relabelled
from rowen.learning.verification import reproduces
from rowen.model import NoConsistentWrapper
from rowen.records import Example
from rowen.wrappers.data.wrapper import Data, Rule


def learn_class(examples: Sequence[Example], *, repeats: bool | None = None) -> Data:
    """The wrapper that reproduces the examples; raises `NoConsistentWrapper` where none does.

    For records of a nested field `repeats` says whether some label has two in one record: they are
    lists even where it has not.
    """
    pages = [read_marked(example) for example in examples]
    if repeats is None and is_paged(examples):
        wrapper = learn_page(examples, pages)
        missing = [field for field in wrapper.fields if field not in wrapper.rules]
        if missing:
            raise _conflict(examples, missing[0])
        return wrapper
    return _learn_list(examples, pages, lone=repeats is False)


def is_paged(examples: Sequence[Example]) -> bool:
    """Whether each page is one record."""
    return all(len(example.records) == 1 and not example.partial for example in examples)


def learn_page(examples: Sequence[Example], pages: Sequence[MarkedPage]) -> Data:
    """A wrapper for pages of one record each, with a rule for each field that the data has."""
    fields, several, required = _fields(pages)
    rules = learn_page_rules(pages, fields, several)
    return Data(
        fields,
        rules=rules,
        several=several,
        required=required & rules.keys(),
        evidence=Evidence.of(examples),
    )


def _learn_list(
    examples: Sequence[Example], pages: Sequence[MarkedPage], *, lone: bool = False
) -> Data:
    fields, several, required = _fields(pages)
    missing = next(iter(fields), None)
    for record in record_rules(pages, lone=lone):
        for path in (record, *_conditional(pages, record)):
            assigned = assign(pages, path)
            if assigned is None:
                break
            rules: dict[str, Rule] = {}
            for field in fields:
                rule = learn_field(assigned, field, pages, several=field in several)
                if rule is None:
                    missing = field
                    break
                rules[field] = rule
            if len(rules) < len(fields):
                break
            wrapper = Data(
                fields,
                rules=rules,
                record=path,
                several=several,
                required=required,
                evidence=Evidence.of(examples),
            )
            if _reproduces(wrapper, examples):
                return wrapper
    raise _conflict(examples, missing)


def _conditional(pages: Sequence[MarkedPage], record: Rule) -> Sequence[Rule]:
    assigned = assign(pages, record)
    return [] if assigned is None else list(distinguishing(assigned, pages, record))


def _reproduces(wrapper: Data, examples: Sequence[Example]) -> bool:
    for example in examples:
        records = wrapper.extract(example.page)
        if not reproduces(relabelled(example, records), records):
            return False
    return True


def _fields(pages: Sequence[MarkedPage]) -> tuple[list[str], frozenset[str], frozenset[str]]:
    """All fields, those with several values in a record, and those that every record has."""
    records = [record for page in pages for record in page.records]
    fields = dict.fromkeys(name for record in records for name in record)
    several = {name for record in records for name, wants in record.items() if len(wants) > 1}
    required = {name for name in fields if all(record.get(name) for record in records)}
    return list(fields), frozenset(several), frozenset(required)


def _conflict(examples: Sequence[Example], field: str | None) -> NoConsistentWrapper:
    return NoConsistentWrapper(
        "no path in the data of the pages gives its values and nothing else",
        field=field,
        pages=tuple(example.page.id for example in examples),
    )
