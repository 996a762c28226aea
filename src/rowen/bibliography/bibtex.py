"""BibTeX and BibLaTeX: entries with fields in braces, in quotation marks, or as macros.

@string{cacm = "Commun. ACM"}
@article{knuth84, title = {Literate {P}rogramming}, journal = cacm # { (Online)}, year = 1984}
"""

import re
from collections.abc import Iterator

from rowen.bibliography.item import citation_of, name_of
from rowen.citations.citation import Citation, Name
from rowen.text.tex import group_at, plain

_ENTRY = re.compile(r"@\s*(\w+)\s*([{(])")
_FIELD = re.compile(r"\s*,?\s*([^\s=,{}()\"#%]+)\s*=\s*")
_BARE = re.compile(r"[^\s,#{}()\"]+")
_NOT_ENTRIES = frozenset({"comment", "preamble"})
_TEXTS = {
    "title": "title", "journal": "container", "journaltitle": "container",
    "booktitle": "container", "series": "container", "howpublished": "container", "year": "year",
    "date": "year", "volume": "volume", "number": "issue", "issue": "issue", "pages": "pages",
    "publisher": "publisher", "school": "publisher", "institution": "publisher",
    "address": "place", "location": "place", "doi": "doi", "url": "url", "note": "note",
}  # fmt: skip
_VERBATIM = frozenset({"doi", "url"})
_MONTHS = dict.fromkeys(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), ""
)
"""Every style defines them; a citation has no month."""


_SIGNS = {
    r"\textbackslash{}": ("\uf8e0", "\\"), r"\textasciitilde{}": ("\uf8e1", "~"),
    r"\textasciicircum{}": ("\uf8e2", "^"), r"\{": ("\uf8e3", "{"), r"\}": ("\uf8e4", "}"),
    r"\%": ("\uf8e5", "%"), r"\#": ("\uf8e6", "#"), r"\$": ("\uf8e7", "$"),
}  # fmt: skip
"""Signs that TeX has a meaning for: they are put aside while commands are read."""


def read_bibtex(text: str) -> Iterator[Citation]:
    """The entries of a file, in order; what is between entries is a comment."""
    macros: dict[str, str] = dict(_MONTHS)
    place = 0
    while (match := _ENTRY.search(text, place)) is not None:
        kind = match[1].lower()
        place = match.end()
        if kind in _NOT_ENTRIES:
            group = group_at(text, match.end() - 1)
            place = group[1] if group else place
            continue
        if kind != "string":
            comma = text.find(",", place)
            place = comma if comma >= 0 else len(text)
        fields, place = _fields(text, place, macros)
        if kind == "string":
            macros.update(fields)
        elif fields:
            yield _citation(fields)


def _fields(text: str, place: int, macros: dict[str, str]) -> tuple[dict[str, str], int]:
    """The fields from a place on, and where they end."""
    fields: dict[str, str] = {}
    while (match := _FIELD.match(text, place)) is not None:
        value, place = _value(text, match.end(), macros)
        fields.setdefault(match[1].lower(), value)
    return fields, place


def _value(text: str, place: int, macros: dict[str, str]) -> tuple[str, int]:
    """A value, joined by `#`, and where it ends."""
    parts: list[str] = []
    while place < len(text):
        if text[place] == "{":
            group = group_at(text, place)
            if group is None:  # it never closes: the file is cut
                return "".join([*parts, text[place + 1 :]]), len(text)
            part, place = group
        elif text[place] == '"':
            part, place = _quoted(text, place + 1)
        elif (bare := _BARE.match(text, place)) is not None:
            part, place = macros.get(bare[0].lower(), bare[0]), bare.end()
        else:
            break
        parts.append(part)
        joined = re.compile(r"\s*#\s*").match(text, place)
        if joined is None:
            break
        place = joined.end()
    return "".join(parts), place


def _quoted(text: str, start: int) -> tuple[str, int]:
    """The text up to a quotation mark that is in no braces."""
    depth = 0
    for place in range(start, len(text)):
        sign = text[place]
        if sign == '"' and depth <= 0:
            return text[start:place], place + 1
        depth += (sign == "{") - (sign == "}")
    return text[start:], len(text)


def _citation(fields: dict[str, str]) -> Citation:
    texts: dict[str, str] = {}
    for theirs, ours in _TEXTS.items():
        if value := fields.get(theirs, "").strip():
            texts.setdefault(
                ours, value.replace("\\", "") if theirs in _VERBATIM else _plain(value)
            )
    return citation_of(texts, _people(fields.get("author")), _people(fields.get("editor")))


def _plain(tex: str) -> str:
    """A value as people read it."""
    for written, (aside, _) in _SIGNS.items():
        tex = tex.replace(written, aside)
    text = plain(tex)
    for aside, sign in _SIGNS.values():
        text = text.replace(aside, sign)
    return text


def _people(value: str | None) -> Iterator[Name]:
    """The names of a field; `and` separates them, and a name in braces is an organisation."""
    for part in _divided(value or ""):
        text = part.strip()
        if text == "others" or not text:
            continue
        group = group_at(text, 0) if text.startswith("{") else None
        if group is not None and group[1] == len(text):
            yield Name(given="", family=_plain(group[0]))
        elif (name := name_of(_plain(text))) is not None:
            yield name


def _divided(names: str) -> Iterator[str]:
    """Parts between `and` that are in no braces."""
    depth = last = 0
    for match in re.finditer(r"[{}]|(?<=\s)and(?=\s)", names):
        if match[0] == "and":
            if depth <= 0:
                yield names[last : match.start()]
                last = match.end()
        elif match.start() == 0 or names[match.start() - 1] != "\\":
            depth += 1 if match[0] == "{" else -1
    yield names[last:]
