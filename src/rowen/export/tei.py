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
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from itertools import chain
from urllib.parse import quote

from rowen.citations.citation import Citation, Name
from rowen.citations.kinds import Kind, kind_of
from rowen.export.organisation import organisation_of
from rowen.export.tei_body import BodyWriter
from rowen.export.tei_options import ALL, TeiOptions
from rowen.export.xml_elements import (
    Elements,
    attribute,
    element,
    language_attribute,
    leaf,
    written,
)
from rowen.papers.paper import Paper
from rowen.papers.people import Author
from rowen.values.dates import to_date
from rowen.values.refusal import NotConverted
from rowen.values.setting import Setting

TEI = "http://www.tei-c.org/ns/1.0"
RELEASED = "2026-11-19"
"""The date of this version. Readers expect a time, and that of writing would make equal papers
differ."""

_CERTAIN = ("title", "authors", "affiliations", "abstract", "keywords")
_ARTICLE = ' level="a" type="main"'
_PUBLISHED = ' type="published"'
_YEAR = re.compile(r"\d{4}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE = ":/?#@!$&'()*+,;=%~._-"
_RANGE = re.compile(r"(\w+)-(\w+)")


def tei_xml(
    paper: Paper,
    *,
    file: str,
    references: Elements | None = None,
    options: TeiOptions = ALL,
) -> str:
    """The paper as a TEI element; `references` are its citations as elements."""
    listed = references
    if listed is None:
        listed = tei_references(paper.citations, options, pages=paper.pages)
    writer = BodyWriter(paper, options)
    header = element("teiHeader", _header(paper, file, options, writer))
    back = writer.back()
    if listed:
        back += element("div", element("listBibl", listed), ' type="references"')
    text = [*element("body", writer.body()), *element("back", back)]
    language = language_attribute(paper.language)
    root = [
        *header,
        *(_facsimile(paper, options.first_page) if options.coordinates else []),
        *element("text", text, language),
    ]
    return written(element("TEI", root, f' xmlns="{TEI}"'))


def _facsimile(paper: Paper, first: int) -> Elements:
    """The sizes of the pages, which coordinates refer to."""
    surfaces = [
        f'<surface n="{number}" ulx="0.0" uly="0.0" lrx="{width:g}" lry="{height:g}" />'
        for number, (width, height) in enumerate(paper.pages, start=first)
    ]
    return element("facsimile", surfaces) if surfaces else []


def tei_references(
    citations: Sequence[Citation],
    options: TeiOptions = ALL,
    *,
    pages: Sequence[tuple[float, float]] = (),
) -> Elements:
    """The references of a TEI element; coordinates need the sizes of the pages."""
    elements: Elements = []
    for number, citation in enumerate(citations):
        place = options.coords("biblStruct", citation.boxes, pages)
        elements += tei_reference(citation, f' xml:id="b{number}"{place}', options)
    return elements


def tei_reference(citation: Citation, attributes: str, options: TeiOptions = ALL) -> Elements:
    """A reference as a biblStruct."""
    shown = f"{attributes}{_cert(citation.confidence)}"
    return element("biblStruct", _citation(citation, options), shown)


def _header(paper: Paper, file: str, options: TeiOptions, writer: BodyWriter) -> Elements:
    date = _date(paper.date, paper.dates.get("published"))
    sure = {name: _cert(paper.confidence.get(name)) for name in _CERTAIN}
    people = (
        element("author", _author(author, options, sure["affiliations"]), sure["authors"])
        for author in paper.authors
    )
    named = writer.named("title") if paper.title else ""
    title = leaf("title", paper.title, f"{_ARTICLE}{named}{sure['title']}") or ["<title />"]
    analytic = [*chain.from_iterable(people), *title]
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
    warnings = [line for text in paper.warnings for line in leaf("note", text, ' type="warning"')]
    description = [
        *element("titleStmt", leaf("title", paper.title or file, _ARTICLE) or ["<title />"]),
        *element("publicationStmt", ["<publisher />", *_availability(paper), *date]),
        *(element("notesStmt", warnings) if warnings else []),
        *element("sourceDesc", element("biblStruct", source)),
    ]
    profile: Elements = []
    terms = [line for keyword in paper.keywords for line in leaf("term", keyword)]
    if terms:
        profile += element("textClass", element("keywords", terms, sure["keywords"]))
    if paper.abstract:
        text = writer.sentences(paper.abstract)
        own = [f"<p{writer.named('p')}>{text}</p>"]
        profile += element("abstract", own, sure["abstract"])
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


def _date(printed: str | None, published: str | None = None) -> Elements:
    """A date as it is printed, with `when` in ISO 8601 if it has only one reading."""
    printed = published or printed
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


def _author(author: Author, options: TeiOptions, sure: str) -> Elements:
    affiliations = (
        element("affiliation", _affiliation(affiliation, options), sure)
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


def _people(tag: str, names: Iterable[Name], cert: str) -> Elements:
    return list(chain.from_iterable(element(tag, _person(n.given, n.family), cert) for n in names))


def _citation(citation: Citation, options: TeiOptions) -> Elements:
    def cert(field: str) -> str:
        return _cert(citation.field_confidence.get(field))

    authors = _people("author", citation.authors, cert("author"))
    editors = _people("editor", citation.editors, cert("editor"))
    ends = [*editors, *element("imprint", _imprint(citation, cert))]
    if citation.container:
        # A book or proceedings is a work of its own (m), a journal goes on (j).
        book = kind_of(citation) in {Kind.PROCEEDINGS, Kind.CHAPTER}
        level = ' level="m"' if book else ' level="j"'
        title = leaf("title", citation.title, f"{_ARTICLE}{cert('title')}")
        container = leaf("title", citation.container, f"{level}{cert('container')}")
        elements = [
            *element("analytic", [*title, *authors]),
            *element("monogr", [*container, *ends]),
        ]
    else:
        alone = leaf("title", citation.title, f' level="m" type="main"{cert("title")}')
        # After people comes a title, even an empty one.
        elements = element("monogr", [*authors, *(alone or ["<title />"]), *ends])
    elements += leaf("idno", citation.doi, f' type="DOI"{cert("doi")}')
    if citation.url:
        elements.append(f'<ptr target="{attribute(_address(citation.url))}"{cert("url")} />')
    raw = citation.raw if options.raw_citations else None
    doubt = None if citation.is_reference else "This text does not look like a reference."
    return [
        *elements,
        *leaf("note", citation.note),
        *leaf("note", doubt, ' type="warning"'),
        *leaf("note", raw, ' type="raw_reference"'),
    ]


def _cert(confidence: float | None) -> str:
    """How sure something is, from 0 to 1, where it was estimated."""
    return "" if confidence is None else f' cert="{confidence:g}"'


def _address(url: str) -> str:
    """An address with what may not stand in one escaped: references have all kinds of them."""
    scheme = _SCHEME.match(url)
    start = scheme.end() if scheme else 0
    safe = _SAFE if scheme else _SAFE.replace(":", "")
    return url[:start] + _PERCENT.sub("%25", quote(url[start:], safe=safe))


def _imprint(citation: Citation, cert: Callable[[str], str]) -> Elements:
    year = _YEAR.search(citation.year or "")
    when = f' when="{year.group()}"' if year else ""
    imprint = [
        *leaf("publisher", citation.publisher, cert("publisher")),
        *leaf("pubPlace", citation.place, cert("location")),
        *leaf("date", citation.year, f"{_PUBLISHED}{when}{cert('date')}"),
        *leaf("biblScope", citation.volume, f' unit="volume"{cert("volume")}'),
        *leaf("biblScope", citation.issue, f' unit="issue"{cert("issue")}'),
        *_pages(citation.pages, cert("pages")),
    ]
    return imprint or ["<date />"]


def _pages(pages: str | None, cert: str) -> Elements:
    """First and last page as attributes, as GROBID writes them, and the pages as text."""
    ends = _RANGE.fullmatch(pages or "")
    span = f' from="{attribute(ends[1])}" to="{attribute(ends[2])}"' if ends else ""
    return leaf("biblScope", pages, f' unit="page"{span}{cert}')
