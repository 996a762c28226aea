"""Proposals: the records of all pages that a wrapper learned from the marks finds.

Learning looks at all pages of a project, which takes a while if they are many or large. So there is
a first answer: if the last wrapper finds the new marks as well, its records stay as they are, and
else a wrapper is learned from the marked page and one other. Mostly it is right on all pages
already. What is learned from all pages follows and takes its place.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from rowen.labels.marks import marks_of
from rowen.learning.learn import learn
from rowen.learning.single_records import as_complete
from rowen.learning.verification import reproduces
from rowen.model import Page
from rowen.model.errors import LabelError, NoConsistentWrapper
from rowen.records import Example
from rowen.studio.chosen import examples_with_table, wrapper_of_table
from rowen.studio.conflict import conflict_of
from rowen.studio.explanation import explain
from rowen.studio.learning import deleted_of, is_deleted, learn_wrapper
from rowen.studio.material import Pages, wrapper_of
from rowen.studio.nesting import flatten
from rowen.studio.regions import regions_of
from rowen.studio.state import Label
from rowen.wrappers.base import Wrapper
from rowen.wrappers.data.wrapper import Data
from rowen.wrappers.token.wrapper import Token

FIRST_SECONDS = 0.5
"""Limit: processor time of learning for the first answer. After it, what is learned from all pages
is hardly later."""

FIRST_PAGES = 2
"""Limit: this many pages are looked at for the first answer. A second one shows what varies between
pages, and costs a third more than none; three more would cost as much as half of all ten."""

FIRST_CHARACTERS = 500_000
"""Limit: a longer page gets no first answer. That would take as long as learning from all."""

Answer: TypeAlias = dict[str, Any]


def propose(project: Pages, pages: Mapping[str, Page], *, seconds: float) -> Answer:
    """The wrapper that is learned from the labels, in words, and its records on all pages."""
    examples = project.examples(pages)
    if not project.can_propose(examples):
        return {"wrapper": None, "explanation": None, "pages": {}, "conflict": None}
    try:
        wrapper = learn_wrapper(project, examples, pages, seconds=seconds)
    except NoConsistentWrapper as error:
        conflict = conflict_of(error, examples, project.wrapper_class, fields=project.fields)
        return {"wrapper": None, "explanation": None, "pages": {}, "conflict": conflict}
    return {
        "wrapper": wrapper.to_definition().to_dict(),
        "explanation": _explained(wrapper, project, pages),
        "pages": _extracted(wrapper, project, pages),
        "conflict": None,
    }


def propose_first(
    project: Pages, pages: Mapping[str, Page], page: str, wrapper: str | None
) -> Answer:
    """The records of all pages by what is learned from few, before all of them are learned from.

    `page` is the one that was marked, `wrapper` is the definition of the last wrapper.
    """
    examples = project.examples(pages)
    marked = [example for example in examples if example.page.id == page and example.records]
    if wrapper_of_table(project, examples) is not None or not marked:
        return {"pages": {}}  # nothing has to be learned
    last = None if wrapper is None else wrapper_of(wrapper)
    if last is not None and _still_fits(last, project, pages):
        return {"pages": _extracted(last, project, pages)}
    if len(pages) <= FIRST_PAGES or len(pages[page].text) > FIRST_CHARACTERS:
        return {"pages": {}}
    others = [other for name, other in pages.items() if name != page]
    labelled = list(examples_with_table(project, marked))
    name = project.wrapper_class
    if name == "auto" and last is not None and _is_of_pages(last, labelled):
        # Each page is one record: that was found out before, and a new field doesn't change it.
        labelled, name = list(map(as_complete, labelled)), last.wrapper_class
    with suppress(NoConsistentWrapper, LabelError):
        learned = learn(
            labelled,
            name,
            seconds=FIRST_SECONDS,
            schema=project.schema(),
            pages=[pages[page], *others[: FIRST_PAGES - 1]],
        )
        return {"pages": _extracted(learned, project, pages)}
    return {"pages": {}}


def _is_of_pages(wrapper: Wrapper, examples: Sequence[Example]) -> bool:
    """Whether a wrapper takes each page for one record, and each page has one marked record."""
    is_of_pages = isinstance(wrapper, Token) and wrapper.record is None
    return is_of_pages and all(len(example.records) == 1 for example in examples)


def _still_fits(wrapper: Wrapper, project: Pages, pages: Mapping[str, Page]) -> bool:
    """Whether a wrapper finds everything that is labelled by now, and nothing that was deleted."""
    fields = {
        field.split(".")[0]
        for label in project.labels.values()
        for record in label.records
        for field in record
    }
    return (
        project.wrapper_class in ("auto", wrapper.wrapper_class)
        and fields == set(wrapper.fields)
        and not any(deleted_of(wrapper, project, pages).values())
        and all(
            reproduces(example, wrapper.extract(example.page))
            for example in project.examples(pages)
        )
    )


def _explained(wrapper: Wrapper, project: Pages, pages: Mapping[str, Page]) -> Answer:
    partial = {name for name, label in project.labels.items() if not label.complete}
    explanation = explain(wrapper, partial)
    still = sum(map(len, deleted_of(wrapper, project, pages).values()))
    if still:
        explanation["warned"].append(
            f"The wrapper still finds {still:,} of the records that you deleted. They are hidden "
            "here; mark more records to make the difference clear."
        )
    return explanation


def _extracted(wrapper: Wrapper, project: Pages, pages: Mapping[str, Page]) -> Answer:
    return {
        name: _of_page(wrapper, page, project.labels.get(name, Label()), project.fields)
        for name, page in pages.items()
    }


def _of_page(wrapper: Wrapper, page: Page, label: Label, fields: Sequence[str]) -> Answer:
    """The records of a page, and the regions that they and the marked ones are in."""
    extracted = wrapper.extract(page)
    # What a wrapper looked for and did not find is missing, not unknown.
    missing = dict.fromkeys(wrapper.fields)
    records = [flatten({**missing, **marks_of(record)}, fields) for record in extracted]
    records = [record for record in records if not is_deleted(record, label.rejected)]
    # Objects of data are no elements: only the wrapper knows how far each of them reaches.
    known = wrapper.regions(page) if isinstance(wrapper, Data) else []
    regions = known or regions_of(page, records, label.records)
    return {"records": records, "failure": extracted.failure, "regions": regions}
