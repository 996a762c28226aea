"""E-mail addresses and whose they are."""

import re
import unicodedata
from collections.abc import Sequence

from rowen.limits import ADDRESSES
from rowen.scholar.citations.citation import Name
from rowen.scholar.people.signatures import Signature
from rowen.scholar.people.tokens import Token


def mails_of(tokens: Sequence[Token]) -> list[tuple[str, int]]:
    """The addresses, and at which token each stands."""
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
    """For each name its address: the one that has its name, or else that stands with it alone."""
    owned: list[str | None] = [None] * len(named)
    keys = [_Key(name) for _, name in named]
    rest: list[tuple[str, int]] = []
    for mail, at in mails[:ADDRESSES]:
        local = _plain(mail.partition("@")[0])
        fits = [key.fit(local) if owned[k] is None else 0 for k, key in enumerate(keys)]
        best = max(fits, default=0)
        if best:
            owned[fits.index(best)] = mail
        else:
            rest.append((mail, at))
    for mail, at in rest if len(named) == len(mails) else []:
        before = [k for k, (one, _) in enumerate(named) if one.start < at]
        if before and owned[before[-1]] is None:
            owned[before[-1]] = mail
    return owned


class _Key:
    """What addresses are made of: parts of a name, without accents."""

    def __init__(self, name: Name) -> None:
        self.family = _plain(name.family)
        given = _plain(name.given)
        words = [_plain(word) for word in f"{name.given} {name.family}".split()]
        self.words = [word for word in words if len(word) > 3]
        self.initials = "".join(word[:1] for word in words)
        self.usual = {given[:1] + self.family, self.family + given[:1]} if given else set()
        self.usual |= {given + self.family, self.family + given}

    def fit(self, local: str) -> int:
        """How much of the name an address has: 0 for nothing that tells."""
        if local in self.usual:
            return 4
        if len(self.family) > 2 and self.family in local:
            return 3
        if any(word in local for word in self.words):
            return 2
        return int(len(local) > 1 and local == self.initials)


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).lower()
    return re.sub(r"[\W\d_]", "", letters)
