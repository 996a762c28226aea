"""Representations of a document: extracted on request, then stored."""

from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from rowen.service.extraction import Obtained, Reuse
from rowen.service.jobs import JOB_WAIT_SECONDS, Order, patience
from rowen.service.negotiation import MEDIA_TYPES, choose_form, result_of
from rowen.service.problems import PROBLEMS
from rowen.service.reading import RECORDS
from rowen.service.response_cache import allow_caching
from rowen.service.routes.extractors import extractor_of
from rowen.service.routes.jobs import ACCEPTED, FORMS, PREFER, accepted
from rowen.service.routes.lookup import document_of, is_known, unchanged
from rowen.service.routes.plain import PlainRoute
from rowen.service.stages import BODY, CITATIONS, HEADER, TEXT
from rowen.service.state import realm_of, service_of

LONGEST_WAIT_SECONDS = 60
"""Limit: how long a client may ask to wait (`Prefer: wait`) before it gets a job."""


router = APIRouter(tags=["representations"], responses=PROBLEMS, route_class=PlainRoute)

_EXTRA = {"parameters": [PREFER]}


def _responses(stage: str) -> dict[int | str, dict[str, Any]]:
    content: dict[str, dict[str, Any]] = {MEDIA_TYPES[form]: {} for form in FORMS[stage]}
    if "json" in FORMS[stage]:
        content[MEDIA_TYPES["json"]] = result_of(stage)
    if "csl" in FORMS[stage]:
        content[MEDIA_TYPES["csl"]] = result_of("csl")
    reuse = {
        "description": "Present where this was not extracted for this request: the document that "
        "it was extracted for, and how similar that is if it is a near-duplicate",
        "schema": {"type": "string"},
        "examples": {
            "exact": {"value": f"exact; source={'0' * 32}"},
            "near": {"value": f"near; source={'0' * 32}; distance=2; similarity=0.97"},
        },
    }
    return {
        200: {
            "description": "The representation",
            "content": content,
            "headers": {"Rowen-Reuse": reuse},
        },
        304: {"description": "Not changed"},
        **ACCEPTED,
    }


Output = Annotated[Literal["xml", "json", "tei"] | None, Query()]
Reused = Annotated[
    Reuse,
    Query(
        alias="reuse",
        description="What may be reused: nothing (off), results of equal documents (exact), or "
        "also results that a near-duplicate has for equal inputs (near).",
    ),
]


@router.get(
    "/{document_id}/header",
    response_class=Response,
    responses=_responses(HEADER),
    openapi_extra=_EXTRA,
)
async def header(
    request: Request, document_id: str, output: Output = None, reuse: Reused = "near"
) -> Response:
    """Title, authors, abstract, keywords, DOI and date of a paper."""
    return await _stage(request, document_id, HEADER, output, reuse)


@router.get(
    "/{document_id}/citations",
    response_class=Response,
    responses=_responses(CITATIONS),
    openapi_extra=_EXTRA,
)
async def citations(
    request: Request,
    document_id: str,
    output: Annotated[Literal["xml", "json", "tei", "bibtex", "ris", "csl"] | None, Query()] = None,
    reuse: Reused = "near",
) -> Response:
    """The works that a paper cites, parsed into fields."""
    return await _stage(request, document_id, CITATIONS, output, reuse)


@router.get(
    "/{document_id}/body",
    response_class=Response,
    responses=_responses(BODY),
    openapi_extra=_EXTRA,
)
async def body(
    request: Request,
    document_id: str,
    output: Annotated[Literal["xml", "json", "tei", "jats", "markdown"] | None, Query()] = None,
    reuse: Reused = "near",
) -> Response:
    """A paper's sections without header and citations."""
    return await _stage(request, document_id, BODY, output, reuse)


@router.get(
    "/{document_id}/text",
    response_class=Response,
    responses=_responses(TEXT),
    openapi_extra=_EXTRA,
)
async def text(request: Request, document_id: str, reuse: Reused = "near") -> Response:
    """All text in reading order."""
    return await _stage(request, document_id, TEXT, "text", reuse)


@router.get(
    "/{document_id}/records",
    response_class=Response,
    responses=_responses(RECORDS),
    openapi_extra=_EXTRA,
)
async def records(
    request: Request,
    document_id: str,
    extractor: Annotated[str, Query()],
    output: Annotated[Literal["json", "jsonl"] | None, Query()] = None,
    reuse: Reused = "near",
) -> Response:
    """The records that a registered extractor finds in the document, or in the text of a PDF.

    Each has its `values`, as a reader sees them and of the types in the extractor's schema, their
    `source` and their `spans`. `failures` say where an extractor stopped, and `warnings` which
    values could not be converted.
    """
    realm = realm_of(request)
    document = await document_of(realm.store, document_id)
    saved = await extractor_of(realm.store, extractor)
    form = choose_form(output, request.headers.get("accept"), FORMS[RECORDS])
    return await _filled(request, Order(document, RECORDS, form, reuse, saved))


async def _stage(
    request: Request, document_id: str, stage: str, output: str | None, reuse: Reuse
) -> Response:
    document = await document_of(realm_of(request).store, document_id)
    form = choose_form(output, request.headers.get("accept"), FORMS[stage])
    return await _filled(request, Order(document, stage, form, reuse))


async def _filled(request: Request, order: Order) -> Response:
    """The representation, or a job to poll."""
    realm = realm_of(request)
    seconds = patience(request.headers.getlist("prefer"))
    if seconds is None:
        obtained = await order.fill(realm.extraction)
    else:
        wait = min(max(seconds, JOB_WAIT_SECONDS), LONGEST_WAIT_SECONDS)
        later = await realm.jobs.begin(order, seconds=wait)
        if later is None:
            return accepted(request, order)
        obtained = later
    return _answer(request, obtained, order.stage, order.form)


def _answer(request: Request, obtained: Obtained, stage: str, form: str) -> Response:
    service_of(request).metrics.results.labels(stage=stage, reuse=obtained.kind).inc()
    etag = f'"{sha256(obtained.content).hexdigest()[:32]}"'
    if is_known(request, etag):
        return unchanged(etag)
    headers = {"ETag": etag, "Vary": "Accept", "Rowen-Version": obtained.version}
    if obtained.reused_from is not None:
        headers["Rowen-Reuse"] = f"{obtained.kind}; source={obtained.reused_from}"
        if obtained.kind == "exact":
            allow_caching(request, obtained.reused_from, etag)
    if (near := obtained.near) is not None:
        headers["Rowen-Reuse"] += f"; distance={near.distance}; similarity={near.similarity:.2f}"
    return Response(obtained.content, 200, headers, MEDIA_TYPES[form])
