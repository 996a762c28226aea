"""What worker processes do with documents and extractors from anywhere."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, TypeAlias

from rowen.documents.charset import read_page
from rowen.documents.sniffing import HTML, PDF
from rowen.duplicates.profile import Profile
from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.export.paper_report import written_report
from rowen.export.unicode import encode
from rowen.limits import EXTRACTION_SECONDS, FRONT_WORDS
from rowen.model import Page
from rowen.scholar.apart import LONGEST_SECONDS, seconds_for
from rowen.scholar.flow.declared import Declared
from rowen.scholar.glance import first_lines, front_text, plain_text, reference_text
from rowen.scholar.layout import Layout
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.paper import Reading, read_closely, read_flow
from rowen.service.registered import (
    extract,
    extractors_of,
    load_plugins,
    may_be_plugin,
    version_of_all,
)
from rowen.service.stages import TEXT, Stages, paper_forms, paper_stages
from rowen.service.visible import visible_text
from rowen.service.warming import warm_up
from rowen.workers import Asker, Work

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

    media_type: str
    digest: str
    key: bytes | None = None
    near: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """The records of a document as it is, or of a text that was read before."""

    text: bytes | None
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

    media_type: str
    digest: str


Task: TypeAlias = Read | Search | Check | Show

Stage: TypeAlias = Literal["text", "header", "citations", "body", "records", "report", "version"]
Form: TypeAlias = Literal[
    "text", "xml", "tei", "json", "jsonl", "bibtex", "csl", "html", "profile"
]  # fmt: skip
"""What a worker may name; nothing else that it says is looked at."""


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
            return {RECORDS: _records(task, asker)}
        case Show():
            shown = "".join(written_report([(task.digest, _read(task, asker))]))
            return {REPORT: {"html": encode(shown)}}
        case Check(form, definition):
            version = version_of_all(extractors_of(definition, form))
            return {VERSION: {"text": version.encode("utf-8", "backslashreplace")}}


def needs_plugins(task: Task) -> bool:
    """Whether a process must have loaded them."""
    return isinstance(task, Search | Check) and may_be_plugin(task.definition)


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
        if task.near and asker.ask(profile.to_bytes()):
            front = front_text(first_lines(pages), words=FRONT_WORDS)
            whole = profile.fronted(front, key=key)
            if asker.ask(whole.to_bytes()):
                raise _Answered(whole)

    try:
        read = read_closely(
            asker.document(),
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
    content = asker.document()
    if task.media_type == PDF:
        return read_closely(content, opened=lambda pages: asker(seconds_for(pages)))
    asker(EXTRACTION_SECONDS)
    return read_flow(read_page(content, "the document").text, html=task.media_type == HTML)


def _flow(task: Read, asker: Asker) -> Stages:
    """A document that has words and no layout."""
    text, html = read_page(asker.document(), "the document").text, task.media_type == HTML
    forms = {"text": encode(visible_text(text) if html else text)}
    key = task.key

    def glance(layout: Layout, declared: Declared) -> None:
        assert key is not None
        said = "\n".join(line.text for line in layout.lines)
        # What is declared is part of the header, however long it is: here it is one word.
        told = sha256(repr(declared).encode("utf-8", "surrogatepass")).hexdigest()
        front = f"{told}\n{front_text(layout.lines, words=FRONT_WORDS)}"
        profile = Profile.of(said, front=front, references=reference_text(said), key=key)
        if task.near and asker.ask(profile.to_bytes()):
            raise _Answered(profile)
        forms[PROFILE] = profile.to_bytes()

    try:
        read = read_flow(text, html=html, glance=None if key is None else glance)
    except _Answered as answered:
        return {TEXT: {PROFILE: answered.profile.to_bytes()}}
    return {**paper_stages(read.paper, digest=task.digest), TEXT: forms}


def _records(task: Search, asker: Asker) -> dict[str, bytes]:
    if task.text is None:
        page = read_page(asker.document(), task.digest)
    else:
        page = Page(task.text.decode(), task.digest)
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


_PAPER = paper_forms()
"""The stages of a document with all their forms."""


def received(task: Task, stages: Stages) -> Stages:
    """The stages, where they are what such a task gives; ValueError where not.

    Whoever says so may have been taken over by a document, and others rely on what is there.
    """
    forms = {stage: frozenset(own) for stage, own in stages.items()}
    for own in stages.values():
        for form, content in own.items():
            if form == PROFILE:
                Profile.from_bytes(content)
            else:
                str(content, "utf-8")
    if forms not in _expected(task):
        raise ValueError("these are not the stages that were asked for")
    return stages


def _expected(task: Task) -> list[dict[str, frozenset[str]]]:
    match task:
        case Read(key=None):
            return [_PAPER]
        case Read(near=near):
            text = {TEXT: _PAPER[TEXT] | {PROFILE}}
            answered: list[dict[str, frozenset[str]]] = [{TEXT: frozenset({PROFILE})}]
            # a document of too many characters has no profile
            return [_PAPER, {**_PAPER, **text}, *(answered if near else [])]
        case Search():
            return [{RECORDS: frozenset({"jsonl", "json"})}]
        case Show():
            return [{REPORT: frozenset({"html"})}]
        case Check():
            return [{VERSION: frozenset({"text"})}]


WORK: Work[Task, Stages] = Work(
    do=work,
    given=Task,
    made=Mapping[Stage, Mapping[Form, bytes]],
    question=bytes,
    reply=bool,
    receive=received,
    longest=LONGEST_SECONDS,
    warm=warm_up,
    load_plugins=load_plugins,
)
