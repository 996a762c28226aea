"""Metadata that an HTML page declares about its paper, in the meta tags that indexes read.

Publishers write these tags for search engines of papers: `citation_*` (Highwire Press), Dublin
Core (`dc.*`, `dcterms.*`), PRISM and EPrints. The tags `og:*` and `description`, which pages of any
kind have, are used only where nothing better is known.

    <meta name=citation_title content="On Pages">            title      On Pages
    <meta name=citation_author content="Lovelace, Ada">      author     Ada Lovelace
    <meta name=citation_author_institution content="UCL">    her affiliation: it follows her name
"""

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from rowen.citations.citation import Name
from rowen.citations.names import parse_names
from rowen.model import Span
from rowen.papers.people import Author
from rowen.text.character_references import decode, resolved
from rowen.text.html_tokens import Kind, Tokens, lower

DECLARED_TAGS = 20_000
"""Limit: meta tags of an HTML page that are read. A paper with 3,000 authors has four for each."""

DECLARED_CHARACTERS = 2_000_000
"""Limit: characters of meta tags that are read; 12,000 tags with institutes have a million."""


_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_BETWEEN = re.compile(r"\s*[;,]\s*")
_TITLE = ("citation_title", "dc.title", "dcterms.title", "prism.title", "eprints.title")
_AUTHOR = ("citation_author", "dc.creator", "dcterms.creator", "citation_authors")
_DATE = (
    "citation_publication_date", "citation_date", "citation_online_date", "prism.publicationdate",
    "dc.date", "dc.date.issued", "dcterms.issued", "dcterms.date", "article:published_time",
)  # fmt: skip
_IDENTIFIER = (
    "citation_doi", "prism.doi", "dc.identifier", "dc.identifier.doi", "dcterms.identifier",
)  # fmt: skip
_ABSTRACT = ("citation_abstract", "dc.description", "dcterms.abstract", "dc.description.abstract")
_KEYWORDS = ("citation_keywords", "citation_keyword", "dc.subject", "dcterms.subject")
_HEADED = re.compile(r"<(?:body|meta|title)(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)
_ATTRIBUTES = frozenset({"name", "property", "content"})
_NOT_ALL = (
    f"only the first {DECLARED_TAGS:,} meta tags and {DECLARED_CHARACTERS:,} characters of them"
    " were read"
)
_INSTITUTION, _MAIL = "citation_author_institution", "citation_author_email"


@dataclass(frozen=True, slots=True)
class Declared:
    """Declared metadata; `page_title` and `description` come from tags of pages of any kind."""

    title: str | None = None
    authors: tuple[Author, ...] = ()
    abstract: str | None = None
    keywords: tuple[str, ...] = ()
    doi: str | None = None
    date: str | None = None
    page_title: str | None = None
    description: str | None = None
    warnings: tuple[str, ...] = ()


def declared_in(tokens: Tokens) -> Declared:
    """The metadata in the meta tags of a page, and the page's own title."""
    metas, title, warnings = _metas(tokens)
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for name, content in metas:
        by_name[name].append(content)

    def first(*names: str) -> str | None:
        return next((by_name[name][0] for name in names if name in by_name), None)

    dois = (
        _DOI.search(content) for name in _IDENTIFIER if name in by_name for content in by_name[name]
    )
    doi = next((match.group() for match in dois if match), None)
    keywords = next((by_name[name] for name in _KEYWORDS if name in by_name), [])
    return Declared(
        title=first(*_TITLE),
        authors=_authors(metas, next((name for name in _AUTHOR if name in by_name), "")),
        abstract=first(*_ABSTRACT),
        keywords=tuple(
            dict.fromkeys(word for content in keywords for word in _BETWEEN.split(content) if word)
        ),
        doi=doi,
        date=first(*_DATE),
        page_title=first("og:title", "twitter:title") or title,
        description=first("description", "og:description"),
        warnings=warnings,
    )


def _metas(tokens: Tokens) -> tuple[list[tuple[str, str]], str | None, tuple[str, ...]]:
    """The meta tags in order, as (name in lower case, content); the page's title; warnings."""
    html = tokens.text
    metas: list[tuple[str, str]] = []
    title: list[str] = []
    warnings: tuple[str, ...] = ()
    room = DECLARED_CHARACTERS
    for index in _headed(tokens):
        name = lower(html[tokens.starts[index] + 1 : tokens.name_ends[index]])
        # Meta tags of publishers are in the head.
        if name == "body":
            break
        if name == "title":
            title = title or _text_after(tokens, index)
        elif room < 0 or len(metas) >= DECLARED_TAGS:
            warnings = (_NOT_ALL,)
            break
        else:
            room -= int(tokens.ends[index] - tokens.starts[index])
            values = _values(tokens, index)
            content = " ".join(values.get("content", "").split())
            if content:
                kind_of_meta = values.get("name") or values.get("property") or ""
                metas.append((kind_of_meta.strip().lower(), content))
    return metas, " ".join("".join(title).split()) or None, warnings


def _headed(tokens: Tokens) -> list[int]:
    """The indexes of the tokens that are `meta`, `title` and `body` tags."""
    # A hostile page has millions of other tags: the source is searched, not the tokens. A match
    # that is no start tag, such as one inside a script, is dropped.
    starts = np.array([match.start() for match in _HEADED.finditer(tokens.text)], np.int64)
    if not len(tokens):
        return []
    places = np.minimum(tokens.starts.searchsorted(starts), len(tokens) - 1)
    is_tag = (tokens.starts[places] == starts) & (tokens.kinds[places] == Kind.START_TAG)
    indexes: list[int] = places[is_tag].tolist()
    return indexes


def _values(tokens: Tokens, index: int) -> dict[str, str]:
    """The attributes of a tag by name; the first counts where two have the same name."""
    first, last = tokens.attributes_from[index : index + 2].tolist()
    values: dict[str, str] = {}
    for start, end, value_start, value_end in tokens.attributes[first:last].tolist():
        name = lower(tokens.text[start:end])
        if name in _ATTRIBUTES and name not in values and value_start >= 0:
            read = Span(value_start, min(value_end, value_start + DECLARED_CHARACTERS))
            values[name] = decode(tokens.text, read, attribute=True).text
    return values


def _text_after(tokens: Tokens, index: int) -> list[str]:
    """The text after the start tag of an element that holds only text, such as `title`."""
    texts: list[str] = []
    while (index := index + 1) < len(tokens) and tokens.kinds[index] == Kind.TEXT:
        texts.append(resolved(tokens.text[tokens.starts[index] : tokens.ends[index]]))
    return texts


def _authors(metas: list[tuple[str, str]], kind: str) -> tuple[Author, ...]:
    """The authors in tags named `kind`; tags for affiliation and e-mail follow their author's."""
    people: list[tuple[Name, list[str], list[str]]] = []
    for name, content in metas:
        if name == kind:
            people += ((person, [], []) for person in parse_names(content))
        elif people and name == _INSTITUTION:
            people[-1][1].append(content)
        elif people and name == _MAIL:
            people[-1][2].append(content)
    return tuple(
        dict.fromkeys(
            Author(person.given, person.family, tuple(places), mails[-1] if mails else None)
            for person, places, mails in people
        )
    )
