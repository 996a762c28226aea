"""The people who wrote a paper."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rowen.scholar.people.affiliations import affiliations_of, owners_of
from rowen.scholar.people.columns import columns_of
from rowen.scholar.people.front import front_of
from rowen.scholar.people.lists import listed_names, numbered_affiliations
from rowen.scholar.people.mails import mails_of, owned_mails
from rowen.scholar.people.names import mentions_of, name_of
from rowen.scholar.people.signatures import Signature, signatures_of, spelled
from rowen.scholar.people.tokens import Token, Type, tokens_of
from rowen.scholar.tagging import Model, shipped
from rowen.scholar.zones import Zones

_NEAR = 0.6  # points: sizes of one type


@dataclass(frozen=True, slots=True)
class Author:
    """One who wrote a paper, and where they can be found."""

    given: str
    family: str
    affiliations: tuple[str, ...] = ()
    email: str | None = None


def authors_of(zones: Zones, *, model: Model | None = None) -> list[Author]:
    """The authors, each with the affiliations that have its marks, or stand with it."""
    tokens = tokens_of(front_of(zones))
    if not tokens:
        return []
    labels: Sequence[str] = (model or shipped("people")).label(columns_of(tokens))
    labels = numbered_affiliations(tokens, listed_names(tokens, labels))
    signed = [
        (one, spelled(one.tokens, parted=True))
        for one in _ordered(_alike(signatures_of(tokens, labels)))
    ]
    mentions = mentions_of(
        (text for _, text in signed),
        (line.text for line, label in zones.labelled if label != "author"),
    )
    named = [
        (one, name)
        for one, text in signed
        if (name := name_of(text, mentions.get(text, ()))) is not None
    ]
    places = owners_of([one for one, _ in named], affiliations_of(tokens, labels))
    mails = owned_mails(named, mails_of(tokens))
    return _unique(
        Author(name.given, name.family, place, mail)
        for (_, name), place, mail in zip(named, places, mails, strict=True)
    )


def _unique(authors: Iterable[Author]) -> list[Author]:
    """Authors each once: a name may stand again, perhaps with initials only."""
    found: list[Author] = []
    known: defaultdict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for author in authors:
        given = re.findall(r"[^\W\d_]+", author.given.lower())
        key = (author.family.lower(), author.given[:1].lower())
        if not any(_same(given, other) for other in known[key]):
            known[key].append(given)
            found.append(author)
    return found


def _same(given: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two given names may be of one person."""
    return all(
        one == two or (1 in {len(one), len(two)} and one[0] == two[0])
        for one, two in zip(given, other, strict=False)
    )


def _alike(signatures: list[Signature]) -> list[Signature]:
    """Names on lines of authors, and others that are set as most of these are; editors' are not."""
    types = Counter(
        (round(token.type.size), token.type)
        for one in signatures
        if (token := one.tokens[0]).zone == "author" and token.type is not None
    )
    sizes = Counter(size for size, _ in types.elements())
    if not sizes:
        return signatures
    usual = max(sizes, key=lambda size: (sizes[size], size))
    own = {type_ for size, type_ in types if abs(size - usual) <= 1}
    return [
        one for one in signatures
        if any(_set_alike(one.tokens[0].type, type_) for type_ in own)
    ]  # fmt: skip


def _set_alike(one: Type | None, other: Type) -> bool:
    return one is not None and one.bold == other.bold and abs(one.size - other.size) < _NEAR


def _ordered(signatures: list[Signature]) -> list[Signature]:
    """Names side by side row by row; else as they follow each other."""
    cells = {one.tokens[0].cell for one in signatures}
    if len(cells) < 2:
        return signatures
    return sorted(signatures, key=lambda one: _place(one.tokens[0]))


def _place(token: Token) -> tuple[int, float]:
    chunk = token.chunk
    return (chunk.row, chunk.left) if chunk is not None else (0, 0.0)
