"""The survey after learning: a wrapper is run over its examples once.

That shows which labels it does not reproduce, and what its records look like. `check` compares
later pages with that profile. A wrapper of rows that share cells then fills them in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rowen.induction import budget
from rowen.learning.verification import shown, verify
from rowen.model import Page, Warning  # noqa: A004  # the design's word
from rowen.records import Example, Records
from rowen.records.shared_values import reaching_fields
from rowen.wrappers.base import Wrapper
from rowen.wrappers.layout import Layout
from rowen.wrappers.profile import Profile
from rowen.wrappers.spanning import Spanning

PROFILE_SECONDS = 10.0
"""Limit: at most this much processor time goes into the profile of a wrapper's records. Then the
pages surveyed so far must do. A page takes half a second at most."""


def survey(wrapper: Wrapper, examples: Sequence[Example], *, cut_short: str = "") -> None:
    """Run a wrapper over its examples, and set its warnings and its profile.

    Every label is compared, however long it takes. For the profile the first pages must do where
    there are very many. `cut_short` says why the search ended early, where it did.
    """
    extracted: list[Records] = []

    def profiled() -> Iterator[Records]:
        for number, example in enumerate(examples):
            records = wrapper.extract(example.page)
            extracted.append(records)
            if not (number and budget.spent()):
                # No records is right where nobody marked one; a failure there says nothing.
                is_empty = not (records or example.records or example.partial)
                yield Records() if is_empty else records

    layout = Layout.of(examples)
    with budget.limit(PROFILE_SECONDS):
        wrapper.profile = replace(Profile.of(profiled()), layout=layout)
    warnings = (*verify(examples, extracted), *_overreaching(layout, examples, extracted))
    if cut_short:
        message = f"there may be a better wrapper, the search was cut short: {cut_short}"
        warnings = (*warnings, Warning("search-cut-short", message))
    wrapper.warnings = warnings


def _overreaching(
    layout: Layout | None, examples: Sequence[Example], extracted: Sequence[Records]
) -> Iterator[Warning]:
    """Records beside the marked ones that seem to have taken a value of the next record."""
    if layout is None:
        return
    for example, records in zip(examples, extracted, strict=True):
        for record in records if example.partial else ():
            if (over := layout.overreach(record)) is not None:
                message = f"{shown(record)} seems to have another one's {over.after}"
                more = f"{over.starts} begins between its {over.before} and its {over.after}"
                yield Warning(
                    "record-reaches-over", f"{message}: {more}", example.page.id, None, over.after
                )


def profile_of(wrapper: Wrapper, pages: Sequence[Page]) -> Profile:
    """What a wrapper's records on pages look like; of very many pages, the first must do."""

    def profiled() -> Iterator[Records]:
        for number, page in enumerate(pages):
            if number and budget.spent():
                return
            yield wrapper.extract(page)

    with budget.limit(PROFILE_SECONDS):
        return Profile.of(profiled())


def shared_names(examples: Sequence[Example]) -> list[str]:
    """The fields that some record has from a cell in a row before its own."""
    names = (
        name
        for example in examples
        for label, shared in zip(example.records, example.shared, strict=False)
        for name, _ in label.stored()
        if name in shared
    )
    return list(dict.fromkeys(names))


def reaching_names(examples: Sequence[Example]) -> list[str]:
    """The fields that records beside the marked ones have from a cell in a row before their own."""
    reaching = [
        reaching_fields(example.page, example.records) for example in examples if example.partial
    ]
    fields = (name for example in examples for record in example.records for name in record)
    return [name for name in dict.fromkeys(fields) if any(name in names for names in reaching)]


def spanning(wrapper: Wrapper, shared: Sequence[str], examples: Sequence[Example]) -> Wrapper:
    """A wrapper of rows that fills in the fields that they share; the same where they share none.

    It was compared with labels in which each value is in one row only, which shows the same
    mistakes. Its profile is that of whole records, which have no order on the page.
    """
    names = [name for name in shared if name in wrapper.fields]
    if not names:
        return wrapper
    whole = Spanning(wrapper.fields, rows=wrapper, shared=names, evidence=wrapper.evidence)
    whole.reason, whole.warnings = wrapper.reason, wrapper.warnings
    whole.estimate = wrapper.estimate
    profile = profile_of(whole, [example.page for example in examples])
    whole.profile = replace(profile, layout=None)
    return whole
