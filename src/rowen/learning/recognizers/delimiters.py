"""One label per page from the choices of Corrob*: by the delimiters that values have in common.

True values have the same text before and after them, mistakes have not:

    page      <b>Congo</b> 242 <b>Egypt</b> 20 <u>Next</u>       code: 242, 20
    country   Congo; Egypt or Next                               choices of the two rows
    left      <b> is before Congo and Egypt, <u> before Next     so Egypt is chosen
    unknown   a cell without a choice is filled with the next text between <b> and </b>, where the
              values known before and after it leave only one
"""

from collections.abc import Sequence

from rowen.learning.recognizers.corrob_star import CompactLabel
from rowen.learning.recognizers.corroborate import Choice, PartialLabel
from rowen.learning.recognizers.recognizer import CONTEXT
from rowen.model import NoConsistentWrapper, Page
from rowen.records.positions import Position

QUORUM = 0.5
"""This share of a field's cells must agree on a character of a delimiter while it is searched
for."""


def label_pages(labelled: Sequence[tuple[Page, CompactLabel]]) -> list[tuple[Page, PartialLabel]]:
    """One label per page: the choices with common delimiters; unknown cells by these delimiters."""
    if not labelled:
        raise NoConsistentWrapper("the recognized values give no label for any page")
    order = labelled[0][1].order
    columns: list[list[list[Choice]]] = []
    frames: list[tuple[str, str]] = []
    for index in range(len(order)):
        cells = [(page.text, row[index]) for page, label in labelled for row in label.rows]
        chosen = _chosen(cells)
        left, right = _frame(
            [(text, choice) for (text, _), choice in zip(cells, chosen, strict=True)]
        )
        # Without a delimiter on each side no wrapper of these classes can be learned.
        if not left or not right:
            raise NoConsistentWrapper("its values have no delimiters in common", field=order[index])
        frames.append((left, right))
        columns.append(_by_page(chosen, labelled))
    return [
        (page, _completed(page.text, order, [column[number] for column in columns], frames))
        for number, (page, _) in enumerate(labelled)
    ]


def _by_page(
    chosen: Sequence[Choice], labelled: Sequence[tuple[Page, CompactLabel]]
) -> list[list[Choice]]:
    pages: list[list[Choice]] = []
    at = 0
    for _, label in labelled:
        pages.append(list(chosen[at : at + len(label.rows)]))
        at += len(label.rows)
    return pages


def _chosen(cells: Sequence[tuple[str, Sequence[Choice]]]) -> list[Choice]:
    """The choice of each cell whose context has the most in common with the other cells."""
    lefts = _consensus(
        [[_left(text, option) for option in options if option] for text, options in cells]
    )
    rights = _consensus(
        [[_right(text, option) for option in options if option] for text, options in cells]
    )
    chosen: list[Choice] = []
    for text, options in cells:
        best: tuple[int, Choice] = (0, None)
        for option in options:
            if option is None:
                continue
            shared = _shared(_left(text, option), lefts) + _shared(_right(text, option), rights)
            # A mistake may agree by chance. Where the cell may also be empty, more than half of the
            # common context is needed.
            enough = None not in options or 2 * shared > len(lefts) + len(rights)
            if enough and (best[1] is None or shared > best[0]):
                best = shared, option
        chosen.append(best[1])
    return chosen


def _left(text: str, position: Position) -> str:
    """The text before a position, read backwards."""
    return text[max(0, position[0] - CONTEXT) : position[0]][::-1]


def _right(text: str, position: Position) -> str:
    return text[position[1] : position[1] + CONTEXT]


def _consensus(cells: Sequence[Sequence[str]]) -> str:
    """The longest string with which some context of a quorum of cells begins."""
    alive = [(index, context) for index, options in enumerate(cells) for context in options]
    needed = QUORUM * sum(1 for options in cells if options)
    agreed = ""
    # One character at a time, by majority of cells: one cell's mistake can't end the delimiter.
    while alive:
        voters: dict[str, set[int]] = {}
        for index, context in alive:
            if len(context) > len(agreed):
                voters.setdefault(context[len(agreed)], set()).add(index)
        best = max(voters, key=lambda character: len(voters[character]), default="")
        if not best or len(voters[best]) < needed:
            break
        agreed += best
        alive = [(index, context) for index, context in alive if context.startswith(agreed)]
    return agreed


def _shared(context: str, consensus: str) -> int:
    """The length of the longest common prefix."""
    limit = min(len(context), len(consensus))
    return next((at for at in range(limit) if context[at] != consensus[at]), limit)


def _common(contexts: Sequence[str]) -> str:
    """The longest prefix of all contexts."""
    if not contexts:
        return ""
    # In alphabetical order the first and the last have the shortest prefix in common.
    low, high = min(contexts), max(contexts)
    return low[: _shared(low, high)]


def _frame(chosen: Sequence[tuple[str, Choice]]) -> tuple[str, str]:
    """The text that is before and after all chosen values."""
    lefts = [_left(text, choice) for text, choice in chosen if choice]
    rights = [_right(text, choice) for text, choice in chosen if choice]
    return _common(lefts)[::-1], _common(rights)


def _completed(
    text: str,
    order: tuple[str, ...],
    columns: Sequence[Sequence[Choice]],
    frames: Sequence[tuple[str, str]],
) -> PartialLabel:
    """The label with each run of unknown cells filled in, where the delimiters find all of it."""
    cells = _in_order([choice for row in zip(*columns, strict=True) for choice in row])
    width = len(order)
    for first, after in _holes(cells):
        before = cells[first - 1] if first else None
        following = cells[after] if after < len(cells) else None
        # Before the first known value the nearest delimiters are the last ones, read backwards.
        cells[first:after] = _between(
            text,
            before[1] if before else 0,
            following[0] if following else len(text),
            [frames[at % width] for at in range(first, after)],
            backwards=before is None,
        )
    rows = [tuple(cells[at : at + width]) for at in range(0, len(cells), width)]
    return PartialLabel(order, tuple(rows))


def _holes(cells: Sequence[Choice]) -> list[tuple[int, int]]:
    """The runs of unknown cells: where each starts, and where it has ended."""
    edges = [at for at in range(len(cells) + 1) if _is_known(cells, at) != _is_known(cells, at - 1)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _is_known(cells: Sequence[Choice], at: int) -> bool:
    return not 0 <= at < len(cells) or cells[at] is not None


def _in_order(cells: Sequence[Choice]) -> list[Choice]:
    """The cells; one whose value starts before the end of an earlier one becomes unknown."""
    ordered: list[Choice] = []
    reached = 0
    for choice in cells:
        fits = choice is not None and choice[0] >= reached
        ordered.append(choice if fits else None)
        reached = choice[1] if choice is not None and fits else reached
    return ordered


def _between(
    text: str, low: int, high: int, frames: Sequence[tuple[str, str]], *, backwards: bool
) -> list[Choice]:
    """Values for a run of cells between known positions: the next, or `backwards` the last ones.

    All or none: where one is missing, the others may belong to another record.
    """
    positions: list[Choice] = []
    step = _last if backwards else _next
    for frame in reversed(frames) if backwards else frames:
        position = step(text, low, high, frame)
        if position is None:
            return [None] * len(frames)
        positions.append(position)
        low, high = (low, position[0]) if backwards else (position[1], high)
    return positions[::-1] if backwards else positions


def _next(text: str, low: int, high: int, frame: tuple[str, str]) -> Choice:
    """The first text between a frame, which may overlap the values before and after."""
    left, right = frame
    at = text.find(left, max(0, low - len(left)), high)
    start = at + len(left)
    end = text.find(right, start, high + len(right)) if at >= 0 else -1
    return (start, end) if start < end <= high else None


def _last(text: str, low: int, high: int, frame: tuple[str, str]) -> Choice:
    """The last text between a frame, which may overlap the values before and after."""
    left, right = frame
    low = max(0, low - len(left))
    at = text.rfind(left, low, high)
    while at >= 0:
        start = at + len(left)
        end = text.find(right, start, high + len(right))
        if start < end <= high:
            return start, end
        at = text.rfind(left, low, at + len(left) - 1)
    return None
