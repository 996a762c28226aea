"""The panel beside a paper's pages: everything that was found, with links to its place."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from rowen.citations.citation import Citation, Name
from rowen.elements.element import Figure, PaperTable
from rowen.export.paper_report.places import Places
from rowen.export.paper_report.sheet import shown
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author

PANEL_ENTRIES = 1_000
"""Limit: entries of one kind that the panel of a report lists: more make the browser slow. Theses
have a few hundred references."""

_MOST_PLACES = 12
"""How many citation markers of a reference are listed."""

_BEGINNING = 160
"""How many characters of an abstract or a caption are shown at first."""

_WORDS = 90
"""How many characters of a paragraph are shown."""

_OPENED = 2_000
"""How many characters of a caption, formula or footnote are shown when it is opened."""

_MOST_CELLS = 400
"""How many cells of a table are shown."""


def panel(paper: Paper, places: Places, prefix: str) -> Iterator[str]:
    """The fields, the sections, the elements of the body, and the references."""
    view = _Panel(paper, places, prefix)
    yield from view.header()
    yield from view.sections()
    yield from view.elements()
    yield from view.references()


class _Panel:
    def __init__(self, paper: Paper, places: Places, prefix: str) -> None:
        self._paper = paper
        self._places = places
        self._prefix = prefix
        self._paragraphs_left = PANEL_ENTRIES

    def header(self) -> Iterator[str]:
        paper = self._paper
        if paper.warnings:
            rows = "".join(f"<li>{shown(warning)}</li>" for warning in paper.warnings)
            yield f'<ul class="warnings">{rows}</ul>\n'
        yield "<h3>Header</h3>\n<dl>\n"
        yield self._row("Title", [self._value(paper.title, "title", "title")], of="title")
        authors = [self._author(i, author) for i, author in enumerate(paper.authors)]
        yield self._row("Authors", authors, of="authors")
        yield self._row("Abstract", [self._abstract()], of="abstract")
        words = [
            self._value(word, "keywords", "keywords", row=bool(i))
            for i, word in enumerate(paper.keywords)
        ]
        yield self._row("Keywords", words, between=" ", of="keywords")
        yield self._row("Date", [self._value(paper.date, "date", "fact")])
        yield self._row("DOI", [self._value(paper.doi, "doi", "fact")])
        for name, value in paper.ids.items():
            yield self._row(shown(name), [self._value(value, f"id-{name}", "fact")])
        others = {**paper.dates, "language": paper.language, "licence": paper.licence}
        for name, fact in others.items():
            if fact:
                yield self._row(shown(name.capitalize()), [shown(fact)])
        yield "</dl>\n"

    def sections(self) -> Iterator[str]:
        entries = (self._section(i, section) for i, section in enumerate(self._paper.body))
        yield from _listed("Sections", "sections", len(self._paper.body), entries)

    def elements(self) -> Iterator[str]:
        """Figures, tables, formulas and footnotes."""
        paper = self._paper
        figures = (self._figure(i, figure) for i, figure in enumerate(paper.figures))
        yield from _listed("Figures", "figures", len(paper.figures), figures)
        tables = (self._table(i, table) for i, table in enumerate(paper.tables))
        yield from _listed("Tables", "tables", len(paper.tables), tables)
        formulas = (
            f"<li>{self._link(formula.label or 'formula', f'formula{i}', 'formula')} "
            f'<span class="words">{_begun(formula.text)}</span></li>\n'
            for i, formula in enumerate(paper.formulas)
        )
        yield from _listed("Formulas", "formulas", len(paper.formulas), formulas)
        notes = (
            f'<li id="{self._prefix}note{i}">'
            f"{self._link(note.mark or 'note', f'footnote{i}', 'footnote')} "
            f'<span class="words">{_begun(note.text)}</span></li>\n'
            for i, note in enumerate(paper.footnotes)
        )
        yield from _listed("Footnotes", "footnotes", len(paper.footnotes), notes)

    def references(self) -> Iterator[str]:
        citations = self._paper.citations
        markers = [marker for section in self._paper.body for marker in section.markers]
        linked = sum(bool(marker.citations) for marker in markers)
        summary = f"{len(citations)}"
        if markers:
            summary += f" · {linked} of {len(markers)} markers lead here"
        entries = (self._reference(i, citation) for i, citation in enumerate(citations))
        yield from _listed(
            "References", "references", len(citations), entries, summary=summary, always=True
        )

    def _row(
        self, name: str, values: Sequence[str], *, between: str = "", of: str | None = None
    ) -> str:
        content = between.join(value for value in values if value)
        inside = content or '<span class="none">not found</span>'
        sure = self._paper.confidence.get(of) if of and content else None
        return f"<dt>{name}{_sure(sure)}</dt><dd>{inside}</dd>\n"

    def _value(self, value: str | None, name: str, kind: str, *, row: bool = False) -> str:
        if not value:
            return ""
        own = "" if row else f' id="{self._prefix}field-{shown(name)}"'
        return f"<span{own}>{self._link(value, name, kind)}</span>"

    def _link(self, text: str, name: str, kind: str) -> str:
        """A text with a link to its place, if it has one."""
        anchor = self._prefix + name
        if anchor not in self._places.anchored:
            return f'<span class="chip {kind}">{shown(text)}</span>'
        return f'<a class="chip {kind}" href="#{shown(anchor)}">{shown(text)}</a>'

    def _author(self, i: int, author: Author) -> str:
        name = f"{author.given} {author.family}".strip()
        mail = ""
        if author.email:
            link = self._link(author.email, f"email{i}", "fact")
            mail = f'<small id="{self._prefix}field-email{i}">{link}</small>'
        own = "".join(f"<small>{shown(place)}</small>" for place in author.affiliations)
        link = self._link(name, f"author{i}", "author")
        return f'<div class="person" id="{self._prefix}field-author{i}">{link}{mail}{own}</div>'

    def _abstract(self) -> str:
        text = self._paper.abstract
        if not text:
            return ""
        link = self._link("on its page", "abstract", "abstract")
        start = shown(text[:_BEGINNING]) + "…" * (len(text) > _BEGINNING)
        return f"<details><summary>{start}</summary><p>{shown(text)}</p></details>{link}"

    def _section(self, i: int, section: Section) -> str:
        heading = section.heading or "(without a heading)"
        facts = [section.kind] if section.kind else []
        facts += [f"{len(section.markers)} cited"] if section.markers else []
        count = f' <span class="count">{shown(" · ".join(facts))}</span>' if facts else ""
        depth = min(max(section.level, 1), 6)
        link = self._link(heading, f"section{i}", "heading")
        return f'<li class="depth{depth}">{link}{count}{self._paragraphs(i, section)}</li>\n'

    def _paragraphs(self, i: int, section: Section) -> str:
        if not section.paragraphs:
            return ""
        rows = []
        for k, paragraph in enumerate(section.paragraphs[: self._paragraphs_left]):
            text = section.text[paragraph.start : paragraph.end]
            link = self._link(_cut(text, _WORDS), f"paragraph{i}-{k}", "paragraph")
            rows.append(f"<li>{link}</li>")
        count = len(section.paragraphs)
        if left_out := count - len(rows):
            rows.append(f'<li class="none">{left_out:,} more are not listed.</li>')
        self._paragraphs_left = max(0, self._paragraphs_left - count)
        name = "1 paragraph" if count == 1 else f"{count:,} paragraphs"
        return f"<details><summary>{name}</summary><ol>{''.join(rows)}</ol></details>"

    def _figure(self, i: int, figure: Figure) -> str:
        link = self._link(figure.label or "figure", f"figure{i}", "figure")
        return f'<li>{link} <span class="words">{_begun(figure.caption)}</span></li>\n'

    def _table(self, i: int, table: PaperTable) -> str:
        link = self._link(table.label or "table", f"table{i}", "table")
        return (
            f'<li>{link} <span class="words">{_begun(table.caption)}</span>{_cells(table)}</li>\n'
        )

    def _reference(self, i: int, citation: Citation) -> str:
        parts = [
            (_names(citation.authors), "author"), (citation.year, "date"),
            (citation.title, "title"), (citation.container, "container"),
            (_numbers(citation), "numbers"), (_names(citation.editors), "author"),
            (citation.publisher, "publisher"),
            (citation.place, "publisher"), (citation.doi or citation.url, "link"),
        ]  # fmt: skip
        fields = (
            " ".join(
                f'<span class="chip {kind}">{shown(value)}</span>' for value, kind in parts if value
            )
            or f'<span class="chip">{shown(citation.raw)}</span>'
        )
        places = self._places.cited[i]
        links = " ".join(
            f'<a href="#{anchor}">p. {page}</a>' for anchor, page in places[:_MOST_PLACES]
        )
        more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
        cited = f'<span class="cited">cited {links}{more}</span>' if places else ""
        return (
            f'<li id="{self._prefix}cited{i}">'
            f'<a class="number" href="#{self._prefix}reference{i}">{i + 1}</a>'
            f"<div>{fields}{_sure(citation.confidence)} {cited}</div></li>\n"
        )


def _listed(
    name: str,
    kind: str,
    count: int,
    entries: Iterable[str],
    *,
    summary: str | None = None,
    always: bool = False,
) -> Iterator[str]:
    """A list with its name; nothing for an empty one."""
    if not count and not always:
        return
    summary = f"{count:,}" if summary is None else summary
    yield f'<h3>{name} <span class="count">{summary}</span></h3>\n<ol class="{kind}">\n'
    yield from islice(entries, PANEL_ENTRIES)
    yield "</ol>\n"
    if count > PANEL_ENTRIES:
        yield f'<p class="none">{count - PANEL_ENTRIES:,} more are not listed.</p>\n'


def _sure(confidence: float | None) -> str:
    if confidence is None:
        return ""
    return f' <span class="sure" title="how sure this is">{confidence:.0%}</span>'


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length].rstrip()}…"


def _begun(text: str) -> str:
    """A text of which only the beginning is shown until it is opened."""
    if len(text) <= _BEGINNING:
        return shown(text)
    whole = shown(_cut(text, _OPENED))
    return f"<details><summary>{shown(_cut(text, _BEGINNING))}</summary>{whole}</details>"


def _cells(table: PaperTable) -> str:
    if not table.cells:
        return ""
    columns = max(map(len, table.cells), default=0)
    rows = table.cells[: max(1, _MOST_CELLS // max(1, columns))]
    written = "".join(
        "<tr>" + "".join(f"<td>{shown(_cut(cell, _WORDS))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    more = len(table.cells) - len(rows)
    note = f"<p>{more:,} more rows are not shown.</p>" if more else ""
    size = f"{len(table.cells):,} rows, {columns:,} columns"
    return (
        f"<details><summary>{size}</summary>"
        f'<div class="cells"><table>{written}</table></div>{note}</details>'
    )


def _names(names: Sequence[Name]) -> str:
    return ", ".join(map(str, names[:6])) + (" …" if len(names) > 6 else "")


def _numbers(citation: Citation) -> str:
    issue = f"({citation.issue})" if citation.issue else ""
    pages = f": {citation.pages}" if citation.pages else ""
    return f"{citation.volume or ''}{issue}{pages}".removeprefix(": ")
