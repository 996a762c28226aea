"""Papers as TEI, in the form that GROBID writes, so that readers of its files read ours.

<TEI>
<teiHeader>
<fileDesc>      title, date, and the paper itself as a biblStruct: authors, title, DOI
<encodingDesc>  the program that wrote this
<profileDesc>   keywords, abstract
<text>
<body>          a div per section, with a ref per citation marker
<back>          listBibl: a biblStruct per reference
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
from rowen.export.xml_elements import Elements, attribute, element, escaped, leaf, written
from rowen.papers.body import Section
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
_NUMBER = re.compile(r"(?:(\d+(?:\.\d+)*)\.?|([A-Z]|[IVX]+)\.)\s+(?=\S)")
_RANGE = re.compile(r"(\w+)-(\w+)")


@dataclass(frozen=True, slots=True)
class TeiOptions:
    """What a client may ask GROBID to add."""

    raw_citations: bool = True
    """The reference strings as they are printed."""
    raw_affiliations: bool = True
    """The affiliations as they are printed."""


_ALL = TeiOptions()


def tei_xml(
    paper: Paper,
    *,
    file: str,
    references: Elements | None = None,
    options: TeiOptions = _ALL,
) -> str:
    """The paper as a TEI element; `references` are its citations as elements."""
    listed = tei_references(paper.citations, options) if references is None else references
    sections = chain.from_iterable(element("div", _division(section)) for section in paper.body)
    back = element("div", element("listBibl", listed), ' type="references"')
    text = [*element("body", list(sections)), *element("back", back)]
    root = [*element("teiHeader", _header(paper, file, options)), *element("text", text)]
    return written(element("TEI", root, f' xmlns="{TEI}"'))


def tei_references(citations: Sequence[Citation], options: TeiOptions = _ALL) -> Elements:
    """The references of a TEI element."""
    elements: Elements = []
    for number, citation in enumerate(citations):
        elements += tei_reference(citation, f' xml:id="b{number}"', options)
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
        *element("monogr", element("imprint", date)),
        *leaf("idno", paper.doi, ' type="DOI"'),
    ]
    description = [
        *element("titleStmt", leaf("title", paper.title or file, _ARTICLE)),
        *element("publicationStmt", date),
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


def _division(section: Section) -> Elements:
    """A section's text with a `<ref>` for each citation marker."""
    # One string, not lines of its own: blanks between lines would become part of the text.
    text = section.text
    head = _head(section.heading)
    if not text:
        return head
    starts = [*(marker.start for marker in section.markers), len(text)]
    pieces = [escaped(text[: starts[0]])]
    for marker, end in zip(section.markers, starts[1:], strict=True):
        target = " ".join(f"#b{citation}" for citation in marker.citations)
        shown = f' target="{target}"' if target else ""
        within = escaped(text[marker.start : marker.end])
        pieces += [f'<ref type="bibr"{shown}>{within}</ref>', escaped(text[marker.end : end])]
    return [*head, f"<p>{''.join(pieces)}</p>"]


def _head(heading: str | None) -> Elements:
    """A heading; its number is an attribute."""
    number = _NUMBER.match(heading or "")
    if heading is None or number is None:
        return leaf("head", heading)
    return leaf("head", heading[number.end() :], f' n="{number[1] or number[2]}"')


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
