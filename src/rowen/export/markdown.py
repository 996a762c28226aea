"""Papers as Markdown: what people read, and give to search engines and language models.

Headings, paragraphs, lists, tables (GitHub's form), captions, formulas, footnotes, and citations by
the keys that the BibTeX form has, as Pandoc reads them: `as shown [@knuth1984]`.
"""

import re
from collections.abc import Iterator, Sequence

from rowen.citations.markers import Marker
from rowen.elements.element import Figure, Footnote, Formula, PaperTable
from rowen.export.bibtex import citation_keys
from rowen.export.paper_blocks import Blocks, Element, Words, pieces
from rowen.papers.paper import Paper

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
_LINE_START = re.compile(r"^(\s*)([+-]|\d+[.)])(?=\s)")
_NAMED = re.compile(r"[^\W\d_]{2,}")
_BULLET = re.compile(
    r"^\s*(?:[•‣◦▪▫■□●○∙·\u2043➢➤❖✓\u2013—-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s*"
)
_DEEPEST = 6


def markdown(paper: Paper) -> str:
    """The paper as Markdown."""
    return "\n\n".join(block for block in _Writer(paper).blocks() if block) + "\n"


class _Writer:
    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._blocks = Blocks(paper)
        self._keys = citation_keys(paper.citations)
        self._names = {id(note): str(i) for i, note in enumerate(paper.footnotes, start=1)}

    def blocks(self) -> Iterator[str]:
        """The blocks of the document; an empty line is between two."""
        paper = self._paper
        if paper.title:
            yield f"# {_escaped(paper.title)}"
        yield ", ".join(_escaped(f"{one.given} {one.family}".strip()) for one in paper.authors)
        yield _escaped(" · ".join(self._places_of_authors()))
        yield _escaped(" · ".join(filter(None, self._facts())))
        if paper.abstract:
            yield "## Abstract"
            yield _escaped(paper.abstract)
        if paper.keywords:
            yield f"**Keywords:** {_escaped(', '.join(paper.keywords))}"
        for number, section in enumerate(paper.body):
            if section.heading:
                depth = "#" * min(max(section.level, 1) + 1, _DEEPEST)
                yield f"{depth} {_escaped(section.heading)}"
            yield from self._section(number)
        for element in self._blocks.elsewhere():
            yield self._element(element)
        yield from self._notes(paper.footnotes)
        yield from self._references()

    def _places_of_authors(self) -> Iterator[str]:
        """Affiliations and addresses, each once."""
        authors = self._paper.authors
        yield from dict.fromkeys(place for author in authors for place in author.affiliations)
        yield from dict.fromkeys(author.email for author in authors if author.email)

    def _facts(self) -> Iterator[str]:
        paper = self._paper
        yield f"doi: {paper.doi}" if paper.doi else ""
        yield from (f"{name}: {value}" for name, value in paper.ids.items())
        yield paper.date or ""
        yield from (f"{name} {date}" for name, date in paper.dates.items())
        yield paper.licence or ""

    def _section(self, number: int) -> Iterator[str]:
        items: list[str] = []
        for block in self._blocks.of(number):
            if isinstance(block, Words) and block.is_item and block.begins:
                items.append(self._item(number, block))
                continue
            if items:
                yield "\n".join(items)
                items = []
            yield self._words(number, block) if isinstance(block, Words) else self._element(block)
        yield "\n".join(items)

    def _item(self, number: int, words: Words) -> str:
        text = self._words(number, words).replace("\\", "", 1)
        counted = re.match(r"\(?(\d{1,2})[.)]\s", text)
        sign = f"{counted[1]}." if counted else "-"
        return f"{sign} {_BULLET.sub('', text, count=1)}"

    def _words(self, number: int, words: Words) -> str:
        section = self._paper.body[number]
        written: list[str] = []
        for text, mark in pieces(section, words, self._blocks.notes(number)):
            if isinstance(mark, Marker):
                cited = self._cited(text, mark)
                # Raised numbers follow their word at once.
                follows = written and cited.startswith("[@") and written[-1][-1:].strip(" ([")
                written.append(f" {cited}" if follows else cited)
            elif isinstance(mark, Footnote):
                written.append(f"[^{self._names[id(mark)]}]")
            else:
                written.append(_escaped(text))
        return _LINE_START.sub(r"\1\\\2", " ".join("".join(written).split()))

    def _cited(self, text: str, marker: Marker) -> str:
        keys = [self._keys[i] for i in marker.citations if i < len(self._keys)]
        if not keys:
            return _escaped(text)
        cited = f"[{'; '.join(f'@{key}' for key in keys)}]"
        # Names and years are part of a sentence; numbers stand for the works only.
        return f"{_escaped(text)} {cited}" if _NAMED.search(text) else cited

    def _element(self, element: Element) -> str:
        match element:
            case Formula():
                label = f" {_escaped(element.label)}" if element.label else ""
                return f"> {_escaped(' '.join(element.text.split()))}{label}"
            case Figure():
                return _caption(element.label, element.caption)
            case PaperTable():
                notes = f"\n\n{_escaped(element.notes)}" if element.notes else ""
                table = _table(element.cells)
                return f"{_caption(element.label, element.caption)}{table}{notes}"

    def _notes(self, notes: Sequence[Footnote]) -> Iterator[str]:
        tied = [note for note in notes if note.span is not None]
        yield "\n".join(
            f"[^{self._names[id(note)]}]: {_escaped(' '.join(note.text.split()))}" for note in tied
        )
        for note in notes:
            if note.span is None:
                yield _escaped(" ".join(f"{note.mark or ''} {note.text}".split()))

    def _references(self) -> Iterator[str]:
        if self._paper.citations:
            yield "## References"
            yield "\n".join(
                f"- [@{key}] {_escaped(' '.join(citation.raw.split()))}"
                for key, citation in zip(self._keys, self._paper.citations, strict=True)
            )


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()) if "\n" in text else text)


def _caption(label: str | None, caption: str) -> str:
    shown = _escaped(" ".join(caption.split()))
    return f"**{_escaped(label)}.** {shown}" if label else shown


def _table(cells: Sequence[Sequence[str]]) -> str:
    """Cells as a table; its first row is the head, as Markdown has exactly one."""
    if not cells:
        return ""
    rows = [f"| {' | '.join(_escaped(' '.join(cell.split())) for cell in row)} |" for row in cells]
    rule = f"|{' --- |' * len(cells[0])}"
    return "\n\n" + "\n".join([rows[0], rule, *rows[1:]])
