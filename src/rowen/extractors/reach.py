"""How far a regular expression looks, read off its parse tree.

The standard library's parser reads the expression; sets of characters are bit masks over ASCII with
one more bit for everything beyond, so that all answers err on the side of looking further.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from re import _constants as sre  # type: ignore[attr-defined]  # private, but the only parser there is
from re import _parser  # type: ignore[attr-defined]  # as above
from typing import Any, Final

from rowen.extractors.locality import MARKS, Locality, Segments, WholePage, Window

_BEYOND: Final = 128
_ALL: Final = (1 << (_BEYOND + 1)) - 1
_NEWLINE: Final = 1 << ord("\n")
_WORDS: Final = sum(1 << code for code in range(_BEYOND) if chr(code).isalnum()) | 1 << ord("_")
_UNBOUNDED: Final = int(sre.MAXREPEAT)

_DIGITS: Final = sum(1 << ord(digit) for digit in "0123456789")
_SPACES: Final = sum(1 << ord(space) for space in " \t\n\r\f\v")
_SEPARATORS: Final = sum(1 << code for code in range(0x1C, 0x20))
"""White space to `re`, not to Unicode."""

_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: (_DIGITS, _DIGITS),
    sre.CATEGORY_SPACE: (_SPACES, _SPACES | _SEPARATORS),
    sre.CATEGORY_WORD: (_WORDS, _WORDS),
    sre.CATEGORY_NOT_DIGIT: (_ALL & ~_DIGITS, _ALL & ~_DIGITS),
    sre.CATEGORY_NOT_SPACE: (_ALL & ~_SPACES & ~_SEPARATORS, _ALL & ~_SPACES),
    sre.CATEGORY_NOT_WORD: (_ALL & ~_WORDS, _ALL & ~_WORDS),
}
"""What a category has for certain, and what it may have, in ASCII."""
_OTHER_READINGS: Final = re.compile(r"\[:|\{(?!\d*,?\d*\})|\{,?\}")
"""What the matching engine reads differently: POSIX classes and fuzzy matching."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a part of an expression can consume and see."""

    first: int = 0
    """Characters that it may begin with."""
    later: int = 0
    """Characters that may come after its first."""
    seen: int = 0
    """Characters that look-around may examine."""
    least: int = 0
    most: int = 0
    """The shortest and the longest match; _UNBOUNDED where there is no longest."""
    behind: int = 0
    ahead: int = 0
    """How far look-around reaches outside the match."""
    edges: bool = False
    """Whether the page's own edges count (`^`, `$` without (?m), `\\A`, `\\Z`)."""
    lines: bool = False
    """Whether it asks for the edges of lines (`^`, `$` with (?m))."""
    ways: float = 1.0
    degree: int = 0
    """From one place it can match a text of n characters in at most ways * n**degree ways."""
    fills: bool = False
    """Whether a named group is certain to hold a character."""

    def then(self, other: "Reach") -> "Reach":
        """This part followed by another."""
        return Reach(
            first=self.first | (other.first if self.least == 0 else 0),
            later=self.later | other.later | (other.first if self.most else 0),
            seen=self.seen | other.seen,
            least=self.least + other.least,
            most=min(self.most + other.most, _UNBOUNDED),
            behind=max(self.behind, other.behind),
            ahead=max(self.ahead, other.ahead),
            edges=self.edges or other.edges,
            lines=self.lines or other.lines,
            ways=self.ways * other.ways,
            degree=self.degree + other.degree,
            fills=self.fills or other.fills,
        )

    def either(self, other: "Reach") -> "Reach":
        """This part or another."""
        return Reach(
            first=self.first | other.first,
            later=self.later | other.later,
            seen=self.seen | other.seen,
            least=min(self.least, other.least),
            most=max(self.most, other.most),
            behind=max(self.behind, other.behind),
            ahead=max(self.ahead, other.ahead),
            edges=self.edges or other.edges,
            lines=self.lines or other.lines,
            ways=self.ways + other.ways,
            degree=max(self.degree, other.degree),
            fills=self.fills and other.fills,
        )

    def times(self, least: int, most: int) -> "Reach":
        """This part repeated."""
        if self.ways == 1 and not self.degree and self.least == self.most:
            ways, degree = (1.0, 1) if most == _UNBOUNDED else (most - least + 1.0, 0)
        elif most == 1:
            ways, degree = self.ways + 1, self.degree
        else:
            ways, degree = inf, 0  # repeated parts that can be cut differently: exponential
        return Reach(
            first=self.first,
            later=self.later | (self.first if most > 1 else 0),
            seen=self.seen,
            least=self.least * least,
            most=min(self.most * most, _UNBOUNDED),
            behind=self.behind,
            ahead=self.ahead,
            edges=self.edges,
            lines=self.lines,
            ways=ways,
            degree=degree,
            fills=self.fills and least > 0,
        )

    @property
    def touched(self) -> int:
        """Every character that may be consumed or examined."""
        return self.first | self.later | self.seen


class _UnreadableError(Exception):
    """The tree has a node whose reach is not known."""


def reach_of(pattern: str) -> Reach | None:
    """What is known about an expression; None where it is not understood."""
    if _OTHER_READINGS.search(pattern):
        return None
    try:
        tree = _parser.parse(pattern)
        return _Reader(set(tree.state.groupdict.values())).sequence(tree, tree.state.flags)
    except (re.error, _UnreadableError, RecursionError, OverflowError):
        return None


def harmless_size(reach: Reach | None, effort: float) -> int:
    """On texts of up to that size at most `effort` ways to match are tried, whatever they say."""
    if reach is None or reach.ways > effort:
        return -1
    return int((effort / reach.ways) ** (1 / (reach.degree + 1))) - 1


def locality_of(reach: Reach | None) -> Locality:
    r"""The best locality that an expression provably has, as `finditer` applies it.

    - It never touches a newline, and no anchor asks for the page's edges: each line stands for
      itself. (A line's end and the page's end look the same to `\b` and to look-around.)
    - It is bounded, and no match can begin inside another since the characters that begin one
      never come later in one: then each match hangs on its surroundings alone. Without that
      matches may shift without end: `\d{3}` on `123456` and on `0123456`.
    - It never touches `<` or `>`: each stretch of text between tags stands for itself.
    - Else the whole page decides.
    """
    if reach is None:
        return WholePage()
    if not reach.touched & _NEWLINE and not reach.edges:
        return Segments("\n")
    if reach.least and reach.most < _UNBOUNDED and not reach.first & reach.later:
        # A field may be any part of the match, so the whole match can lie on either side of it.
        return Window(reach.most, reach.most + max(reach.behind, reach.ahead) + 1)
    separators = "".join(mark for mark in "<>" if not reach.touched & 1 << ord(mark))
    if separators and not reach.edges and not reach.lines:
        return Segments(separators)
    return WholePage()


def grain_of(reach: Reach | None) -> Locality:
    """The finest locality that an expression provably has: all separators that it never touches.

    What holds for a newline holds for each of them, but that no anchor may ask for lines then.
    """
    found = locality_of(reach)
    if reach is None or reach.edges or reach.lines or not isinstance(found, Segments):
        return found
    return Segments(mark for mark in MARKS if not reach.touched & 1 << ord(mark))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the reach off a parse tree in which these groups have names."""

    named: set[int]

    def sequence(self, nodes: Iterable[tuple[Any, Any]], flags: int) -> Reach:
        reach = Reach()
        for op, argument in nodes:
            reach = reach.then(self._node(op, argument, flags))
        return reach

    def _node(self, op: Any, argument: Any, flags: int) -> Reach:  # noqa: C901, PLR0911  # a case a node
        match op:
            case sre.LITERAL | sre.NOT_LITERAL | sre.ANY | sre.IN:
                return Reach(first=_characters(op, argument, flags), least=1, most=1)
            case sre.BRANCH:
                first, *others = (self.sequence(branch, flags) for branch in argument[1])
                for other in others:
                    first = first.either(other)
                return first
            case sre.SUBPATTERN:
                group, added, removed, inner = argument
                reach = self.sequence(inner, (flags | added) & ~removed)
                return replace(
                    reach, fills=reach.fills or (group in self.named and reach.least > 0)
                )
            case sre.ATOMIC_GROUP:
                return self.sequence(argument, flags)
            case sre.MAX_REPEAT | sre.MIN_REPEAT | sre.POSSESSIVE_REPEAT:
                least, most, inner = argument
                return self.sequence(inner, flags).times(least, int(most))
            case sre.ASSERT | sre.ASSERT_NOT:
                direction, inner = argument
                looked = self.sequence(inner, flags)
                width = min(looked.most + looked.behind + looked.ahead, _UNBOUNDED)
                if width == _UNBOUNDED:
                    raise _UnreadableError
                return Reach(
                    seen=looked.touched,
                    behind=width if direction < 0 else looked.behind,
                    ahead=width if direction > 0 else looked.ahead,
                    edges=looked.edges,
                    lines=looked.lines,
                    ways=looked.ways,
                    degree=looked.degree,
                )
            case sre.AT:
                return _anchor(argument, flags)
            case sre.FAILURE:
                return Reach()
            case _:
                raise _UnreadableError  # back-references and conditions depend on what was matched


def _anchor(at: Any, flags: int) -> Reach:
    if at in (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY):
        return Reach(behind=1, ahead=1)
    by_line = at in (sre.AT_BEGINNING, sre.AT_END) and bool(flags & re.MULTILINE)
    return Reach(behind=1, ahead=2, edges=not by_line, lines=by_line)


def _characters(op: Any, argument: Any, flags: int) -> int:
    match op:
        case sre.ANY:
            return _ALL if flags & re.DOTALL else _ALL & ~_NEWLINE
        case sre.LITERAL:
            return _literal(argument, flags)
        case sre.NOT_LITERAL:
            # Without case the complement loses both cases; keeping one errs on the safe side.
            return _ALL & ~_bit(argument) | 1 << _BEYOND
        case _:
            return _set(argument, flags)


def _set(members: list[tuple[Any, Any]], flags: int) -> int:
    """All that a set may match; what a negated one leaves out is only what it does for certain."""
    negated = members[0][0] is sre.NEGATE
    characters = 0
    for op, argument in members:
        if op is sre.LITERAL:
            characters |= _bit(argument) if negated else _literal(argument, flags)
        elif op is sre.RANGE:
            characters |= _range(argument, 0 if negated else flags)
        elif op is sre.CATEGORY:
            if argument not in _CATEGORIES:
                raise _UnreadableError
            certain, possible = _CATEGORIES[argument]
            characters |= certain if negated else possible | 1 << _BEYOND
        elif op is not sre.NEGATE:
            raise _UnreadableError
    return (_ALL & ~characters) | 1 << _BEYOND if negated else characters


def _range(bounds: tuple[int, int], flags: int) -> int:
    low, high = bounds
    characters = 0
    for code in range(low, min(high, _BEYOND) + 1):
        characters |= _literal(code, flags)
    if high >= _BEYOND:
        characters |= _literal(_BEYOND, flags)
    return characters


def _literal(code: int, flags: int) -> int:
    if not flags & re.IGNORECASE:
        return _bit(code)
    characters = _bit(code)
    if code >= _BEYOND:
        characters |= _WORDS  # folding can lead back into ASCII: the Kelvin sign
    for folded in chr(code).lower() + chr(code).upper():
        characters |= _bit(ord(folded))
    if chr(code).isalpha():
        characters |= 1 << _BEYOND  # the long s, the Kelvin sign and their like
    return characters


def _bit(code: int) -> int:
    return 1 << min(code, _BEYOND)
