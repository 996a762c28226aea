"""Excerpts: the first records of a long page say what the others would.

A page of megabytes with thousands of records is searched by its first records alone, which takes a
fraction of the time. The wrapper is then run on the whole page, and counts only if it reproduces
every label there. Where it doesn't, the whole pages have to be searched.
"""

from collections.abc import Mapping, Sequence

from rowen.assurance.evidence import Evidence
from rowen.landmarks.learn import learn_token, reproduces
from rowen.landmarks.sample import Kind, Sample
from rowen.model import NoConsistentWrapper, Page
from rowen.records import Example
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Token

EXCERPT_RECORDS = 200
"""Limit: at most this many records of a page are searched for a token wrapper; the others only
verify it."""

EXCERPT_CHARACTERS = 250_000
"""Limit: at most this many characters after a page's last marked record are searched for a token
wrapper at first."""


def learn_class(
    examples: Sequence[Example],
    *,
    kinds: Mapping[str, Kind] | None = None,
    repeats: bool | None = None,
) -> Token:
    """A token wrapper that reproduces the examples: from excerpts where they suffice."""
    return learn_from_excerpts(examples, kinds=kinds, repeats=repeats) or learn_token(
        examples, kinds=kinds, repeats=repeats
    )


def learn_from_excerpts(
    examples: Sequence[Example],
    *,
    kinds: Mapping[str, Kind] | None = None,
    repeats: bool | None = None,
) -> Token | None:
    """A wrapper from the beginnings of the pages; None where pages are short, or none fits."""
    excerpts = [excerpt_of(example) for example in examples]
    if 2 * _size(excerpts) > _size(examples):
        return None
    try:
        wrapper = learn_token(excerpts, kinds=kinds, repeats=repeats)
    except NoConsistentWrapper:
        return None
    outlines = [Outline(example.page.text) for example in examples]
    if not reproduces(wrapper, Sample(examples, outlines, [])):
        return None
    wrapper.evidence = Evidence.of(examples)
    return wrapper


def _size(examples: Sequence[Example]) -> int:
    return sum(len(example.page.text) for example in examples)


def excerpt_of(example: Example, characters: int | None = None) -> Example:
    """The first records of an example, up to the tag before the next, or with some text after."""
    text, records = example.page.text, example.records[:EXCERPT_RECORDS]
    extents = [record.extent for record in example.records[: EXCERPT_RECORDS + 1]]
    located = [extent for extent in extents if extent is not None]
    if len(records) < len(example.records) and extents[-1] is not None:
        end = extents[-1].start
    else:
        end = (located[-1].end if located else 0) + (characters or EXCERPT_CHARACTERS)
        records = example.records
    if end >= len(text):
        return example
    # Cut before a tag: a tag that is cut in two would be another token.
    last = max((record.extent.end for record in records if record.extent is not None), default=0)
    tag = text.rfind("<", last, end)
    page = Page(text[: tag if tag >= 0 else end], id=example.page.id)
    return Example(page, [record.spans for record in records], partial=example.partial)
