"""What worker processes do with documents and extractors from anywhere."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rowen.documents.charset import read_page
from rowen.documents.sandbox import Allow
from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.export.paper_report import written_report
from rowen.export.unicode import encode
from rowen.extractors.saved import parse_all
from rowen.limits import EXTRACTION_SECONDS
from rowen.model import Page
from rowen.model.errors import DocumentError
from rowen.scholar.apart import seconds_for
from rowen.scholar.paper import read_closely, read_flow
from rowen.service.sniffing import HTML, PDF
from rowen.service.stages import TEXT, Stages, paper_stages
from rowen.service.visible import visible_text

RECORDS = "records"
REPORT = "report"


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
    """Nothing but an error, where a definition is no good."""

    form: str
    definition: str


@dataclass(frozen=True, slots=True)
class Show:
    """A PDF's pages with what was found on them, for people."""

    path: Path
    name: str


Task: TypeAlias = Read | Search | Check | Show


def work(task: Task, allow: Allow) -> Stages:
    """Do one of these."""
    match task:
        case Read(path, media_type, digest) if media_type == PDF:
            read = read_closely(_bytes(path), opened=lambda n: allow(seconds_for(n)))
            return paper_stages(read.paper, digest=digest)
        case Read(path, media_type, digest):
            allow(EXTRACTION_SECONDS)
            text = read_page(_bytes(path), "the document").text
            html = media_type == HTML
            stages = paper_stages(read_flow(text, html=html).paper, digest=digest)
            return {**stages, TEXT: {"text": encode(visible_text(text) if html else text)}}
        case Search():
            allow(EXTRACTION_SECONDS)
            return {RECORDS: _records(task)}
        case Show(path, name):
            read = read_closely(_bytes(path), opened=lambda n: allow(seconds_for(n)))
            return {REPORT: {"html": encode("".join(written_report([(name, read)])))}}
        case Check(form, definition):
            parse_all(definition, form)
            return {}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise DocumentError("the document", "was deleted meanwhile") from None


def _records(task: Search) -> dict[str, bytes]:
    source, digest = task.source, task.digest
    page = Page(source, digest) if isinstance(source, str) else read_page(_bytes(source), digest)
    extractors = parse_all(task.definition, task.form)
    encoder = RecordEncoder(name_extractor=len(extractors) > 1)
    lines: list[str] = []
    failures: list[str] = []
    for extractor in extractors:
        records = extractor.extract(page)
        for batch in encoder.batches(records, page=page, extractor=extractor.name):
            lines.extend(batch)
        if records.failure is not None:
            failures.append(f"{extractor.name}: {records.failure}")
    told = json.dumps(failures, ensure_ascii=False)
    return {
        "jsonl": encode_json("".join(f"{line}\n" for line in lines)),
        "json": encode_json(f'{{"records": [{", ".join(lines)}], "failures": {told}}}\n'),
    }
