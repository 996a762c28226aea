r"""Strings of a page's data that are written with escapes, found by what they say.

A search in the page's source finds every other string. For the page
`{"city": "K\u00f6ln\nEhrenfeld"}` and the text `Köln Ehrenfeld`:

    strings with escapes, white space as one blank    Köln Ehrenfeld            found at 0
    map both ends back to the source                  K\u00f6ln\nEhrenfeld      [10, 30)
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from rowen.model import Page, Span
from rowen.text.character_references import Decoded
from rowen.text.data.escapes import unescaped
from rowen.text.data.page_data import PageData
from rowen.text.data.sources import Origin
from rowen.text.data.tree import Kind, ScannedTree, scan_value

_IN_SCRIPTS: tuple[Origin, ...] = ("json-ld", "json", "script")
_BETWEEN = "\0"
"""Between strings, so that no text is found across two of them."""
_WORD = re.compile(r"\S+")
_PARSE = "JSON.parse("


class EscapedStrings:
    """The strings in scripts that are written with escapes, as one text with a map back."""

    def __init__(self, page: Page) -> None:
        self._decoded = _joined(page) if "\\" in page.text else Decoded("", (0,), (0,))
        matches = list(_WORD.finditer(self._decoded.text))
        words = [match.group() for match in matches]
        self._text = " ".join(words)
        self._starts = [0, *accumulate(len(word) + 1 for word in words)][: len(words)]
        self._origins = [match.start() for match in matches]

    def positions(self, value: str, most: int) -> Iterator[Span]:
        """Where these strings say a text, at most so often; white space may differ."""
        form = " ".join(value.split())
        start = self._text.find(form) if form else -1
        for _ in range(most):
            if start < 0:
                return
            yield self._source(start, start + len(form))
            start = self._text.find(form, start + 1)

    def _source(self, start: int, end: int) -> Span:
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        return self._decoded.source(
            self._origins[first] + start - self._starts[first],
            self._origins[last] + end - self._starts[last],
        )


def _joined(page: Page) -> Decoded:
    """All such strings, one after the other."""
    texts: list[str] = []
    starts: list[int] = []
    sources: list[int] = []
    length = 0
    for decoded in _decoded_strings(page):
        texts += (decoded.text, _BETWEEN)
        starts += (length + start for start in decoded.starts)
        sources += decoded.sources
        length += len(decoded.text) + len(_BETWEEN)
    return Decoded("".join(texts), (*starts, length), (*sources, len(page.text)))


def _decoded_strings(page: Page) -> Iterator[Decoded]:
    read = set()
    for root in PageData(page).all(_IN_SCRIPTS):
        tree = root.tree
        # Several things of one script share its tree.
        if not isinstance(tree, ScannedTree) or id(tree) in read:
            continue
        read.add(id(tree))
        for leaf in tree.leaves():
            if tree.kinds[leaf] == Kind.STRING and tree.is_escaped(leaf):
                yield tree.decoded(leaf)


def read_string(text: str, span: Span) -> str:
    """What a part of a string in a script says: escapes are resolved.

    A string in a string has escapes twice, as in `JSON.parse("..")`; both are resolved.
    """
    written = span.of(text)
    if "\\" not in written:
        return written
    said = unescaped(written)
    return unescaped(said) if "\\" in said and _is_parsed(text, span) else said


def _is_parsed(text: str, span: Span) -> bool:
    """Whether a span is inside the string that a script gives to `JSON.parse`."""
    script = text.rfind("<script", 0, span.start)
    call = text.rfind(_PARSE, max(script, 0), span.start)
    if call < 0:
        return False
    at = call + len(_PARSE)
    while at < span.start and text[at].isspace():
        at += 1
    if text[at] not in "\"'`":
        return False
    tree, stop = scan_value(text, at, len(text))
    return tree is not None and len(tree) == 1 and span.end < stop
