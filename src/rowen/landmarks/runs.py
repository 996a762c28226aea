"""Runs: values that reach over several children of an element, such as the paragraphs of a text.

    <article><h1>Floods</h1><p class=by>Ann <p>It rained. <div class=ad>Buy</div> <p>Still.
             <h3>Related</h3>...</article>

    body     from the first to the last <p> directly in <article>

What stands between the paragraphs belongs to the value, and differs from page to page: figures,
advertisements, headings. What comes before and after them differs as well, so that no landmark
there holds for all pages. The element around them is easier to find.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rowen._core import name_digest
from rowen.landmarks.occurrence import Occurrence, tag_name
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import squeezed
from rowen.wrappers.token.outline import Outline

PARTS = 4
"""Limit: so many kinds of elements may begin or end a run. More are no paragraphs."""

Part = tuple[str, str]
"""The name of an element and its class."""


def as_runs(occurrences: Sequence[Occurrence]) -> Iterator[tuple[list[Occurrence], Cut]]:
    """The occurrences as runs in the elements around them, with the cut that gives them.

    Once for each name of an element that holds the parts of all of them.
    """
    if not any(_is_long(occurrence) for occurrence in occurrences):
        return
    outer = all(_is_outer(occurrence) for occurrence in occurrences)
    chains = [_holders(occurrence) for occurrence in occurrences]
    for name in chains[0]:
        if not all(name in chain for chain in chains):
            continue
        holders = [chain[name] for chain in chains]
        parts = dict.fromkeys(part for _, ends in holders for part in ends)
        cut = Cut(run=tuple(sorted(parts)), outer=outer)
        around = [
            replace(occurrence, tag=holder, last=holder)
            for occurrence, (holder, _) in zip(occurrences, holders, strict=True)
        ]
        if len(parts) <= PARTS and all(
            cut.value(each.outline, each.tag) == (each.start, each.end) for each in around
        ):
            yield around, cut


def _is_long(occurrence: Occurrence) -> bool:
    return occurrence.attribute is None and occurrence.last > occurrence.tag


def _is_outer(occurrence: Occurrence) -> bool:
    """Whether a value begins with a tag."""
    return occurrence.start < int(occurrence.outline.ends[occurrence.tag])


def _holders(occurrence: Occurrence) -> dict[str, tuple[int, tuple[Part, Part]]]:
    """By name the elements whose children begin and end the value, and these children."""
    outline, holders = occurrence.outline, dict[str, tuple[int, tuple[Part, Part]]]()
    if occurrence.attribute is not None:
        return holders
    # The end tag of the last part is outside of it.
    end = occurrence.last - _is_outer(occurrence)
    first, last = (_chain(outline, tag) for tag in (occurrence.tag, end))
    for child in first:
        holder = int(outline.parents[child])
        other = next((each for each in last if int(outline.parents[each]) == holder), None)
        name = tag_name(outline, holder)
        if not holder or other is None or not name:
            continue
        parts = (_part(outline, child), _part(outline, other))
        if parts[0] is not None and parts[1] is not None:
            # Of several elements of one name the innermost: others hold other parts of the page.
            holders.setdefault(name, (holder, (parts[0], parts[1])))
    return holders


def _chain(outline: Outline, tag: int) -> list[int]:
    """A tag's element and those around it."""
    around = tag if outline.is_start(tag) else int(outline.parents[tag])
    chain = []
    while around:
        chain.append(around)
        around = int(outline.parents[around])
    return chain


def _part(outline: Outline, tag: int) -> Part | None:
    name = tag_name(outline, tag)
    bounds = outline.attribute(tag, name_digest("class"))
    return None if not name else (name, squeezed(outline.text[slice(*bounds)]) if bounds else "")
