"""Texts that say that there is no value: `n/a`, `tbc`, a dash.

    <td class=t>15:00</td>      time: 15:00
    <td class=t>tbc</td>        time is marked as missing

Where no rule tells such cells from others by what is around them, the text itself may.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from rowen.landmarks.occurrence import Occurrence
from rowen.landmarks.sample import Sample
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.wrapper import Rule

TEXTS = 3
"""Limit: a field has at most this many texts that mean nothing. More are data."""

CHARACTERS = 40
"""Limit: longer texts say something."""

TAGS = 2_000
"""Limit: so many tags in records without a value are looked at; sites have few such texts."""

_WORD = re.compile(r"\w")
_DIGIT = re.compile(r"\d")


def missing_texts(
    sample: Sample, name: str, occurrences: Sequence[Occurrence], cut: Cut
) -> list[str]:
    """The texts where a value might be, in records that are known to have none.

    Marked values are none of them. On pages of one record each there are too many other texts, so
    that only signs count there.
    """
    tag = int(occurrences[0].outline.names[occurrences[0].tag])
    values = {
        occurrence.outline.text[occurrence.start : occurrence.end]
        for record in sample.marked
        for occurrence in record.all
    }
    texts: dict[str, None] = {}
    for page, low, high in _empty(sample, name):
        outline = sample.outlines[page]
        for at in (np.flatnonzero(outline.names[low:high] == np.uint64(tag)) + low)[:TAGS].tolist():
            bounds = cut.value(outline, at)
            text = "" if bounds is None else outline.text[bounds[0] : bounds[1]]
            if text and len(text) <= CHARACTERS and text not in values:
                texts[text] = None
    return [text for text in texts if sample.listed or not _WORD.search(_plain(text))]


def used_texts(
    sample: Sample, name: str, rule: Rule, texts: Sequence[str]
) -> tuple[str, ...] | None:
    """Those of the texts that a rule finds in records without a value; None where they are data.

    A record has one such text; they are few, and without digits unless they repeat.
    """
    counts: Counter[str] = Counter()
    found = [rule.values(outline) for outline in sample.outlines]
    for page, low, high in _empty(sample, name):
        text = sample.outlines[page].text
        here = [text[start:end] for start, end, tag in found[page] if low <= tag < high]
        if len(here) > 1:
            return None
        counts.update(here)
    if len(counts) > TEXTS or not set(counts) <= set(texts):
        return None
    if any(count < 2 and _DIGIT.search(_plain(text)) for text, count in counts.items()):
        return None
    return tuple(counts)


def _empty(sample: Sample, name: str) -> Iterator[tuple[int, int, int]]:
    """The page, first and last tag of each record that is known to have no value of a field."""
    for page in range(len(sample.outlines)):
        for low, high, _ in sample.known_stretches(page, name):
            owner = sample.owners.get((page, low))
            if owner is not None and not owner.occurrences.get(name):
                yield page, low, high


def _plain(text: str) -> str:
    """A text without character references: `&ndash;` is a sign."""
    return re.sub(r"&#?\w+;", "", text)
