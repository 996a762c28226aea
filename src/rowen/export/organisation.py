"""An affiliation as GROBID's clients expect it: laboratory, department, institution, address.

    Dept. of Physics, University of Turin, Via P. Giuria 1, 10125 Torino, Italy
    department        institution          address

Commas separate the parts, and words such as *Department* tell their kind (`organisations.toml`).
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_COUNTED = re.compile(r"\d")  # streets, postal codes: an address has begun


@dataclass(frozen=True, slots=True)
class Organisation:
    """The parts of an affiliation, each as it is printed."""

    units: tuple[tuple[str, str], ...]
    """Kinds and names: laboratories, departments, institutions, in the order of the text."""
    address: str
    """What follows them: street, town, country; "" for none."""


def organisation_of(affiliation: str) -> Organisation:
    """The parts of an affiliation; all of it is an institution if its words show no kind.

    >>> organisation_of("Dept. of Physics, University of Turin, Torino, Italy").units
    (('department', 'Dept. of Physics'), ('institution', 'University of Turin'))
    """
    parts = [part.strip() for part in affiliation.split(",") if part.strip()]
    kinds = [_kind(part) for part in parts]
    named = [i for i, kind in enumerate(kinds) if kind]
    if not named:
        return Organisation((("institution", affiliation.strip()),) if parts else (), "")
    units = [
        (kind or "institution", part)
        for part, kind in zip(parts[: named[-1] + 1], kinds, strict=False)
    ]
    return Organisation(tuple(units), ", ".join(parts[named[-1] + 1 :]))


def _kind(part: str) -> str:
    if _COUNTED.search(part):
        return ""
    for kind, form in _forms().items():
        if form.search(part):
            return kind
    return ""


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    """For each kind a pattern of its words; a star stands for any ending."""
    table = tomllib.loads(files(__package__).joinpath("organisations.toml").read_text("utf-8"))
    return {
        kind: re.compile(
            r"\b(?:" + "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words) + r")\b",
            re.IGNORECASE,
        )
        for kind, words in table.items()
    }
