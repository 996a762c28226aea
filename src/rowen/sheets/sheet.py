"""Sheets: papers as pages of a snapshot. A sheet is the text that a paper's file was read to.

A page of a snapshot is a text, and records are places in it. A PDF has no text of that kind, so a
run reads each file once and keeps what it found, a line per field, then the text of the paper:

    %PAPER 8f14e45fceea... rowen 0.2.0        the digest of the file, and what has read it
    title: On Wrappers
    author: Ada Lovelace
    citation: Smith, A. (2020). On webs.
    %parts: author 0-9, date 11-15, title 18-25
    %text:
    On Wrappers

    Ada Lovelace ...

Reading is deterministic, so the same file and the same Rowen give the same sheet, and a file with
the digest of its sheet need not be read again.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rowen.citations.citation import Citation
from rowen.papers.paper import Paper

_FIRST: Final = "%PAPER "
_PARTS: Final = "%parts: "
_TEXT: Final = "%text:\n"
_PART = re.compile(r"([a-z_]+) (\d+)-(\d+)")

SINGLE: Final = ("title", "abstract", "doi", "date", "language", "licence")
"""Fields of which a paper has one."""
SEVERAL: Final = ("author", "keyword")
CITATION: Final = "citation"

Places = list[tuple[int, int]]


class Sheet(NamedTuple):
    """The places of a paper's fields in its sheet."""

    fields: dict[str, Places]
    citations: "list[tuple[tuple[int, int], dict[str, Places]]]"
    """The place of each reference, and those of its parts."""
    text: tuple[int, int]


def head_of(digest: str, reader: str) -> str:
    """The first line of the sheet of a file, by which a run knows that it has been read."""
    return f"{_FIRST}{digest} {reader}\n"


def first_line(text: str) -> str | None:
    """The first line of a sheet; None if the text is none."""
    return text[: text.find("\n") + 1] if text.startswith(_FIRST) else None


def write_sheet(paper: Paper, head: str) -> str:
    """The sheet of a paper."""
    return "".join((head, *_lines(paper), _TEXT, paper.text))


def _lines(paper: Paper) -> Iterator[str]:
    authors = [f"{author.given or ''} {author.family or ''}" for author in paper.authors]
    several = {"author": authors, "keyword": paper.keywords}
    for name in SINGLE:
        value = getattr(paper, name)
        yield from _field(name, value)
    for name in SEVERAL:
        for value in several[name]:
            yield from _field(name, value)
    for citation in paper.citations:
        yield from _citation(citation)


def _field(name: str, value: str | None) -> Iterator[str]:
    if value and (shown := " ".join(value.split())):
        yield f"{name}: {shown}\n"


def _citation(citation: Citation) -> Iterator[str]:
    # Each line break becomes one space, so that places in the string stay what they are.
    raw = re.sub(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", " ", citation.raw)
    yield f"{CITATION}: {raw}\n"
    parts = [
        f"{name} {start}-{end}"
        for name, spans in sorted(citation.spans.items())
        for start, end in spans
        if start < end
    ]
    yield f"{_PARTS}{', '.join(parts)}\n"


def read_sheet(sheet: str) -> Sheet | None:
    """The places of the fields in a sheet; None for any other text."""
    if not sheet.startswith(_FIRST):
        return None
    fields: dict[str, Places] = {}
    citations: list[tuple[tuple[int, int], dict[str, Places]]] = []
    at = sheet.find("\n") + 1
    while at > 0 and not sheet.startswith(_TEXT, at):
        end = sheet.find("\n", at)
        if end < 0:
            return None
        name, colon, _ = sheet[at:end].partition(": ")
        start = at + len(name) + len(colon)
        if name == CITATION:
            citations.append(((start, end), {}))
        elif sheet.startswith(_PARTS, at) and citations:
            citations[-1] = (citations[-1][0], _parts(sheet[start:end], citations[-1][0]))
        elif name in SINGLE or name in SEVERAL:
            fields.setdefault(name, []).append((start, end))
        at = end + 1
    if at <= 0:
        return None
    return Sheet(fields, citations, (at + len(_TEXT), len(sheet)))


def _parts(written: str, place: tuple[int, int]) -> dict[str, Places]:
    parts: dict[str, Places] = {}
    for name, start, end in _PART.findall(written):
        begin, until = place[0] + int(start), place[0] + int(end)
        # A page that only looks like a sheet may say anything.
        if begin < until <= place[1]:
            parts.setdefault(name, []).append((begin, until))
    return parts
