"""The tasks of worker processes: they read documents and run extractors of strangers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias

from rowen.citations.parser import parse_citations
from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import Profile
from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.export.paper_report import written_report
from rowen.export.unicode import encode
from rowen.model import Page
from rowen.papers.flow.declared import Declared
from rowen.papers.paper import Paper, Reading, read_closely, read_excerpt, read_flow
from rowen.papers.parts import Parts, joined
from rowen.papers.parts.digests import flow_digest, pages_digest
from rowen.papers.subprocess import LONGEST_SECONDS, read_for_report, seconds_for
from rowen.pdf import Layout
from rowen.pdf.characters import PageCharacters
from rowen.pdf.glance import plain_text
from rowen.pdf.pictures import PICTURES_SECONDS
from rowen.recycling.time_limit import EXTRACTION_SECONDS
from rowen.service.preload import warm_up
from rowen.service.questions import (
    KnownParts,
    KnownStages,
    Likeness,
    Question,
    Told,
    WhatIsIt,
    WhichParts,
    WhichStages,
)
from rowen.service.registered import (
    extract,
    extractors_of,
    load_plugins,
    may_be_plugin,
    version_of_all,
)
from rowen.service.stages import (
    CITATIONS,
    NO_PAPER,
    PAPER_FORMS,
    TEXT,
    WRITTEN,
    Forms,
    Shown,
    Stages,
    paper_stages,
    written_from,
)
from rowen.service.visible import visible_text
from rowen.storage.documents.store import PARTS
from rowen.text.charset import read_page
from rowen.text.formats import format_of
from rowen.text.sniffing import HTML, PDF
from rowen.workers import Asker, Work

PARTS_BYTES = 16 * 1024 * 1024
"""How much is kept of a document's parts for its near-duplicates: 205 bytes a line are usual, so
that a book of 1,500 pages has less. Of what has more no parts are kept."""


CITED_STRINGS = 5_000
"""Limit: how many reference strings one request may have parsed; it takes two seconds."""

RECORD_WARNINGS = 1_000
"""Limit: how many values that could not be converted an answer names."""

RECORDS = "records"
NEAR, PROFILE = "near", "profile"
"""What is stored of a document for similar ones, beside its stages: the profile by which it is
found, and the results of its parts."""
REPORT = "report"
REPORT_FORM = 2
"""Raised whenever reports look otherwise than before."""
VERSION = "version"


@dataclass(frozen=True, slots=True)
class Read:
    """Make all stages of a document.

    With a key the worker also returns what is stored for similar documents. With `near` it asks for
    similar documents: if one is equal, it makes only the profile, and it leaves out known stages.
    """

    media_type: str
    digest: str
    key: bytes | None = None
    near: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """Extract the records of the document, or of its text that was read before."""

    text: bytes | None
    page: str
    """The page's id: its address, or else its digest."""
    form: str
    definition: str


@dataclass(frozen=True, slots=True)
class Check:
    """Check a definition, and return the version of its extractors."""

    form: str
    definition: str


@dataclass(frozen=True, slots=True)
class Show:
    """Make a report of a paper: its pages with the extracted parts highlighted."""

    media_type: str
    digest: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Read some pages of a PDF as if there were no others; pages count from 1, both included."""

    digest: str
    first: int
    last: int | None


@dataclass(frozen=True, slots=True)
class Cite:
    """Parse reference strings."""

    strings: tuple[str, ...]


Task: TypeAlias = Read | Search | Check | Show | Excerpt | Cite

Stage: TypeAlias = Literal[
    "text", "header", "citations", "body", "records", "report", "version", "near"
]
Form: TypeAlias = Literal[
    "text",
    "xml",
    "tei",
    "jats",
    "markdown",
    "json",
    "jsonl",
    "bibtex",
    "ris",
    "csl",
    "html",
    "profile",
    "parts",
]
"""The names that a worker may use; a message with others is refused."""


def work(task: Task, asker: Asker) -> Stages:
    """Do a task."""
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
        case Excerpt():
            return _excerpt(task, asker)
        case Cite() | Check():
            return _small(task, asker)


def _small(task: Cite | Check, asker: Asker) -> Stages:
    match task:
        case Cite(strings):
            asker(EXTRACTION_SECONDS)
            parsed = [citation.to_dict() for citation in parse_citations(strings)]
            return {CITATIONS: {"json": encode(_json(parsed))}}
        case Check(form, definition):
            version = version_of_all(extractors_of(definition, form))
            return {VERSION: {"text": version.encode("utf-8", "backslashreplace")}}


def needs_plugins(task: Task) -> bool:
    """Whether the task needs a process that has loaded plugins."""
    return isinstance(task, Search | Check) and may_be_plugin(task.definition)


class _Answered(Exception):  # noqa: N818  # not an error
    """An equal document was found."""


class _Matching:
    """Compares a document with stored ones, to reuse what is equal."""

    def __init__(self, task: Read, asker: Asker, key: bytes) -> None:
        self._ask = asker.ask if task.near else None
        self._key = key
        self._profile: Profile | None = None
        self._like = False
        self.parts = Parts(key, self._look_up)

    def glance(self, pages: Sequence[PageCharacters], total: int) -> None:
        """Compare a PDF by its characters; `_Answered` where all equal those of another one."""
        whole = pages_digest(self.parts.page_digests(pages), total, self._key)
        self._compare(plain_text(pages), whole)
        self.parts.find_pages()

    def glance_at_flow(self, layout: Layout, declared: Declared, text: bytes) -> None:
        """The same for HTML or plain text; `text` is its text form."""
        whole = flow_digest(layout, declared, text, self._key)
        self._compare("\n".join(line.text for line in layout.lines), whole)

    def written(self, paper: Paper, digest: str) -> dict[str, Forms]:
        """The stages of a paper but those that are known, and what is to be kept for others."""
        if self._profile is None:
            return paper_stages(paper, digest=digest)
        shown = Shown.of(paper)
        stages = written_from(shown, key=self._key)
        self._profile = self._profile.staged(stages)
        stored: frozenset[str] = frozenset()
        if self._like and self._ask is not None:
            reply = self._ask(WhichStages(b"".join(stages)))
            flags = reply.are_known if isinstance(reply, KnownStages) else ()
            stored = frozenset(
                stage for stage, is_known in zip(WRITTEN, flags, strict=False) if is_known
            )
        others = paper_stages(paper, digest=digest, shown=shown, without=stored)
        return {**others, NEAR: self.for_similar()}

    def for_similar(self) -> Forms:
        """The profile, and the parts unless they are too large."""
        assert self._profile is not None
        forms = {PROFILE: self._profile.to_bytes()}
        parts = joined(self.parts.all)
        if 0 < len(parts) <= PARTS_BYTES:
            forms[PARTS] = parts
        return forms

    def _compare(self, text: str, whole: bytes) -> None:
        own = Fingerprint.of(text, key=int.from_bytes(self._key[:8], "little"))
        self._profile = Profile(own, whole)
        if self._ask is not None:
            reply = self._ask(WhatIsIt(self._profile.to_bytes()))
            if reply == Likeness("equal"):
                raise _Answered
            self._like = reply == Likeness("like")

    def _look_up(self, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        if not self._like or self._ask is None:
            return {}
        reply = self._ask(WhichParts.of(digests))
        return reply.parts if isinstance(reply, KnownParts) else {}


def _paper(task: Read, asker: Asker) -> Stages:
    content = asker.document()

    def opened(pages: int) -> None:
        asker(seconds_for(pages))

    if task.key is None:
        return paper_stages(read_closely(content, opened=opened).paper, digest=task.digest)
    matching = _Matching(task, asker, task.key)
    try:
        read = read_closely(content, opened=opened, parts=matching.parts, glance=matching.glance)
    except _Answered:
        return {NEAR: matching.for_similar()}
    return matching.written(read.paper, task.digest)


def _read(task: Show, asker: Asker) -> Reading:
    content = asker.document()
    if task.media_type == PDF:
        return read_for_report(content, asker)
    asker(EXTRACTION_SECONDS)
    return read_flow(read_page(content, "the document").text, html=task.media_type == HTML)


def _excerpt(task: Excerpt, asker: Asker) -> Stages:
    chosen = slice(task.first - 1, task.last)
    paper = read_excerpt(asker.document(), chosen, lambda pages: asker(seconds_for(pages)))
    stages = paper_stages(paper or NO_PAPER, digest=task.digest)
    return {stage: {"json": stages[stage]["json"]} for stage in WRITTEN}


def _flow(task: Read, asker: Asker) -> Stages:
    """Read HTML or plain text, which has no layout."""
    text, html = read_page(asker.document(), "the document").text, task.media_type == HTML
    shown = encode(visible_text(text) if html else text)
    forms = {TEXT: {"text": shown}}
    # A source that names its parts is read in no time, and its parts are not those of a layout.
    if task.key is None or format_of(text) is not None:
        return {**paper_stages(read_flow(text, html=html).paper, digest=task.digest), **forms}
    matching = _Matching(task, asker, task.key)

    def glance(layout: Layout, declared: Declared) -> None:
        matching.glance_at_flow(layout, declared, shown)

    try:
        read = read_flow(text, html=html, parts=matching.parts, glance=glance)
    except _Answered:
        return {NEAR: matching.for_similar()}
    return {**matching.written(read.paper, task.digest), **forms}


def _records(task: Search, asker: Asker) -> dict[str, bytes]:
    if task.text is None:
        page = read_page(asker.document(), task.page)
    else:
        page = Page(task.text.decode(), task.page)
    extractors = extractors_of(task.definition, task.form)
    encoder = RecordEncoder(name_extractor=len(extractors) > 1)
    lines: list[str] = []
    failures: list[str] = []
    warnings: list[dict[str, Any]] = []
    for extractor in extractors:
        records = extract(extractor, page)
        unread = islice(records.warnings, RECORD_WARNINGS - len(warnings))
        warnings += [{"extractor": extractor.name, **warning.to_dict()} for warning in unread]
        for batch in encoder.batches(records, page=page, extractor=extractor.name):
            lines.extend(batch)
        if records.failure is not None:
            failures.append(f"{extractor.name}: {records.failure}")
    told = f'"failures": {_json(failures)}, "warnings": {_json(warnings)}'
    return {
        "jsonl": encode_json("".join(f"{line}\n" for line in lines)),
        "json": encode_json(f'{{"records": [{", ".join(lines)}], {told}}}\n'),
    }


def _json(content: list[Any]) -> str:
    return json.dumps(content, ensure_ascii=False)


def received(task: Task, stages: Stages) -> Stages:
    """Check that stages are what the task gives; ValueError where not.

    The worker may have been taken over by its document, and other documents rely on the results.
    """
    for own in stages.values():
        for form, content in own.items():
            if form == PROFILE:
                Profile.from_bytes(content)
            elif form != PARTS:  # parts are checked where they are used
                str(content, "utf-8")
    forms = {stage: frozenset(own) for stage, own in stages.items()}
    near = forms.pop(NEAR, None) if isinstance(task, Read) else None
    if not _may_be_near(task, near) or not _is_complete(task, forms, matched=near is not None):
        raise ValueError("these are not the stages of the task")
    return stages


def _may_be_near(task: Task, forms: frozenset[str] | None) -> bool:
    """Whether this may be stored for similar documents; a very long document has nothing."""
    allowed = (None, {PROFILE}, {PROFILE, PARTS})
    return forms in (allowed if isinstance(task, Read) and task.key is not None else (None,))


def _is_complete(task: Task, forms: dict[str, frozenset[str]], *, matched: bool) -> bool:
    """Whether these are all stages; known ones may be missing where similar documents were
    found.
    """
    match task:
        case Read(near=near):
            whole = {stage: frozenset(own) for stage, own in PAPER_FORMS.items()}
            missing = whole.keys() - forms.keys()
            left_out = near and matched and (not forms or missing <= set(WRITTEN))
            return forms.items() <= whole.items() and (not missing or left_out)
        case Search():
            return forms == {RECORDS: frozenset({"jsonl", "json"})}
        case Show():
            return forms == {REPORT: frozenset({"html"})}
        case Excerpt():
            return forms == dict.fromkeys(WRITTEN, frozenset({"json"}))
        case Check():
            return forms == {VERSION: frozenset({"text"})}
        case Cite():
            return forms == {CITATIONS: frozenset({"json"})}


WORK: Work[Task, Stages] = Work(
    do=work,
    task=Task,
    result=Mapping[Stage, Mapping[Form, bytes]],
    question=Question,
    reply=Told,
    receive=received,
    longest=LONGEST_SECONDS + PICTURES_SECONDS,
    warm=warm_up,
    load_plugins=load_plugins,
)
