"""Signatures: names and the marks after them, from labelled tokens.

    tokens       Ada         Lovelace  1     ,      Grace       Hopper  *
    labels       name start  name      mark  other  name start  name    mark
    signatures   Ada Lovelace with mark 1, Grace Hopper with mark *

Marks link names to affiliations (`affiliations.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rowen.papers.people.orders import is_unspaced
from rowen.papers.people.tokens import SUPERSCRIPTS, Token
from rowen.papers.people.words import kind_of

BETWEEN = frozenset({",", ";", "、", "，", "•", "·", "|", "&", "/", "and", "und", "et"})
_SAME = str.maketrans(f"∗⁎＊⋆♯{SUPERSCRIPTS}", "****#0123456789")
_SIGNS = frozenset("*∗⁎＊⋆★☆†‡§¶#♯")  # marks, also where the CRF takes them for a part of the name
_LONGEST = 8  # words of a name


@dataclass(slots=True)
class Signature:
    """A name in the list of authors: its tokens, the index of the first, and its marks."""

    tokens: list[Token]
    start: int
    marks: list[str] = field(default_factory=list)


def signatures_of(tokens: Sequence[Token], labels: Sequence[str]) -> list[Signature]:
    """The names, in order; a single word is not a name."""
    signatures: list[Signature] = []
    marks: list[tuple[Token, str]] = []
    inside = marked = False
    for i, (token, label) in enumerate(zip(tokens, labels, strict=True)):
        if label.startswith("name") and not token.text[0].isdigit() and token.text not in _SIGNS:
            if _begins(signatures, token, label) or not inside:
                _sign(signatures, marks)
                signatures.append(Signature([], i))
                marks = []
            inside = not _parts(tokens, labels, i)
            marked = True
            if inside:
                signatures[-1].tokens.append(token)
        elif label == "mark" or label.startswith("name"):
            inside = False
            marks += [(token, mark) for mark in marks_in(token.text) if marked]
        elif label.startswith("affiliation"):
            # Marks on the line of this affiliation, without a name there, are the affiliation's.
            line = signatures[-1].tokens[-1].line if signatures and signatures[-1].tokens else -1
            marks = [pair for pair in marks if pair[0].line == line or token.line != pair[0].line]
            inside = marked = False
        else:
            inside = False
    _sign(signatures, marks)
    return [signature for signature in signatures if 1 < _words(signature) <= _LONGEST]


def _sign(signatures: Sequence[Signature], marks: Sequence[tuple[Token, str]]) -> None:
    """Add marks to the last name."""
    if signatures:
        signatures[-1].marks += [mark for _, mark in marks]


def _begins(signatures: Sequence[Signature], token: Token, label: str) -> bool:
    """Whether a token begins a new name, by its label, a gap before it, or its cell."""
    last = signatures[-1].tokens[-1] if signatures and signatures[-1].tokens else token
    return not signatures or label == "name start" or token.gap or token.cell != last.cell


def _words(signature: Signature) -> int:
    """The number of words of a name; 0 where they can't be one, such as initials alone."""
    words = [token.text for token in signature.tokens if token.text[0].isalpha()]
    if any(kind_of(word.lower()) == "heading" for word in words):
        return 0
    if len(words) == 1 and is_unspaced(words[0]):
        # Two words, written as one. In running text any two characters would look like that.
        return 2 if signature.tokens[0].zone not in {"body", "heading"} else 0
    capitals = [word for word in words if word[0].isupper() or not word[0].islower()]
    return len(words) if len(capitals) > 1 and max(map(len, words)) > 1 else 0


def _parts(tokens: Sequence[Token], labels: Sequence[str], i: int) -> bool:
    """Whether a token labelled as part of a name separates two names.

    Only a comma may be inside a name, before the given name: `Lovelace, Ada`.
    """
    if tokens[i].text.lower() not in BETWEEN:
        return False
    return tokens[i].text != "," or i + 1 == len(tokens) or labels[i + 1] != "name"


def marks_in(text: str) -> list[str]:
    """A mark in its plain form, as a list; empty for punctuation between marks."""
    text = text.translate(_SAME)
    return [] if text in {",", ".", ";", ":", "(", ")", "[", "]"} else [text]


def spelled(tokens: Sequence[Token], *, parted: bool = False) -> str:
    """Tokens as a text; a word divided at the end of a line is rejoined.

    Words without a space between them, `AdaLovelace`, stay together as names of firms do, or get a
    space with `parted`.
    """
    return " ".join("".join(_spelled(tokens, parted)).split())


def _spelled(tokens: Sequence[Token], parted: bool) -> Iterator[str]:  # noqa: FBT001  # as above
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else None
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        if _divides(token, after) and after is not None and after.text[0].islower():
            continue
        tight = token.text in ".,;:)]" or (before is not None and _divides(before, token))
        apart = token.spaced or (parted and _run_on(before, token))
        yield (" " if apart and not tight else "") + token.text


def _run_on(before: Token | None, token: Token) -> bool:
    return before is not None and before.text[-1].isalpha() and token.text[0].isalpha()


def _divides(token: Token, after: Token | None) -> bool:
    """Whether a token is a hyphen at the end of a line."""
    return token.text == "-" and not token.spaced and after is not None and after.line != token.line
