"""Representations of a document: extracted when they are asked for, then kept."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from rowen.service.app import service_of
from rowen.service.extraction import Obtained
from rowen.service.negotiation import MEDIA_TYPES, choose_form
from rowen.service.problems import PROBLEMS
from rowen.service.routes.extractors import extractor_of
from rowen.service.routes.found import document_of, is_known, unchanged
from rowen.service.routes.plain import PlainRoute
from rowen.service.stages import BODY, CITATIONS, HEADER, TEXT

router = APIRouter(tags=["representations"], responses=PROBLEMS, route_class=PlainRoute)

_FORMS = ("xml", "json", "tei")
_CITATION_FORMS = (*_FORMS, "bibtex", "csl")
_RECORD_FORMS = ("json", "jsonl")


def _responses(forms: Sequence[str]) -> dict[int | str, dict[str, Any]]:
    content: dict[str, dict[str, str]] = {MEDIA_TYPES[form]: {} for form in forms}
    reuse = {
        "description": "Where this was not extracted for this request: for which document it was",
        "schema": {"type": "string"},
    }
    return {
        200: {"description": "Found", "content": content, "headers": {"Rowen-Reuse": reuse}},
        304: {"description": "As the client has it"},
    }


Output = Annotated[Literal["xml", "json", "tei"] | None, Query()]


@router.get("/{document_id}/header", response_class=Response, responses=_responses(_FORMS))
async def header(request: Request, document_id: str, output: Output = None) -> Response:
    """Title, authors, abstract, keywords, DOI and date of a paper."""
    return await _stage(request, document_id, HEADER, output, _FORMS)


@router.get(
    "/{document_id}/citations", response_class=Response, responses=_responses(_CITATION_FORMS)
)
async def citations(
    request: Request,
    document_id: str,
    output: Annotated[Literal["xml", "json", "tei", "bibtex", "csl"] | None, Query()] = None,
) -> Response:
    """The works that a paper cites, taken apart."""
    return await _stage(request, document_id, CITATIONS, output, _CITATION_FORMS)


@router.get("/{document_id}/body", response_class=Response, responses=_responses(_FORMS))
async def body(request: Request, document_id: str, output: Output = None) -> Response:
    """A paper's sections without header and citations."""
    return await _stage(request, document_id, BODY, output, _FORMS)


@router.get("/{document_id}/text", response_class=Response, responses=_responses(["text"]))
async def text(request: Request, document_id: str) -> Response:
    """All text in reading order."""
    return await _stage(request, document_id, TEXT, "text", ["text"])


@router.get("/{document_id}/records", response_class=Response, responses=_responses(_RECORD_FORMS))
async def records(
    request: Request,
    document_id: str,
    extractor: Annotated[str, Query()],
    output: Annotated[Literal["json", "jsonl"] | None, Query()] = None,
) -> Response:
    """What a registered extractor finds in the document, or in the text of a PDF."""
    service = service_of(request)
    document = document_of(service.store, document_id)
    saved = extractor_of(service.store, extractor)
    form = choose_form(output, request.headers.get("accept"), _RECORD_FORMS)
    obtained = await service.extraction.records(document, saved, form)
    return _answer(request, obtained, "records", form)


async def _stage(
    request: Request, document_id: str, stage: str, output: str | None, offered: Sequence[str]
) -> Response:
    service = service_of(request)
    document = document_of(service.store, document_id)
    form = choose_form(output, request.headers.get("accept"), offered)
    return _answer(request, await service.extraction.obtain(document, stage, form), stage, form)


def _answer(request: Request, obtained: Obtained, stage: str, form: str) -> Response:
    reused = obtained.reused_from
    kind = "none" if reused is None else "exact"
    service_of(request).metrics.results.labels(stage=stage, reuse=kind).inc()
    etag = f'"{sha256(obtained.content).hexdigest()[:32]}"'
    if is_known(request, etag):
        return unchanged(etag)
    headers = {"ETag": etag, "Vary": "Accept", "Rowen-Version": obtained.version}
    if reused is not None:
        headers["Rowen-Reuse"] = f"exact; source={reused}"
    return Response(obtained.content, 200, headers, MEDIA_TYPES[form])
