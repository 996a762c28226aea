"""Affiliations and whose they are, from labelled tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rowen.scholar.people.signatures import Signature, marks_in, spelled
from rowen.scholar.people.tokens import Token
from rowen.scholar.people.words import kind_of

_SHORTEST = 4  # letters; what is shorter is a rest of something else


@dataclass(slots=True)
class Affiliation:
    """An affiliation's text, the marks before it and where it begins among the tokens."""

    tokens: list[Token]
    marks: list[str] = field(default_factory=list)
    start: int = 0

    @property
    def text(self) -> str:
        """The whole text, in one line."""
        return spelled(self.tokens).strip(" .,;:&([").removesuffix(" and").rstrip(" .,;")


def affiliations_of(tokens: Sequence[Token], labels: Sequence[str]) -> list[Affiliation]:
    """The affiliations in the order of the tokens."""
    found: list[Affiliation] = []
    marks: list[Token] = []
    signed = -1  # the line of the last name: marks there are its own
    open_ = False
    for i, (token, label) in enumerate(zip(tokens, labels, strict=True)):
        if label == "mark":
            marks.append(token)
            open_ = False
        elif label.startswith("affiliation"):
            away = bool(found) and token.cell != found[-1].tokens[-1].cell
            if label == "affiliation start" or not open_ or away:
                found.append(Affiliation([], _own(marks, token.line, signed), i))
            found[-1].tokens.append(token)
            marks, open_ = [], True
        elif label.startswith("name"):
            marks, open_, signed = [], False, token.line
        elif token.text not in ".,;:()":
            open_ = False
    return [
        one
        for one in found
        if sum(map(str.isalpha, one.text)) >= _SHORTEST
        and kind_of(one.tokens[0].text.lower()) != "contact"
    ]


def _own(marks: Sequence[Token], line: int, signed: int) -> list[str]:
    """The marks before an affiliation on its line, or else on a line without names."""
    near = [token for token in marks if token.line == line]
    near = near or [token for token in marks if token.line != signed]
    return [mark for token in near for mark in marks_in(token.text)]


def owners_of(
    signatures: Sequence[Signature], affiliations: Sequence[Affiliation]
) -> list[tuple[str, ...]]:
    """For each name its affiliations: by marks, or else by place, or else all."""
    known = {mark for one in affiliations for mark in one.marks}
    wanted = [_parted(one.marks, known) for one in signatures]
    if not any(known & own for own in wanted):
        return _by_place(signatures, affiliations)
    rest = _texts(one for one in affiliations if not one.marks)
    owned = {
        marks: _texts(one for one in affiliations if marks.intersection(one.marks)) or rest
        for marks in set(wanted)
    }
    return [owned[marks] for marks in wanted]


def _texts(affiliations: Iterable[Affiliation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.text for one in affiliations))


def _parted(marks: Sequence[str], known: set[str]) -> frozenset[str]:
    """Marks, those that are run together one by one."""
    return frozenset(
        part
        for mark in marks
        for part in ([mark] if mark in known or not known.issuperset(mark) else mark)
    )


def _by_place(
    signatures: Sequence[Signature], affiliations: Sequence[Affiliation]
) -> list[tuple[str, ...]]:
    """Names that stand together have the affiliations that follow them in their cell, if any."""
    names = {one.start: k for k, one in enumerate(signatures)}
    places = {one.start: one for one in affiliations}
    groups: list[tuple[list[int], list[Affiliation]]] = [([], [])]
    cell = -1
    for start in sorted({*names, *places}):
        token = places[start].tokens[0] if start in places else signatures[names[start]].tokens[0]
        if token.cell != cell or (start in names and groups[-1][1]):
            groups.append(([], []))
            cell = token.cell
        if start in names:
            groups[-1][0].append(names[start])
        else:
            groups[-1][1].append(places[start])
    loose = _texts(one for people, own in groups if not people for one in own)
    found = [loose] * len(signatures)
    for people, own in groups:
        texts = _texts(own) or loose
        for k in people:
            found[k] = texts
    return found
