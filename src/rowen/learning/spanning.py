"""Rows that share cells: what is learned without the shared values is told to fill them in."""

from collections.abc import Sequence
from dataclasses import replace

from rowen.learning.survey import profile_of
from rowen.records import Example
from rowen.wrappers.base import Wrapper
from rowen.wrappers.spanning import Spanning


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
