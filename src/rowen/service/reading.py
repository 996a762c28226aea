"""What worker processes do with documents and extractors from anywhere."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from rowen.documents.charset import read_page
from rowen.documents.sandbox import Asker
from rowen.documents.sniffing import HTML, PDF
from rowen.duplicates.profile import Profile
from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.export.paper_report import written_report
from rowen.export.unicode import encode
from rowen.limits import EXTRACTION_SECONDS, FRONT_WORDS
from rowen.model import Page
from rowen.model.errors import DocumentError
from rowen.scholar.apart import seconds_for
from rowen.scholar.flow.declared import Declared
from rowen.scholar.glance import first_lines, front_text, plain_text, reference_text
from rowen.scholar.layout import Layout
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.paper import Reading, read_closely, read_flow
from rowen.service.registered import extract, extractors_of, version_of_all
from rowen.service.stages import TEXT, Stages, paper_stages
from rowen.service.visible import visible_text

RECORDS = "records"
PROFILE = "profile"
"""A form of the text, for the service itself: what near-duplicates are told by."""
REPORT = "report"
VERSION = "version"


@dataclass(frozen=True, slots=True)
class Read:
    """All stages of a document.

    With a key there is also its profile, and, if near-duplicates may answer, they are asked for:
    each question is a profile, the first one perhaps without a front, and where the reply is true
    to one that has it, nothing is made of the document but this profile.
    """

    path: Path
    media_type: str
    digest: str
    key: bytes | None = None
    near: bool = False


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


@dataclass(frozen=True, slots=True)
class Show:
    """A paper's pages with what was found on them, for people."""

    path: Path
    media_type: str
    digest: str


Task: TypeAlias = Read | Search | Check | Show


def work(task: Task, asker: Asker) -> Stages:
    """Do one of these."""
    match task:
        case Read(media_type=media_type) if media_type == PDF:
            return _paper(task, asker)
        case Read():
            asker(EXTRACTION_SECONDS)
            return _flow(task, asker)
        case Search():
            asker(EXTRACTION_SECONDS)
            return {RECORDS: _records(task)}
        case Show():
            shown = "".join(written_report([(task.digest, _read(task, asker))]))
            return {REPORT: {"html": encode(shown)}}
        case Check(form, definition):
            version = version_of_all(extractors_of(definition, form))
            return {VERSION: {"text": version.encode("utf-8", "backslashreplace")}}


class _Answered(Exception):  # noqa: N818  # it is no error
    """A near-duplicate answers for the document."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile


def _paper(task: Read, asker: Asker) -> Stages:
    profile: Profile | None = None
    key = task.key

    def glance(pages: Sequence[PageCharacters]) -> None:
        nonlocal profile
        assert key is not None
        text = plain_text(pages)
        profile = Profile.of(text, front=None, references=reference_text(text), key=key)
        if task.near and asker.ask(profile):
            front = front_text(first_lines(pages), words=FRONT_WORDS)
            whole = profile.fronted(front, key=key)
            if asker.ask(whole):
                raise _Answered(whole)

    try:
        read = read_closely(
            _bytes(task.path),
            opened=lambda pages: asker(seconds_for(pages)),
            glance=None if key is None else glance,
        )
    except _Answered as answered:
        return {TEXT: {PROFILE: answered.profile.to_bytes()}}
    stages = paper_stages(read.paper, digest=task.digest)
    if key is None or profile is None:
        return stages
    front = front_text(read.layout.lines, words=FRONT_WORDS)
    made = profile.fronted(front, key=key).to_bytes()
    return {**stages, TEXT: {**stages[TEXT], PROFILE: made}}


def _read(task: Show, asker: Asker) -> Reading:
    content = _bytes(task.path)
    if task.media_type == PDF:
        return read_closely(content, opened=lambda pages: asker(seconds_for(pages)))
    asker(EXTRACTION_SECONDS)
    return read_flow(read_page(content, "the document").text, html=task.media_type == HTML)


def _flow(task: Read, asker: Asker) -> Stages:
    """A document that has words and no layout."""
    text, html = read_page(_bytes(task.path), "the document").text, task.media_type == HTML
    forms = {"text": encode(visible_text(text) if html else text)}
    key = task.key

    def glance(layout: Layout, declared: Declared) -> None:
        assert key is not None
        said = "\n".join(line.text for line in layout.lines)
        # What is declared is part of the header, however long it is: here it is one word.
        told = sha256(repr(declared).encode("utf-8", "surrogatepass")).hexdigest()
        front = f"{told}\n{front_text(layout.lines, words=FRONT_WORDS)}"
        profile = Profile.of(said, front=front, references=reference_text(said), key=key)
        if task.near and asker.ask(profile):
            raise _Answered(profile)
        forms[PROFILE] = profile.to_bytes()

    try:
        read = read_flow(text, html=html, glance=None if key is None else glance)
    except _Answered as answered:
        return {TEXT: {PROFILE: answered.profile.to_bytes()}}
    return {**paper_stages(read.paper, digest=task.digest), TEXT: forms}


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
