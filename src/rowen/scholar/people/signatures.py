"""Names and the marks behind them, from labelled tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rowen.scholar.people.tokens import SUPERSCRIPTS, Token

BETWEEN = frozenset({",", ";", "•", "·", "|", "&", "/", "and", "und", "et"})
_SAME = str.maketrans(f"∗⁎＊⋆♯{SUPERSCRIPTS}", "****#0123456789")
_LONGEST = 8  # words of a name


@dataclass(slots=True)
class Signature:
    """A name as it is signed: its words and signs, its place among the tokens, its marks."""

    tokens: list[Token]
    start: int
    marks: list[str] = field(default_factory=list)


def signatures_of(tokens: Sequence[Token], labels: Sequence[str]) -> list[Signature]:
    """The names in the order of the tokens; single words are none."""
    found: list[Signature] = []
    marks: list[tuple[Token, str]] = []
    inside = marked = False
    for i, (token, label) in enumerate(zip(tokens, labels, strict=True)):
        if label.startswith("name") and not token.text[0].isdigit():
            if _begins(found, token, label) or not inside:
                _sign(found, marks)
                found.append(Signature([], i))
                marks = []
            inside = not _parts(tokens, labels, i)
            marked = True
            if inside:
                found[-1].tokens.append(token)
        elif label == "mark" or label.startswith("name"):
            inside = False
            marks += [(token, mark) for mark in marks_in(token.text) if marked]
        elif label.startswith("affiliation"):
            # Marks on a line of their own were those of this affiliation.
            line = found[-1].tokens[-1].line if found and found[-1].tokens else -1
            marks = [one for one in marks if one[0].line == line or token.line != one[0].line]
            inside = marked = False
        else:
            inside = False
    _sign(found, marks)
    return [one for one in found if 1 < _words(one) <= _LONGEST]


def _sign(found: Sequence[Signature], marks: Sequence[tuple[Token, str]]) -> None:
    """Give marks to the last name."""
    if found:
        found[-1].marks += [mark for _, mark in marks]


def _begins(found: Sequence[Signature], token: Token, label: str) -> bool:
    """Whether a part of a name begins one, by its label or its place."""
    last = found[-1].tokens[-1] if found and found[-1].tokens else token
    return not found or label == "name start" or token.gap or token.cell != last.cell


def _words(one: Signature) -> int:
    """How many words a name has; none where they are too short for one."""
    words = [token.text for token in one.tokens if token.text[0].isalpha()]
    capitals = [word for word in words if word[0].isupper() or not word[0].islower()]
    return len(words) if len(capitals) > 1 and max(map(len, words)) > 1 else 0


def _parts(tokens: Sequence[Token], labels: Sequence[str], i: int) -> bool:
    """Whether a token stands between names, though it is labelled as part of one.

    Only a comma may be part of a name, before the given one.
    """
    if tokens[i].text.lower() not in BETWEEN:
        return False
    return tokens[i].text != "," or i + 1 == len(tokens) or labels[i + 1] != "name"


def marks_in(text: str) -> list[str]:
    """A mark in its plain form; none where it is a sign between marks."""
    text = text.translate(_SAME)
    return [] if text in {",", ".", ";", ":", "(", ")", "[", "]"} else [text]


def spelled(tokens: Sequence[Token], *, parted: bool = False) -> str:
    """Tokens as a text; a word divided at a line's end is whole again.

    Words that were run together stay so, as names of firms are, or are parted.
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
    """Whether a token is a hyphen at a line's end."""
    return token.text == "-" and not token.spaced and after is not None and after.line != token.line
