"""Papers as JATS XML, the format that publishers and PubMed Central exchange (archiving set 1.3).

<article>
<front>   article-meta: DOI, title, contributors with affiliations, dates, abstract, keywords
<body>    sec per section, nested by level: p, list, fig, table-wrap, disp-formula, xref
<back>    ack, fn-group, ref-list: element-citation and mixed-citation per reference
<floats-group>   figures and tables that belong to no section
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from rowen.citations.citation import Citation, Name
from rowen.citations.kinds import Kind, kind_of
from rowen.citations.markers import Marker
from rowen.elements.element import Figure, Footnote, Formula, PaperTable
from rowen.export.paper_blocks import Blocks, Element, Words, pieces
from rowen.export.xml_elements import (
    Elements,
    attribute,
    element,
    escaped,
    language_attribute,
    leaf,
    written,
)
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_EVENTS = {"received": "received", "revised": "rev-recd", "accepted": "accepted"}
_TYPES = {
    Kind.ARTICLE: "journal", Kind.CHAPTER: "book", Kind.PROCEEDINGS: "confproc", Kind.BOOK: "book",
    Kind.THESIS: "thesis", Kind.REPORT: "report", Kind.PAGE: "web", Kind.OTHER: "other",
}  # fmt: skip


def jats_xml(paper: Paper, *, file: str) -> str:
    """The paper as a JATS article."""
    writer = _Writer(paper)
    language = language_attribute(paper.language)
    root = [
        *element("front", [*_journal(paper), *element("article-meta", writer.meta(file))]),
        *element("body", writer.body()),
        *element("back", writer.back()),
        *(element("floats-group", floats) if (floats := writer.floats()) else []),
    ]
    return written(element("article", root, f' article-type="research-article"{language}'))


def _journal(paper: Paper) -> Elements:
    issn = leaf("issn", paper.ids.get("issn"))
    return element("journal-meta", issn) if issn else []


class _Writer:
    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._blocks = Blocks(paper)
        self._numbers = {id(note): number for number, note in enumerate(paper.footnotes, start=1)}
        self._counts = dict.fromkeys((Figure, PaperTable, Formula), 0)

    def meta(self, file: str) -> Elements:
        """The metadata of the article."""
        paper = self._paper
        ids = leaf("article-id", paper.doi, ' pub-id-type="doi"')
        for name, kind in (("arxiv", "arxiv"), ("pmid", "pmid"), ("pmcid", "pmc")):
            ids += leaf("article-id", paper.ids.get(name), f' pub-id-type="{kind}"')
        people = chain.from_iterable(
            element("contrib", _author(author), ' contrib-type="author"')
            for author in paper.authors
        )
        group = list(people)
        events = chain.from_iterable(
            _date("date", paper.dates[name], f' date-type="{kind}"')
            for name, kind in _EVENTS.items() if name in paper.dates
        )  # fmt: skip
        history = list(events)
        words = list(chain.from_iterable(leaf("kwd", word) for word in paper.keywords))
        licence = element("license", leaf("license-p", paper.licence)) if paper.licence else []
        return [
            *ids,
            *element("title-group", leaf("article-title", paper.title or file)),
            *(element("contrib-group", group) if group else []),
            *_date("pub-date", paper.dates.get("published") or paper.date, ""),
            *(element("history", history) if history else []),
            *(element("permissions", licence) if licence else []),
            *(element("abstract", leaf("p", paper.abstract)) if paper.abstract else []),
            *(element("kwd-group", words) if words else []),
        ]

    def body(self) -> Elements:
        """The sections, nested by their levels."""
        sections = [
            number for number, section in enumerate(self._paper.body)
            if section.kind != "acknowledgements"
        ]  # fmt: skip
        elements: Elements = []
        for loose in self._blocks.elsewhere():
            if isinstance(loose, Formula):
                elements += self._element(loose)  # nothing may follow the sections
        elements += self._nested(sections)
        return elements or ["<p />"]

    def floats(self) -> Elements:
        """The figures and tables that belong to no section."""
        elements: Elements = []
        for loose in self._blocks.elsewhere():
            if not isinstance(loose, Formula):
                elements += self._element(loose)
        return elements

    def _nested(self, numbers: Sequence[int]) -> Elements:
        """Sections as elements; those of a deeper level are inside the one before them."""
        elements: Elements = []
        at = 0
        while at < len(numbers):
            level = self._paper.body[numbers[at]].level
            end = at + 1
            while end < len(numbers) and self._paper.body[numbers[end]].level > level:
                end += 1
            elements += self._section(numbers[at], numbers[at + 1 : end])
            at = end
        return elements

    def _section(self, number: int, inside: Sequence[int]) -> Elements:
        section = self._paper.body[number]
        kind = f' sec-type="{attribute(section.kind)}"' if section.kind else ""
        # A section has a title, even an empty one, before anything else.
        title = leaf("title", section.heading) or ["<title />"]
        return element("sec", [*title, *self._content(number), *self._nested(inside)], kind)

    def _content(self, number: int) -> Elements:
        elements: Elements = []
        items: Elements = []
        for block in self._blocks.of(number):
            if isinstance(block, Words) and block.is_item and block.begins:
                items += element("list-item", [f"<p>{self._words(number, block)}</p>"])
                continue
            if items:
                elements += element("list", items, ' list-type="simple"')
                items = []
            if isinstance(block, Words):
                elements.append(f"<p>{self._words(number, block)}</p>")
            else:
                elements += self._element(block)
        return elements + (element("list", items, ' list-type="simple"') if items else [])

    def _words(self, number: int, words: Words) -> str:
        section = self._paper.body[number]
        return "".join(self._inline(section, words, self._blocks.notes(number)))

    def _inline(self, section: Section, words: Words, notes: list[Footnote]) -> Iterator[str]:
        for text, mark in pieces(section, words, notes):
            listed = range(len(self._paper.citations))
            cited = [i for i in mark.citations if i in listed] if isinstance(mark, Marker) else []
            if cited:
                targets = " ".join(f"r{citation + 1}" for citation in cited)
                yield f'<xref ref-type="bibr" rid="{targets}">{escaped(text)}</xref>'
            elif isinstance(mark, Footnote):
                target = f"fn{self._numbers[id(mark)]}"
                yield f'<xref ref-type="fn" rid="{target}">{escaped(text)}</xref>'
            else:
                yield escaped(text)

    def _element(self, block: Element) -> Elements:
        self._counts[type(block)] += 1
        count = self._counts[type(block)]
        match block:
            case Figure():
                caption = element("caption", leaf("p", block.caption) or ["<p />"])
                return element("fig", [*leaf("label", block.label), *caption], f' id="f{count}"')
            case Formula():
                inner = [*leaf("label", block.label), *leaf("tex-math", block.text)]
                return element("disp-formula", inner, f' id="e{count}"')
            case PaperTable():
                return element("table-wrap", _table(block), f' id="t{count}"')

    def back(self) -> Elements:
        """Acknowledgements, footnotes and references."""
        elements: Elements = []
        for number, section in enumerate(self._paper.body):
            if section.kind == "acknowledgements":
                elements += element(
                    "ack", [*leaf("title", section.heading), *self._content(number)]
                )
        notes = chain.from_iterable(
            element(
                "fn",
                [*leaf("label", note.mark), *(leaf("p", note.text) or ["<p />"])],
                f' id="fn{number}"',
            )
            for number, note in enumerate(self._paper.footnotes, start=1)
        )
        group = list(notes)
        elements += element("fn-group", group) if group else []
        references = chain.from_iterable(
            element("ref", _reference(citation), f' id="r{number}"')
            for number, citation in enumerate(self._paper.citations, start=1)
        )
        listed = list(references)
        return elements + (element("ref-list", listed) if listed else [])


def _author(author: Author) -> Elements:
    affiliations = (leaf("aff", affiliation) for affiliation in author.affiliations)
    return [
        *_name(author), *chain.from_iterable(affiliations), *leaf("email", author.email),
    ]  # fmt: skip


def _name(name: Author | Name) -> Elements:
    surname = leaf("surname", name.family) or ["<surname />"]
    return element("name", [*surname, *leaf("given-names", name.given)])


def _date(tag: str, printed: str | None, attributes: str) -> Elements:
    """A date in parts; one that is not in ISO 8601 as a text."""
    if not printed:
        return []
    match = _ISO.fullmatch(printed)
    if match is None:
        return element(tag, leaf("string-date", printed), attributes)
    parts = [*leaf("day", match[3]), *leaf("month", match[2]), *leaf("year", match[1])]
    return element(tag, parts, f'{attributes} iso-8601-date="{match.group()}"')


def _table(table: PaperTable) -> Elements:
    caption = element("caption", leaf("p", table.caption) or ["<p />"])
    inner = [*leaf("label", table.label), *caption]
    if table.cells:
        # JATS has no table of head rows alone.
        head = table.cells[: table.head] if table.head < len(table.cells) else ()
        rows = [*(element("thead", _rows(head, "th")) if head else [])]
        rows += element("tbody", _rows(table.cells[len(head) :], "td"))
        inner += element("table", rows)
    if table.notes:
        inner += element("table-wrap-foot", leaf("p", table.notes))
    return inner


def _rows(rows: Sequence[Sequence[str]], tag: str) -> Elements:
    return list(
        chain.from_iterable(
            element("tr", [f"<{tag}>{escaped(cell)}</{tag}>" for cell in row]) for row in rows
        )
    )


def _reference(citation: Citation) -> Elements:
    """A reference in fields, and as it is printed."""
    container = "source" if citation.container else None
    title = "article-title" if container else "source"
    first, _, last = (citation.pages or "").partition("-")
    fields = [
        *_people(citation.authors, "author"),
        *_people(citation.editors, "editor"),
        *leaf("year", citation.year),
        *leaf(title, citation.title),
        *leaf("source", citation.container),
        *leaf("volume", citation.volume),
        *leaf("issue", citation.issue),
        *leaf("fpage", first),
        *leaf("lpage", last),
        *leaf("publisher-name", citation.publisher),
        *leaf("publisher-loc", citation.place),
        *leaf("pub-id", citation.doi, ' pub-id-type="doi"'),
        *leaf("uri", citation.url),
        *leaf("comment", citation.note),
    ]
    kind = f' publication-type="{_TYPES[kind_of(citation)]}"'
    parsed = element("element-citation", fields, kind) if fields else []
    return [*parsed, *(leaf("mixed-citation", citation.raw) or ["<mixed-citation />"])]


def _people(names: Sequence[Name], kind: str) -> Elements:
    people = chain.from_iterable(_name(name) for name in names if name.family or name.given)
    group = list(people)
    return element("person-group", group, f' person-group-type="{kind}"') if group else []
