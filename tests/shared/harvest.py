"""Real patterns: of a collection of our own, and of the Python packages on this machine.

The packages' sources are read where they are; nothing of them is kept.
"""

import ast
import random
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path

import regex

from rowen.extractors.expression import (
    ASCII,
    BEYOND,
    Branch,
    Characters,
    Group,
    Look,
    Node,
    Reference,
    Repeat,
    Sequence,
)

COLLECTION = Path(__file__).parent.parent / "extractors" / "patterns.txt"
_CALLS = {"compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "split"}
_CALL = regex.compile(rf"\b(?:re|regex)\.(?:{'|'.join(sorted(_CALLS))})\(")
_FLAGS = {
    "I": "i", "IGNORECASE": "i", "M": "m", "MULTILINE": "m", "S": "s", "DOTALL": "s", "X": "x",
    "VERBOSE": "x", "A": "a", "ASCII": "a",
}  # fmt: skip


def collected() -> list[str]:
    """The patterns of our own collection."""
    lines = COLLECTION.read_text("utf-8").split("\n")
    return [line for line in lines if line and not line.startswith("#")]


def harvested(*, everything: bool) -> list[str]:
    """The patterns in the sources of all packages, each once, or in those of the standard library.

    Of the latter only the modules that are in no package: to read all takes a minute.
    """
    paths = sysconfig.get_paths()
    if everything:
        folders = {Path(paths["stdlib"]), Path(paths["purelib"])}
        files = {file for folder in folders for file in folder.rglob("*.py")}
    else:
        files = set(Path(paths["stdlib"]).glob("*.py"))
    patterns: dict[str, None] = {}
    for file in sorted(files):
        patterns.update(dict.fromkeys(_patterns_in(file)))
    return list(patterns)


def _patterns_in(file: Path) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            source = file.read_text("utf-8")
            if not _CALL.search(source):
                return
            tree = ast.parse(source)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _CALLS
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in {"re", "regex"}
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            flags = "".join(
                _FLAGS.get(part.attr, "")
                for argument in [*node.args[1:], *(word.value for word in node.keywords)]
                for part in ast.walk(argument)
                if isinstance(part, ast.Attribute)
            )
            named = with_a_field(node.args[0].value, "".join(sorted(set(flags))))
            if named is not None:
                yield named


def with_a_field(pattern: str, flags: str = "") -> str | None:
    """A pattern with a named group, around all of it where it has none; None if it won't do."""
    prefix = f"(?{flags})" if flags else ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if not regex.compile(prefix + pattern).groupindex:
                # The new group is the first, so that all others are one further.
                pattern = regex.sub(
                    r"(?<!\\)((?:\\\\)*)\\([1-9])(?!\d)",
                    lambda match: f"{match[1]}\\{int(match[2]) + 1}",
                    pattern,
                )
                end = "\n" if "x" in flags else ""  # the last line may be a comment
                pattern = f"(?P<all>{pattern}{end})"
            regex.compile(prefix + pattern)
        except (regex.error, RecursionError, OverflowError, ValueError):
            return None
    return prefix + pattern


def matching_text(tree: Node | None, chance: random.Random) -> str:
    """A text that an expression is likely to match."""
    return "" if tree is None else _Text(chance).of(tree)


class _Text:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.groups: dict[int, str] = {}

    def of(self, node: Node) -> str:  # noqa: PLR0911  # one case per kind of node
        match node:
            case Characters(mask):
                return self.character(mask)
            case Sequence(parts):
                return "".join(map(self.of, parts))
            case Branch(parts):
                return self.of(self.chance.choice(parts))
            case Repeat(part, least, most):
                limit = least + 3 if most is None else min(most, least + 3)
                if most is not None and self.chance.random() < 0.2:
                    limit = min(most, 60)
                times = self.chance.randint(least, max(limit, least))
                return "".join(self.of(part) for _ in range(min(times, 100)))
            case Group(part, number):
                self.groups[number] = self.of(part)
                return self.groups[number]
            case Reference(number):
                return self.groups.get(number, "")
            case Look(part, _, positive):
                return self.of(part) if positive and self.chance.random() < 0.5 else ""
            case _:
                return ""

    def character(self, mask: int) -> str:
        plain = [code for code in range(32, ASCII) if mask >> code & 1]
        others = [code for code in range(32) if mask >> code & 1]
        if plain and (not others or self.chance.random() < 0.9):
            return chr(self.chance.choice(plain))
        if others:
            return chr(self.chance.choice(others))
        return self.chance.choice("é½\u2028") if mask & BEYOND else ""


def page_of(tree: Node | None, pattern: str, chance: random.Random) -> str:
    """A page with texts that an expression matches, parts of them, and other text between."""
    pieces = []
    for _ in range(chance.randint(4, 10)):
        text = matching_text(tree, chance)[:400]
        kind = chance.random()
        if kind < 0.15:
            text = text[chance.randint(0, len(text)) :]
        elif kind < 0.3:
            text = text[: chance.randint(0, len(text))]
        elif kind < 0.35:
            text = pattern[:60]
        pieces.append(text + chance.choice(_BETWEEN))
    return "".join(pieces)


_BETWEEN = ["", "", " ", "\n", "\n\n", "<", "</p>\n<p>", ", ", " the ", "\t", "é", '"', "0", "a"]


def edit(text: str, donor: str, chance: random.Random) -> str:
    """A text with some changes, from single characters to whole pieces of another text."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice([0, 0, 1, 1, 2, 5, 20]))
        cut = chance.randint(0, len(donor))
        new = chance.choice(["", "x", "0", "\n", " ", "a", "<", donor[cut : cut + 12], "é"])
        text = text[:start] + new + text[end:]
    return text
