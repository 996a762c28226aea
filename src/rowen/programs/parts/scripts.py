"""Data in scripts: JSON-LD, JSON, and literals that scripts assign to variables."""

import re
from collections.abc import Iterator

from rowen.programs.parts.attributes import written_value
from rowen.programs.parts.data_tree import Node, Root, local_name, reads
from rowen.programs.parts.literals import Scanner, Unescaped
from rowen.programs.parts.tags import Tag, read_tags

MISREAD = 4_000_000
"""After so many characters that turned out to be no data, no more literals are tried."""
LITERALS = 5_000
"""So many literals of a page are read at most."""
NAME_LENGTH = 120
"""So much before an assignment is searched for the variable."""
NESTED_GRAPHS = 3
"""So far arrays in arrays of JSON-LD are followed."""

_JAVASCRIPT = re.compile(r"(?:^|[/\-])(?:x-)?(?:java|ecma|live|j)script|^module$|^$", re.IGNORECASE)
_LD = re.compile(r"^application/ld\+json\b", re.IGNORECASE)
_SCRIPT_TAG = re.compile(r"<script(?=[\s/>])", re.IGNORECASE)
_BEFORE_JSON = re.compile(
    r"(?:\s|<!--|//[^\S\n]*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)*+(?=[\[{])"
)
_LITERAL = re.compile(
    r"""(?:(?<![=!<>+\-*/%&|^?~])=(?![=>])|\.push\()\s*+(?:(?=[\[{])|JSON\.parse\(\s*+(?=["'`]))"""
)
_VARIABLE = re.compile(
    r"""[A-Za-z_$][\w$]*+(?:\.[A-Za-z_$][\w$]*+|\[\s*(?:"[^"\\]*+"|'[^'\\]*+')\s*\])*+\s*+\Z"""
)
_VARIABLE_START = re.compile(r"(?<![\w$.\]])[A-Za-z_$]")
_ROW = re.compile(r"^[0-9a-f]+:(?=[\[{])", re.MULTILINE)
_WRITTEN_ROW = re.compile(r"(?:^|\\n)[0-9a-f]+:[\[{]")
_QUOTED_MEMBER = re.compile(r"""\[\s*["']([^"']*)["']\s*\]""")


@reads("json-ld", "json", "script")
def read_scripts(page: str) -> Iterator[Root]:
    """The data in the scripts of a page, in page order."""
    budget = {"characters": MISREAD, "literals": LITERALS}
    for tag in read_tags(page):
        if not _SCRIPT_TAG.match(page, tag.start) or tag.end == tag.after:
            continue
        kind = written_value(page, tag, "type").strip()
        if _JAVASCRIPT.search(kind):
            yield from _literals(page, tag.end, tag.after, budget)
            continue
        match = _BEFORE_JSON.match(page, tag.end, tag.after)
        node = match and Scanner(page, match.end(), tag.after).read()
        if node is not None and _LD.match(kind):
            yield from _things(node, _names(page, tag))
        elif node is not None:
            yield Root("json", node, _names(page, tag))


def _names(page: str, tag: Tag) -> tuple[str, ...]:
    """What a script is called: its id, and its data attributes as `data-x` or `data-x=value`."""
    names = [written_value(page, tag, "id")]
    for name, *_ in tag.attributes:
        if name.startswith("data-"):
            value = written_value(page, tag, name)
            names.append(f"{name}={value}" if value else name)
    return tuple(filter(None, names))


def _things(tree: Node, names: tuple[str, ...]) -> Iterator[Root]:
    """The things that a script of JSON-LD describes, also those in arrays and graphs."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if node.kind == "array" and depth < NESTED_GRAPHS:
            waiting += [(child, depth + 1) for child in reversed(node.children)]
        elif node.kind == "object":
            graph, types = node.member("@graph"), _types(node)
            if graph is None or types:
                yield Root("json-ld", node, names, types)
            if graph is not None:
                waiting.append((graph, depth + 1))


def _types(node: Node) -> tuple[str, ...]:
    member = node.member("@type")
    elements = [] if member is None else member.elements()
    return tuple(local_name(element.text) for element in elements if element.kind == "leaf")


def _literals(page: str, start: int, end: int, budget: dict[str, int]) -> Iterator[Root]:
    """The objects and arrays that a script assigns to variables, or adds by `push`."""
    at = start
    while budget["characters"] > 0 and budget["literals"] > 0:
        match = _LITERAL.search(page, at, end)
        if match is None:
            return
        name = _variable(page, match, start)
        at = match.end()
        scanner = Scanner(page, at, end)
        node = scanner.read()
        if node is not None and page[at] not in "[{":
            node = _parsed(page, node)
        if node is None:
            budget["characters"] -= scanner.at - at + 1
            continue
        # What was read as data has no other assignments in it.
        at = scanner.at
        if name and node.has_leaves():
            budget["literals"] -= 1
            yield Root("script", node, (name,))
            if match[0].startswith(".push") and node.kind == "array" and page[match.end()] == "[":
                yield from _rows(page, node, name.removesuffix(".push"), budget)


def _rows(page: str, array: Node, name: str, budget: dict[str, int]) -> Iterator[Root]:
    """The data in the text that an array ends with: rows of an id and JSON."""
    text = array.children[-1] if array.children else array
    if text.kind != "leaf" or not _WRITTEN_ROW.search(page[slice(*text.place)]):
        return
    decoded = Unescaped(page, *text.place)
    at = 0
    while budget["characters"] > 0 and budget["literals"] > 0:
        match = _ROW.search(decoded.text, at)
        if match is None:
            return
        scanner = Scanner(decoded.text, match.end(), len(decoded.text), decoded.place)
        row = scanner.read()
        if row is None:
            budget["characters"] -= scanner.at - match.end() + 1
            at = match.end()
            continue
        at = scanner.at
        if row.has_leaves():
            budget["literals"] -= 1
            yield Root("script", row, (name,))


def _variable(page: str, match: re.Match[str], start: int) -> str:
    """The variable that a literal is assigned to: `window.state`, `dataLayer.push`."""
    first = max(start, match.start() - NAME_LENGTH)
    for candidate in _VARIABLE_START.finditer(page, first, match.start()):
        name = _VARIABLE.match(page, candidate.start(), match.start())
        if name is not None:
            written = _QUOTED_MEMBER.sub(r".\1", name[0].strip())
            return f"{written}.push" if match[0].startswith(".push") else written
    return ""


def _parsed(page: str, string: Node) -> Node | None:
    """The data in the string of `JSON.parse("..")`."""
    decoded = Unescaped(page, *string.place)
    match = _BEFORE_JSON.match(decoded.text)
    if match is None:
        return None
    return Scanner(decoded.text, match.end(), len(decoded.text), decoded.place).read()
