"""What stands around a place on a page, in a form in which places can be compared."""

import re
from bisect import bisect_right

from rowen.documents.html import LITERAL, Kind, Tokens, tokenize
from rowen.model import Page
from rowen.model.words import is_inside_word
from rowen.wrappers.placing.whereabouts import Place

TAGS_LEFT = 8
TAGS_RIGHT = 4
WORDS = 3
REACH = 24
"""How many tokens away tags and text nodes are looked for."""

HIDDEN = frozenset({"title", "script", "style", "noscript", "template", "option"})

WHOLE, BEGINS, INSIDE, ATTRIBUTE, UNSEEN = 0.8, 0.4, 0.3, 0.2, 0.0
"""How likely a place is meant before anything is compared: people mark what they see."""
IN_WORD = -0.5
"""What a place loses that begins or ends inside a word."""

_DIGITS = re.compile(r"\d+")
_PIECE = re.compile(r"\w+|[^\w\s]")
_TEXT, _START, _END = int(Kind.TEXT), int(Kind.START_TAG), int(Kind.END_TAG)
_NOTHING = ""


class Surroundings:
    """The tokens of a page, asked for what stands around places."""

    def __init__(self, page: Page) -> None:
        self.text = page.text
        tokens = tokenize(page.text)
        self._tokens: Tokens = tokens
        self._kinds: list[int] = tokens.kinds.tolist()
        self._flags: list[int] = tokens.flags.tolist()
        self._starts: list[int] = tokens.starts.tolist()
        self._ends: list[int] = tokens.ends.tolist()
        self._name_ends: list[int] = tokens.name_ends.tolist()
        self._features: dict[Place, tuple[int, ...]] = {}
        self._visibility: dict[Place, float] = {}

    def features(self, place: Place) -> tuple[int, ...]:
        """Hashes of ever longer contexts on both sides, by tags, words and text nodes."""
        if place not in self._features:
            self._features[place] = tuple(self._compute(*place))
        return self._features[place]

    def visibility(self, place: Place) -> float:
        """How likely someone means this place, by what it is a part of."""
        if place not in self._visibility:
            self._visibility[place] = self._judge(*place)
        return self._visibility[place]

    def _judge(self, start: int, end: int) -> float:
        index = self._at(start)
        edge = IN_WORD if self._cuts_word(start, end) else 0.0
        kind = self._kinds[index] if self._kinds else _TEXT
        if kind == _START:
            return edge + (ATTRIBUTE if self._tag(index)[1:] != "meta" else UNSEEN)
        if kind != _TEXT or self._flags[index] & LITERAL or self._within_hidden(index):
            return edge + UNSEEN
        before = self.text[self._starts[index] : start]
        after = self.text[end : self._ends[index]]
        if not _is_blank(before):
            return edge + INSIDE
        return edge + (WHOLE if _is_blank(after) else BEGINS)

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
            hash((role, -1, before.strip()[-40:] or self._text_node(first, -1))),
            hash((role, 1, after.strip()[:40] or self._text_node(last, 1))),
        ]

    def _at(self, position: int) -> int:
        return max(0, bisect_right(self._starts, position) - 1)

    def _role(self, index: int, start: int) -> str:
        """What the place is in its token: nothing special in a text, an attribute in a tag."""
        if not self._kinds or self._kinds[index] == _TEXT:
            return _NOTHING
        for attribute in self._tokens[index].attributes:
            if attribute.span.start <= start < attribute.span.end:
                return f"{self._tag(index)} {attribute.name}"
        return self._tag(index)

    def _rest_before(self, index: int, start: int) -> str:
        return self.text[max(self._starts[index], start - 200) : start] if self._kinds else ""

    def _rest_after(self, index: int, end: int) -> str:
        return self.text[end : min(self._ends[index], end + 200)] if self._kinds else ""

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
        names = written = hash((role, step))
        found: list[int] = []
        for _ in range(REACH):
            index += step
            if not 0 <= index < len(self._kinds) or len(found) == 2 * count:
                break
            tag = self._tag(index)
            if not tag:
                continue
            source = self.text[
                self._starts[index] : min(self._ends[index], self._starts[index] + 200)
            ]
            names = hash((names, tag))
            written = hash((written, _DIGITS.sub("0", source)))
            found += (names, written)
        while len(found) < 2 * count:
            names = hash((names, "edge"))
            found += (names, names)
        return found

    def _text_node(self, index: int, step: int) -> str:
        """The nearest text beyond this token; mostly a caption, or the value before."""
        for _ in range(REACH):
            index += step
            if not 0 <= index < len(self._kinds):
                break
            if self._kinds[index] == _TEXT:
                text = self.text[
                    self._starts[index] : min(self._ends[index], self._starts[index] + 200)
                ]
                if text and not text.isspace():
                    return text.strip()[:40]
        return _NOTHING


def _is_blank(text: str) -> bool:
    return not text or text.isspace() or not text.replace("&nbsp;", "").strip()


def _word_chain(words: list[str], chain: object) -> list[int]:
    """Hashes of the 1, 2, .. words between the place and its token's edge."""
    found: list[int] = []
    for word in [*words, *[_NOTHING] * WORDS][:WORDS]:
        chain = hash((chain, word))
        found.append(chain)
    return found
