"""Affiliations from labelled tokens, and the authors that they belong to.

Names before an affiliation in a note link it; otherwise marks, where names and affiliations share
any; otherwise the position: names have the affiliations that follow them in their cell.

    A. Lovelace is with Yale. G. Hopper and A. Turing are with UCL.
                                                    Lovelace: Yale    Hopper, Turing: UCL
    Ada Lovelace¹  Grace Hopper²   ¹Yale   ²UCL     Lovelace: Yale    Hopper: UCL
    Ada Lovelace  Grace Hopper  Yale  Alan Turing  UCL
                                                    Lovelace, Hopper: Yale    Turing: UCL
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rowen.citations.lexicon import lexicon_class
from rowen.papers.people.signatures import Signature, marks_in, spelled
from rowen.papers.people.tokens import Token
from rowen.papers.people.words import REMARKS, kind_of

_WORD = re.compile(r"\w+")
_INTRODUCTION = 40  # tokens before an affiliation that may name its people
_ROLE = 3  # words of a role
_SHORTEST = 4  # letters: anything shorter is a fragment of something else


@dataclass(slots=True)
class Affiliation:
    """An affiliation: its tokens, the marks before it, and the index of its first token."""

    tokens: list[Token]
    marks: list[str] = field(default_factory=list)
    start: int = 0
    introduction: list[Token] = field(default_factory=list)
    """The last tokens before it that are not part of another affiliation."""

    @property
    def text(self) -> str:
        """The text in one line, without punctuation and `and` at its ends."""
        return spelled(self.tokens).strip(" .,;:&([").removesuffix(" and").rstrip(" .,;")


def affiliations_of(tokens: Sequence[Token], labels: Sequence[str]) -> list[Affiliation]:
    """The affiliations, in order."""
    affiliations: list[Affiliation] = []
    marks: list[Token] = []
    signed = -1  # the line of the last name: marks on it belong to names
    open_ = False  # whether the next token of an affiliation continues the last one
    interrupted = False  # whether words have followed the last mark
    introduction: list[Token] = []
    for i, (token, label) in enumerate(zip(tokens, labels, strict=True)):
        if label == "mark":
            # In `* Equal contribution ¹ Yale` the first mark is not the affiliation's.
            marks = [token] if interrupted else [*marks, token]
            open_ = interrupted = False
        elif label.startswith("affiliation"):
            # An affiliation does not go on in another cell: cells belong to different authors.
            away = bool(affiliations) and token.cell != affiliations[-1].tokens[-1].cell
            if label == "affiliation start" or not open_ or away:
                own = _own(marks, token.line, signed)
                affiliations.append(Affiliation([], own, i, introduction[-_INTRODUCTION:]))
                introduction = []
            affiliations[-1].tokens.append(token)
            marks, open_, interrupted = [], True, False
        elif label.startswith("name"):
            introduction.append(token)
            marks, open_, signed = [], False, token.line
        elif token.text not in ".,;:()":
            introduction.append(token)
            open_, interrupted = False, token.text[0].isalpha()
    return [
        affiliation
        for affiliation in _split(affiliations)
        if sum(map(str.isalpha, affiliation.text)) >= _SHORTEST
        and kind_of(affiliation.tokens[0].text.lower()) != "contact"
        and not _is_remark(affiliation)
        and not _is_role(affiliation, tokens)
    ]


def _is_remark(affiliation: Affiliation) -> bool:
    """Whether a note is about something else: a sentence without an organisation or a place."""
    words = [token.text.lower() for token in affiliation.tokens]
    kinds = {kind_of(word) for word in words}
    return (
        affiliation.tokens[0].zone in {"footnote", "body"}
        and not REMARKS.isdisjoint(words)
        and not kinds & {"organisation", "institution"}
        and not any({"p", "c"} & {*lexicon_class(word)} for word in words)
    )


def _is_role(affiliation: Affiliation, tokens: Sequence[Token]) -> bool:
    """Whether it is a role in brackets behind a name, such as `(Conceptualization)`."""
    before = tokens[affiliation.start - 1].text if affiliation.start else ""
    inside = before == "(" or affiliation.text.count(")") > affiliation.text.count("(")
    words = [token.text.lower() for token in affiliation.tokens if token.text[0].isalpha()]
    named = any(kind_of(word) in {"organisation", "institution"} for word in words)
    return inside and len(words) <= _ROLE and not named


def _split(affiliations: Sequence[Affiliation]) -> list[Affiliation]:
    """Affiliations cut where two stand on lines below each other without marks.

    The first one ends in a country, or each of the two is the affiliation of somebody else.
    """
    known = frozenset(affiliation.text.lower() for affiliation in affiliations)
    split: list[Affiliation] = []
    for affiliation in affiliations:
        cuts = [] if affiliation.marks else list(_cuts(affiliation, known))
        bounds = [0, *cuts, len(affiliation.tokens)]
        for start, end in pairwise(bounds):
            tokens = affiliation.tokens[start:end]
            own = affiliation.start + start
            split.append(Affiliation(tokens, affiliation.marks, own, affiliation.introduction))
    return split


def _cuts(affiliation: Affiliation, known: frozenset[str]) -> Iterator[int]:
    """Where a line ends an affiliation and the next one begins another."""
    tokens, start = affiliation.tokens, 0
    for i in range(1, len(tokens)):
        if tokens[i].line == tokens[i - 1].line:
            continue
        head, tail = (Affiliation(part).text.lower() for part in (tokens[start:i], tokens[i:]))
        last = tokens[i - 1].text.lower()
        begins = kind_of(tokens[i].text.lower()) == "organisation"
        if head in known or tail in known or (begins and "c" in lexicon_class(last)):
            yield i
            start = i


def _own(marks: Sequence[Token], line: int, signed: int) -> list[str]:
    """The marks before an affiliation: on its line, otherwise on a line without names."""
    near = [token for token in marks if token.line == line]
    near = near or [token for token in marks if token.line != signed]
    return [mark for token in near for mark in marks_in(token.text)]


def owners_of(
    signatures: Sequence[Signature],
    affiliations: Sequence[Affiliation],
    families: Sequence[str] = (),
) -> list[tuple[str, ...]]:
    """The affiliations of each name: by mentions of its family name, by marks, or by position."""
    mentioned = _by_mention(signatures, affiliations, families)
    taken = {id(affiliation) for own in mentioned for affiliation in own}
    others = [affiliation for affiliation in affiliations if id(affiliation) not in taken]
    linked = _by_marks(signatures, others)
    # Who is mentioned, and nobody else, has no affiliation by position alone.
    if linked is None:
        linked = _by_place(signatures, others)
        linked = [() if own else texts for own, texts in zip(mentioned, linked, strict=True)]
    return [_distinct([*_texts(own), *texts]) for own, texts in zip(mentioned, linked, strict=True)]


def _by_mention(
    signatures: Sequence[Signature], affiliations: Sequence[Affiliation], families: Sequence[str]
) -> list[list[Affiliation]]:
    """For each name the affiliations that mention it in their introduction, in a note."""
    mentioned: list[list[Affiliation]] = [[] for _ in signatures]
    signed = {id(token) for signature in signatures for token in signature.tokens}
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for k, family in enumerate(families):
        by_word[family.lower().split()[-1]].append(k)
    for affiliation in affiliations:
        words = [
            token.text.lower() for token in affiliation.introduction if id(token) not in signed
        ]
        for k in dict.fromkeys(k for word in words for k in by_word.get(word, ())):
            mentioned[k].append(affiliation)
    return mentioned


def _by_marks(
    signatures: Sequence[Signature], affiliations: Sequence[Affiliation]
) -> list[tuple[str, ...]] | None:
    """The affiliations of each name by marks; None where names and affiliations share none."""
    known_marks = {mark for affiliation in affiliations for mark in affiliation.marks}
    marks_by_author = [_parted(signature.marks, known_marks) for signature in signatures]
    if not any(known_marks & own for own in marks_by_author):
        return None
    # Names that no mark links to an affiliation get the affiliations without marks.
    unmarked = _texts(affiliation for affiliation in affiliations if not affiliation.marks)
    owned = {
        marks: _texts(
            affiliation for affiliation in affiliations if marks.intersection(affiliation.marks)
        )
        or unmarked
        for marks in set(marks_by_author)
    }
    return [owned[marks] for marks in marks_by_author]


def _distinct(texts: Sequence[str]) -> tuple[str, ...]:
    """Affiliations without those whose words another one has, too: it may stand in a note again."""
    words = [frozenset(_WORD.findall(text.lower())) for text in texts]
    return tuple(
        text
        for i, text in enumerate(texts)
        if not any(
            words[i] < other or (words[i] == other and k < i) for k, other in enumerate(words)
        )
    )


def _texts(affiliations: Iterable[Affiliation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(affiliation.text for affiliation in affiliations))


def _parted(marks: Sequence[str], known_marks: set[str]) -> frozenset[str]:
    """The marks of a name; `12` is `1` and `2` if 12 is no mark of an affiliation.

    Of an unknown mark such as `71` the parts that are marks remain: a sign before the number may
    have come out as a digit.
    """
    return frozenset(
        part
        for mark in marks
        for part in ([mark] if mark in known_marks else known_marks.intersection(mark) or [mark])
    )


def _by_place(
    signatures: Sequence[Signature], affiliations: Sequence[Affiliation]
) -> list[tuple[str, ...]]:
    """The affiliations of each name by position.

    Names share the affiliations that follow them in their cell. Names that none follows have those
    of groups without a name.
    """
    names = {signature.start: k for k, signature in enumerate(signatures)}
    places = {affiliation.start: affiliation for affiliation in affiliations}
    groups: list[tuple[list[int], list[Affiliation]]] = [([], [])]
    cell = -1
    for start in sorted({*names, *places}):
        token = places[start].tokens[0] if start in places else signatures[names[start]].tokens[0]
        # A name after an affiliation begins the next group.
        if token.cell != cell or (start in names and groups[-1][1]):
            groups.append(([], []))
            cell = token.cell
        if start in names:
            groups[-1][0].append(names[start])
        else:
            groups[-1][1].append(places[start])
    loose = _texts(affiliation for people, own in groups if not people for affiliation in own)
    by_author = [loose] * len(signatures)
    for people, own in groups:
        texts = _texts(own) or loose
        for k in people:
            by_author[k] = texts
    return by_author
