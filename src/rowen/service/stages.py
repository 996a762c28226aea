"""The stages of a document, each with its forms and its version."""

import json
from collections.abc import Mapping
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


def paper_stages(paper: Paper, *, digest: str) -> Stages:
    """All stages of a paper in all forms; `digest` stands where a file's name would."""
    header = replace(paper, citations=(), body=(), text="")
    cited = replace(_bare(paper), citations=paper.citations)
    body = replace(_bare(paper), body=paper.body)
    titled = replace(cited, title=paper.title)
    return {
        TEXT: {"text": encode(f"{paper.text}\n")},
        HEADER: {
            "xml": _xml(plain_xml(header, file=digest)),
            "tei": _xml(tei_xml(header, file=digest)),
            "json": _json(paper, without=("citations", "body", "text")),
        },
        CITATIONS: {
            "xml": _xml(plain_xml(cited, file=digest)),
            "tei": _xml(tei_xml(titled, file=digest)),
            "json": _json(paper, only=("citations",)),
            "bibtex": encode("".join(bibtex_entries(paper.citations))),
            "csl": encode("".join(csl_list(paper.citations))),
        },
        BODY: {
            "xml": _xml(plain_xml(body, file=digest)),
            # with the citations that its pointers lead to
            "tei": _xml(tei_xml(replace(titled, body=paper.body), file=digest)),
            "json": _json(paper, only=("body",)),
        },
    }


def paper_forms() -> dict[str, frozenset[str]]:
    """The forms that each stage of a paper has."""
    nothing = _bare(Paper(None, (), None, (), None, None, (), (), ""))
    return {stage: frozenset(forms) for stage, forms in paper_stages(nothing, digest="").items()}


def _bare(paper: Paper) -> Paper:
    return Paper(None, (), None, (), None, None, (), (), "", paper.warnings)


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
