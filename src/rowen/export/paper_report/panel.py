"""The panel beside a paper's pages: header, sections and references with links to their places."""

from collections.abc import Iterator, Sequence

from rowen.citations.citation import Citation, Name
from rowen.export.paper_report.places import Places
from rowen.export.paper_report.sheet import shown
from rowen.papers.paper import Paper
from rowen.papers.people import Author

_MOST_PLACES = 12
"""How many citation markers of a reference are listed."""

_BEGINNING = 160
"""How many characters of an abstract are shown at first."""


def panel(paper: Paper, places: Places, prefix: str) -> Iterator[str]:
    """The fields, the sections and the references."""
    view = _Panel(paper, places, prefix)
    yield from view.header()
    yield from view.sections()
    yield from view.references()


class _Panel:
    def __init__(self, paper: Paper, places: Places, prefix: str) -> None:
        self._paper = paper
        self._places = places
        self._prefix = prefix

    def header(self) -> Iterator[str]:
        paper = self._paper
        if paper.warnings:
            rows = "".join(f"<li>{shown(warning)}</li>" for warning in paper.warnings)
            yield f'<ul class="warnings">{rows}</ul>\n'
        yield "<h3>Header</h3>\n<dl>\n"
        yield self._row("Title", [self._value(paper.title, "title", "title")])
        yield self._row(
            "Authors", [self._author(i, author) for i, author in enumerate(paper.authors)]
        )
        yield self._row("Abstract", [self._abstract()])
        words = [
            self._value(word, "keywords", "keywords", row=bool(i))
            for i, word in enumerate(paper.keywords)
        ]
        yield self._row("Keywords", words, between=" ")
        yield self._row("Date", [self._value(paper.date, "date", "fact")])
        yield self._row("DOI", [self._value(paper.doi, "doi", "fact")])
        yield "</dl>\n"

    def sections(self) -> Iterator[str]:
        body = self._paper.body
        yield f'<h3>Sections <span class="count">{len(body)}</span></h3>\n<ol class="sections">\n'
        for i, section in enumerate(body):
            heading = section.heading or "(without a heading)"
            count = len(section.markers)
            cited = f' <span class="count">{count} cited</span>' if count else ""
            yield f"<li>{self._link(heading, f'section{i}', 'heading')}{cited}</li>\n"
        yield "</ol>\n"

    def references(self) -> Iterator[str]:
        citations = self._paper.citations
        markers = [marker for section in self._paper.body for marker in section.markers]
        linked = sum(bool(marker.citations) for marker in markers)
        summary = (
            f"{len(citations)} · {linked} of {len(markers)} markers lead here"
            if markers
            else len(citations)
        )
        yield f'<h3>References <span class="count">{summary}</span></h3>\n<ol class="references">\n'
        for i, citation in enumerate(citations):
            yield self._reference(i, citation)
        yield "</ol>\n"

    def _row(self, name: str, values: Sequence[str], *, between: str = "") -> str:
        content = between.join(value for value in values if value)
        inside = content or '<span class="none">not found</span>'
        return f"<dt>{name}</dt><dd>{inside}</dd>\n"

    def _value(self, value: str | None, name: str, kind: str, *, row: bool = False) -> str:
        if not value:
            return ""
        own = "" if row else f' id="{self._prefix}field-{name}"'
        return f"<span{own}>{self._link(value, name, kind)}</span>"

    def _link(self, text: str, name: str, kind: str) -> str:
        """A text with a link to its place, if it has one."""
        anchor = self._prefix + name
        if anchor not in self._places.anchored:
            return f'<span class="chip {kind}">{shown(text)}</span>'
        return f'<a class="chip {kind}" href="#{anchor}">{shown(text)}</a>'

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
            f"<div>{fields} {cited}</div></li>\n"
        )


def _names(names: Sequence[Name]) -> str:
    return ", ".join(map(str, names[:6])) + (" …" if len(names) > 6 else "")


def _numbers(citation: Citation) -> str:
    issue = f"({citation.issue})" if citation.issue else ""
    pages = f": {citation.pages}" if citation.pages else ""
    return f"{citation.volume or ''}{issue}{pages}".removeprefix(": ")
