"""Occurrences: marked values, each with the tag before it, or the tag that it is in.

    <p>by <a href="/ada">Ada</a></p>
    Ada     tag <a>, in the text after it          /ada    tag <a>, in its attribute href
    by Ada  from tag <p> to tag <a>

The last of these values runs over tags. A value may also begin with a tag and end with another one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.outline import Outline

_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A marked value on page number `page`, of record number `record`."""

    outline: Outline
    page: int
    record: int
    tag: int
    last: int
    """The last tag before the value's end: another one where the value runs over tags."""
    attribute: int | None
    """The digest of the attribute's name, where the value is in one."""
    start: int
    end: int

    @property
    def around(self) -> tuple[int, int]:
        """The slot or attribute value in which it begins."""
        if self.attribute is not None:
            bounds = self.outline.attribute(self.tag, self.attribute)
            assert bounds is not None
            return bounds
        return self.outline.slot(self.tag)


def locate(outline: Outline, span: tuple[int, int], page: int, record: int) -> Occurrence | None:
    """The occurrence of a span; None where it is part of a tag but of no single attribute."""
    start, end = span
    tag = outline.tag_at(start)
    attribute = None
    last = tag
    if start < outline.ends[tag]:
        attribute = _attribute_at(outline, tag, start, end)
        if attribute is None and start > outline.starts[tag]:
            return None
    if attribute is None:
        last = max(outline.tag_at(end - 1), tag)
        if last > tag and end < outline.ends[last]:
            return None
    return Occurrence(outline, page, record, tag, last, attribute, start, end)


def as_elements(occurrences: Sequence[Occurrence]) -> Iterator[list[Occurrence]]:
    """The occurrences as all of an element, for each name of element that all of them fill."""
    chains = [_elements(occurrence) for occurrence in occurrences]
    for name in chains[0]:
        if all(name in chain for chain in chains):
            yield [
                replace(occurrence, tag=chain[name], last=chain[name])
                for occurrence, chain in zip(occurrences, chains, strict=True)
            ]


def _elements(occurrence: Occurrence) -> dict[str, int]:
    """The elements that hold a value and nothing else, by name; the outermost of one name."""
    outline, elements = occurrence.outline, dict[str, int]()
    if occurrence.attribute is not None:
        return elements
    tag = (
        occurrence.tag if outline.is_start(occurrence.tag) else int(outline.parents[occurrence.tag])
    )
    while tag and (content := outline.content(tag)) is not None:
        start, end = content
        if start < occurrence.start or end > occurrence.end:
            break
        name = tag_name(outline, tag)
        if content == (occurrence.start, occurrence.end) and name:
            elements[name] = tag
        tag = int(outline.parents[tag])
    return elements


def _attribute_at(outline: Outline, tag: int, start: int, end: int) -> int | None:
    for index in range(outline.attributes_from[tag], outline.attributes_from[tag + 1]):
        if 0 <= outline.value_starts[index] <= start and end <= outline.value_ends[index]:
            return int(outline.attribute_names[index])
    return None


def common_cut(occurrences: Sequence[Occurrence]) -> Cut | None:
    """The cut that gives each occurrence's value, with delimiters as short as they can be."""
    first = occurrences[0]
    if len({occurrence.attribute for occurrence in occurrences}) != 1:
        return None
    attribute = None if first.attribute is None else _attribute_name(first)
    until = _until(occurrences)
    if attribute is None and (phrase := _phrase(occurrences)) is not None:
        return phrase
    if until is None and any(occurrence.last != occurrence.tag for occurrence in occurrences):
        return None
    # Shortest delimiters first: longer ones hold more of these examples and less of other pages.
    for left, last in _lefts(occurrences):
        for right in [None] if until is not None else _rights(occurrences):
            for exact in (False, True):
                cut = Cut(attribute, left, right, last, until, exact)
                if _gives(cut, occurrences):
                    return cut
    return _open_cut(occurrences, attribute) if until is None else None


def _open_cut(occurrences: Sequence[Occurrence], attribute: str | None) -> Cut | None:
    """A cut with an end that only some texts have: `12 lb (5 kg)` and `12 lb`."""
    ended = [occurrence for occurrence in occurrences if _after(occurrence).strip()]
    if not ended or len(ended) == len(occurrences):
        return None
    for left, last in _lefts(occurrences):
        for right in _rights(ended):
            cut = Cut(attribute, left, right, last, open=True)
            if _gives(cut, occurrences):
                return cut
    return None


def _after(occurrence: Occurrence) -> str:
    """What follows a value in its slot or attribute."""
    return occurrence.outline.text[occurrence.end : occurrence.around[1]]


def _gives(cut: Cut, occurrences: Sequence[Occurrence]) -> bool:
    return all(
        cut.value(occurrence.outline, occurrence.tag) == (occurrence.start, occurrence.end)
        for occurrence in occurrences
    )


def _phrase(occurrences: Sequence[Occurrence]) -> Cut | None:
    """The cut of phrases, where each value reaches to the end of the element around it."""
    cut = Cut(phrase=True)
    filling = all(
        occurrence.outline.ends_element(occurrence.tag, occurrence.last + 1)
        for occurrence in occurrences
    )
    return cut if filling and _gives(cut, occurrences) else None


def _attribute_name(occurrence: Occurrence) -> str:
    outline = occurrence.outline
    start, _ = occurrence.around
    tag = outline.text[outline.starts[occurrence.tag] : start]
    return re.split(r"[\s\"'/]", tag.rstrip("\"' \t\r\n\f=").rstrip())[-1].lower()


def _until(occurrences: Sequence[Occurrence]) -> str | None:
    """The tag after values that run over tags, where it is the same for all."""
    if all(occurrence.last == occurrence.tag for occurrence in occurrences):
        return None
    names = {tag_name(occurrence.outline, occurrence.last + 1) for occurrence in occurrences}
    return names.pop() if len(names) == 1 else None


def tag_name(outline: Outline, tag: int) -> str | None:
    """A tag's name as landmarks write it."""
    if tag >= outline.size:
        return None
    if tag == 0:
        return ""
    text = outline.text[outline.starts[tag] : outline.ends[tag]]
    if text.startswith("<!"):
        return "!doctype" if text[:9].lower() == "<!doctype" else "!--"
    match = re.match(r"<(/?[^\s/>]+)", text)
    return match[1].lower() if match else "!--"


def _lefts(occurrences: Sequence[Occurrence]) -> Iterator[tuple[str | None, bool]]:
    """Left delimiters to try: none, then ever longer ends of what all have before the value."""
    before = [
        occurrence.outline.text[occurrence.around[0] : occurrence.start]
        for occurrence in occurrences
    ]
    if not any(text.strip() for text in before):
        yield None, False
    shared = _common_start([text[::-1] for text in before])[::-1]
    cuts = [shared[piece.start() :] for piece in _PIECE.finditer(shared)][::-1]
    for cut in sorted(cuts, key=lambda cut: (_doubt(cut), not _has_word(cut))):
        yield cut, False
        yield cut, True


def _rights(occurrences: Sequence[Occurrence]) -> Iterator[str | None]:
    """Right delimiters to try: none, then ever longer starts of what all have after the value."""
    after = [_after(occurrence) for occurrence in occurrences]
    if not any(text.strip() for text in after):
        yield None
    shared = _common_start(after)
    cuts = [shared[: piece.end()] for piece in _PIECE.finditer(shared)]
    yield from sorted(cuts, key=_doubt)


def _common_start(texts: Sequence[str]) -> str:
    low, high = min(texts), max(texts)
    for place, sign in enumerate(low):
        if sign != high[place]:
            return low[:place]
    return low


def _has_word(delimiter: str) -> bool:
    """Whether a word says what follows: `Weight: ` does, `: ` may follow any label."""
    return any(sign.isalpha() for sign in delimiter)


def _doubt(delimiter: str) -> int:
    """White space delimits badly, and digits are data that examples share by chance."""
    if any(sign.isdigit() for sign in delimiter):
        return 2
    return 0 if delimiter.strip() else 1
