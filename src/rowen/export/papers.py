"""Write papers and citations in all formats, piece by piece."""

import json
from collections.abc import Callable, Iterable, Iterator, Sized
from functools import partial
from typing import TypeVar

from rowen.citations.citation import Citation
from rowen.export.bibtex import bibtex_entries
from rowen.export.csl import csl_list
from rowen.export.jats import jats_xml
from rowen.export.markdown import markdown
from rowen.export.paper_report import written_report
from rowen.export.paper_xml import plain_xml
from rowen.export.ris import ris_entries
from rowen.export.target import Destination, open_target
from rowen.export.tei import TEI, tei_xml
from rowen.export.unicode import encode
from rowen.export.xml_elements import PROLOGUE
from rowen.model.errors import UsageError
from rowen.papers.paper import Paper, Reading

PAPER_FORMATS = ("json", "xml", "tei", "jats", "markdown", "bibtex", "ris", "csl", "text")
"""The formats that `write_papers` accepts."""

CITATION_FORMATS = ("json", "bibtex", "ris", "csl")
"""The formats that `write_citations` accepts."""

Named = Iterable[tuple[str, Paper]]
Item = TypeVar("Item")


def write_papers(
    path: Destination,
    papers: Named,
    *,
    format: str = "json",  # noqa: A002  # as `open_writer` calls it
    several: bool | None = None,
) -> int:
    """Write papers, each with the name of its file, and return how many there were.

    The formats are `json` (one object per line), `xml`, `tei`, `jats`, `markdown`, `text` (the
    reading text) and, with the citations only, `bibtex`, `ris` and `csl`. `path` is a file, an open
    binary file or, for None, standard output. A file appears when it is complete, and not at all
    without a paper.

    Several papers in one XML file need an element around them. Whether there are several is known
    from the length of `papers`; give `several` where it has none, or else it counts as true.

    >>> import rowen
    >>> file = "rowen-demo/papers/jose.00050.pdf"
    >>> rowen.write_papers("refs.bib", [(file, rowen.read_paper(file))], format="bibtex")
    1
    """
    _check(format, PAPER_FORMATS)
    if several is None:
        several = not isinstance(papers, Sized) or len(papers) > 1
    return _write(path, papers, partial(written_papers, format_=format, several=several))


def write_citations(
    path: Destination,
    citations: Iterable[Citation],
    *,
    format: str = "json",  # noqa: A002  # as `open_writer` calls it
) -> int:
    """Write citations as `json` (one object per line), `bibtex`, `ris` or `csl`; return how many.

    `path` is a file, an open binary file or, for None, standard output. A file appears when it is
    complete.

    >>> import rowen
    >>> cited = rowen.parse_citations(["Knuth, D. E. (1984). Literate programming."])
    >>> rowen.write_citations("refs.bib", cited, format="bibtex")
    1
    """
    _check(format, CITATION_FORMATS)
    return _write(path, citations, partial(written_citations, format_=format), keep_empty=True)


def write_paper_report(path: Destination, readings: Iterable[tuple[str, Reading]]) -> int:
    """Write an HTML report that shows the results on the pages; return how many papers it has."""
    return _write(path, readings, written_report)


def _check(format_: str, formats: tuple[str, ...]) -> None:
    if format_ not in formats:
        raise UsageError(f"unknown format {format_!r}; the formats are {', '.join(formats)}")


def _write(
    path: Destination,
    items: Iterable[Item],
    written: Callable[[Iterable[Item]], Iterator[str]],
    *,
    keep_empty: bool = False,
) -> int:
    """Write what `written` makes of the items; how many items there were."""
    count = 0

    def counted() -> Iterator[Item]:
        nonlocal count
        for item in items:
            count += 1
            yield item

    target = open_target(path)
    try:
        for text in written(counted()):
            target.write(encode(text))
        # Most formats have a beginning and an end even without a paper: only the count shows it.
        if count or keep_empty:
            target.commit()
        else:
            target.abandon()
    except BaseException:
        target.abandon()
        raise
    return count


def written_papers(papers: Named, format_: str, *, several: bool) -> Iterator[str]:
    """The pieces of an output; several papers in one XML file need an element around them."""
    match format_:
        case "json":
            for name, paper in papers:
                yield json.dumps({"file": name, **paper.to_dict()}, ensure_ascii=False) + "\n"
        case "text":
            for _, paper in papers:
                yield f"{paper.text}\n"
        case "markdown":
            for number, (_, paper) in enumerate(papers):
                yield ("\n---\n\n" if number else "") + markdown(paper)
        case "ris":
            yield from ris_entries(citation for _, paper in papers for citation in paper.citations)
        case "bibtex":
            yield from bibtex_entries(
                citation for _, paper in papers for citation in paper.citations
            )
        case "csl":
            yield from csl_list(citation for _, paper in papers for citation in paper.citations)
        case _:
            yield from _xml(papers, format_, several=several)


def written_citations(citations: Iterable[Citation], format_: str) -> Iterator[str]:
    """The pieces of an output; any format but bibtex, ris and csl is JSON, one object per line."""
    match format_:
        case "bibtex":
            yield from bibtex_entries(citations)
        case "csl":
            yield from csl_list(citations)
        case "ris":
            yield from ris_entries(citations)
        case _:
            for citation in citations:
                yield json.dumps(citation.to_dict(), ensure_ascii=False) + "\n"


_ROOTS = {
    "tei": ("teiCorpus", tei_xml),
    "jats": ("articles", jats_xml),
    "xml": ("papers", plain_xml),
}


def _xml(papers: Named, format_: str, *, several: bool) -> Iterator[str]:
    root, element = _ROOTS[format_]
    yield PROLOGUE
    if several:
        yield f'<{root} xmlns="{TEI}">\n' if format_ == "tei" else f"<{root}>\n"
    for name, paper in papers:
        yield element(paper, file=name)
    if several:
        yield f"</{root}>\n"
