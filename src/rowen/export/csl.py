"""Citations as CSL-JSON, the format of reference managers and citation processors."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rowen.citations.citation import Citation, Name
from rowen.citations.kinds import Kind, kind_of

_TYPES = {
    Kind.ARTICLE: "article-journal",
    Kind.CHAPTER: "chapter",
    Kind.PROCEEDINGS: "paper-conference",
    Kind.BOOK: "book",
    Kind.THESIS: "thesis",
    Kind.REPORT: "report",
    Kind.PAGE: "webpage",
    Kind.OTHER: "document",
}


def csl_list(citations: Iterable[Citation]) -> Iterator[str]:
    """A list of numbered items, piece by piece: papers may come for hours."""
    number = 0
    for number, citation in enumerate(citations, start=1):
        item = json.dumps(csl_item(citation, identifier=f"ref{number}"), ensure_ascii=False)
        yield f"{'[' if number == 1 else ','}\n{item}"
    yield "\n]\n" if number else "[]\n"


def csl_item(citation: Citation, *, identifier: str) -> dict[str, Any]:
    """A citation as an item; empty fields are omitted."""
    item = {
        "id": identifier,
        "type": _TYPES[kind_of(citation)],
        "author": _names(citation.authors),
        "title": citation.title,
        "container-title": citation.container,
        "issued": _date(citation.year),
        "volume": citation.volume,
        "issue": citation.issue,
        "page": citation.pages,
        "publisher": citation.publisher,
        "publisher-place": citation.place,
        "editor": _names(citation.editors),
        "DOI": citation.doi,
        "URL": citation.url,
        "note": citation.note,
    }
    return {name: value for name, value in item.items() if value}


def _names(names: Sequence[Name]) -> list[dict[str, str]]:
    return [
        {"family": name.family, "given": name.given} if name.given else {"literal": name.family}
        for name in names
    ]


def _date(year: str | None) -> dict[str, Any] | None:
    if not year:
        return None
    return {"date-parts": [[int(year)]]} if year.isdecimal() else {"literal": year}
