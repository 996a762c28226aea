"""Learning columns of characters: the gaps around marked values that most lines share.

KBOS     Boston Logan  12.5      marked: KBOS, Boston Logan, 12.5
KJFK     New York       9.1      a gap between two marked values is blank in the marked line;
KSEA     Seattle       11.0      its edge is where most other lines are blank, too
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rowen.assurance.evidence import Evidence
from rowen.learning.likeness import is_numeric
from rowen.learning.verification import reproduces
from rowen.model import NoConsistentWrapper, Span
from rowen.records import Example, Record
from rowen.wrappers.lines import Column, Line, Lines, blocks_of

LEAST = 3
"""A table has at least so many lines: two may agree by chance."""

SHARE = 0.5
"""This share of the written lines around the marked ones has to keep to the columns."""

Place = tuple[int, int]


class MarkedLine(NamedTuple):
    """A marked record: its line, the lines around it, and where in the line its values are."""

    line: Line
    number: int
    block: Sequence[Line]
    values: Mapping[str, Place | None]


def learn_class(examples: Sequence[Example]) -> Lines:
    """The wrapper that reproduces the examples; raises `NoConsistentWrapper` where none does."""
    names = tuple(example.page.id for example in examples)
    if all(len(example.records) == 1 and not example.partial for example in examples):
        raise NoConsistentWrapper("pages of one record each have no lines for each", pages=names)
    marked = [line for example in examples for line in _marked_lines(example)]
    if not marked:
        raise NoConsistentWrapper("the marked values are not in lines of plain text", pages=names)
    fields = list(dict.fromkeys(name for each in marked for name in each.values))
    blocks = {id(each.block): each.block for each in marked}
    lines = [line for block in blocks.values() for line in block if _is_written(line)]
    places = {name: _column(name, marked, lines) for name in fields}
    required = [name for name in fields if all(each.values.get(name) for each in marked)]
    for ruled in (True, False):
        if ruled and not all(map(_has_rule_above, marked)):
            continue
        wrapper = Lines(
            fields,
            places=places,
            required=required,
            ruled=ruled,
            evidence=Evidence.of(examples),
        )
        found = [wrapper.extract(example.page) for example in examples]
        count = sum(map(len, found))
        if count < max(LEAST, SHARE * len(lines)):
            continue
        if all(map(reproduces, examples, found)):
            return wrapper
    raise NoConsistentWrapper("the lines of the pages share no columns", pages=names)


def _is_written(line: Line) -> bool:
    return bool(line.text.strip()) and not line.is_rule


def _has_rule_above(marked: MarkedLine) -> bool:
    return any(line.is_rule for line in marked.block[: marked.number])


def _marked_lines(example: Example) -> Iterator[MarkedLine]:
    """The line of each marked record."""
    blocks = list(blocks_of(example.page.text))
    for record in example.records:
        extent = record.extent
        if extent is None:
            continue
        found = next(
            (
                (line, number, block)
                for block in blocks
                for number, line in enumerate(block)
                if line.text and line.source(0, len(line.text))[1] >= extent.end
            ),
            None,
        )
        if found is None:
            raise _outside(example)
        line, number, block = found
        yield MarkedLine(line, number, block, dict(_values(example, record, line)))


def _values(example: Example, record: Record, line: Line) -> Iterator[tuple[str, Place | None]]:
    """Where in the line the values of a record are."""
    for name, spans in record.items():
        if len(spans) > 1:
            raise _outside(example)
        yield name, _place(example, line, spans[0]) if spans else None


def _place(example: Example, line: Line, span: Span) -> Place:
    bounds = [line.source(at, at + 1) for at in range(len(line.text))]
    inside = [at for at, (low, high) in enumerate(bounds) if span.start <= low and high <= span.end]
    if not inside or line.source(inside[0], inside[-1] + 1) != (span.start, span.end):
        raise _outside(example)
    return inside[0], inside[-1] + 1


def _outside(example: Example) -> NoConsistentWrapper:
    return NoConsistentWrapper(
        "the marked values are not words of one line of plain text", pages=(example.page.id,)
    )


def _column(name: str, marked: Sequence[MarkedLine], lines: Sequence[Line]) -> Column:
    """The widest place of a field at which no word of the marked lines crosses its edges."""
    valued = [(each.line, value) for each in marked if (value := each.values.get(name))]
    if not valued:
        raise NoConsistentWrapper("it has no value in any marked line", field=name)
    first = _edge([_blanks_before(line, place[0]) for line, place in valued], lines)
    last = _edge([_blanks_after(line, place[1]) for line, place in valued], lines)
    if first is None and any(place[0] for _, place in valued):
        raise NoConsistentWrapper("no gap before it is in all marked lines", field=name)
    digits = all(is_numeric(line.text[slice(*place)]) for line, place in valued)
    return Column(0 if first is None else first + 1, last, digits)


def _blanks_before(line: Line, at: int) -> range:
    start = at
    while start and line.text[start - 1].isspace():
        start -= 1
    return range(start, at)


def _blanks_after(line: Line, at: int) -> range | None:
    """The blank places after a value; None where the line ends."""
    end = at
    while end < len(line.text) and line.text[end].isspace():
        end += 1
    return range(at, end) if end < len(line.text) else None


def _edge(gaps: Sequence[range | None], lines: Sequence[Line]) -> int | None:
    """The place in all of these gaps that is blank in most lines; the middle one of equals.

    None where every marked value is at the beginning or the end of its line.
    """
    inner = [gap for gap in gaps if gap is not None]
    low = max((gap.start for gap in inner), default=0)
    high = min((gap.stop for gap in inner), default=0)
    if low >= high:
        return None
    blank = {at: sum(line.is_blank(at) for line in lines) for at in range(low, high)}
    most = max(blank.values())
    best = [at for at, count in blank.items() if count == most]
    return best[len(best) // 2]
