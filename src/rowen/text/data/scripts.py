r"""Data in scripts: JSON-LD, JSON, and literals that scripts assign to variables.

<script type="application/ld+json">{"@type": "Product", ..}</script>     the JSON-LD of Product
<script id="__NEXT_DATA__" type="application/json">{..}</script>         the JSON of that id
<script>window.state = {items: [..]}; var x = JSON.parse("..")</script>  window.state, x
<script>dataLayer.push({..})</script>                                    dataLayer.push
<script>self.__next_f.push([1, "5:{..}\n6:[..]\n"])</script>              self.__next_f
"""

import re
from collections.abc import Iterator

from rowen.model import Span
from rowen.text.character_references import decode
from rowen.text.data.escapes import decode_escapes
from rowen.text.data.sources import Root, things
from rowen.text.data.tree import Kind as DataKind
from rowen.text.data.tree import ScannedTree, scan_value
from rowen.text.html_tokens import Kind, Token, Tokens

MISREAD_CHARACTERS = 4_000_000
"""Limit: after this many characters of a page's scripts were scanned for literals that turned out
to be none, no more are tried. Without it, hostile scripts would take quadratic time."""

DATA_TREES = 5_000
"""Limit: at most this many literals of a page's scripts are read."""

NAME_CHARACTERS = 120
"""This much before an assignment is searched for the variable."""

_JAVASCRIPT = re.compile(r"(?:^|[/\-])(?:x-)?(?:java|ecma|live|j)script|^module$|^$", re.IGNORECASE)
_LD = re.compile(r"^application/ld\+json\b", re.IGNORECASE)
_SCRIPT = re.compile(r"<script(?=[\s/>])", re.IGNORECASE)
_BEFORE_JSON = re.compile(
    r"(?:\s|<!--|//[^\S\n]*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)*+(?=[\[{])"
)
_LITERAL = re.compile(
    r"""(?:(?<![=!<>+\-*/%&|^?~])=(?![=>])|\.push\()\s*+(?:(?=[\[{])|JSON\.parse\(\s*+(?=["'`]))"""
)
_NAME = re.compile(
    r"""[A-Za-z_$][\w$]*+(?:\.[A-Za-z_$][\w$]*+|\[\s*(?:"[^"\\]*+"|'[^'\\]*+')\s*\])*+\s*+\Z"""
)
_NAME_START = re.compile(r"(?<![\w$.\]])[A-Za-z_$]")
_ROW = re.compile(r"^[0-9a-f]+:(?=[\[{])", re.MULTILINE)
_WRITTEN_ROW = re.compile(r"(?:^|\\n)[0-9a-f]+:[\[{]")
_QUOTED_MEMBER = re.compile(r"""\[\s*["']([^"']*)["']\s*\]""")


def read_scripts(text: str, tokens: Tokens) -> Iterator[Root]:
    """The data in the scripts of a page, in page order."""
    budget = _Budget()
    for tag, content in _scripts(text, tokens):
        kind = _attribute(text, tag, "type").strip()
        if _JAVASCRIPT.search(kind):
            yield from _read_literals(text, content, budget)
            continue
        match = _BEFORE_JSON.match(text, content.start, content.end)
        if match is None:
            continue
        tree, _ = scan_value(text, match.end(), content.end)
        if tree is not None:
            names = _names(text, tag)
            if _LD.match(kind):
                yield from things(tree, names)
            else:
                yield Root("json", tree, 0, names)


class _Budget:
    """What may still be tried on a page."""

    def __init__(self) -> None:
        self.misread = MISREAD_CHARACTERS
        self.trees = DATA_TREES


def _scripts(text: str, tokens: Tokens) -> Iterator[tuple[Token, Span]]:
    """The start tags of scripts that have a text, each with its place."""
    starts = [match.start() for match in _SCRIPT.finditer(text)]
    if not starts:
        return
    for index, start in zip(tokens.starts.searchsorted(starts).tolist(), starts, strict=True):
        # What looks like a tag may be in a comment, an attribute or another script.
        if index + 1 >= len(tokens) or tokens.starts[index] != start:
            continue
        if tokens.kinds[index] == Kind.START_TAG and tokens.kinds[index + 1] == Kind.TEXT:
            yield tokens[index], tokens[index + 1].span


def _attribute(text: str, tag: Token, name: str) -> str:
    attribute = tag.attribute(name)
    if attribute is None or attribute.value_span is None:
        return ""
    return decode(text, attribute.value_span, attribute=True).text


def _names(text: str, tag: Token) -> tuple[str, ...]:
    """What a script is called: its id, and its data attributes as `data-x` or `data-x=value`."""
    names = [_attribute(text, tag, "id")]
    for attribute in tag.attributes:
        if attribute.name.startswith("data-"):
            value = _attribute(text, tag, attribute.name)
            names.append(f"{attribute.name}={value}" if value else attribute.name)
    return tuple(filter(None, names))


def _read_literals(text: str, content: Span, budget: _Budget) -> Iterator[Root]:
    """The objects and arrays that a script assigns to variables, or adds by `push`."""
    at = content.start
    while budget.misread > 0 and budget.trees > 0:
        match = _LITERAL.search(text, at, content.end)
        if match is None:
            return
        name = _variable(text, match, content.start)
        at = match.end()
        tree, stop = (
            scan_value(text, at, content.end)
            if text[at] in "[{"
            else _read_string(text, at, content.end)
        )
        if tree is None:
            budget.misread -= stop - at + 1
        elif name and any(True for _ in tree.leaves()):
            budget.trees -= 1
            yield Root("script", tree, 0, (name,))
            if match[0].startswith(".push") and text[at] == "[":
                yield from _read_rows(tree, name.removesuffix(".push"), budget)
        # What was read as data has no other assignments in it.
        at = stop if tree is not None else at


def _read_rows(tree: ScannedTree, name: str, budget: _Budget) -> Iterator[Root]:
    """The data in the text that an array ends with: rows of an id and JSON, as Next.js sends them.

    A row that goes on in the next array is none.
    """
    last = max(tree.children(0), default=None)
    if last is None or tree.kinds[last] != DataKind.STRING:
        return
    if not _WRITTEN_ROW.search(tree.text[slice(*tree.span(last))]):
        return
    decoded = tree.decoded(last)
    at = 0
    while budget.misread > 0 and budget.trees > 0:
        match = _ROW.search(decoded.text, at)
        if match is None:
            return
        row, at = scan_value(decoded.text, match.end(), len(decoded.text), decoded)
        if row is None:
            budget.misread -= at - match.end() + 1
            at = match.end()
        elif any(True for _ in row.leaves()):
            budget.trees -= 1
            yield Root("script", row, 0, (name,))


def _variable(text: str, match: re.Match[str], start: int) -> str:
    """The variable that a literal is assigned to: `window.state`, `dataLayer.push`."""
    is_push = match[0].startswith(".push")
    first = max(start, match.start() - NAME_CHARACTERS)
    for candidate in _NAME_START.finditer(text, first, match.start()):
        name = _NAME.match(text, candidate.start(), match.start())
        if name is not None:
            plain = _QUOTED_MEMBER.sub(r".\1", name[0].strip())
            return f"{plain}.push" if is_push else plain
    return ""


def _read_string(text: str, at: int, end: int) -> tuple[ScannedTree | None, int]:
    """The data in the string of `JSON.parse("..")`, whose quote is at `at`."""
    whole, stop = scan_value(text, at, end)
    if whole is None or len(whole) != 1:
        return None, stop
    decoded = decode_escapes(text, whole.span(0))
    match = _BEFORE_JSON.match(decoded.text)
    if match is None:
        return None, stop
    tree, _ = scan_value(decoded.text, match.end(), len(decoded.text), decoded)
    return tree, stop
