"""Excerpts: what a long page has to teach stands in its beginning.

A page of megabytes with thousands of records is searched by its first records alone, which takes a
fraction of the time; the wrapper is then run on the whole page, and counts only if it gives back
every label there. Where it doesn't, the whole pages have to be searched.
"""

from collections.abc import Mapping, Sequence

from rowen.limits import EXCERPT_CHARACTERS, EXCERPT_RECORDS
from rowen.model import Example, NoConsistentWrapper, Page
from rowen.wrappers.base import Evidence
from rowen.wrappers.token.learning import learn_token, reproduces
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.sample import Kind, Sample
from rowen.wrappers.token.wrapper import Token


def learn_from_excerpts(
    examples: Sequence[Example], *, kinds: Mapping[str, Kind] | None = None
) -> Token | None:
    """A wrapper from the beginnings of the pages; None where they are short, or don't tell."""
    excerpts = [_excerpt(example) for example in examples]
    if 2 * _size(excerpts) > _size(examples):
        return None
    try:
        wrapper = learn_token(excerpts, kinds=kinds)
    except NoConsistentWrapper:
        return None
    outlines = [Outline(example.page.text) for example in examples]
    if not reproduces(wrapper, Sample(examples, outlines, [])):
        return None
    wrapper.evidence = Evidence.of(examples)
    return wrapper


def _size(examples: Sequence[Example]) -> int:
    return sum(len(example.page.text) for example in examples)


def _excerpt(example: Example) -> Example:
    """The first records of an example, up to the tag before the next, or with some text after."""
    text, records = example.page.text, example.records[:EXCERPT_RECORDS]
    extents = [one.extent for one in example.records[: EXCERPT_RECORDS + 1]]
    known = [extent for extent in extents if extent is not None]
    if len(records) < len(example.records) and extents[-1] is not None:
        end = extents[-1].start
    else:
        end = (known[-1].end if known else 0) + EXCERPT_CHARACTERS
        records = example.records
    if end >= len(text):
        return example
    # A tag that is cut in two would be another one.
    last = max((one.extent.end for one in records if one.extent is not None), default=0)
    tag = text.rfind("<", last, end)
    page = Page(text[: tag if tag >= 0 else end], id=example.page.id)
    return Example(page, [one.spans for one in records], partial=example.partial)
