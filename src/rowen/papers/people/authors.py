"""The authors of a paper: the steps from the lines of its front to `Author` values."""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rowen.crf.tagger import Model, load_model
from rowen.papers.people.affiliations import affiliations_of, owners_of
from rowen.papers.people.features import feature_rows
from rowen.papers.people.front import cells_of, chosen
from rowen.papers.people.lists import (
    cell_heads,
    listed_names,
    named_members,
    numbered_affiliations,
)
from rowen.papers.people.mails import mails_of, owned_mails
from rowen.papers.people.names import mentions_of, name_of
from rowen.papers.people.orders import family_comes_first
from rowen.papers.people.signatures import Signature, signatures_of, spelled
from rowen.papers.people.tokens import Token, Type, tokens_of
from rowen.papers.zones import Zones
from rowen.pdf import Line

_NEAR = 1.1  # points: sizes that differ by less count as equal; an address may be on the line


@dataclass(frozen=True, slots=True)
class Author:
    """An author of a paper, with affiliations and e-mail address.

    >>> author = Author("Ada", "Lovelace", ("University of London",), "ada@example.org")
    >>> author.family, author.affiliations
    ('Lovelace', ('University of London',))
    """

    given: str
    family: str
    affiliations: tuple[str, ...] = ()
    email: str | None = None


def authors_of(zones: Zones, *, model: Model | None = None) -> list[Author]:
    """The authors of a paper; `model` replaces the CRF that comes with the package."""
    authors, _ = authors_on(chosen(zones), other_lines(zones), model=model)
    return authors


def other_lines(zones: Zones) -> Iterator[str]:
    """The texts of lines that may mention authors."""
    return (line.text for line, label in zones.labelled if label != "author")


def authors_on(
    front: Sequence[tuple[Line, str]], others: Iterable[str], *, model: Model | None = None
) -> tuple[list[Author], bool]:
    """The authors named in lines of the front, and whether other lines were consulted.

    Other lines count only where it is unclear which words of a name are the family name.
    """
    tokens = tokens_of(cells_of(front))
    if not tokens:
        return [], False
    labels: Sequence[str] = (model or load_model("people")).label(feature_rows(tokens))
    labels = numbered_affiliations(tokens, cell_heads(tokens, listed_names(tokens, labels)))
    labels = named_members(tokens, labels)
    signed = [
        (signature, spelled(signature.tokens, parted=True))
        for signature in _ordered(_once(_alike(signatures_of(tokens, labels))))
    ]
    mentions = mentions_of((text for _, text in signed), others)
    inverted = family_comes_first([text for _, text in signed])
    named = [
        (signature, name)
        for signature, text in signed
        if (name := name_of(text, mentions.get(text, ()), family_first=inverted)) is not None
    ]
    places = owners_of(
        [signature for signature, _ in named],
        affiliations_of(tokens, labels),
        [name.family for _, name in named],
    )
    mails = owned_mails(named, mails_of(tokens))
    authors = _unique(
        Author(name.given, name.family, place, mail)
        for (_, name), place, mail in zip(named, places, mails, strict=True)
    )
    return authors, bool(mentions)


def _unique(authors: Iterable[Author]) -> list[Author]:
    """Each author once: a front may repeat a name, perhaps with initials only."""
    # Compared only with authors of the same family name and initial: there may be thousands.
    unique: list[Author] = []
    seen: defaultdict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for author in authors:
        given_names = re.findall(r"[^\W\d_]+", author.given.lower())
        key = (author.family.lower(), author.given[:1].lower())
        if not any(_same(given_names, earlier) for earlier in seen[key]):
            seen[key].append(given_names)
            unique.append(author)
    return unique


def _same(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two given names may belong to one person: `Ada` and `A.`, but not `Ada` and `Amy`."""
    return all(
        left == right or (1 in {len(left), len(right)} and left[0] == right[0])
        for left, right in zip(first, second, strict=False)
    )


def _alike(signatures: list[Signature]) -> list[Signature]:
    """The names in the usual size and weight of the author lines; editors have another type.

    A page after the first, such as that after a cover, may have the same names in another type.
    """
    types = Counter(
        (round(token.type.size), token.type)
        for signature in signatures
        if (token := signature.tokens[0]).zone == "author" and token.type is not None
    )
    sizes = Counter(size for size, _ in types.elements())
    if not sizes:
        return signatures
    usual = max(sizes, key=lambda size: (sizes[size], size))
    own = {type_ for size, type_ in types if abs(size - usual) <= 1}
    alike = [
        signature
        for signature in signatures
        if _beside_mail(signature)
        or any(_set_alike(signature.tokens[0].type, type_) for type_ in own)
    ]
    kept = set(map(id, alike))
    first = {_key(signature): _page(signature) for signature in reversed(alike)}
    return [
        signature
        for signature in signatures
        if id(signature) in kept or _page(signature) > first.get(_key(signature), sys.maxsize)
    ]


def _once(signatures: list[Signature]) -> list[Signature]:
    """Each name once: of one without marks and the same with marks on a later page, the latter."""
    places: dict[str, int] = {}
    once: list[Signature] = []
    for signature in signatures:
        at = places.setdefault(_key(signature), len(once))
        if at == len(once):
            once.append(signature)
        elif _page(signature) > _page(once[at]) and signature.marks and not once[at].marks:
            once[at] = signature
        else:
            once.append(signature)
    return once


def _key(signature: Signature) -> str:
    return "".join(token.text.lower() for token in signature.tokens)


def _page(signature: Signature) -> int:
    chunk = signature.tokens[0].chunk
    return chunk.line.page if chunk is not None else 0


def _beside_mail(signature: Signature) -> bool:
    """Whether an address is on the line of a name: then the line's type may be the address's."""
    chunk = signature.tokens[0].chunk
    return chunk is not None and "@" in chunk.line.text


def _set_alike(own: Type | None, usual: Type) -> bool:
    return own is not None and own.bold == usual.bold and abs(own.size - usual.size) < _NEAR


def _ordered(signatures: list[Signature]) -> list[Signature]:
    """Names in reading order: in several cells row by row, otherwise as they are."""
    cells = {signature.tokens[0].cell for signature in signatures}
    if len(cells) < 2:
        return signatures
    return sorted(signatures, key=lambda signature: _place(signature.tokens[0]))


def _place(token: Token) -> tuple[int, float]:
    chunk = token.chunk
    return (chunk.row, chunk.left) if chunk is not None else (0, 0.0)
