"""Zones: a label for each line of a paper, such as title, author, abstract, body or reference.

Two steps. A linear-chain CRF (`rowen.crf`) labels the lines by their words, type and position.
Then rules settle the labels: a title, an abstract or a list of references is one stretch of lines,
and the CRF, which sees only a few lines at a time, often mislabels a line of it. From a real paper:

    line                                      CRF        settled
    An Assessment of Climate Change ...       title      title
    Keywords: Dominica; ... diseases; food    keywords   keywords
    security; severe storm; health system     body       keywords           the line above is full
    1. Introduction                           heading    heading
    References                                reference  reference heading  a list follows
    1. World Health Organization (WHO) ...    reference  reference
    September 2018).                          after      reference          the list goes on

The label `after` is for lines behind the references, `header` for other lines of the first page
(dates, licence, e-mail addresses), `furniture` for running heads and page numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rowen.crf.tagger import Model, load_model
from rowen.papers.zones.abstract import abstract_lines
from rowen.papers.zones.bibliography import with_bibliography
from rowen.papers.zones.doubts import doubt_of
from rowen.papers.zones.features import WordRows, feature_rows, word_rows
from rowen.papers.zones.footnotes import with_footnotes
from rowen.papers.zones.headings import with_settled_headings
from rowen.papers.zones.keywords import keyword_lines
from rowen.papers.zones.notices import with_notices
from rowen.papers.zones.outline import Heading, headings_of
from rowen.papers.zones.run_in import with_run_in_headings
from rowen.papers.zones.title import title_lines
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Layout, Line
from rowen.pdf.furniture import furniture_of, is_drawn_rule, lone_edges


@dataclass(frozen=True, slots=True)
class Zones:
    """The lines of a paper with their labels; `zones["title"]` are the lines with one label.

    A line with a run-in heading is cut into two: the heading and the text after it.
    """

    labelled: list[tuple[Line, str]]

    def __getitem__(self, label: str) -> list[Line]:
        return [line for line, own in self.labelled if own == label]

    def without_references(self) -> "Zones":
        """The zones with the lines of a list that is none of references as body text."""
        others = {"reference": "body", "reference heading": "heading"}
        return Zones([(line, others.get(label, label)) for line, label in self.labelled])

    def doubt(self) -> str | None:
        """A warning where the document is hardly a paper, such as a form."""
        return doubt_of(self.labelled)

    def headings(self) -> list[Heading]:
        """The headings in order, each with its lines, number and level."""
        return headings_of(self.labelled)


def zones_of(layout: Layout, *, model: Model | None = None, words: WordRows = word_rows) -> Zones:
    """Label the lines of a paper; `words` computes the word features, perhaps from a cache."""
    labels: Sequence[str] = (model or load_model("zones")).label(feature_rows(layout, words=words))
    # What repeats at the edges of pages is furniture whatever its words are: a foot with a year and
    # names looks like a reference to the CRF, and would tear or join those around it.
    furniture = furniture_of(layout.lines, layout.pages)
    if layout.placed:
        apart = lone_edges(layout.lines, layout.pages)
        apart.update(i for i, line in enumerate(layout.lines) if is_drawn_rule(line))
        furniture |= {i for i in apart if labels[i] in ("body", "reference")}
    labels = [
        "furniture" if i in furniture else _without_furniture(line, label)
        for i, (line, label) in enumerate(zip(layout.lines, labels, strict=True))
    ]
    if layout.placed:
        labels = with_notices(layout.lines, labels)
    labelled = list(zip(layout.lines, settled(layout.lines, labels), strict=True))
    return Zones(with_run_in_headings(labelled))


def _without_furniture(line: Line, label: str) -> str:
    """A label that is not furniture where the words of a line open a section."""
    opens = label == "furniture" and beginning_of(line.text) in {"introduction", "section"}
    return "heading" if opens else label


def settled(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Correct the CRF's labels so that each part of the paper is one stretch of lines."""
    corrected = with_settled_headings(lines, with_bibliography(lines, labels))
    # A line that loses its label was near the part: for an abstract it is the body that follows,
    # for title and keywords it is something else of the first page.
    for label, fallback, part in (
        ("title", "header", title_lines),
        ("abstract", "body", abstract_lines),
        ("keywords", "header", keyword_lines),
    ):
        own = {id(line) for line in part(list(zip(lines, corrected, strict=True)))}
        corrected = [
            label if id(line) in own else fallback if now == label else now
            for line, now in zip(lines, corrected, strict=True)
        ]
    return with_footnotes(lines, _with_heading_of_abstract(lines, corrected))


def _with_heading_of_abstract(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Label the line `Abstract` before an abstract, which is not part of its text."""
    corrected = list(labels)
    if "abstract" in corrected:
        before = corrected.index("abstract") - 1
        if before >= 0 and beginning_of(lines[before].text) == "abstract":
            corrected[before] = "abstract heading"
    return corrected
