"""A paper as documents: a text each, with metadata that says what it is and where it stands."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from rowen.model.errors import UsageError
from rowen.papers.many import read_papers
from rowen.papers.paper import Paper

Mode: TypeAlias = Literal["paper", "sections", "paragraphs"]
"""What becomes a document: a paper, a section with its heading, or a paragraph."""

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

_ENDINGS = frozenset({".pdf", ".html", ".htm", ".xml", ".tex", ".txt"})


class PaperDocument(NamedTuple):
    """A text of a paper with its metadata, whose values are texts, numbers and lists of these."""

    id: str
    text: str
    metadata: dict[str, Any]


def files_of(paths: Paths) -> list[Path]:
    """The files of a path, a folder or several of them."""
    places = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files: list[Path] = []
    for place in map(Path, places):
        files += (
            sorted(file for file in place.rglob("*") if file.suffix.lower() in _ENDINGS)
            if place.is_dir()
            else [place]
        )
    return files


def documents_of(
    paths: Paths, *, mode: Mode = "sections", skip_errors: bool = False
) -> Iterator[PaperDocument]:
    """The documents of papers, paper by paper.

    A file that can't be read raises its error, or is left out with `skip_errors`.
    """
    if mode not in {"paper", "sections", "paragraphs"}:
        raise UsageError(f"unknown mode {mode!r}; the modes are paper, sections, paragraphs")
    for name, paper in read_papers(files_of(paths)):
        if not isinstance(paper, Paper):
            if not skip_errors:
                raise paper
            continue
        yield from _documents(str(name), paper, mode)


def _documents(name: str, paper: Paper, mode: Mode) -> Iterator[PaperDocument]:
    common = {
        "source": name,
        "title": paper.title,
        "authors": [f"{author.given} {author.family}".strip() for author in paper.authors],
        "date": paper.date,
        "doi": paper.doi,
        "language": paper.language,
    }
    common = {key: value for key, value in common.items() if value}
    if mode == "paper":
        cited = [citation.raw for citation in paper.citations]
        more = {"keywords": list(paper.keywords), "references": cited, "pages": len(paper.pages)}
        metadata = {**common, **{key: value for key, value in more.items() if value}}
        yield PaperDocument(name, paper.text, metadata)
        return
    if paper.abstract:
        yield PaperDocument(f"{name}#abstract", paper.abstract, {**common, "section": "Abstract"})
    for number, section in enumerate(paper.body):
        heading = {"section": section.heading} if section.heading else {}
        if mode == "sections":
            boxes = [box for paragraph in section.paragraphs for box in paragraph.boxes]
            metadata = {**common, **heading, **_place(boxes)}
            if section.text.strip():
                yield PaperDocument(f"{name}#{number}", section.text, metadata)
            continue
        for place, paragraph in enumerate(section.paragraphs):
            text = section.text[paragraph.start : paragraph.end]
            if text.strip():
                metadata = {**common, **heading, **_place(paragraph.boxes)}
                yield PaperDocument(f"{name}#{number}.{place}", text, metadata)


def _place(boxes: Iterable[tuple[int, float, float, float, float]]) -> dict[str, Any]:
    """The first page, and the boxes of lines; nothing without a layout."""
    listed = [list(box) for box in boxes]
    return {"page": listed[0][0], "boxes": listed} if listed else {}
