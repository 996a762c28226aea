"""Pieces in the margin: numbers of lines, which are no text, and keys of references, which are.

Manuscripts number each or each fifth line. Without this such a number is a word of its line, and a
list of keys is a column of its own:

    5   we measured it twice.             the piece `5` is left out
    [ARC04]   Al-Rashid, M. Measuring     the pieces are joined: one line, not two columns
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rowen.pdf.characters import PageCharacters
from rowen.pdf.pieces import Piece

_ALIGNED = 2.0  # points by which the edges of line numbers may differ
_LEAST = 3  # numbers of a page that count in steps of more than one
_LEAST_BY_ONE = 12  # the same for numbers of each line: references may be numbered as well
_LEAST_LATE, _MANY = 5, 100  # the same from this number on, which few lists of references reach
_STEPS = (1, 2, 3, 5, 10)
_EVEN = 0.35  # of the lines: so many may have another distance than most
_KEY, _LONGEST_KEY = 4, 14  # characters of a key with its brackets
_KEYS = 2  # of a page, at least
_APART = 8.0  # of the size: text further behind a key does not belong to it
_ZERO, _NINE, _OPENS, _CLOSES = ord("0"), ord("9"), ord("["), ord("]")


def without_line_numbers(page: PageCharacters, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces but the numbers of lines at the left or right of all other text."""
    numbers = [(piece, number) for piece in pieces if (number := _number(page, piece)) is not None]
    if len(numbers) < _LEAST:
        return list(pieces)
    dropped: set[int] = set()
    for outer in (
        [(piece, number) for piece, number in numbers if _outside(piece, pieces, left=True)],
        [(piece, number) for piece, number in numbers if _outside(piece, pieces, left=False)],
    ):
        if _count_up(outer):
            dropped.update(id(piece) for piece, _ in outer)
    return [piece for piece in pieces if id(piece) not in dropped]


def _number(page: PageCharacters, piece: Piece) -> int | None:
    if piece.end - piece.first > 4:
        return None
    codes = page.codes[piece.first : piece.end].tolist()
    if not all(_ZERO <= code <= _NINE for code in codes):
        return None
    return int("".join(map(chr, codes)))


def _outside(piece: Piece, pieces: Sequence[Piece], *, left: bool) -> bool:
    """Whether nearly all text is on the other side of a piece."""
    if left:
        beyond = sum(other.left < piece.right - _ALIGNED for other in pieces)
    else:
        beyond = sum(other.right > piece.left + _ALIGNED for other in pieces)
    # The other line numbers are not on the other side, and heads may reach into the margin. A page
    # of figures may have more numbers than texts.
    aligned = sum(
        abs(other.right - piece.right) < _ALIGNED or abs(other.left - piece.left) < _ALIGNED
        for other in pieces
    )
    return beyond <= max(0.6 * len(pieces), aligned) and beyond - 4 <= aligned < len(pieces)


def _count_up(numbers: Sequence[tuple[Piece, int]]) -> bool:
    """Whether numbers are aligned and count down the page in equal steps at equal distances."""
    if len(numbers) < _LEAST:
        return False
    rows = sorted(numbers, key=lambda own: -own[0].baseline)
    edges = [piece.right for piece, _ in rows], [piece.left for piece, _ in rows]
    if min(max(edge) - min(edge) for edge in edges) > _ALIGNED:
        return False
    step = rows[1][1] - rows[0][1]
    if step not in _STEPS or any(after[1] - before[1] != step for before, after in pairwise(rows)):
        return False
    if step > 1:
        return all(number % step == 0 for _, number in rows)
    gaps = sorted(before[0].baseline - after[0].baseline for before, after in pairwise(rows))
    usual = gaps[len(gaps) // 2]
    odd = sum(abs(gap - usual) > 0.2 * usual for gap in gaps)
    least = _LEAST_BY_ONE if rows[0][1] < _MANY else _LEAST_LATE
    return len(rows) >= least and odd <= _EVEN * len(gaps)


def with_keys(page: PageCharacters, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with keys such as `[ARC04]` joined to the text behind them."""
    codes = page.codes
    keys = [
        i for i, piece in enumerate(pieces)
        if _KEY <= piece.end - piece.first <= _LONGEST_KEY and codes[piece.first] == _OPENS
        and codes[piece.end - 1] == _CLOSES
        and _names_a_year(codes[piece.end - 4 : piece.end - 1].tolist())
    ]  # fmt: skip
    if len(keys) < _KEYS:
        return list(pieces)
    joined: list[Piece] = list(pieces)
    gone: set[int] = set()
    for i in keys:
        if i + 1 == len(pieces):
            continue
        key, text = pieces[i], pieces[i + 1]
        level = abs(key.baseline - text.baseline) < 0.2 * key.size
        behind = 0 < text.left - key.right < _APART * key.size
        if level and behind and text.first - key.end == 1 and codes[key.end] == ord(" "):
            joined[i] = replace(
                text, first=key.first, left=key.left, bottom=min(key.bottom, text.bottom),
                top=max(key.top, text.top),
            )  # fmt: skip
            gone.add(i + 1)
    return [piece for i, piece in enumerate(joined) if i not in gone]


def _names_a_year(codes: Sequence[int]) -> bool:
    """Whether a key ends in two digits, or in two digits and a letter."""
    digits = [_ZERO <= code <= _NINE for code in codes]
    return (digits[1] and digits[2]) or (digits[0] and digits[1])
