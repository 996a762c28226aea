"""Papers in all formats, piece by piece."""

import json
from collections.abc import Iterable, Iterator

from rowen.export.bibtex import bibtex_entries
from rowen.export.csl import csl_list
from rowen.export.paper_xml import PROLOGUE, TEI, plain_xml, tei_xml
from rowen.scholar.paper import Paper

Named = Iterable[tuple[str, Paper]]


def written_papers(papers: Named, format_: str, *, several: bool) -> Iterator[str]:
    """The text of an output, as it comes; several papers in one XML need an element around them."""
    match format_:
        case "json":
            for name, paper in papers:
                yield json.dumps({"file": name, **paper.to_json()}, ensure_ascii=False) + "\n"
        case "text":
            for _, paper in papers:
                yield f"{paper.text}\n"
        case "bibtex":
            yield from bibtex_entries(one for _, paper in papers for one in paper.citations)
        case "csl":
            yield from csl_list(one for _, paper in papers for one in paper.citations)
        case _:
            yield from _xml(papers, format_, several=several)


def _xml(papers: Named, format_: str, *, several: bool) -> Iterator[str]:
    root, element = ("teiCorpus", tei_xml) if format_ == "tei" else ("papers", plain_xml)
    yield PROLOGUE
    if several:
        yield f'<{root} xmlns="{TEI}">\n' if format_ == "tei" else f"<{root}>\n"
    for name, paper in papers:
        yield element(paper, file=name)
    if several:
        yield f"</{root}>\n"
