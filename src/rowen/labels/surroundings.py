"""The context of a position on a page, in a form in which contexts can be compared."""

import re
from bisect import bisect_right

from rowen.model import Page
from rowen.model.words import is_inside_word
from rowen.records.positions import Position
from rowen.text.html_tokens import LITERAL, Kind, Tokens, tokenize

TAGS_LEFT = 8
TAGS_RIGHT = 4
WORDS = 3
"""This many tags before and after a value, and words on either side of it, are compared. More of
them before it: captions and the start of the row come first."""

REACH = 24
"""This many HTML tokens away tags and text nodes are searched for."""

CONTEXT = 200
"""This many characters of a token are read at most: a text node may be megabytes long."""

SHOWN = 40
"""This many characters of the nearest text are compared; captions are shorter."""

HIDDEN = frozenset({"title", "script", "style", "noscript", "template", "option"})

_DRESSING = (
    "class id style d points viewbox transform fill stroke width height rel type role for tabindex "
    "colspan rowspan sizes media loading decoding"
)
DRESSING = frozenset(_DRESSING.split())
"""Attributes that say how something looks and works. Nobody marks them by what they say, unless
it is nowhere else."""

WHOLE, BEGINS, INSIDE, ATTRIBUTE, UNSEEN, DRESSED = 0.8, 0.4, 0.3, 0.2, 0.0, -0.3
"""How likely a position is meant before anything is compared: people mark what they see. A whole
text node, its beginning, a part of it, an attribute, what no browser shows, and `DRESSING`."""

IN_WORD = -0.5
"""What a position loses that begins or ends inside a word."""

_DIGITS = re.compile(r"\d+")
_PIECE = re.compile(r"\w+|[^\w\s]")
_TEXT, _START, _END = int(Kind.TEXT), int(Kind.START_TAG), int(Kind.END_TAG)
_NOTHING = ""


class Surroundings:
    """The HTML tokens of a page, and the contexts of positions among them."""

    def __init__(self, page: Page) -> None:
        self.text = page.text
        tokens = tokenize(page.text)
        self._tokens: Tokens = tokens
        self._kinds: list[int] = tokens.kinds.tolist()
        self._flags: list[int] = tokens.flags.tolist()
        self._starts: list[int] = tokens.starts.tolist()
        self._ends: list[int] = tokens.ends.tolist()
        self._name_ends: list[int] = tokens.name_ends.tolist()
        self._features: dict[Position, tuple[int, ...]] = {}
        self._visibility: dict[Position, float] = {}

    def features(self, position: Position) -> tuple[int, ...]:
        """Hashes of ever longer contexts on both sides, by tags, words and text nodes."""
        if position not in self._features:
            self._features[position] = tuple(self._compute(*position))
        return self._features[position]

    def visibility(self, position: Position) -> float:
        """How likely someone means this position, by what it is a part of."""
        if position not in self._visibility:
            self._visibility[position] = self._judge(*position)
        return self._visibility[position]

    def _judge(self, start: int, end: int) -> float:
        index = self._at(start)
        edge = IN_WORD if self._cuts_word(start, end) else 0.0
        kind = self._kinds[index] if self._kinds else _TEXT
        if kind == _START:
            return edge + self._judge_attribute(index, start)
        if kind != _TEXT or self._flags[index] & LITERAL or self._within_hidden(index):
            return edge + UNSEEN
        before = self.text[self._starts[index] : start]
        after = self.text[end : self._ends[index]]
        if not _is_blank(before):
            return edge + INSIDE
        return edge + (WHOLE if _is_blank(after) else BEGINS)

    def _judge_attribute(self, index: int, start: int) -> float:
        tag, _, attribute = self._role(index, start).partition(" ")
        if attribute in DRESSING:
            return DRESSED
        return ATTRIBUTE if tag != "<meta" else UNSEEN

    def _within_hidden(self, index: int) -> bool:
        before = self._tag(index - 1) if index else ""
        return before[:1] == "<" and before[1:] in HIDDEN

    def _cuts_word(self, start: int, end: int) -> bool:
        return is_inside_word(self.text, start) or is_inside_word(self.text, end)

    def _compute(self, start: int, end: int) -> list[int]:
        first, last = self._at(start), self._at(max(start, end - 1))
        role = self._role(first, start)
        before, after = self._rest_before(first, start), self._rest_after(last, end)
        return [
            *self._tag_chain(first, -1, TAGS_LEFT, role),
            *self._tag_chain(last, 1, TAGS_RIGHT, role),
            *_word_chain(_PIECE.findall(before)[: -WORDS - 1 : -1], (role, -1)),
            *_word_chain(_PIECE.findall(after)[:WORDS], (role, 1)),
            hash((role, -1, before.strip()[-SHOWN:] or self._text_node(first, -1))),
            hash((role, 1, after.strip()[:SHOWN] or self._text_node(last, 1))),
        ]

    def _at(self, position: int) -> int:
        return max(0, bisect_right(self._starts, position) - 1)

    def _role(self, index: int, start: int) -> str:
        """What a value is in its token: nothing special in a text, an attribute in a tag."""
        if not self._kinds or self._kinds[index] == _TEXT:
            return _NOTHING
        for attribute in self._tokens[index].attributes:
            if attribute.span.start <= start < attribute.span.end:
                return f"{self._tag(index)} {attribute.name}"
        return self._tag(index)

    def _rest_before(self, index: int, start: int) -> str:
        return self.text[max(self._starts[index], start - CONTEXT) : start] if self._kinds else ""

    def _rest_after(self, index: int, end: int) -> str:
        return self.text[end : min(self._ends[index], end + CONTEXT)] if self._kinds else ""

    def _tag(self, index: int) -> str:
        """A tag as `<name` or `/name`; nothing for other tokens."""
        kind = self._kinds[index]
        if kind == _START:
            return "<" + self.text[self._starts[index] + 1 : self._name_ends[index]].lower()
        if kind == _END:
            return "/" + self.text[self._starts[index] + 2 : self._name_ends[index]].lower()
        return _NOTHING

    def _tag_chain(self, index: int, step: int, count: int, role: str) -> list[int]:
        """Hashes of the 1, 2, .. `count` nearest tags, by name and as they are written."""
        # Two chains: names survive changes of attributes, and the tags as written are more precise.
        names = written = hash((role, step))
        hashes: list[int] = []
        for _ in range(REACH):
            index += step
            if not 0 <= index < len(self._kinds) or len(hashes) == 2 * count:
                break
            tag = self._tag(index)
            if not tag:
                continue
            source = self.text[
                self._starts[index] : min(self._ends[index], self._starts[index] + CONTEXT)
            ]
            names = hash((names, tag))
            # Row numbers and ids differ from row to row; their digits must not.
            written = hash((written, _DIGITS.sub("0", source)))
            hashes += (names, written)
        while len(hashes) < 2 * count:
            names = hash((names, "edge"))
            hashes += (names, names)
        return hashes

    def _text_node(self, index: int, step: int) -> str:
        """The nearest text beyond this token: mostly a caption, or the value before."""
        for _ in range(REACH):
            index += step
            if not 0 <= index < len(self._kinds):
                break
            if self._kinds[index] == _TEXT:
                text = self.text[
                    self._starts[index] : min(self._ends[index], self._starts[index] + CONTEXT)
                ]
                if text and not text.isspace():
                    return text.strip()[:SHOWN]
        return _NOTHING


def _is_blank(text: str) -> bool:
    return not text or text.isspace() or not text.replace("&nbsp;", "").strip()


def _word_chain(words: list[str], chain: object) -> list[int]:
    """Hashes of the 1, 2, .. words between the value and the edge of its token."""
    hashes: list[int] = []
    for word in [*words, *[_NOTHING] * WORDS][:WORDS]:
        chain = hash((chain, word))
        hashes.append(chain)
    return hashes
