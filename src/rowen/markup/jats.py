"""JATS, the XML of PubMed Central and most journals, to a paper.

<contrib><name><surname>Lovelace</surname><given-names>Ada</given-names></name>
  <xref ref-type="aff" rid="a1"/></contrib>      WrittenAuthor("Ada", "Lovelace", ("UCL",))
<aff id="a1"><label>1</label>UCL</aff>
<sec><title>Results</title><p>... <xref ref-type="bibr" rid="b2">[2]</xref>
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker
from rowen.citations.parser import parse_citations
from rowen.elements.element import Figure, PaperTable
from rowen.markup import WRITTEN_CELLS, WRITTEN_REFERENCES, Written, WrittenAuthor, WrittenSection
from rowen.text.xml_tree import Element, parse_xml

_MARKS = frozenset({"label", "xref", "fn", "email", "ext-link", "uri"})
_NOTES = frozenset({"xref", "fn"})
_FLOATS = frozenset(
    {"fig", "fig-group", "table-wrap", "table-wrap-group", "supplementary-material"}
)
_CITATIONS = ("mixed-citation", "element-citation", "citation", "nlm-citation")
_FIELDS = {
    "article-title": "title",
    "chapter-title": "title",
    "source": "container",
    "year": "date",
    "volume": "volume",
    "issue": "issue",
    "publisher-name": "publisher",
    "publisher-loc": "location",
}
_IDS = {"pmid": "pmid", "pmc": "pmcid", "pmcid": "pmcid", "arxiv": "arxiv"}


def read_jats(text: str, name: str) -> Written:
    """Read a paper from JATS; DocumentError where the XML is broken or hostile."""
    root = parse_xml(text, name)
    article = root if root.name == "article" else next(root.every("article"), root)
    meta = article.first("front", "article-meta") or Element("article-meta")
    citations, numbers = _citations(article)
    body = article.first("body")
    back = article.first("back")
    sections = [*_sections(body, 1, numbers)] if body else []
    sections += [*_back_sections(back, numbers)] if back else []
    dates = dict(_dates(meta))
    return Written(
        title=_text(meta.first("title-group", "article-title"), _NOTES),
        authors=tuple(_authors(meta)),
        abstract=_abstract(meta),
        keywords=tuple(
            keyword.text() for group in meta.elements("kwd-group") for keyword in group.every("kwd")
        ),
        doi=_identifier(meta, "doi"),
        date=dates.get("published"),
        dates=dates,
        language=article.attributes.get("xml:lang", "")[:2].lower() or None,
        ids={_IDS[kind]: value for kind in _IDS if (value := _identifier(meta, kind)) is not None},
        sections=tuple(sections),
        figures=tuple(
            Figure(_text(figure.first("label")), _text(figure.first("caption")) or "")
            for figure in article.every("fig")
        ),
        tables=tuple(map(_table, article.every("table-wrap"))),
        citations=citations,
    )


def _text(element: Element | None, without: frozenset[str] = frozenset()) -> str | None:
    return (element.text(without=without) or None) if element is not None else None


def _identifier(meta: Element, kind: str) -> str | None:
    for own in meta.elements("article-id"):
        if own.attributes.get("pub-id-type") == kind:
            return own.text() or None
    return None


def _abstract(meta: Element) -> str | None:
    """The abstract proper: others are graphical, short or in another language."""
    abstracts = list(meta.elements("abstract"))
    plain = [own for own in abstracts if "abstract-type" not in own.attributes] or abstracts
    if not plain:
        return None
    parts = [part for part in plain[0].elements() if part.text().lower() != "abstract"]
    return " ".join(filter(None, (part.text() for part in parts))) or plain[0].text() or None


def _authors(meta: Element) -> Iterator[WrittenAuthor]:
    places = {
        place.attributes["id"]: place.text(without=_MARKS)
        for place in meta.every("aff")
        if "id" in place.attributes
    }
    shared = [place.text(without=_MARKS) for place in meta.every("aff")]
    for group in meta.elements("contrib-group"):
        for person in group.elements("contrib"):
            if person.attributes.get("contrib-type", "author") != "author":
                continue
            given, family = _person(person)
            if not family:
                continue
            marks = [
                mark
                for xref in person.every("xref")
                if xref.attributes.get("ref-type") == "aff"
                for mark in xref.attributes.get("rid", "").split()
            ]
            own = [places[mark] for mark in marks if mark in places]
            own += [place.text(without=_MARKS) for place in person.every("aff")]
            mail = next(person.every("email"), None)
            # One affiliation without marks is that of all authors.
            own = own or (shared if len(shared) == 1 else [])
            yield WrittenAuthor(given, family, tuple(dict.fromkeys(own)), _text(mail))


def _person(person: Element) -> tuple[str, str]:
    name = next(person.every("name", "string-name"), None)
    if name is None:
        return "", _text(person.first("collab"), _MARKS) or ""
    family, given = name.first("surname"), name.first("given-names")
    if family is None:
        return "", name.text()
    return _text(given) or "", family.text()


def _dates(meta: Element) -> Iterator[tuple[str, str]]:
    history = meta.first("history")
    for date in history.elements("date") if history else ():
        kind = {"rev-recd": "revised"}.get(date.attributes.get("date-type", ""))
        kind = kind or date.attributes.get("date-type", "")
        if kind in {"received", "accepted", "revised"} and (value := _date(date)):
            yield kind, value
    published = [value for date in meta.elements("pub-date") if (value := _date(date))]
    if published:
        yield "published", max(published, key=len)


def _date(date: Element) -> str | None:
    """A date in ISO 8601, as far as it is given in numbers."""
    parts = []
    for part, width in (("year", 4), ("month", 2), ("day", 2)):
        value = _text(date.first(part)) or ""
        if not value.isdecimal():
            break
        parts.append(value.zfill(width))
    return "-".join(parts) or None


def _table(wrap: Element) -> PaperTable:
    head = sum(1 for part in wrap.every("thead") for _ in part.every("tr"))
    rows = [[cell.text() for cell in row.elements("td", "th")] for row in wrap.every("tr")]
    width = max(map(len, rows), default=0)
    if width * len(rows) > WRITTEN_CELLS:
        rows, head = [], 0
    cells = tuple(tuple(row + [""] * (width - len(row))) for row in rows)
    notes = _text(wrap.first("table-wrap-foot"))
    caption = _text(wrap.first("caption")) or ""
    return PaperTable(_text(wrap.first("label")), caption, cells, head, notes)


def _sections(parent: Element, level: int, numbers: dict[str, int]) -> Iterator[WrittenSection]:
    """The sections of an element, its own text first."""
    writer = _Writer(numbers)
    for child in parent.elements():
        if child.name not in {"sec", "title", "label", "ref-list", *_FLOATS}:
            writer.block(child)
    heading = parent.first("title")
    title = _text(heading, _NOTES) if parent.name != "body" else None
    if title or writer.text:
        yield WrittenSection(title, max(1, level - 1), writer.text, tuple(writer.markers))
    for child in parent.elements("sec"):
        yield from _sections(child, level + 1, numbers)


def _back_sections(back: Element, numbers: dict[str, int]) -> Iterator[WrittenSection]:
    for part in back.elements():
        if part.name == "ack":
            writer = _Writer(numbers)
            for child in part.elements():
                if child.name != "title":
                    writer.block(child)
            heading = _text(part.first("title")) or "Acknowledgements"
            yield WrittenSection(heading, 1, writer.text, tuple(writer.markers))
        elif part.name in {"sec", "app"}:
            yield from _sections(part, 2, numbers)
        elif part.name == "app-group":
            for appendix in part.elements("app"):
                yield from _sections(appendix, 2, numbers)


class _Writer:
    """Writes the text of a section with single spaces, and notes the places of citations."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers
        self._pieces: list[str] = []
        self._length = 0
        self.markers: list[Marker] = []

    @property
    def text(self) -> str:
        return "".join(self._pieces).rstrip()

    def block(self, element: Element) -> None:
        self._write(" ")
        self._element(element)
        self._write(" ")

    def _element(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, str):
                self._write(child)
            elif child.name == "xref" and child.attributes.get("ref-type") == "bibr":
                self._cite(child)
            elif child.name in {"p", "list-item", "disp-quote", "list", "title"}:
                self.block(child)
            elif child.name not in {"fn", *_FLOATS}:
                self._element(child)

    def _cite(self, xref: Element) -> None:
        text = xref.text()
        own = [self._numbers.get(rid) for rid in xref.attributes.get("rid", "").split()]
        start = self._length
        self._write(text)
        if text:
            known = tuple(dict.fromkeys(number for number in own if number is not None))
            self.markers.append(Marker(start, self._length, known))

    def _write(self, text: str) -> None:
        pieces = re.sub(r"\s+", " ", text)
        if pieces.startswith(" ") and (not self._pieces or self._pieces[-1].endswith(" ")):
            pieces = pieces[1:]
        if pieces:
            self._pieces.append(pieces)
            self._length += len(pieces)


def _citations(article: Element) -> tuple[tuple[Citation, ...], dict[str, int]]:
    """The references, and their indexes by id."""
    citations: list[Citation] = []
    unmarked: list[int] = []
    numbers: dict[str, int] = {}
    references = [ref for lists in article.every("ref-list") for ref in lists.every("ref")]
    for reference in references[:WRITTEN_REFERENCES]:
        own = next(reference.every(*_CITATIONS), None)
        if own is None:
            continue
        numbers[reference.attributes.get("id", "")] = len(citations)
        citation = _citation(own)
        if not (citation.title or citation.container or citation.authors):
            unmarked.append(len(citations))
        citations.append(citation)
    # Strings without marks are parsed as those of a PDF are.
    parsed = parse_citations([citations[index].raw for index in unmarked])
    for index, citation in zip(unmarked, parsed, strict=True):
        citations[index] = citation
    return tuple(citations), numbers


def _citation(own: Element) -> Citation:
    raw = own.text() if own.name == "mixed-citation" or _is_prose(own) else _listed(own)
    values = {
        field: part.text()
        for name, field in _FIELDS.items()
        if (part := next(own.every(name), None)) is not None and part.text()
    }
    first, last = (_text(next(own.every(name), None)) for name in ("fpage", "lpage"))
    pages = "-".join(filter(None, (first, last))) or _text(next(own.every("page-range"), None))
    pages = pages or _text(next(own.every("elocation-id"), None))
    doi = next(
        (i.text() for i in own.every("pub-id") if i.attributes.get("pub-id-type") == "doi"), None
    )
    editors = tuple(_names(own, editors=True))
    citation = Citation(
        raw=raw,
        spans={},
        authors=tuple(_names(own, editors=False)),
        title=values.get("title"),
        container=values.get("container"),
        year=values.get("date"),
        volume=values.get("volume"),
        issue=values.get("issue"),
        pages=pages,
        publisher=values.get("publisher"),
        place=values.get("location"),
        editors=editors,
        doi=doi,
        url=_text(next(own.every("uri", "ext-link"), None)),
    )
    if citation.title is None and citation.container and citation.publisher:
        # A book has its title in the place of a source.
        citation = replace(citation, title=citation.container, container=None)
    return replace(citation, spans=_spans(raw, {**values, "doi": doi or ""}))


def _is_prose(own: Element) -> bool:
    return any(isinstance(child, str) and child.strip(" \n\t.,;:") for child in own.children)


def _listed(own: Element) -> str:
    """A string for a citation that is only a list of fields."""
    names = ", ".join(map(str, (*_names(own, editors=False), *_names(own, editors=True))))
    skipped = {"person-group", "name", "string-name", "collab"}
    parts = [part.text() for part in own.elements() if part.name not in skipped]
    return ". ".join(filter(None, (names, *parts)))


def _names(own: Element, *, editors: bool) -> Iterator[Name]:
    groups = list(own.every("person-group"))
    wanted = [
        group
        for group in groups
        if (group.attributes.get("person-group-type", "author") == "editor") == editors
    ]
    for group in wanted if groups else [] if editors else [own]:
        for person in group.every("name", "string-name", "collab"):
            given, family = person.first("given-names"), person.first("surname")
            if family is not None:
                yield Name(_text(given) or "", family.text())
            elif text := person.text():
                yield Name("", text)


def _spans(raw: str, values: dict[str, str]) -> dict[str, list[tuple[int, int]]]:
    """Where values stand in the string, looked for from left to right."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for field, value in values.items():
        at = raw.find(value) if value else -1
        if at >= 0:
            spans[field] = [(at, at + len(value))]
    return spans
