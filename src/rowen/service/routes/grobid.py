"""GROBID's calls, so that its clients work unchanged.

    POST /api/processFulltextDocument   a PDF as `input`; header, body and references as TEI
    POST /api/processHeaderDocument     the header only
    POST /api/processReferences         the references only; BibTeX by Accept
    POST /api/processCitation           one reference string as `citations`
    POST /api/processCitationList       several of them
    GET  /api/isalive, /api/version

The documents go through the same store and workers as those of `POST /`, so that a document which
was seen before is not read again. `Location` names the stored document. Options that ask an outside
service (consolidation) are ignored. A document that can't be read is 500, as GROBID answers it.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

from rowen import __version__
from rowen.citations.citation import Citation
from rowen.export.bibtex import bibtex_entries
from rowen.export.tei import TEI, tei_reference, tei_references, tei_xml
from rowen.export.tei_options import COORDINATES, TeiOptions
from rowen.export.unicode import encode
from rowen.export.xml_elements import PROLOGUE, element, written
from rowen.model.errors import InputError
from rowen.papers.paper import Paper
from rowen.service.negotiation import MEDIA_TYPES, choose_form
from rowen.service.problems import PROBLEMS
from rowen.service.reading import CITED_STRINGS
from rowen.service.routes.documents import DOCUMENT_SCHEMA, entry_of
from rowen.service.stages import BODY, CITATIONS, HEADER
from rowen.service.state import realm_of, service_of
from rowen.service.uploads import chunks_of
from rowen.service.whole import excerpt, whole_paper
from rowen.storage.documents.store import Document
from rowen.text.sniffing import PDF, media_type_of

CITATIONS_BYTES = 4_000_000
"""Limit: the size of a form with reference strings; a thousand long ones have a tenth of that."""

_FIELD = "input"
_RAW_CITATIONS, _RAW_AFFILIATIONS = "includeRawCitations", "includeRawAffiliations"
_COORDINATES = "teiCoordinates"
_SENTENCES, _IDS, _START, _END = "segmentSentences", "generateIDs", "start", "end"
_LISTED = frozenset({_COORDINATES})
_OPTIONS = frozenset(
    {_RAW_CITATIONS, _RAW_AFFILIATIONS, _COORDINATES, _SENTENCES, _IDS, _START, _END}
)
_MOST_PAGES = 1_000_000  # no PDF has more
_CITED = TypeAdapter(tuple[Citation, ...])

router = APIRouter(prefix="/api", tags=["GROBID's calls"], responses=PROBLEMS)


def _form(fields: dict[str, Any], kind: str, required: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": fields, "required": [required]}
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema}}}}


_SWITCH = {"type": "string", "description": "1 for yes; anything else is no"}
_PAGE = {
    "type": "string",
    "pattern": "^(-1|[0-9]{1,5})$",
    "description": "a page, counted from 1; -1 for no limit",
}
_DOCUMENT = _form(
    {
        _FIELD: {"type": "string", **DOCUMENT_SCHEMA},
        _RAW_CITATIONS: _SWITCH,
        _RAW_AFFILIATIONS: _SWITCH,
        _COORDINATES: {"type": "string", "description": "the elements that get coordinates"},
        _SENTENCES: _SWITCH,
        _IDS: _SWITCH,
        _START: _PAGE,
        _END: _PAGE,
    },
    "multipart/form-data",
    _FIELD,
)
_STRINGS = _form(
    {"citations": {"type": "string", "minLength": 1}, _RAW_CITATIONS: _SWITCH},
    "application/x-www-form-urlencoded",
    "citations",
)


def _answers(*forms: str) -> dict[int | str, dict[str, Any]]:
    content: dict[str, dict[str, str]] = {MEDIA_TYPES[form]: {} for form in forms}
    return {
        200: {"description": "What was found", "content": content},
        204: {"description": "Nothing was found"},
    }


Call = TypeVar("Call", bound=Callable[..., object])


def _documents(path: str, *forms: str) -> Callable[[Call], Call]:
    """Registers a call that is sent a document; as GROBID's, by POST or PUT."""

    def register(call: Call) -> Call:
        for method in (router.put, router.post):
            method(
                path,
                response_class=Response,
                responses=_answers(*forms),
                openapi_extra=_DOCUMENT,
            )(call)
        return call

    return register


_XML, _CITED_FORMS = ("xml", "text"), ("xml", "text", "bibtex")


@router.get("/isalive", response_class=PlainTextResponse)
async def is_alive() -> str:
    """Whether the service answers."""
    return "true"


@router.get("/version", response_class=PlainTextResponse)
async def version() -> str:
    """The version of Rowen."""
    return __version__


@_documents("/processFulltextDocument", "xml")
async def process_fulltext(request: Request) -> Response:
    """Header, body and references of a PDF as TEI."""
    return await _paper(request, (HEADER, BODY, CITATIONS), _XML)


@_documents("/processHeaderDocument", "xml")
async def process_header(request: Request) -> Response:
    """Title, authors, abstract, keywords, DOI and date of a PDF as TEI."""
    return await _paper(request, (HEADER,), _XML)


@_documents("/processReferences", "xml", "bibtex")
async def process_references(request: Request) -> Response:
    """The references of a PDF as TEI or BibTeX."""
    return await _paper(request, (CITATIONS,), _CITED_FORMS)


@router.post(
    "/processCitation",
    response_class=Response,
    responses=_answers("xml", "bibtex"),
    openapi_extra=_STRINGS,
)
async def process_citation(request: Request) -> Response:
    """A reference string, parsed, as a TEI `biblStruct` or BibTeX."""
    citations, form, options = await _cited(request)
    if len(citations) != 1:
        raise HTTPException(400, "send one reference string as the field 'citations'")
    if form == "bibtex":
        return _answer("".join(bibtex_entries(citations)), form)
    # GROBID answers without a namespace here, and its clients rely on it.
    return _answer(written(tei_reference(citations[0], "", options)), form)


@router.post(
    "/processCitationList",
    response_class=Response,
    responses=_answers("xml", "bibtex"),
    openapi_extra=_STRINGS,
)
async def process_citation_list(request: Request) -> Response:
    """Several reference strings, parsed, as a TEI list or BibTeX."""
    citations, form, options = await _cited(request)
    if form == "bibtex":
        return _answer("".join(bibtex_entries(citations)), form)
    return _answer(_listed(citations, options), form)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a client asks for: a document, how it is written, and which of its pages are read."""

    document: Document
    options: TeiOptions
    first: int = 1
    last: int | None = None

    @property
    def is_excerpt(self) -> bool:
        """Whether only some pages are wanted; what is no PDF has none."""
        return self.document.media_type == PDF and (self.first > 1 or self.last is not None)


async def _paper(request: Request, stages: tuple[str, ...], forms: tuple[str, ...]) -> Response:
    """What was asked for of an uploaded paper, and `Location`, where it is stored."""
    form = choose_form(None, request.headers.get("accept"), forms)
    try:
        asked = await _stored(request)
        paper = await _read(request, asked, stages)
    except InputError as error:  # GROBID answers 500 to documents that it can't read
        raise HTTPException(500, str(error)) from None
    document, options = asked.document, asked.options
    headers = {"Location": f"/{document.id}"}
    if not any((paper.title, paper.authors, paper.abstract, paper.citations, paper.body)):
        return Response(status_code=204, headers=headers)
    if form == "bibtex":
        return _answer("".join(bibtex_entries(paper.citations)), form, headers)
    if stages == (CITATIONS,):
        return _answer(_listed(paper.citations, options), form, headers)
    write = partial(tei_xml, paper, file=document.name or document.id, options=options)
    return _answer(PROLOGUE + await asyncio.to_thread(write), form, headers)


async def _read(request: Request, asked: _Asked, stages: tuple[str, ...]) -> Paper:
    extraction = realm_of(request).extraction
    if asked.is_excerpt:
        return await excerpt(extraction, asked.document, asked.first, asked.last, stages)
    return await whole_paper(extraction, asked.document, stages)


def _listed(citations: Sequence[Citation], options: TeiOptions) -> str:
    """References as TEI; the header is empty, as GROBID writes it: it would count as another."""
    back = element("back", element("div", element("listBibl", tei_references(citations, options))))
    root = [*element("teiHeader", []), *element("text", back)]
    return PROLOGUE + written(element("TEI", root, f' xmlns="{TEI}"'))


async def _stored(request: Request) -> _Asked:
    """The document of a request; one that is stored already where it has the same content."""
    service, realm = service_of(request), realm_of(request)
    with await entry_of(request, None) as entry:
        try:
            upload = await service.uploads.receive(
                request, realm.store, entry, field=_FIELD, texts=_OPTIONS, listed=_LISTED
            )
        except InputError as error:  # GROBID answers 400 here
            raise HTTPException(400, str(error)) from None
        draft = upload.draft
        try:
            first, last = _pages(upload.texts)
            document = await asyncio.to_thread(
                realm.store.keep,
                draft,
                media_type=media_type_of(draft.head),
                name=upload.name,
                # GROBID stores nothing, and its clients send the same files again and again: the
                # content as the key makes that one document.
                key=f"grobid {draft.digest}",
            )
            entry.kept = draft.kept
        finally:
            draft.discard()
    service.metrics.received.inc(document.size)
    return _Asked(document, _options(upload.texts, first), first, last)


def _pages(texts: dict[str, str]) -> tuple[int, int | None]:
    """The first and the last page that are wanted; HTTPException 400 for what is no page."""
    try:
        first, last = (int(texts.get(name) or -1) for name in (_START, _END))
    except ValueError:
        raise HTTPException(400, "'start' and 'end' are numbers of pages") from None
    if max(first, last) >= _MOST_PAGES:
        raise HTTPException(400, f"'start' and 'end' are less than {_MOST_PAGES:,}")
    if 0 < last < first:
        raise HTTPException(400, f"'start' ({first}) is after 'end' ({last})")
    return max(first, 1), last if last > 0 else None


def _options(texts: dict[str, str], first: int = 1) -> TeiOptions:
    return TeiOptions(
        raw_citations=texts.get(_RAW_CITATIONS) == "1",
        raw_affiliations=texts.get(_RAW_AFFILIATIONS) == "1",
        coordinates=frozenset(re.findall(r"\w+", texts.get(_COORDINATES, ""))) & COORDINATES,
        sentences=texts.get(_SENTENCES) == "1",
        ids=texts.get(_IDS) == "1",
        first_page=first,
    )


async def _cited(request: Request) -> tuple[tuple[Citation, ...], str, TeiOptions]:
    """The citations of a form's strings, the form of the answer, and the options."""
    form = choose_form(None, request.headers.get("accept"), _CITED_FORMS)
    body = bytearray()
    async for chunk in chunks_of(request):
        body += chunk
        if len(body) > CITATIONS_BYTES:
            raise HTTPException(413, f"a form may have at most {CITATIONS_BYTES:,} bytes")
    try:
        fields = parse_qs(body.decode(), max_num_fields=CITED_STRINGS + len(_OPTIONS) + 10)
    except ValueError as error:
        raise HTTPException(400, f"malformed form: {error}") from None
    strings = [line.strip() for line in fields.get("citations", []) if line.strip()]
    if not strings:
        raise HTTPException(400, "the form has no field 'citations'")
    content = await realm_of(request).extraction.cite(tuple(strings))
    citations = await asyncio.to_thread(_CITED.validate_json, content)
    switches = {name: fields[name][-1] for name in _OPTIONS & fields.keys()}
    return citations, form, _options(switches)


def _answer(content: str, form: str, headers: dict[str, str] | None = None) -> Response:
    # Clients of GROBID ask for text/plain and get XML.
    return Response(
        encode(content), 200, headers, MEDIA_TYPES["bibtex" if form == "bibtex" else "xml"]
    )
