"""Learning wrappers for records with nested fields: one part after the other.

The values of the records themselves are learned as if there were no nested fields. The records of a
nested field are learned as a list of their own: all of a page, in page order, whatever record they
belong to. They may have nested fields in turn. Then the labels say to which record each belongs.

    label       {title: Tea, reviews: [{author: Ann}, {author: Bob}]}, {title: Milk, reviews: []}
    parent      {title: Tea}, {title: Milk}
    reviews     {author: Ann}, {author: Bob}
    belongs     the first way of `rowen.wrappers.ownership` that gives Tea both and Milk none
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.learning.classes import Learner
from rowen.learning.data.relabelling import in_data
from rowen.learning.label_parts import FieldLists, lists_of, nested_names, own_values
from rowen.learning.label_parts import repeats as repeats_in
from rowen.learning.progress import report
from rowen.learning.trees import is_recursive, learn_tree
from rowen.model import LabelError, NoConsistentWrapper, SearchCutShort, Span
from rowen.records import Example, Record
from rowen.records.nested import Nested
from rowen.wrappers.base import Wrapper
from rowen.wrappers.nested_fields import NestedFields, Part
from rowen.wrappers.ownership import Ownership, regions_of, share_out
from rowen.wrappers.tree import boundary_of


def learn_nested(
    examples: Sequence[Example],
    learner: Callable[[bool | None], Learner],
    *,
    strict: bool,
    repeats: bool | None = None,
) -> Wrapper:
    """A wrapper for examples with nested fields; without any, what `learner` learns.

    Of records of a nested field, `repeats` says whether some label has two in one record, and
    `learner` is asked for a learner of such lists. Where `strict`, each nested record has to be
    given to its own record; otherwise most, and the warnings will name the others.
    """
    own = learner(repeats)
    names = nested_names(examples)
    if not names:
        return own(examples)
    _check(examples, names)
    for name in names:
        if is_recursive(examples, name):
            # Where the levels have templates of their own, they are learned one by one.
            tree = learn_tree(
                examples, name, partial(learn_nested, learner=learner, strict=strict, repeats=True)
            )
            if tree is not None:
                return tree
    left = len(names) + 1
    with budget.share(1 / left):
        parent = _learn_parent(examples, names, own)
    values = in_data(parent, own_values(examples, names))
    parts: dict[str, Part] = {}
    for name in names:
        left -= 1
        report(f"nested field {name}")
        lists = lists_of(examples, name)
        shown = repeats_in(examples, name)
        try:
            with budget.share(1 / left):
                wrapper = learn_nested(lists.examples, learner, strict=strict, repeats=shown)
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            path = name if error.field is None else f"{name}.{error.field}"
            raise NoConsistentWrapper(error.reason, field=path, pages=error.pages) from error
        lists = replace(lists, examples=list(in_data(wrapper, lists.examples)))
        way, misplaced = _ownership(values, lists, parent, wrapper)
        if misplaced and strict:
            raise NoConsistentWrapper(
                "nothing says to which record its records belong: they are neither inside their "
                "record nor all after or all before it",
                field=name,
                pages=tuple(example.page.id for example in lists.examples),
            )
        parts[name] = Part(wrapper, way)
    fields = dict.fromkeys(
        name for example in examples for record in example.records for name, _ in record.stored()
    )
    combined = NestedFields(
        list(fields), parent=parent, parts=parts, evidence=Evidence.of(examples)
    )
    combined.reason = "; ".join(_reasons(parent, parts))
    return combined


def _check(examples: Sequence[Example], names: Sequence[str]) -> None:
    """Refuse labels in which a field holds records here and texts there."""
    for example in examples:
        for number, record in enumerate(example.records, 1):
            for name, where in record.stored():
                if name in names and where is not None and not isinstance(where, Nested):
                    raise LabelError(
                        example.page.id,
                        "holds records in another label, and a value here",
                        record=str(number),
                        field=name,
                    )


def _learn_parent(
    examples: Sequence[Example], names: Sequence[str], learner: Learner
) -> Wrapper | None:
    """The wrapper of the records' own values; None where the page is one record without any."""
    flat = own_values(examples, names)
    if any(record.extent is not None for example in flat for record in example.records):
        return learner(flat)
    several = [example for example in examples if example.partial or len(example.records) > 1]
    if several:
        raise NoConsistentWrapper(
            "the records of a page have no values of their own by which to tell them apart",
            pages=tuple(example.page.id for example in several),
        )
    return None


def _ownership(
    values: Sequence[Example], lists: FieldLists, parent: Wrapper | None, part: Wrapper
) -> tuple[Ownership, int]:
    """The way to share out nested records that does it most as the labels do; the first of equals.

    `values` are the marked records themselves, `lists` those in them. Also returns how many of the
    marked nested records are given to another record than their own.
    """
    single = all(len(example.records) < 2 and not example.partial for example in values)
    # A list of which no label shows two records on a page still has stretches.
    if parent is None or (single and boundary_of(parent) is None):
        return "page", 0
    misplaced: dict[Ownership, int] = {"inside": 0, "after": 0, "before": 0}
    for number, of_page, owners in zip(lists.pages, lists.examples, lists.owners, strict=True):
        parents = parent.extract(of_page.page)
        nested = part.extract(of_page.page)
        regions = regions_of(parent, of_page.page)
        if regions is None:
            misplaced.pop("inside", None)
        marked = [
            (record, values[number].records[owner])
            for record, owner in zip(of_page.records, owners, strict=True)
        ]
        for way in misplaced:
            shares = share_out(parents, nested, way, regions)
            misplaced[way] += _count_misplaced(marked, parents, shares)
    best = min(misplaced, key=lambda way: misplaced[way])
    return best, misplaced[best]


def _count_misplaced(
    marked: Sequence[tuple[Record, Record]],
    parents: Sequence[Record],
    shares: Sequence[Sequence[Record]],
) -> int:
    """How many marked nested records are not given to the record that has them."""
    owners = {
        place: number
        for number, of_parent in enumerate(shares)
        for record in of_parent
        for place in _places(record)
    }
    numbers = {place: number for number, record in enumerate(parents) for place in _places(record)}
    misplaced = 0
    for record, owner in marked:
        own = next((numbers[place] for place in _places(owner) if place in numbers), None)
        # Where the owner is not found at all, that is no matter of ownership.
        if own is not None and own not in {owners.get(place) for place in _places(record)}:
            misplaced += 1
    return misplaced


def _places(record: Record) -> Iterator[tuple[str, Span]]:
    return ((name, span) for name, spans in record.leaves() for span in spans)


def _reasons(parent: Wrapper | None, parts: dict[str, Part]) -> Iterator[str]:
    """Why each wrapper was chosen, where a choice was made."""
    if parent is not None and parent.reason:
        yield parent.reason
    for name, part in parts.items():
        if part.wrapper.reason:
            yield f"{name}: {part.wrapper.reason}"
