"""JSON, and the literals of scripts that are nearly JSON, as trees.

Beyond JSON there may be comments, keys without quotes, strings in single quotes or backticks, too
many commas, and places without a value. Expressions are skipped: they are no data.
"""

import re
from collections.abc import Callable

from rowen.programs.parts.data_tree import Node
from rowen.programs.parts.result import Place
from rowen.programs.parts.strings import ESCAPE, escaped_character, unescape

DATA_DEPTH = 256
"""What nests deeper is not read as data."""

_BLANK = re.compile(r"(?:[ \t-\r\xa0\ufeff\u2028\u2029]++|//[^\n\r]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_STRING = re.compile(
    r"\"(?:[^\"\\]|\\[\s\S])*+\"|'(?:[^'\\\n]|\\[\s\S])*+'|`(?:[^`\\]|\\[\s\S])*+`"
)
_WORD = re.compile(r"(?:[A-Za-z0-9_$]|[^\x00-\x7f\xa0\ufeff\u2028\u2029])++")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_SIGNED_POINT = re.compile(r"[-+]\.")
_NEGATED = re.compile(r"![01]")
_ZERO = re.compile(r" 0(?![A-Za-z0-9_$]|[^\x00-\x7f\xa0\ufeff\u2028\u2029])")
_PATTERN = re.compile(r"/(?:\\[\s\S]|\[(?:\\[\s\S]|[^\]\\\n\r])*+\]|[^/\\\n\r\[])*+/")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Malformed(Exception):  # noqa: N818  # the scan ends, and the text is no data
    """The text is no data."""


def same_place(start: int, end: int) -> Place:
    """The place of what is written on the page itself."""
    return start, end


class Scanner:
    """Reads the value that begins at a place of a text.

    `place` leads from the text back to the page, where the text is what a string says.
    """

    def __init__(
        self, text: str, start: int, end: int, place: Callable[[int, int], Place] = same_place
    ) -> None:
        self.text = text
        self.at = start
        self.end = end
        self.place = place
        self._open: list[tuple[Node, int]] = []
        self._filled = False

    def read(self) -> Node | None:
        """The value; None where the text is malformed. `at` is where reading stopped."""
        try:
            root = self._value(None)
            while self._open:
                self._member()
        except Malformed:
            return None
        return root

    def _peek(self) -> str:
        return self.text[self.at] if self.at < self.end else ""

    def _match(self, pattern: re.Pattern[str], at: int | None = None) -> re.Match[str] | None:
        return pattern.match(self.text, self.at if at is None else at, self.end)

    def _skip(self) -> None:
        """Over white space and comments."""
        match = self._match(_BLANK)
        assert match is not None
        self.at = match.end()
        if self.text.startswith("/*", self.at, self.end):
            raise Malformed

    def _string(self) -> tuple[int, int]:
        """Over a string; the bounds of what is inside the quotes."""
        match = self._match(_STRING)
        if match is None:
            raise Malformed
        self.at = match.end()
        return match.start() + 1, match.end() - 1

    def _value(self, key: str | None) -> Node:
        """A value; an object or array is opened, anything else is passed."""
        self._skip()
        start = self.at
        sign = self._peek()
        if sign and sign in "{[":
            if len(self._open) >= DATA_DEPTH:
                raise Malformed
            node = Node("object" if sign == "{" else "array", (start, start), key)
            self._add(node)
            self._open.append((node, start))
            self._filled = False
            self.at += 1
            return node
        if sign and sign in "\"'`":
            bounds = self._string()
            written = self.text[slice(*bounds)]
            if sign == "`" and "${" in written:
                node = Node("nothing", self.place(start, self.at), key)
            else:
                node = Node("leaf", self.place(*bounds), key, unescape(written))
        else:
            is_data = self._scalar()
            if is_data is None and not self._open:
                raise Malformed
            kind = "leaf" if is_data else "nothing"
            text = self.text[start : self.at]
            node = Node(kind, self.place(start, self.at), key, text if is_data else "")
        self._add(node)
        self._settle(node)
        return node

    def _add(self, node: Node) -> None:
        if self._open:
            self._open[-1][0].children.append(node)

    def _scalar(self) -> bool | None:
        """Over a number or a word; whether it says something, None where it is an expression."""
        if (match := self._match(_NEGATED)) and not self._match(_WORD, match.end()):
            self.at = match.end()
            return True
        number = self._match(_NUMBER)
        if match := number or self._match(_SIGNED_POINT):
            word = self._match(_WORD, match.end())
            self.at = word.end() if word else match.end()
            return True if number and not word else None
        if self._peek() in ("", ",", "]", "}"):
            raise Malformed
        start = self.at
        word = self._match(_WORD)
        self.at = word.end() if word else start
        name = self.text[start : self.at]
        if name == "void" and (zero := self._match(_ZERO)):
            self.at = zero.end()
            return False
        return {"true": True, "false": True, "null": False, "undefined": False}.get(name)

    def _settle(self, node: Node) -> None:
        """After a value: where an expression goes on, all of it is no data."""
        self._filled = True
        if not self._open:
            return
        last = self.at
        self._skip()
        if self._peek() not in (",", "]", "}"):
            self._expression(last)
            node.kind, node.text, node.children = "nothing", "", []

    def _expression(self, last: int) -> None:
        """Over the rest of an expression, to the comma or bracket that ends it."""
        closing: list[str] = []
        before = self.text[last - 1 : last]
        while True:
            self._skip()
            sign = self._peek()
            if not closing and sign in (",", "]", "}"):
                return
            if not sign or (not closing and sign in ";)"):
                raise Malformed
            if sign in _CLOSING and len(closing) < DATA_DEPTH:
                closing.append(_CLOSING[sign])
                self.at += 1
            elif sign in "([{)]}":
                if sign in _CLOSING or closing.pop() != sign:
                    raise Malformed
                self.at += 1
            else:
                self._operand(sign, before)
            before = sign

    def _operand(self, sign: str, before: str) -> None:
        """Over a string, a regular expression, or any other sign."""
        if sign in "\"'`":
            self._string()
        elif sign == "/" and not _WORD.match(before) and before not in (")", "]"):
            match = self._match(_PATTERN)
            if match is None:
                raise Malformed
            self.at = match.end()
        else:
            self.at += 1

    def _member(self) -> None:
        """The next member of the innermost object or array, or its end."""
        container, start = self._open[-1]
        is_object = container.kind == "object"
        self._skip()
        sign = self._peek()
        if sign == ("}" if is_object else "]"):
            self.at += 1
            self._open.pop()
            container.place = self.place(start, self.at)
            self._settle(container)
        elif sign == ",":
            if not is_object and not self._filled:
                self._add(Node("nothing", self.place(self.at, self.at)))
            self._filled = False
            self.at += 1
        elif is_object:
            self._property()
        else:
            self._value(None)

    def _property(self) -> None:
        """A key with its value; what is spread into an object or computed is no data."""
        start = self.at
        if self.text.startswith("...", start, self.end):
            self.at += 3
            self._expression(self.at)
            return
        if self._peek() in ('"', "'"):
            key = unescape(self.text[slice(*self._string())])
        else:
            word = self._match(_WORD)
            if word is None:
                raise Malformed
            key, self.at = word[0], word.end()
        last = self.at
        self._skip()
        if self._peek() == ":":
            self.at += 1
            self._value(key)
            return
        if self._peek() not in (",", "]", "}"):
            self._expression(last)
        self._add(Node("nothing", self.place(start, last), key))


class Unescaped:
    """What a string on a page says, with the way from its characters back to the page."""

    def __init__(self, page: str, start: int, end: int) -> None:
        texts: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        at = start
        for match in ESCAPE.finditer(page, start, end):
            self._add(page[at : match.start()], at, texts)
            texts.append(escaped_character(match))
            self._starts += [match.start()] * len(texts[-1])
            self._ends += [match.end()] * len(texts[-1])
            at = match.end()
        self._add(page[at:end], at, texts)
        self._starts.append(end)
        self.text = "".join(texts)

    def _add(self, text: str, at: int, texts: list[str]) -> None:
        texts.append(text)
        self._starts += range(at, at + len(text))
        self._ends += range(at + 1, at + len(text) + 1)

    def place(self, start: int, end: int) -> Place:
        """The place on the page; an escape is never cut."""
        first = self._starts[start]
        return first, self._ends[end - 1] if start < end else first
