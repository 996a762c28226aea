"""What worker processes do with documents and extractors from anywhere."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rowen.documents.charset import read_page
from rowen.documents.sandbox import Allow
from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.export.unicode import encode
from rowen.limits import EXTRACTION_SECONDS
from rowen.model import Page
from rowen.model.errors import DocumentError
from rowen.scholar.apart import seconds_for
from rowen.scholar.paper import read_closely
from rowen.service.registered import extract, extractors_of, version_of_all
from rowen.service.sniffing import HTML, PDF
from rowen.service.stages import TEXT, Stages, paper_stages
from rowen.service.visible import visible_text

RECORDS = "records"
VERSION = "version"


@dataclass(frozen=True, slots=True)
class Read:
    """All stages of a document."""

    path: Path
    media_type: str
    digest: str


@dataclass(frozen=True, slots=True)
class Search:
    """The records of a document: of the file as it is, or of a text that was read before."""

    source: Path | str
    digest: str
    form: str
    definition: str


@dataclass(frozen=True, slots=True)
class Check:
    """The version of a definition's extractors, or an error, where it is no good."""

    form: str
    definition: str


Task: TypeAlias = Read | Search | Check


def work(task: Task, allow: Allow) -> Stages:
    """Do one of these."""
    match task:
        case Read(path, media_type, digest) if media_type == PDF:
            read = read_closely(_bytes(path), opened=lambda n: allow(seconds_for(n)))
            return paper_stages(read.paper, digest=digest)
        case Read(path, media_type, _):
            allow(EXTRACTION_SECONDS)
            text = read_page(_bytes(path), "the document").text
            return {TEXT: {"text": encode(visible_text(text) if media_type == HTML else text)}}
        case Search():
            allow(EXTRACTION_SECONDS)
            return {RECORDS: _records(task)}
        case Check(form, definition):
            version = version_of_all(extractors_of(definition, form))
            return {VERSION: {"text": version.encode("utf-8", "backslashreplace")}}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise DocumentError("the document", "was deleted meanwhile") from None


def _records(task: Search) -> dict[str, bytes]:
    source, digest = task.source, task.digest
    page = Page(source, digest) if isinstance(source, str) else read_page(_bytes(source), digest)
    extractors = extractors_of(task.definition, task.form)
    encoder = RecordEncoder(name_extractor=len(extractors) > 1)
    lines: list[str] = []
    failures: list[str] = []
    for extractor in extractors:
        records = extract(extractor, page)
        for batch in encoder.batches(records, page=page, extractor=extractor.name):
            lines.extend(batch)
        if records.failure is not None:
            failures.append(f"{extractor.name}: {records.failure}")
    told = json.dumps(failures, ensure_ascii=False)
    return {
        "jsonl": encode_json("".join(f"{line}\n" for line in lines)),
        "json": encode_json(f'{{"records": [{", ".join(lines)}], "failures": {told}}}\n'),
    }
