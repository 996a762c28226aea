r"""A regular expression as the engine parses it, reduced to what determines how far it looks.

`regex` reads more than the standard library, and some of it differently: POSIX classes, fuzzy
matching, `\p{Lu}`, `[^\s\S]` (every character), what `(?x)` skips. So the engine's own parser reads
the expression here, and its optimiser runs as before compiling. That parser is not a public part of
`regex`. Whatever in its tree is not known here makes the expression unreadable, and nothing is
derived from it: a wrong proof would be worse than none.

Sets of characters are bit masks: one bit per ASCII character, two bits for all others (word
characters and the others), and one for the page's edge. The engine itself says which ASCII
characters a node matches. Beyond ASCII a mask may contain more than the node matches, never less:
the proofs in `reach` and `overlap` need upper bounds only.

    (?P<room>CS ?\d{2})   Group(Sequence(Characters C, Characters S, Repeat(Characters " ", 0, 1),
                                         Repeat(Characters 0-9 and digits beyond ASCII, 2, 2)))
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, TypeAlias

import regex

ASCII: Final = 128
EDGE: Final = 1 << (ASCII + 2)
"""The place before the first character of a page and after the last one."""
_BEYOND_WORDS: Final = 1 << ASCII
_BEYOND_OTHERS: Final = 1 << (ASCII + 1)
BEYOND: Final = _BEYOND_WORDS | _BEYOND_OTHERS
"""Everything beyond ASCII; what a set has of it is not known exactly."""
ALL: Final = EDGE - 1
"""Every character."""
ANYTHING: Final = ALL | EDGE
NEWLINE: Final = 1 << ord("\n")
_ASCII_WORDS: Final = sum(1 << code for code in range(ASCII) if chr(code).isalnum()) | 1 << ord("_")
_LETTERS: Final = sum(1 << code for code in range(ASCII) if chr(code).isalpha())

_FOLDED_INTO_ASCII: Final = "\u0130\u0131\u017f\u212a"
"""The characters that differ from an ASCII letter only in case: the dotted capital I, the dotless
i, the long s and the Kelvin sign."""
_PROBE: Final = "".join(map(chr, range(ASCII))) + _FOLDED_INTO_ASCII


class UnreadableError(Exception):
    """The expression has a part for which no bound on its reach is known."""


@dataclass(frozen=True, slots=True)
class Characters:
    """One character of a set."""

    mask: int


@dataclass(frozen=True, slots=True)
class Place:
    """A condition on the characters before and after a place: one of these pairs must hold."""

    either: tuple[tuple[int, int], ...]
    behind: int = 1
    ahead: int = 1
    """How many characters before and after the place the condition examines."""
    edges: bool = False
    """Whether it distinguishes the page's edges from those of a line."""
    lines: bool = False
    """Whether it distinguishes the edges of lines from other places."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other."""

    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Branch:
    """One of several alternatives."""

    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part, `least` to `most` times; `most` is None for no limit."""

    part: "Node"
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Group:
    """A part that is captured."""

    part: "Node"
    number: int
    named: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """A back-reference: what a group has captured."""

    group: int
    folded: bool


@dataclass(frozen=True, slots=True)
class Look:
    """Look-around: a part that must match, or must not, without being consumed."""

    part: "Node"
    behind: bool
    positive: bool


@dataclass(frozen=True, slots=True)
class Nowhere:
    """Matches nothing."""


Node: TypeAlias = (
    Characters | Place | Sequence | Branch | Repeat | Group | Reference | Look | Nowhere
)


def read(pattern: str) -> Node | None:
    """Parse an expression that compiles; None if it has unknown parts."""
    try:
        return _Reader(*_engine_tree(pattern)).node()
    except (UnreadableError, RecursionError, OverflowError):
        return None
    except (AttributeError, ImportError, TypeError, KeyError, ValueError, regex.error):
        return None  # another version of the engine has another parser: derive nothing


def _core() -> Any:
    """The engine's parser, which has no public name."""
    return import_module("regex._regex_core")


def _engine_tree(pattern: str) -> tuple[Any, Any]:
    """The tree that the engine compiles, and the parser's notes about it."""
    core = _core()
    flags = 0
    while True:
        source = core.Source(pattern)
        info = core.Info(flags, source.char_type, {})
        info.guess_encoding = core.UNICODE
        source.ignore_space = bool(info.flags & core.VERBOSE)
        try:
            tree = core._parse_pattern(source, info)  # noqa: SLF001
            break
        except core._UnscopedFlagSet:  # noqa: SLF001  # a global flag: the parser starts over
            flags = info.global_flags
    # These flags search backwards, or for the best or longest match. The proofs assume `finditer`
    # from left to right with the first match.
    if info.flags & (core.REVERSE | core.BESTMATCH | core.ENHANCEMATCH | core.POSIX | core.LOCALE):
        raise UnreadableError
    if not info.flags & (core.ASCII | core.UNICODE):
        info.flags |= core.UNICODE
    tree.fix_groups(pattern, False, False)  # noqa: FBT003  # neither backwards nor fuzzy
    tree = tree.optimise(info, False)  # noqa: FBT003
    return tree.pack_characters(info), info


@lru_cache(maxsize=4096)
def _matched(code: tuple[int, ...], flags: int) -> tuple[int, bool]:
    """The ASCII characters that compiled code matches; whether it folds others into ASCII."""
    compiled = import_module("regex._regex").compile(
        "", flags, list(code), {}, {}, {}, [], -1, (), 0, 0
    )
    places = [match.start() for match in compiled.finditer(_PROBE)]
    return sum(1 << place for place in places if place < ASCII), places[-1:] > [ASCII - 1]


class _Reader:
    """Converts the engine's tree into ours."""

    def __init__(self, tree: Any, info: Any) -> None:
        self.core = _core()
        self.tree = tree
        self.flags = int(info.flags) & int(regex.ASCII | regex.UNICODE)
        self.named = set(info.group_index.values())

    def node(self) -> Node:
        return self.read(self.tree)

    def read(self, node: Any) -> Node:
        reader = _READERS.get(type(node).__name__)
        if reader is None:
            raise UnreadableError
        return reader(self, node)

    def character(self, node: Any) -> Node:
        if getattr(node, "zerowidth", False) or self.full_case(node):
            raise UnreadableError
        return Characters(self.mask(node))

    def mask(self, node: Any) -> int:
        folds = bool(getattr(node, "case_flags", 0) & self.core.IGNORECASE)
        if type(node) is self.core.Character and node.positive and not folds:
            return 1 << node.value if node.value < ASCII else BEYOND
        code = [*self.core._flatten_code(node.compile()), self.core.OP.SUCCESS]  # noqa: SLF001
        mask, folded = _matched(tuple(code), self.flags)
        return mask | self.beyond(node) | (_BEYOND_WORDS if folded else 0)

    def beyond(self, node: Any) -> int:
        """What may match beyond ASCII, without characters that fold into ASCII."""
        if not getattr(node, "positive", True):
            return self.beyond_property(node) if type(node) is self.core.Property else BEYOND
        match type(node).__name__:
            case "Character":
                return BEYOND if node.value >= ASCII else 0
            case "Range":
                return BEYOND if node.upper >= ASCII else 0
            case "Property":
                return self.beyond_property(node)
            case "SetUnion":
                bits = 0
                for item in node.items:
                    bits |= self.beyond(item)
                return bits
            case _:
                return BEYOND

    def beyond_property(self, node: Any) -> int:
        r"""The bits of a property beyond ASCII: `\w` is words, `\d` is in words, `\s` is not."""
        escapes = self.core.CHARSET_ESCAPES
        if not self.unicode(node):
            return BEYOND
        if node.value == escapes["w"].value:
            return _BEYOND_WORDS if node.positive else _BEYOND_OTHERS
        if node.positive and node.value == escapes["d"].value:
            return _BEYOND_WORDS
        if node.positive and node.value == escapes["s"].value:
            return _BEYOND_OTHERS
        return BEYOND

    def string(self, node: Any) -> Node:
        if self.full_case(node):
            raise UnreadableError
        character = self.core.Character
        return Sequence(
            tuple(
                Characters(self.mask(character(value, case_flags=node.case_flags)))
                for value in node.characters
            )
        )

    def full_case(self, node: Any) -> bool:
        """Whether one character may match several (ß and ss): then lengths are not known."""
        full = self.core.FULLIGNORECASE
        return bool(getattr(node, "case_flags", 0) & full == full)

    def sequence(self, node: Any) -> Node:
        return Sequence(tuple(map(self.read, node.items)))

    def branch(self, node: Any) -> Node:
        return Branch(tuple(map(self.read, node.branches)))

    def atomic(self, node: Any) -> Node:
        # An atomic group matches a subset of what its content matches, so the bounds hold.
        return self.read(node.subpattern)

    def repeat(self, node: Any) -> Node:
        return Repeat(self.read(node.subpattern), node.min_count, node.max_count)

    def group(self, node: Any) -> Node:
        if node.group < 1:  # inside a group of the same name
            raise UnreadableError
        return Group(self.read(node.subpattern), node.group, node.group in self.named)

    def reference(self, node: Any) -> Node:
        if self.full_case(node):
            raise UnreadableError
        return Reference(node.group, bool(node.case_flags))

    def conditional(self, node: Any) -> Node:
        # Which branch is taken depends on a group; as an upper bound both are possible.
        return Branch((self.read(node.yes_item), self.read(node.no_item)))

    def look(self, node: Any) -> Node:
        return Look(self.read(node.subpattern), node.behind, node.positive)

    def unicode(self, node: Any) -> bool:
        """Whether letters beyond ASCII count, by the node's own flag or the global one."""
        if node.encoding:
            return bool(node.encoding == self.core.UNICODE_ENCODING)
        return not self.flags & regex.ASCII

    def words(self, node: Any) -> tuple[int, int]:
        """Word characters and all others, as word boundaries define them."""
        words = _ASCII_WORDS | (_BEYOND_WORDS if self.unicode(node) else 0)
        return words, ANYTHING & ~words

    def boundary(self, node: Any) -> Node:
        words, others = self.words(node)
        if node.positive:
            return Place(((words, others), (others, words)))
        return Place(((words, words), (others, others)))

    def start_of_word(self, node: Any) -> Node:
        words, others = self.words(node)
        return Place(((others, words),))

    def end_of_word(self, node: Any) -> Node:
        words, others = self.words(node)
        return Place(((words, others),))


def fold(mask: int) -> int:
    """A set with everything that differs from its characters in case, and more."""
    return mask | _LETTERS | BEYOND if mask & (_LETTERS | BEYOND) else mask


_START = Place(((EDGE, ANYTHING),), ahead=0, edges=True)
_END = Place(((ANYTHING, EDGE),), behind=0, edges=True)
_LAST_LINE = Place(((ANYTHING, EDGE | NEWLINE),), behind=0, ahead=2, edges=True)
_LINE_START = Place(((EDGE | NEWLINE, ANYTHING),), ahead=0, lines=True)
_LINE_END = Place(((ANYTHING, EDGE | NEWLINE),), behind=0, lines=True)

_READERS: Final[dict[str, Callable[[_Reader, Any], Node]]] = {
    **dict.fromkeys(
        (
            "Any",
            "AnyAll",
            "AnyU",
            "Character",
            "Property",
            "Range",
            "SetDiff",
            "SetInter",
            "SetSymDiff",
            "SetUnion",
        ),
        _Reader.character,
    ),
    "String": _Reader.string,
    "Sequence": _Reader.sequence,
    "Branch": _Reader.branch,
    "Atomic": _Reader.atomic,
    **dict.fromkeys(("GreedyRepeat", "LazyRepeat", "PossessiveRepeat"), _Reader.repeat),
    "Group": _Reader.group,
    "RefGroup": _Reader.reference,
    "Conditional": _Reader.conditional,
    "LookAround": _Reader.look,
    "Boundary": _Reader.boundary,
    "StartOfWord": _Reader.start_of_word,
    "EndOfWord": _Reader.end_of_word,
    "StartOfString": lambda _, __: _START,
    "EndOfString": lambda _, __: _END,
    "EndOfStringLine": lambda _, __: _LAST_LINE,
    "StartOfLine": lambda _, __: _LINE_START,
    "EndOfLine": lambda _, __: _LINE_END,
    "Failure": lambda _, __: Nowhere(),
}
"""How to read the engine's nodes, by class. Not here, because they depend on more than the text
around them: fuzzy matching, calls of groups, `\\G`, `\\K`, `(*SKIP)`, graphemes, `(?w)`."""
