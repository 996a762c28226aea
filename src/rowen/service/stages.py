"""The stages of a document, each with its forms and its version."""

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Self, TypeAlias

from rowen import __version__
from rowen.crf.tagger import model_file
from rowen.export.bibtex import bibtex_entries
from rowen.export.csl import csl_list
from rowen.export.jats import jats_xml
from rowen.export.markdown import markdown
from rowen.export.paper_xml import plain_xml
from rowen.export.ris import ris_entries
from rowen.export.tei import tei_references, tei_xml
from rowen.export.unicode import encode
from rowen.export.xml_elements import PROLOGUE
from rowen.papers.paper import Paper
from rowen.papers.parts.digests import stage_digest

Forms: TypeAlias = Mapping[str, bytes]
"""A representation in each of its forms."""
Stages: TypeAlias = Mapping[str, Forms]

TEXT, HEADER, CITATIONS, BODY = "text", "header", "citations", "body"

STAGES_FORM = 4
"""Raised whenever a stage has other content than before: stored results of another form are never
taken for it."""

_MODELS = {
    TEXT: ("zones.model", "lexicon.tsv"),
    HEADER: ("zones.model", "lexicon.tsv", "people.model"),
    CITATIONS: ("zones.model", "lexicon.tsv", "citations.model", "phrases.tsv"),
    BODY: ("zones.model", "lexicon.tsv", "citations.model", "phrases.tsv"),
}
"""What each stage of a paper is made with; the body's markers lead to citations."""


@cache
def stage_versions() -> dict[str, str]:
    """The version of each stage: the package's, that of its forms, and what its models are."""
    folder = files("rowen.crf.models")
    names = sorted({name for names in _MODELS.values() for name in names})
    digests = {name: sha256(folder.joinpath(name).read_bytes()).hexdigest() for name in names}
    digests["citations.model"] = sha256(model_file("citations")).hexdigest()  # may be another's
    return {
        stage: version_of(f"form {STAGES_FORM}", *(digests[name] for name in names))
        for stage, names in _MODELS.items()
    }


def version_of(*parts: str) -> str:
    """A version that changes with the package and with any of the parts."""
    together = sha256("\n".join(parts).encode()).hexdigest()
    return f"{__version__}-{together[:16]}"


WRITTEN = (HEADER, CITATIONS, BODY)
"""The stages that representations are written for, in the order of a profile's digests."""

PAPER_FORMS = {
    HEADER: ("xml", "json", "tei"),
    CITATIONS: ("xml", "json", "tei", "bibtex", "ris", "csl"),
    BODY: ("xml", "json", "tei", "jats", "markdown"),
    TEXT: ("text",),
}
"""The forms of each stage; the first one is the default."""


_APART = {
    CITATIONS: ("citations",),
    BODY: ("body", "figures", "tables", "formulas", "footnotes", "pages"),
}
"""What these stages have of a paper; the header has everything else but the text."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A paper in full as JSON: the form of that name of each of `WRITTEN`, and the title."""

    title: str
    header: str
    citations: str
    body: str

    @classmethod
    def of(cls, paper: Paper) -> Self:
        """That of a paper."""
        whole: dict[str, Any] = paper.to_dict()
        warnings = {"warnings": whole["warnings"]} if "warnings" in whole else {}
        apart = {
            stage: {**{name: whole.pop(name) for name in names}, **warnings}
            for stage, names in _APART.items()
        }
        del whole["text"]
        title, *stages = (
            json.dumps(value, ensure_ascii=False)
            for value in (paper.title, whole, apart[CITATIONS], apart[BODY])
        )
        return cls(title, *stages)


def written_from(shown: Shown, *, key: bytes) -> tuple[bytes, ...]:
    """For each of `WRITTEN` the digest of what its forms are written from, but the file's name.

    A body has the citations that its pointers lead to, and TEI names the paper: so its digest is
    made of theirs. No JSON has the sign in it that separates them here.
    """
    citations = stage_digest(CITATIONS, f"{shown.title}\n{shown.citations}", key)
    return (
        stage_digest(HEADER, shown.header, key),
        citations,
        stage_digest(BODY, f"{citations.hex()}\n{shown.body}", key),
    )


def renamed(content: bytes, digest: str, new_digest: str) -> bytes:
    """A form of a document as that of another document, which differs only in its name.

    The name is the SHA-256 of the file. It occurs nowhere else, since no file contains its own.
    """
    return content.replace(digest.encode(), new_digest.encode())


def paper_stages(
    paper: Paper, *, digest: str, shown: Shown | None = None, without: Container[str] = frozenset()
) -> dict[str, Forms]:
    """The stages of a paper in all forms; `digest` stands where a file's name would."""
    written = Shown.of(paper) if shown is None else shown
    stages: dict[str, Forms] = {TEXT: {"text": encode(f"{paper.text}\n")}}
    if HEADER not in without:
        stages[HEADER] = _header(paper, digest, written)
    references: list[str] = []
    if CITATIONS not in without or BODY not in without:
        references = tei_references(paper.citations)
    if CITATIONS not in without:
        stages[CITATIONS] = _citations(paper, digest, written, references)
    if BODY not in without:
        stages[BODY] = _body(paper, digest, written, references)
    return stages


NO_PAPER = Paper(None, (), None, (), None, None, (), (), "")
"""A paper in which nothing was found."""


def _header(paper: Paper, digest: str, shown: Shown) -> Forms:
    alone = replace(
        paper,
        citations=(),
        body=(),
        figures=(),
        tables=(),
        formulas=(),
        footnotes=(),
        pages=(),
        text="",
    )
    return {
        "xml": _xml(plain_xml(alone, file=digest)),
        "tei": _xml(tei_xml(alone, file=digest)),
        "json": encode(f"{shown.header}\n"),
    }


def _citations(paper: Paper, digest: str, shown: Shown, references: list[str]) -> Forms:
    alone = replace(NO_PAPER, citations=paper.citations)
    titled = replace(NO_PAPER, title=paper.title)
    return {
        "xml": _xml(plain_xml(alone, file=digest)),
        "tei": _xml(tei_xml(titled, file=digest, references=references)),
        "json": encode(f"{shown.citations}\n"),
        "bibtex": encode("".join(bibtex_entries(paper.citations))),
        "ris": encode("".join(ris_entries(paper.citations))),
        "csl": encode("".join(csl_list(paper.citations))),
    }


def _body(paper: Paper, digest: str, shown: Shown, references: list[str]) -> Forms:
    alone = replace(
        NO_PAPER,
        body=paper.body,
        figures=paper.figures,
        tables=paper.tables,
        formulas=paper.formulas,
        footnotes=paper.footnotes,
        pages=paper.pages,
    )
    cited = replace(alone, title=paper.title, citations=paper.citations)
    return {
        "xml": _xml(plain_xml(alone, file=digest)),
        "tei": _xml(tei_xml(cited, file=digest, references=references)),
        "jats": _xml(jats_xml(cited, file=digest)),
        "markdown": encode(markdown(cited)),
        "json": encode(f"{shown.body}\n"),
    }


def _xml(element: str) -> bytes:
    return encode(PROLOGUE + element)
