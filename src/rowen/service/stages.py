"""The stages of a document, each with its forms and its version."""

import json
from collections.abc import Container, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeAlias

from rowen import __version__
from rowen.export.bibtex import bibtex_entries
from rowen.export.csl import csl_list
from rowen.export.paper_xml import PROLOGUE, plain_xml, tei_xml
from rowen.export.unicode import encode
from rowen.scholar.paper import Paper
from rowen.scholar.parts.digests import stage_digest

Forms: TypeAlias = Mapping[str, bytes]
"""A representation in each of its forms."""
Stages: TypeAlias = Mapping[str, Forms]

TEXT, HEADER, CITATIONS, BODY = "text", "header", "citations", "body"

_MODELS = {
    TEXT: ("zones.model", "lexicon.tsv"),
    HEADER: ("zones.model", "lexicon.tsv", "people.model"),
    CITATIONS: ("zones.model", "lexicon.tsv", "citations.model", "phrases.tsv"),
    BODY: ("zones.model", "lexicon.tsv", "citations.model", "phrases.tsv"),
}
"""What each stage of a paper is made with; the body's markers lead to citations."""


@cache
def stage_versions() -> dict[str, str]:
    """The version of each stage: the package's, and what its models are."""
    folder = files("rowen.scholar.models")
    names = sorted({name for names in _MODELS.values() for name in names})
    digests = {name: sha256(folder.joinpath(name).read_bytes()).hexdigest() for name in names}
    return {
        stage: version_of(*(digests[name] for name in names)) for stage, names in _MODELS.items()
    }


def version_of(*parts: str) -> str:
    """A version that changes with the package and with any of the parts."""
    together = sha256("\n".join(parts).encode()).hexdigest()
    return f"{__version__}-{together[:16]}"


WRITTEN = (HEADER, CITATIONS, BODY)
"""The stages that representations are written for, in the order of a profile's digests."""

PAPER_FORMS = {
    HEADER: ("xml", "json", "tei"),
    CITATIONS: ("xml", "json", "tei", "bibtex", "csl"),
    BODY: ("xml", "json", "tei"),
    TEXT: ("text",),
}
"""The forms of each stage; the first one is the default."""


def written_from(paper: Paper, *, key: bytes) -> tuple[bytes, ...]:
    """For each of `WRITTEN` the digest of what its forms are written from, but the file's name."""
    return tuple(stage_digest(stage, repr(_seen(paper, stage)), key) for stage in WRITTEN)


def renamed(content: bytes, digest: str, other: str) -> bytes:
    """A form of a document as one of another document that only its name tells apart.

    The name is the SHA-256 of the file, which stands nowhere else: no file has its own inside.
    """
    return content.replace(digest.encode(), other.encode())


def paper_stages(
    paper: Paper, *, digest: str, without: Container[str] = frozenset()
) -> dict[str, Forms]:
    """The stages of a paper in all forms; `digest` stands where a file's name would."""
    write = {HEADER: _header, CITATIONS: _citations, BODY: _body}
    stages: dict[str, Forms] = {TEXT: {"text": encode(f"{paper.text}\n")}}
    for stage in WRITTEN:
        if stage not in without:
            stages[stage] = write[stage](_seen(paper, stage), digest)
    return stages


def _seen(paper: Paper, stage: str) -> Paper:
    """What of a paper a stage is written from, and nothing else."""
    if stage == HEADER:
        return replace(paper, citations=(), body=(), text="")
    body = paper.body if stage == BODY else ()
    bare = Paper(None, (), None, (), None, None, (), (), "", paper.warnings)
    # A body has the citations that its pointers lead to; TEI names the paper.
    return replace(bare, title=paper.title, citations=paper.citations, body=body)


def _header(paper: Paper, digest: str) -> Forms:
    return {
        "xml": _xml(plain_xml(paper, file=digest)),
        "tei": _xml(tei_xml(paper, file=digest)),
        "json": _json(paper, without=("citations", "body", "text")),
    }


def _citations(paper: Paper, digest: str) -> Forms:
    return {
        "xml": _xml(plain_xml(replace(paper, title=None), file=digest)),
        "tei": _xml(tei_xml(paper, file=digest)),
        "json": _json(paper, only=("citations",)),
        "bibtex": encode("".join(bibtex_entries(paper.citations))),
        "csl": encode("".join(csl_list(paper.citations))),
    }


def _body(paper: Paper, digest: str) -> Forms:
    alone = replace(paper, title=None, citations=())
    return {
        "xml": _xml(plain_xml(alone, file=digest)),
        "tei": _xml(tei_xml(paper, file=digest)),
        "json": _json(alone, only=("body",)),
    }


def _xml(element: str) -> bytes:
    return encode(PROLOGUE + element)


def _json(paper: Paper, *, only: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> bytes:
    whole: dict[str, Any] = paper.to_json()
    kept = {
        name: value
        for name, value in whole.items()
        if name == "warnings" or (name in only if only else name not in without)
    }
    return encode(json.dumps(kept, ensure_ascii=False) + "\n")
