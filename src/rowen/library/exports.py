"""Papers of a library as files: what reference managers, spreadsheets and programs read.

BibTeX, RIS, CSL and CSV have one entry per paper, the other formats the whole paper.
"""

import csv
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from io import StringIO
from itertools import count
from typing import Any, BinaryIO

from rowen.citations.citation import Citation, Name
from rowen.export.bibtex import bibtex_entries
from rowen.export.csl import csl_list
from rowen.export.papers import written_papers
from rowen.export.ris import ris_entries
from rowen.export.unicode import encode
from rowen.library.library import Whole
from rowen.library.restored import paper_from
from rowen.model.errors import UsageError

COLUMNS = (
    "id", "file", "title", "authors", "year", "venue", "doi", "language", "state", "tags", "notes",
)  # fmt: skip
"""The columns of CSV."""

_UNFIT = re.compile(r"[^\w.-]+")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its file name's ending, its media type, and what writes it."""

    ending: str
    media_type: str
    write: Callable[[Iterable[Whole]], Iterator[str]]


def export(target: BinaryIO, papers: Iterable[Whole], chosen: str, *, archive: bool) -> int:
    """Write papers as one file, or as a zip archive with a file for each; how many there were."""
    if chosen not in FORMATS:
        raise UsageError(f"unknown format {chosen!r}; the formats are {', '.join(FORMATS)}")
    number = 0

    def counted() -> Iterator[Whole]:
        nonlocal number
        for paper in papers:
            number += 1
            yield paper

    if archive:
        _write_archive(target, counted(), FORMATS[chosen])
    else:
        target.writelines(encode(text) for text in FORMATS[chosen].write(counted()))
    return number


def reference_of(paper: Whole) -> Citation:
    """A paper as others cite it."""
    content, item = paper.content, paper.item
    names = tuple(
        Name(str(own.get("given") or ""), str(own.get("family") or ""))
        for own in content.get("authors") or ()
    )
    return Citation(
        raw=item.title or item.name,
        spans={},
        authors=names,
        title=item.title or item.name,
        container=item.venue,
        year=item.year,
        doi=item.doi,
        note=", ".join(item.tags) or None,
    )


def _write_archive(target: BinaryIO, papers: Iterable[Whole], chosen: Format) -> None:
    taken: set[str] = set()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for paper in papers:
            name = _file_name(paper, chosen.ending, taken)
            archive.writestr(name, encode("".join(chosen.write([paper]))))


def _file_name(paper: Whole, ending: str, taken: set[str]) -> str:
    """A name for a paper's file, of letters that all systems allow; no name comes twice."""
    stem = _UNFIT.sub("-", paper.item.name.rpartition(".")[0] or paper.item.name).strip("-.")[:80]
    stem = stem or paper.item.id
    names = (f"{stem}{'' if number == 1 else f'-{number}'}.{ending}" for number in count(1))
    name = next(name for name in names if name.casefold() not in taken)
    taken.add(name.casefold())
    return name


def _bibtex(papers: Iterable[Whole]) -> Iterator[str]:
    return bibtex_entries(map(reference_of, papers))


def _ris(papers: Iterable[Whole]) -> Iterator[str]:
    return ris_entries(map(reference_of, papers))


def _csl(papers: Iterable[Whole]) -> Iterator[str]:
    return csl_list(map(reference_of, papers))


def _csv(papers: Iterable[Whole]) -> Iterator[str]:
    yield _line(COLUMNS)
    for paper in papers:
        item = paper.item
        notes = "\n".join(note.text for note in paper.notes)
        row = (
            item.id, item.name, item.title, "; ".join(item.authors), item.year, item.venue,
            item.doi, item.language, item.state, "; ".join(item.tags), notes,
        )  # fmt: skip
        yield _line(row)


def _line(row: Iterable[str | None]) -> str:
    buffer = StringIO(newline="")
    # Attack: a title that a spreadsheet would take for a formula.
    csv.writer(buffer).writerow(
        f"'{cell}" if cell and cell.startswith(_FORMULA) else cell for cell in row
    )
    return buffer.getvalue()


def _json(papers: Iterable[Whole]) -> Iterator[str]:
    number = 0
    for number, paper in enumerate(papers, start=1):
        text = json.dumps(whole_json(paper), ensure_ascii=False)
        yield f"{'[' if number == 1 else ','}\n{text}"
    yield "\n]\n" if number else "[]\n"


def whole_json(paper: Whole) -> dict[str, Any]:
    """A paper with all that people say about it, as a dict for JSON."""
    item = paper.item
    own: Mapping[str, Any] = {
        "id": item.id,
        "file": item.name,
        "state": item.state,
        "added": item.added,
        "tags": item.tags,
        "notes": [asdict(note) for note in paper.notes],
        "corrections": [asdict(correction) for correction in paper.corrections],
    }
    return {**own, **paper.content}


def _tei(papers: Iterable[Whole]) -> Iterator[str]:
    named = ((paper.item.name, paper_from(paper.content)) for paper in papers)
    return written_papers(named, "tei", several=True)


def _markdown(papers: Iterable[Whole]) -> Iterator[str]:
    named = ((paper.item.name, paper_from(paper.content)) for paper in papers)
    return written_papers(named, "markdown", several=True)


FORMATS: Mapping[str, Format] = {
    "bibtex": Format("bib", "application/x-bibtex", _bibtex),
    "ris": Format("ris", "application/x-research-info-systems", _ris),
    "csl": Format("csl.json", "application/vnd.citationstyles.csl+json", _csl),
    "csv": Format("csv", "text/csv; charset=utf-8", _csv),
    "json": Format("json", "application/json", _json),
    "tei": Format("tei.xml", "application/tei+xml", _tei),
    "markdown": Format("md", "text/markdown; charset=utf-8", _markdown),
}
"""The formats by name."""
