"""RIS: a tag of two letters, two blanks, a hyphen and a value on each line."""

import re
from collections.abc import Iterator

from rowen.bibliography.item import citation_of, name_of
from rowen.citations.citation import Citation, Name

_LINE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: (.*))?$")
_TEXTS = {
    "TI": "title", "T1": "title", "CT": "title", "JO": "container", "JF": "container",
    "T2": "container", "BT": "container", "JA": "container", "PY": "year", "Y1": "year",
    "DA": "year", "VL": "volume", "IS": "issue", "PB": "publisher", "CY": "place", "DO": "doi",
    "UR": "url", "N1": "note",
}  # fmt: skip
_PEOPLE = {"AU": "author", "A1": "author", "ED": "editor", "A2": "editor"}


class _Item:
    """What the lines of an item have said so far."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.authors: list[Name] = []
        self.editors: list[Name] = []
        self.first = self.last = ""

    def add(self, tag: str, value: str) -> None:
        """Take the value of a line; tags that a citation has no field for are left out."""
        if tag in _TEXTS:
            self.texts.setdefault(_TEXTS[tag], value)
        elif tag == "SP":
            self.first, _, end = value.partition("-")
            self.last = self.last or end
        elif tag == "EP":
            self.last = value
        elif tag in _PEOPLE and (name := name_of(value)) is not None:
            (self.authors if _PEOPLE[tag] == "author" else self.editors).append(name)

    def go_on(self, tag: str, line: str) -> None:
        """A long value goes on in the next line."""
        field = _TEXTS.get(tag)
        if field in self.texts:
            self.texts[field] += f" {line.strip()}"

    def citations(self) -> Iterator[Citation]:
        """The item, if it has anything."""
        if self.texts or self.authors:
            pages = "-".join(dict.fromkeys(filter(None, (self.first, self.last))))
            yield citation_of({**self.texts, "pages": pages}, self.authors, self.editors)


def read_ris(text: str) -> Iterator[Citation]:
    """The items of a file, in order; lines that are none of RIS are skipped."""
    item, tag = _Item(), ""
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is None:
            item.go_on(tag, line)
            continue
        tag, value = match[1], (match[2] or "").strip()
        if tag in {"TY", "ER"}:
            yield from item.citations()
            item = _Item()
        elif value:
            item.add(tag, value)
    yield from item.citations()
