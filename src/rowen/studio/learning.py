"""The wrapper that the studio proposes with: what the command line would learn from the labels.

Records that a person deleted are no label of the other records. They only say what the wrapper must
not extract: if it does, the records that are left are tried as if they were all of their pages.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from rowen.labels.marks import marks_of
from rowen.learning.learn import learn
from rowen.learning.verification import reproduces
from rowen.model import Page
from rowen.model.errors import LabelError, NoConsistentWrapper
from rowen.records import Example, Record
from rowen.studio.chosen import examples_with_table, wrapper_of_table
from rowen.studio.material import Pages
from rowen.studio.nesting import flatten
from rowen.studio.rows import is_same_record
from rowen.studio.state import Marks
from rowen.wrappers.base import Wrapper

AGAIN = 0.5
"""Limit: the share of the time that learning without deleted records may take."""


def learn_wrapper(
    project: Pages,
    examples: Sequence[Example],
    pages: Mapping[str, Page],
    *,
    seconds: float,
    estimate: bool = False,
) -> Wrapper:
    """Learn from the labels; the project's other pages vote. Raises `NoConsistentWrapper`.

    With `estimate` the time that is left shows how often it is right on pages left out.
    """
    table = wrapper_of_table(project, examples)
    if table is not None:
        return table
    labelled = examples_with_table(project, examples)
    options: dict[str, Any] = {"schema": project.schema(), "pages": list(pages.values())}
    wrapper = learn(labelled, project.wrapper_class, seconds=seconds, estimate=estimate, **options)
    if not any(deleted_of(wrapper, project, pages).values()):
        return wrapper
    with suppress(NoConsistentWrapper, LabelError):
        remaining = _without_deleted(wrapper, project, labelled, pages)
        other = learn(remaining, project.wrapper_class, seconds=AGAIN * seconds, **options)
        finds_labels = all(reproduces(one, other.extract(one.page)) for one in labelled)
        if finds_labels and not any(deleted_of(other, project, pages).values()):
            # The person has labelled only these.
            other.evidence = wrapper.evidence
            return other
    return wrapper


def deleted_of(
    wrapper: Wrapper, project: Pages, pages: Mapping[str, Page]
) -> dict[str, list[Record]]:
    """By page: the records that a wrapper extracts although they were deleted."""
    return {
        name: [
            record
            for record in wrapper.extract(pages[name])
            if is_deleted(flatten(marks_of(record), project.fields), label.rejected)
        ]
        for name, label in project.labels.items()
        if label.rejected and name in pages
    }


def is_deleted(record: Marks, rejected: Sequence[Marks]) -> bool:
    """Whether a record was deleted."""
    return any(is_same_record(record, deleted) for deleted in rejected)


def _without_deleted(
    wrapper: Wrapper, project: Pages, labelled: Sequence[Example], pages: Mapping[str, Page]
) -> list[Example]:
    """The examples, and pages of deleted records with all others that the wrapper finds there."""
    examples = {example.page.id: example for example in labelled}
    for name, label in project.labels.items():
        if label.rejected and name in pages and not label.complete:
            records = [marks_of(record) for record in wrapper.extract(pages[name])]
            kept = [
                record
                for record in records
                if not is_deleted(flatten(record, project.fields), label.rejected)
            ]
            examples[name] = Example(pages[name], kept)
    return list(examples.values())
