"""What worker processes do with documents and extractors from anywhere."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowen.documents.charset import read_page
from rowen.documents.sniffing import HTML, PDF
from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import Profile
from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.export.paper_report import written_report
from rowen.export.unicode import encode
from rowen.limits import EXTRACTION_SECONDS, PARTS_BYTES
from rowen.model import Page
from rowen.scholar.apart import LONGEST_SECONDS, seconds_for
from rowen.scholar.flow.declared import Declared
from rowen.scholar.glance import plain_text
from rowen.scholar.layout import Layout
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.paper import Paper, Reading, read_closely, read_flow
from rowen.scholar.parts import Parts, joined
from rowen.scholar.parts.digests import flow_digest, pages_digest
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
    PAPER_FORMS,
    TEXT,
    WRITTEN,
    Forms,
    Stages,
    paper_stages,
    written_from,
)
from rowen.service.visible import visible_text
from rowen.service.warming import warm_up
from rowen.workers import Asker, Work

RECORDS = "records"
NEAR, PROFILE, PARTS = "near", "profile", "parts"
"""What is kept of a document for those that are like it, beside its stages: what it is found by,
and what its parts were made into."""
REPORT = "report"
VERSION = "version"


@dataclass(frozen=True, slots=True)
class Read:
    """All stages of a document.

    With a key there is also what is kept for documents like it. If such documents may serve this
    one, they are asked for: where one is equal nothing is made but the profile, and stages that
    are known are left out.
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

Stage: TypeAlias = Literal[
    "text", "header", "citations", "body", "records", "report", "version", "near"
]
Form: TypeAlias = Literal[
    "text", "xml", "tei", "json", "jsonl", "bibtex", "csl", "html", "profile", "parts"
]
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
    """A document that is equal answers for this one."""


class _Matching:
    """A document beside those that are known: what of it need not be made."""

    def __init__(self, task: Read, asker: Asker, key: bytes) -> None:
        self._ask = asker.ask if task.near else None
        self._key = key
        self._profile: Profile | None = None
        self._like = False
        self.parts = Parts(key, self._look_up)

    def glance(self, pages: Sequence[PageCharacters], total: int) -> None:
        """Compare a PDF by its characters; `_Answered` where all are those of another one."""
        whole = pages_digest(self.parts.page_digests(pages), total, self._key)
        self._compare(plain_text(pages), whole)
        self.parts.find_pages()

    def glance_at_flow(self, layout: Layout, declared: Declared, text: bytes) -> None:
        """The same for a document without a layout, of which this is the form that is a text."""
        whole = flow_digest(layout, declared, text, self._key)
        self._compare("\n".join(line.text for line in layout.lines), whole)

    def written(self, paper: Paper, digest: str) -> dict[str, Forms]:
        """The stages of a paper but those that are known, and what is to be kept for others."""
        if self._profile is None:
            return paper_stages(paper, digest=digest)
        stages = written_from(paper, key=self._key)
        self._profile = self._profile.staged(stages)
        known: frozenset[str] = frozenset()
        if self._like and self._ask is not None:
            reply = self._ask(WhichStages(b"".join(stages)))
            told = reply.are_known if isinstance(reply, KnownStages) else ()
            known = frozenset(
                stage for stage, is_known in zip(WRITTEN, told, strict=False) if is_known
            )
        return {**paper_stages(paper, digest=digest, without=known), NEAR: self.kept()}

    def kept(self) -> Forms:
        """The profile, and the parts unless they are too large."""
        assert self._profile is not None
        kept = {PROFILE: self._profile.to_bytes()}
        parts = joined(self.parts.all)
        if 0 < len(parts) <= PARTS_BYTES:
            kept[PARTS] = parts
        return kept

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
        return {NEAR: matching.kept()}
    return matching.written(read.paper, task.digest)


def _read(task: Show, asker: Asker) -> Reading:
    content = asker.document()
    if task.media_type == PDF:
        return read_closely(content, opened=lambda pages: asker(seconds_for(pages)))
    asker(EXTRACTION_SECONDS)
    return read_flow(read_page(content, "the document").text, html=task.media_type == HTML)


def _flow(task: Read, asker: Asker) -> Stages:
    """A document that has words and no layout."""
    text, html = read_page(asker.document(), "the document").text, task.media_type == HTML
    shown = encode(visible_text(text) if html else text)
    forms = {TEXT: {"text": shown}}
    if task.key is None:
        return {**paper_stages(read_flow(text, html=html).paper, digest=task.digest), **forms}
    matching = _Matching(task, asker, task.key)

    def glance(layout: Layout, declared: Declared) -> None:
        matching.glance_at_flow(layout, declared, shown)

    try:
        read = read_flow(text, html=html, parts=matching.parts, glance=glance)
    except _Answered:
        return {NEAR: matching.kept()}
    return {**matching.written(read.paper, task.digest), **forms}


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


def received(task: Task, stages: Stages) -> Stages:
    """The stages, where they are what such a task gives; ValueError where not.

    Whoever says so may have been taken over by a document, and others rely on what is there.
    """
    for own in stages.values():
        for form, content in own.items():
            if form == PROFILE:
                Profile.from_bytes(content)
            elif form != PARTS:  # which are looked at by the one that uses them
                str(content, "utf-8")
    forms = {stage: frozenset(own) for stage, own in stages.items()}
    kept = forms.pop(NEAR, None) if isinstance(task, Read) else None
    if not _is_kept(task, kept) or not _is_complete(task, forms, found=kept is not None):
        raise ValueError("these are not the stages that were asked for")
    return stages


def _is_kept(task: Task, kept: frozenset[str] | None) -> bool:
    """Whether this may be kept for others; a document of too many characters has nothing."""
    allowed = (None, {PROFILE}, {PROFILE, PARTS})
    return kept in (allowed if isinstance(task, Read) and task.key is not None else (None,))


def _is_complete(task: Task, forms: dict[str, frozenset[str]], *, found: bool) -> bool:
    """Whether these are all stages; those that are known may be missing from what was found."""
    match task:
        case Read(near=near):
            whole = {stage: frozenset(own) for stage, own in PAPER_FORMS.items()}
            missing = whole.keys() - forms.keys()
            left_out = near and found and (not forms or missing <= set(WRITTEN))
            return forms.items() <= whole.items() and (not missing or left_out)
        case Search():
            return forms == {RECORDS: frozenset({"jsonl", "json"})}
        case Show():
            return forms == {REPORT: frozenset({"html"})}
        case Check():
            return forms == {VERSION: frozenset({"text"})}


WORK: Work[Task, Stages] = Work(
    do=work,
    given=Task,
    made=Mapping[Stage, Mapping[Form, bytes]],
    question=Question,
    reply=Told,
    receive=received,
    longest=LONGEST_SECONDS,
    warm=warm_up,
    load_plugins=load_plugins,
)
