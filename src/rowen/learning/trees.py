"""Learning trees: records with a field that holds records of the same kind, as replies to replies.

The records of all levels are learned as one list, in page order; `rowen.wrappers.tree` says how
they nest. That works where all levels have one template, and where the page's elements nest as the
records do. It is tried first, since labels seldom show every level that pages have.
"""

from collections.abc import Iterator, Sequence

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.learning.classes import Learner
from rowen.learning.verification import reproduces
from rowen.model import LabelError, NoConsistentWrapper
from rowen.records import Example, Record
from rowen.records.nested import Nested
from rowen.records.reading import Spans
from rowen.wrappers.tree import Tree, boundary_of

TIME = 0.5
"""The tree may take this share of the time; the rest is for the levels one by one."""


def is_recursive(examples: Sequence[Example], name: str) -> bool:
    """Whether the records in a field have that field, too, and the other fields of those around."""
    own: set[str] = set()
    below: set[str] = set()
    for example in examples:
        for record in example.records:
            own |= {field for field, _ in record.stored()}
            where = dict(record.stored()).get(name)
            if isinstance(where, Nested):
                below |= {field for inner in where for field, _ in inner.stored()}
    return name in below and below <= own and len(below) > 1


def learn_tree(examples: Sequence[Example], name: str, learner: Learner) -> Tree | None:
    """A tree that reproduces the labels; None where there is none."""
    try:
        lists = [
            Example(
                example.page,
                list(_preorder(example.records, name)),
                partial=example.partial or not _is_whole(example.records, name),
            )
            for example in examples
        ]
        with budget.share(TIME):
            wrapper = learner(lists)
    except (LabelError, NoConsistentWrapper):
        return None
    if boundary_of(wrapper) is None:
        return None
    fields = [*wrapper.fields, name]
    tree = Tree(fields, nested=name, wrapper=wrapper, evidence=Evidence.of(examples))
    tree.reason = wrapper.reason
    if all(reproduces(example, tree.extract(example.page)) for example in examples):
        return tree
    return None


def _preorder(records: Sequence[Record], name: str) -> Iterator[Record]:
    """Each record without the field, then those in it."""
    for record in records:
        spans: dict[str, Spans] = dict(record.stored())
        below = spans.pop(name, None)
        yield Record.trusted(record.page, spans, record.children)
        if isinstance(below, Nested):
            yield from _preorder(below, name)


def _is_whole(records: Sequence[Record], name: str) -> bool:
    """Whether it is known of each record what is in the field."""
    for record in records:
        spans = dict(record.stored())
        if name not in spans:
            return False
        below = spans[name]
        if isinstance(below, Nested) and not _is_whole(below, name):
            return False
    return True
