"""The parts of an affiliation: organisations and address, for formats that keep them apart.

    Dept. of Mathematics, University of London, 7 Main Street, London W1, UK
    department            institution           line           settlement  country
                                                               post code W1

An affiliation is cut at its commas. The country is looked for at its end, and the parts before it
are told by their words (`places.toml`), by digits, and by the place that they have.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

AFFILIATION_LETTERS = 2_000
"""Limit: characters of an affiliation that are parsed into parts; longer ones are one institution."""

_COMMA = re.compile(r"\s*[,;，、]\s*(?![^()]*\))|\s+[-–—]\s+")
_POST_CODE = re.compile(
    r"(?<![\w-])(?:[A-Z]{1,3}[-–—]\s?\d{3,6}|\d{5}[-–—]\d{3,4}|\d{3}[-–— ]\d{2,4}|\d{4} ?[A-Z]{2}|\d{4,6}"
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![\w-])"
)
_EDGES = " ,;.:()"
_COUNTRY_WORDS = 5  # of the longest name of a country


@dataclass(frozen=True, slots=True)
class Place:
    """An affiliation in parts; what it does not have is empty or None.

    >>> parse_place("Dept. of Mathematics, University of London, London, UK").institutions
    ('University of London',)
    """

    laboratories: tuple[str, ...] = ()
    departments: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    """Lines of the address: street, building, box."""
    post_code: str | None = None
    settlement: str | None = None
    region: str | None = None
    country: str | None = None


@cache
def _words() -> tuple[frozenset[str], frozenset[str], dict[str, re.Pattern[str]]]:
    """Countries, regions, and patterns of words for the other kinds."""
    data = {
        name: [entry.strip() for entry in text.split("|") if entry.strip()]
        for name, text in tomllib.loads(
            files(__package__).joinpath("places.toml").read_text("utf-8")
        ).items()
    }
    kinds = {
        name: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, data[name]))})"
                         + (r"(?!\w)" if name in {"street", "laboratory"} else ""))
        for name in ("laboratory", "department", "institution", "street")
    }  # fmt: skip
    kinds["laboratory"] = re.compile(r"(?<!\w)(?:laborator|labs?(?!\w))")
    return frozenset(data["countries"]), frozenset(data["regions"]), kinds


def parse_place(text: str) -> Place:
    """Parse an affiliation into its parts."""
    if len(text) > AFFILIATION_LETTERS:
        return Place(institutions=(text,))
    parts = [part for part in (part.strip(" .") for part in _COMMA.split(text)) if part]
    country, parts = _country(parts)
    post_code, parts = _post_code(parts)
    region, parts = _region(parts)
    kinds = [_kind(part) for part in parts]
    settlement = _settlement(parts, kinds, found=country is not None or region is not None)
    named = {
        kind: tuple(part for part, own in zip(parts, kinds, strict=True) if own == kind)
        for kind in ("laboratory", "department", "institution", "line")
    }
    if not named["institution"]:
        named = _with_institution(named)
    return Place(
        named["laboratory"], named["department"], named["institution"], named["line"],
        post_code, settlement, region, country,
    )  # fmt: skip


def _plain(text: str) -> str:
    return " ".join(text.lower().replace(".", " ").split()).strip("() ")


def _country(parts: list[str]) -> tuple[str | None, list[str]]:
    """The country, from the end of the last part or of the one before; and what remains."""
    countries = _words()[0]
    for at in range(len(parts) - 1, max(len(parts) - 3, -1), -1):
        words = parts[at].split()
        for start in range(max(len(words) - _COUNTRY_WORDS, 0), len(words)):
            if _plain(" ".join(words[start:])) in countries and (start or len(parts) > 1):
                before = " ".join(words[:start]).strip(_EDGES)
                country = " ".join(words[start:]).strip(" ,;:()")
                return country, [*parts[:at], *([before] if before else []), *parts[at + 1 :]]
    return None, parts


def _post_code(parts: list[str]) -> tuple[str | None, list[str]]:
    """The last post code that is not in an organisation's name; and what remains."""
    for at in range(len(parts) - 1, 0, -1):
        if _kind(parts[at]) in {"institution", "department", "laboratory"}:
            break
        matches = list(_POST_CODE.finditer(parts[at]))
        if matches and not _words()[2]["street"].search(parts[at].lower()):
            code = matches[-1]
            before = f"{parts[at][: code.start()]} {parts[at][code.end() :]}"
            remaining = " ".join(before.split()).strip(_EDGES + "-–")
            return code.group(), [
                *parts[:at],
                *([remaining] if remaining else []),
                *parts[at + 1 :],
            ]
    return None, parts


def _region(parts: list[str]) -> tuple[str | None, list[str]]:
    """The last part, or its last word, if it is a region."""
    if len(parts) < 2:
        return None, parts
    *earlier, last = parts
    if _plain(last) in _words()[1]:
        return last, earlier
    before, _, end = last.rpartition(" ")
    if before and end.isupper() and len(end) == 2 and _plain(end) in _words()[1]:
        return end, [*earlier, before.strip(_EDGES)]
    return None, parts


def _kind(part: str) -> str:
    """The kind of a part by its words; empty where they do not show it."""
    _, _, kinds = _words()
    low = part.lower()
    if kinds["institution"].match(low) or (
        kinds["institution"].search(low) and not kinds["department"].match(low)
        and not kinds["laboratory"].search(low)
    ):  # fmt: skip
        return "institution"
    for kind in ("laboratory", "department"):
        if kinds[kind].search(low):
            return kind
    if any(letter.isdigit() for letter in part) or kinds["street"].search(low):
        return "line"
    return ""


def _settlement(parts: list[str], kinds: list[str], *, found: bool) -> str | None:
    """The last part without a kind, behind the last organisation; the kinds are completed."""
    settlement = None
    last = max((i for i, kind in enumerate(kinds) if kind and kind != "line"), default=-1)
    for i in range(len(parts) - 1, -1, -1):
        if kinds[i]:
            continue
        if i > last and settlement is None and (found or i > 0):
            settlement, kinds[i] = parts[i], "settlement"
        elif i > last:
            kinds[i] = "line"
        else:
            # A name without a telling word: what stands before a department or beside it.
            kinds[i] = "institution" if i and kinds[i - 1] == "department" else "department"
    return settlement


def _with_institution(named: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The last department or laboratory is the institution where there is no other."""
    for kind in ("department", "laboratory"):
        if named[kind]:
            return {**named, "institution": named[kind][-1:], kind: named[kind][:-1]}
    return named
