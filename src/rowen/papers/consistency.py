"""Whether a paper from another process refers only to what it has.

Attack: a document may have taken over the process that read it. The types of its answer are checked
when it is received; this checks that its numbers fit each other, so that whoever writes the paper
may follow them.
"""

from collections.abc import Iterable, Iterator

from rowen.elements.element import Figure, Formula, PaperTable
from rowen.papers.body import Section
from rowen.papers.paper import Paper

DEEPEST_LEVEL = 100
"""Limit: the level of a heading; sections are written inside each other. Books have six."""


def check_paper(paper: Paper) -> None:
    """ValueError for a paper whose parts don't fit together."""
    for fits in _claims(paper):
        if not fits:
            raise ValueError("the parts of a paper don't fit together")


def _claims(paper: Paper) -> Iterator[bool]:
    """What has to be true of a paper."""
    for section in paper.body:
        yield from _claims_of(section, len(paper.citations))
    elements: list[Figure | PaperTable | Formula] = [*paper.figures, *paper.tables]
    for element in [*elements, *paper.formulas]:
        yield _is_tied(element, paper.body)
    for table in paper.tables:
        yield 0 <= table.head <= len(table.cells)
        yield len(set(map(len, table.cells))) <= 1
    for note in paper.footnotes:
        if note.span is not None:
            number = -1 if note.section is None else note.section
            yield _is_in(number, paper.body) and _fits(note.span, paper.body[number].text)
    for citation in paper.citations:
        yield all(_fits(span, citation.raw) for spans in citation.spans.values() for span in spans)
        yield _are_probable((citation.confidence or 0.0, *citation.field_confidence.values()))
    yield _are_probable(paper.confidence.values())


def _claims_of(section: Section, citations: int) -> Iterator[bool]:
    yield 0 < section.level <= DEEPEST_LEVEL
    for paragraph in section.paragraphs:
        yield _fits((paragraph.start, paragraph.end), section.text)
    for marker in section.markers:
        yield _fits((marker.start, marker.end), section.text)
        yield all(0 <= citation < citations for citation in marker.citations)


def _is_tied(element: Figure | PaperTable | Formula, body: tuple[Section, ...]) -> bool:
    """Whether the place of an element is in the text of a section, if it has a place."""
    if element.section is None:
        return element.at is None
    if element.at is None or not _is_in(element.section, body):
        return False
    return 0 <= element.at <= len(body[element.section].text)


def _is_in(section: int, body: tuple[Section, ...]) -> bool:
    return 0 <= section < len(body)


def _fits(span: tuple[int, int], text: str) -> bool:
    start, end = span
    return 0 <= start <= end <= len(text)


def _are_probable(numbers: Iterable[float]) -> bool:
    return all(0 <= number <= 1 for number in numbers)
