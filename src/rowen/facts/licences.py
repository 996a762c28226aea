"""The licence of a paper: Creative Commons, by its short name."""

import re

_ADDRESS = re.compile(
    r"creativecommons\s?\.\s?org\s?/\s?(?:licen[sc]es\s?/\s?(by(?:-nc)?(?:-sa|-nd)?)\s?/\s?(\d\.\d)"
    r"|publicdomain\s?/\s?zero\s?/\s?(1\.0))",
    re.IGNORECASE,
)
_SHORT = re.compile(r"\bCC[ -]BY((?:[ -](?:NC|SA|ND)){0,2})(?:[ -](\d\.\d))?")
_ZERO = re.compile(r"\bCC0\b|Creative Commons (?:Zero|Public Domain Dedication)", re.IGNORECASE)
_NAMED = re.compile(
    r"Creative\s+Commons[\s\-–:]*Attribution((?:[\s\-–/]*(?:and\s)?"
    r"(?:Non[\s\-–]?Commercial|Share[\s\-–]?Alike|No[\s\-–]?Deriv(?:ative|ate)?s?))*)"
    r"[^.;]{0,60}?(?:(\d\.\d)|Licen[sc]e)",
    re.IGNORECASE,
)
_TERMS = (("NC", "noncommercial"), ("SA", "sharealike"), ("ND", "noderiv"))


def licence_of(text: str) -> str | None:
    """The licence that a text names.

    >>> licence_of("under a Creative Commons Attribution-NonCommercial 4.0 International License")
    'CC BY-NC 4.0'
    """
    if match := _ADDRESS.search(text):
        if match[3]:
            return "CC0 1.0"
        return f"CC {match[1].upper()} {match[2]}"
    if match := _NAMED.search(text):
        plain = re.sub(r"[\W_]", "", match[1].lower())
        terms = "".join(f"-{short}" for short, word in _TERMS if word in plain)
        return f"CC BY{terms} {match[2] or ''}".strip()
    if match := _SHORT.search(text):
        terms = re.sub(r"[ -]+", "-", match[1])
        return f"CC BY{terms} {match[2] or ''}".strip()
    return "CC0 1.0" if _ZERO.search(text) else None
