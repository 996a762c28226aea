"""What an HTML page declares of the paper that it shows: the meta tags that indexes read."""

import re
from collections import defaultdict
from dataclasses import dataclass

from rowen.documents.html import Kind, tokenize
from rowen.documents.references import decode
from rowen.scholar.citations.names import parse_names
from rowen.scholar.people import Author

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
_HEADED = frozenset({"body", "meta", "title"})
_INSTITUTION, _MAIL = "citation_author_institution", "citation_author_email"


@dataclass(frozen=True, slots=True)
class Declared:
    """What is declared; what pages of any kind declare is weaker, and stands apart."""

    title: str | None = None
    authors: tuple[Author, ...] = ()
    abstract: str | None = None
    keywords: tuple[str, ...] = ()
    doi: str | None = None
    date: str | None = None
    page_title: str | None = None
    description: str | None = None


def declared_in(html: str) -> Declared:
    """What the meta tags of a page say; the title of the page where there is no other."""
    metas, title = _metas(html)
    told: defaultdict[str, list[str]] = defaultdict(list)
    for name, content in metas:
        told[name].append(content)

    def first(*names: str) -> str | None:
        return next((told[name][0] for name in names if name in told), None)

    dois = (_DOI.search(content) for name in _IDENTIFIER if name in told for content in told[name])
    doi = next((found.group() for found in dois if found), None)
    keywords = next((told[name] for name in _KEYWORDS if name in told), [])
    return Declared(
        title=first(*_TITLE),
        authors=_authors(metas, next((name for name in _AUTHOR if name in told), "")),
        abstract=first(*_ABSTRACT),
        keywords=tuple(
            dict.fromkeys(word for content in keywords for word in _BETWEEN.split(content) if word)
        ),
        doi=doi,
        date=first(*_DATE),
        page_title=first("og:title", "twitter:title") or title,
        description=first("description", "og:description"),
    )


def _metas(html: str) -> tuple[list[tuple[str, str]], str | None]:
    """The names, in small letters, and contents of meta tags, in order; and the page's title."""
    metas: list[tuple[str, str]] = []
    title: list[str] = []
    inside = False
    tokens = tokenize(html)
    for index, (kind, _, start, end, name) in enumerate(tokens.rows()):
        if not inside and name not in _HEADED:
            continue
        if kind == Kind.START_TAG and name == "body":
            break
        if kind == Kind.TEXT and inside:
            title.append(decode(html[start:end]).text)
        elif name == "title":
            inside = kind == Kind.START_TAG and not title
        elif kind == Kind.START_TAG and name == "meta":
            values = {
                one.name: decode(html, one.value_span, attribute=True).text
                for one in reversed(tokens[index].attributes)
                if one.value_span is not None
            }
            kind_of_meta = values.get("name") or values.get("property") or ""
            if content := " ".join(values.get("content", "").split()):
                metas.append((kind_of_meta.strip().lower(), content))
    return metas, " ".join("".join(title).split()) or None


def _authors(metas: list[tuple[str, str]], kind: str) -> tuple[Author, ...]:
    """The authors by one kind of tag; institutions and addresses follow the one they belong to."""
    found: list[Author] = []
    for name, content in metas:
        if name == kind:
            found += (Author(one.given, one.family) for one in parse_names(content))
        elif found and name == _INSTITUTION:
            last = found[-1]
            places = (*last.affiliations, content)
            found[-1] = Author(last.given, last.family, places, last.email)
        elif found and name == _MAIL:
            last = found[-1]
            found[-1] = Author(last.given, last.family, last.affiliations, content)
    return tuple(dict.fromkeys(found))
