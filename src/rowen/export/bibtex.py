"""Citations as BibTeX."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from rowen.citations.citation import Citation, Name
from rowen.citations.kinds import Kind, kind_of

_ENTRIES = {
    Kind.ARTICLE: ("article", "journal"),
    Kind.CHAPTER: ("incollection", "booktitle"),
    Kind.PROCEEDINGS: ("inproceedings", "booktitle"),
    Kind.BOOK: ("book", "series"),
    Kind.THESIS: ("phdthesis", "series"),
    Kind.REPORT: ("techreport", "series"),
    Kind.PAGE: ("misc", "howpublished"),
    Kind.OTHER: ("misc", "howpublished"),
}
_VERBATIM = frozenset({"author", "editor", "doi", "url"})
"""Fields that are not escaped as a whole: names are escaped one by one, and BibTeX styles print
DOIs and URLs verbatim."""
_PUBLISHERS = {Kind.THESIS: "school", Kind.REPORT: "institution"}
_SPECIAL = str.maketrans(
    {letter: f"\\{letter}" for letter in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def bibtex_entries(citations: Iterable[Citation]) -> Iterator[str]:
    """One entry per citation, each with its own key."""
    used: set[str] = set()
    for citation in citations:
        kind = kind_of(citation)
        entry, container = _ENTRIES[kind]
        fields = {
            "author": _names(citation.authors),
            "title": citation.title,
            container: citation.container,
            "year": citation.year,
            "volume": citation.volume,
            "number": citation.issue,
            "pages": citation.pages.replace("-", "--") if citation.pages else None,
            _PUBLISHERS.get(kind, "publisher"): citation.publisher,
            "address": citation.place,
            "editor": _names(citation.editors),
            "doi": citation.doi,
            "url": citation.url,
            "note": citation.note,
        }
        lines = [
            f"  {name} = {{{value if name in _VERBATIM else _escaped(value)}}},"
            for name, value in fields.items() if value
        ]  # fmt: skip
        yield "\n".join([f"@{entry}{{{_key(citation, used)},", *lines, "}\n\n"])


def citation_keys(citations: Iterable[Citation]) -> list[str]:
    """The keys of citations, each with its own; the entries have the same ones."""
    used: set[str] = set()
    return [_key(citation, used) for citation in citations]


def _names(names: Sequence[Name]) -> str:
    """Names as BibTeX separates them."""
    # A name without a given name is an organisation; braces keep BibTeX from splitting it.
    return " and ".join(
        f"{_escaped(name.family)}, {_escaped(name.given)}"
        if name.given
        else f"{{{_escaped(name.family)}}}"
        for name in names
    )


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)


def _key(citation: Citation, used: set[str]) -> str:
    first = citation.authors[0].family if citation.authors else citation.title or "reference"
    plain = unicodedata.normalize("NFKD", first).encode("ascii", "ignore").decode()
    key = base = (re.sub(r"[^a-z0-9]", "", plain.split(",")[0].lower())[:20] or "reference") + (
        citation.year or ""
    )
    # BibTeX refuses two entries with one key, so the second Knuth of 1984 is `knuth1984-2`.
    count = 1
    while key in used:
        count += 1
        key = f"{base}-{count}"
    used.add(key)
    return key
