"""E-mail addresses, and the authors that they belong to.

    {lovelace, g.hopper}@example.org     two addresses
    lovelace@example.org                 Ada Lovelace: the family name is in it
    g.hopper@example.org                 Grace Hopper: initial and family name

An address that fits no name goes to the only name in its cell. What is then left is paired in
order, if there are as many addresses as names.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from rowen.citations.citation import Name
from rowen.papers.people.signatures import Signature
from rowen.papers.people.tokens import Token

ADDRESSES = 200
"""Limit: e-mail addresses that are matched to authors; each is compared with every name."""

_OFFICES = frozenset(
    [
        "permissions",
        "info",
        "support",
        "editor",
        "editors",
        "office",
        "contact",
        "help",
        "admin",
        "journals",
        "reprints",
    ]
)
"""Addresses that belong to no author."""


def mails_of(tokens: Sequence[Token]) -> list[tuple[str, Token]]:
    """The addresses, each with its token; one that is repeated counts once."""
    mails = [
        (mail, token)
        for token in tokens
        if "@" in token.text and len(token.text) > 1
        for mail in _spread(token.text)
        if mail.partition("@")[0].lower() not in _OFFICES
    ]
    return list({mail.lower(): (mail, token) for mail, token in reversed(mails)}.values())[::-1]


def _spread(mail: str) -> list[str]:
    """`{a, b}@host` as two addresses."""
    mail = re.sub(r"\s", "", mail)
    if not mail.startswith("{"):
        return [mail]
    names, _, host = mail[1:].partition("}@")
    return [f"{name}@{host}" for name in re.split(r"[,;|/]", names) if name]


def owned_mails(
    named: Sequence[tuple[Signature, Name]], mails: Sequence[tuple[str, Token]]
) -> list[str | None]:
    """The address of each name: one that contains parts of it, otherwise one by position."""
    owned: list[str | None] = [None] * len(named)
    keys = [_Key(name) for _, name in named]
    unmatched: list[tuple[str, Token]] = []
    for mail, token in mails[:ADDRESSES]:
        local = _plain(mail.partition("@")[0])
        fits = [key.fit(local) if owned[k] is None else 0 for k, key in enumerate(keys)]
        best = max(fits, default=0)
        if best:
            owned[fits.index(best)] = mail
        else:
            unmatched.append((mail, token))
    unmatched = _in_own_cell(named, unmatched, owned)
    # The order shows which name is meant only if all addresses are in it, or all but one have
    # their names.
    without = [k for k, mail in enumerate(owned) if mail is None]
    if len(without) == len(unmatched) and len(unmatched) in {1, len(named)}:
        for k, (mail, _) in zip(without, unmatched, strict=True):
            owned[k] = mail
    return owned


def _in_own_cell(
    named: Sequence[tuple[Signature, Name]],
    mails: Sequence[tuple[str, Token]],
    owned: list[str | None],
) -> list[tuple[str, Token]]:
    """Give addresses to the only name of their cell; returns those that remain."""
    people: defaultdict[int, list[int]] = defaultdict(list)
    for k, (signature, _) in enumerate(named):
        people[signature.tokens[0].cell].append(k)
    if len(people) < 2:
        return list(mails)
    remaining = []
    for mail, token in mails:
        own = people[token.cell]
        if len(own) == 1 and owned[own[0]] is None:
            owned[own[0]] = mail
        else:
            remaining.append((mail, token))
    return remaining


class _Key:
    """The parts of a name that addresses are made of, without accents."""

    def __init__(self, name: Name) -> None:
        self.family = _plain(name.family)
        given_name = _plain(name.given)
        words = [_plain(word) for word in f"{name.given} {name.family}".split()]
        self.words = [word for word in words if len(word) > 3]
        self.all_words = {word for word in words if len(word) > 1}
        self.initials = "".join(word[:1] for word in words)
        self.usual = (
            {given_name[:1] + self.family, self.family + given_name[:1]} if given_name else set()
        )
        self.usual |= {given_name + self.family, self.family + given_name}

    def fit(self, local: str) -> int:
        """How well an address fits the name: 4 for its usual forms, 0 for not at all."""
        if local in self.usual:
            return 4
        if len(self.family) > 2 and self.family in local:
            return 3
        if any(word in local for word in self.words) or local in self.all_words:
            return 2
        return int(len(local) > 1 and local == self.initials)


def _plain(text: str) -> str:
    """Only the letters of a text, in lower case and without accents."""
    letters = unicodedata.normalize("NFKD", text).lower()
    return re.sub(r"[\W\d_]", "", letters)
