"""E-mail addresses, and the authors that they belong to.

    {lovelace, g.hopper}@example.org     two addresses
    lovelace@example.org                 Ada Lovelace: the family name is in it
    g.hopper@example.org                 Grace Hopper: initial and family name

An address that fits no name goes to the name before it, if there are as many addresses as names.
"""

import re
import unicodedata
from collections.abc import Sequence

from rowen.citations.citation import Name
from rowen.papers.people.signatures import Signature
from rowen.papers.people.tokens import Token

ADDRESSES = 200
"""Limit: e-mail addresses that are matched to authors; each is compared with every name."""


def mails_of(tokens: Sequence[Token]) -> list[tuple[str, int]]:
    """The addresses, each with the index of its token."""
    return [
        (mail, i)
        for i, token in enumerate(tokens)
        if "@" in token.text and len(token.text) > 1
        for mail in _spread(token.text)
    ]


def _spread(mail: str) -> list[str]:
    """`{a, b}@host` as two addresses."""
    mail = re.sub(r"\s", "", mail)
    if not mail.startswith("{"):
        return [mail]
    names, _, host = mail[1:].partition("}@")
    return [f"{name}@{host}" for name in re.split(r"[,;|/]", names) if name]


def owned_mails(
    named: Sequence[tuple[Signature, Name]], mails: Sequence[tuple[str, int]]
) -> list[str | None]:
    """The address of each name: one that contains parts of it, otherwise one by position."""
    owned: list[str | None] = [None] * len(named)
    keys = [_Key(name) for _, name in named]
    unmatched: list[tuple[str, int]] = []
    for mail, at in mails[:ADDRESSES]:
        local = _plain(mail.partition("@")[0])
        fits = [key.fit(local) if owned[k] is None else 0 for k, key in enumerate(keys)]
        best = max(fits, default=0)
        if best:
            owned[fits.index(best)] = mail
        else:
            unmatched.append((mail, at))
    # With fewer or more addresses than names, position does not show which name is meant.
    for mail, at in unmatched if len(named) == len(mails) else []:
        before = [k for k, (signature, _) in enumerate(named) if signature.start < at]
        if before and owned[before[-1]] is None:
            owned[before[-1]] = mail
    return owned


class _Key:
    """The parts of a name that addresses are made of, without accents."""

    def __init__(self, name: Name) -> None:
        self.family = _plain(name.family)
        given_name = _plain(name.given)
        words = [_plain(word) for word in f"{name.given} {name.family}".split()]
        self.words = [word for word in words if len(word) > 3]
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
        if any(word in local for word in self.words):
            return 2
        return int(len(local) > 1 and local == self.initials)


def _plain(text: str) -> str:
    """Only the letters of a text, in lower case and without accents."""
    letters = unicodedata.normalize("NFKD", text).lower()
    return re.sub(r"[\W\d_]", "", letters)
