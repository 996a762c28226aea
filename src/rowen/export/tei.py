"""Papers as TEI, in the form that GROBID writes, so that readers of its files read ours.

<TEI>
<teiHeader>
<fileDesc>      title, date, and the paper itself as a biblStruct: authors, title, DOI
<encodingDesc>  the program that wrote this
<profileDesc>   keywords, abstract
<text>
<body>          a div per section: paragraphs, lists, formulas, a ref per citation marker; then
                figures, tables and footnotes (`tei_body.py`)
<back>          acknowledgements, funding, availability of data, appendices; listBibl: a biblStruct
                per reference
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import chain

from rowen.citations.citation import Citation, Name
from rowen.citations.kinds import Kind, kind_of
from rowen.export.organisation import organisation_of
from rowen.export.tei_body import BodyWriter, coords
from rowen.export.xml_elements import Elements, attribute, element, leaf, written
from rowen.papers.paper import Paper
from rowen.papers.people import Author
from rowen.values.dates import to_date
from rowen.values.refusal import NotConverted
from rowen.values.setting import Setting

TEI = "http://www.tei-c.org/ns/1.0"
RELEASED = "2026-11-18"
"""The date of this version. Readers expect a time, and that of writing would make equal papers
differ."""

_ARTICLE = ' level="a" type="main"'
_PUBLISHED = ' type="published"'
_YEAR = re.compile(r"\d{4}")
_RANGE = re.compile(r"(\w+)-(\w+)")


@dataclass(frozen=True, slots=True)
class TeiOptions:
    """What a client may ask GROBID to add."""

    raw_citations: bool = True
    """The reference strings as they are printed."""
    raw_affiliations: bool = True
    """The affiliations as they are printed."""
    coordinates: frozenset[str] = frozenset()
    """The elements that get `coords`: page, x, y, width and height, y from the page's top."""


_ALL = TeiOptions()


def tei_xml(
    paper: Paper,
    *,
    file: str,
    references: Elements | None = None,
    options: TeiOptions = _ALL,
) -> str:
    """The paper as a TEI element; `references` are its citations as elements."""
    listed = references
    if listed is None:
        listed = tei_references(paper.citations, options, pages=paper.pages)
    writer = BodyWriter(paper, options.coordinates)
    back = [*writer.back(), *element("div", element("listBibl", listed), ' type="references"')]
    text = [*element("body", writer.body()), *element("back", back)]
    language = f' xml:lang="{attribute(paper.language)}"' if paper.language else ""
    root = [*element("teiHeader", _header(paper, file, options)), *element("text", text, language)]
    return written(element("TEI", root, f' xmlns="{TEI}"'))


def tei_references(
    citations: Sequence[Citation],
    options: TeiOptions = _ALL,
    *,
    pages: Sequence[tuple[float, float]] = (),
) -> Elements:
    """The references of a TEI element; coordinates need the sizes of the pages."""
    elements: Elements = []
    for number, citation in enumerate(citations):
        place = coords("biblStruct", citation.boxes, pages, options.coordinates)
        elements += tei_reference(citation, f' xml:id="b{number}"{place}', options)
    return elements


def tei_reference(citation: Citation, attributes: str, options: TeiOptions = _ALL) -> Elements:
    """A reference as a biblStruct."""
    return element("biblStruct", _citation(citation, options), attributes)


def _header(paper: Paper, file: str, options: TeiOptions) -> Elements:
    date = _date(paper.date)
    people = (element("author", _author(author, options)) for author in paper.authors)
    analytic = [*chain.from_iterable(people), *leaf("title", paper.title, _ARTICLE)]
    source = [
        *element("analytic", analytic),
        *element(
            "monogr",
            [
                *leaf("idno", paper.ids.get("issn"), ' type="ISSN"'),
                *element("imprint", date or ["<date />"]),
            ],
        ),
        *leaf("idno", paper.doi, ' type="DOI"'),
        *leaf("idno", paper.ids.get("arxiv"), ' type="arXiv"'),
        *leaf("idno", paper.ids.get("pmid"), ' type="PMID"'),
        *leaf("idno", paper.ids.get("pmcid"), ' type="PMCID"'),
        *leaf("note", _history(paper), ' type="submission"'),
    ]
    description = [
        *element("titleStmt", leaf("title", paper.title or file, _ARTICLE)),
        *element("publicationStmt", ["<publisher />", *_availability(paper), *date]),
        *element("sourceDesc", element("biblStruct", source)),
    ]
    profile: Elements = []
    if paper.keywords:
        terms = chain.from_iterable(leaf("term", keyword) for keyword in paper.keywords)
        profile += element("textClass", element("keywords", list(terms)))
    if paper.abstract:
        profile += element("abstract", element("div", leaf("p", paper.abstract)))
    return [
        *element("fileDesc", description),
        *element("encodingDesc", element("appInfo", _application())),
        *element("profileDesc", profile),
    ]


def _history(paper: Paper) -> str:
    """When the paper was received, revised and accepted."""
    events = ("received", "revised", "accepted")
    return "; ".join(f"{name} {paper.dates[name]}" for name in events if name in paper.dates)


def _availability(paper: Paper) -> Elements:
    status = "free" if paper.licence else "unknown"
    licence = leaf("licence", paper.licence) or ["<licence />"]
    return element("availability", licence, f' status="{status}"')


@cache
def _application() -> Elements:
    attributes = f' version="{version("rowen")}" ident="Rowen" when="{RELEASED}"'
    return element("application", leaf("desc", "Rowen: information extraction"), attributes)


def _date(printed: str | None) -> Elements:
    """A date as it is printed, with `when` in ISO 8601 if it has only one reading."""
    if not printed:
        return []
    when = ""
    try:
        when = to_date(printed, Setting(language="en")).isoformat()
    except NotConverted:
        if (year := _YEAR.search(printed)) is not None:
            when = year.group()
    shown = f' when="{when}"' if when else ""
    return leaf("date", printed, f"{_PUBLISHED}{shown}")


def _author(author: Author, options: TeiOptions) -> Elements:
    affiliations = (
        element("affiliation", _affiliation(affiliation, options))
        for affiliation in author.affiliations
    )
    return [
        *_person(author.given, author.family),
        *leaf("email", author.email),
        *chain.from_iterable(affiliations),
    ]


def _affiliation(affiliation: str, options: TeiOptions) -> Elements:
    organisation = organisation_of(affiliation)
    raw = affiliation if options.raw_affiliations else None
    units = (leaf("orgName", name, f' type="{kind}"') for kind, name in organisation.units)
    address = leaf("addrLine", organisation.address)
    return [
        *leaf("note", raw, ' type="raw_affiliation"'),
        *chain.from_iterable(units),
        *(element("address", address) if address else []),
    ]


def _person(given: str, family: str) -> Elements:
    first, _, middle = given.strip().partition(" ")
    return element(
        "persName",
        [
            *leaf("forename", first, ' type="first"'),
            *leaf("forename", middle.strip(), ' type="middle"'),
            *leaf("surname", family),
        ],
    )


def _people(tag: str, names: Iterable[Name]) -> Elements:
    return list(chain.from_iterable(element(tag, _person(n.given, n.family)) for n in names))


def _citation(citation: Citation, options: TeiOptions) -> Elements:
    authors = _people("author", citation.authors)
    title = leaf("title", citation.title, _ARTICLE)
    ends = [*_people("editor", citation.editors), *element("imprint", _imprint(citation))]
    if citation.container:
        # A book or proceedings is a work of its own (m), a journal goes on (j).
        book = kind_of(citation) in {Kind.PROCEEDINGS, Kind.CHAPTER}
        level = ' level="m"' if book else ' level="j"'
        elements = [
            *element("analytic", [*title, *authors]),
            *element("monogr", [*leaf("title", citation.container, level), *ends]),
        ]
    else:
        alone = leaf("title", citation.title, ' level="m" type="main"')
        elements = element("monogr", [*authors, *alone, *ends])
    elements += leaf("idno", citation.doi, ' type="DOI"')
    if citation.url:
        elements.append(f'<ptr target="{attribute(citation.url)}" />')
    raw = citation.raw if options.raw_citations else None
    return [
        *elements, *leaf("note", citation.note), *leaf("note", raw, ' type="raw_reference"'),
    ]  # fmt: skip


def _imprint(citation: Citation) -> Elements:
    year = _YEAR.search(citation.year or "")
    when = f' when="{year.group()}"' if year else ""
    return [
        *leaf("publisher", citation.publisher),
        *leaf("pubPlace", citation.place),
        *leaf("date", citation.year, f"{_PUBLISHED}{when}"),
        *leaf("biblScope", citation.volume, ' unit="volume"'),
        *leaf("biblScope", citation.issue, ' unit="issue"'),
        *_pages(citation.pages),
    ]


def _pages(pages: str | None) -> Elements:
    """First and last page as attributes, as GROBID writes them, and the pages as text."""
    ends = _RANGE.fullmatch(pages or "")
    span = f' from="{attribute(ends[1])}" to="{attribute(ends[2])}"' if ends else ""
    return leaf("biblScope", pages, f' unit="page"{span}')
