"""Documents: put in, described, given back, deleted."""

import asyncio
import json
import re
from dataclasses import asdict
from typing import Annotated, Literal
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException

from rowen.export.paper_xml import PROLOGUE
from rowen.limits import NAME_CHARACTERS
from rowen.model.errors import UsageError
from rowen.service.app import service_of
from rowen.service.negotiation import MEDIA_TYPES, choose_form
from rowen.service.problems import PROBLEMS, problem
from rowen.service.routes.found import document_of, is_known, unchanged
from rowen.service.sniffing import HTML, PDF, TEXT, media_type_of
from rowen.service.store import Document

router = APIRouter(tags=["documents"], responses=PROBLEMS)

_DESCRIPTION: dict[str, dict[str, str]] = {MEDIA_TYPES[form]: {} for form in ("xml", "json")}
_BYTES = {
    "description": "A PDF, or text without control characters, HTML or not. What a document is, is "
    "told by its content, whatever type is named for it.",
    "anyOf": [
        {"contentMediaType": PDF, "pattern": "^%PDF-[12][.][0-9]"},
        {"contentMediaType": TEXT, "pattern": r"^[^\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]+$"},
    ],
}
_BODY = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {"myfile": {"type": "string", **_BYTES}},
                "required": ["myfile"],
            },
            "encoding": {"myfile": {"contentType": f"{PDF}, {HTML}, {TEXT}"}},
        },
        **{kind: {"schema": _BYTES} for kind in (PDF, HTML, TEXT)},
    },
}
_ORIGINAL: dict[str, dict[str, str]] = {PDF: {}, HTML: {}, TEXT: {}}
_RANGE = re.compile(r"bytes=(\d+-\d*|-\d+)")

Output = Annotated[Literal["xml", "json"] | None, Query()]


@router.post(
    "/",
    status_code=201,
    response_class=Response,
    responses={201: {"description": "The new document", "content": _DESCRIPTION}},
    openapi_extra={"requestBody": _BODY},
)
async def submit(
    request: Request,
    output: Output = None,
    idempotency_key: Annotated[
        str | None, Header(min_length=1, max_length=NAME_CHARACTERS, pattern="^[ -~]+$")
    ] = None,
) -> Response:
    """Take in a PDF, a page of HTML or a text: a form with `myfile`, or the bytes themselves.

    With an `Idempotency-Key` a request may be sent again without making a second document.
    """
    service = service_of(request)
    draft, name, named = await service.uploads.receive(request)
    try:
        accept = request.headers.get("accept")
        form = choose_form(output or named, accept, ("xml", "json"))
        document = await asyncio.to_thread(
            service.store.keep,
            draft,
            media_type=media_type_of(draft.head),
            name=name,
            key=idempotency_key,
        )
    except UsageError as error:
        raise HTTPException(409, str(error)) from None
    finally:
        draft.discard()
    service.metrics.received.inc(document.size)
    location = {"Location": f"/{document.id}"}
    return _described(request, document, form, status=201, headers=location)


@router.get(
    "/{document_id}",
    response_class=Response,
    responses={200: {"description": "The document", "content": _DESCRIPTION}},
)
async def describe(request: Request, document_id: str, output: Output = None) -> Response:
    """What there is of a document, and where."""
    document = document_of(service_of(request).store, document_id)
    form = choose_form(output, request.headers.get("accept"), ("xml", "json"))
    return _described(request, document, form, status=200, headers={})


@router.get(
    "/{document_id}/file",
    response_class=Response,
    responses={
        200: {"description": "The original", "content": _ORIGINAL},
        206: {"description": "A part of it", "content": _ORIGINAL},
    },
)
async def file(request: Request, document_id: str) -> Response:
    """The document as it came, or a part of it by `Range`."""
    store = service_of(request).store
    document = document_of(store, document_id)
    etag = f'"{document.digest}"'
    if is_known(request, etag):
        return unchanged(etag)
    if (span := request.headers.get("range")) is not None:
        asked = _RANGE.fullmatch(span.strip())
        if asked is None:  # what is not understood is passed over
            others = [pair for pair in request.scope["headers"] if pair[0] != b"range"]
            request.scope["headers"] = others
        elif asked[1] == "-0" or int(asked[1].split("-")[0] or 0) >= document.size:
            whole = {"Content-Range": f"bytes */{document.size}"}
            return problem(416, "the document is shorter", headers=whole)
    # A page from anywhere must not act in this service's name when somebody opens it.
    headers = {
        "ETag": etag,
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(_file_name(document))}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
    path = store.path(document)
    try:
        found = path.stat()
    except FileNotFoundError:
        raise HTTPException(404, "the document was deleted meanwhile") from None
    return FileResponse(path, 200, headers, document.media_type, stat_result=found)


@router.delete(
    "/{document_id}",
    response_class=Response,
    responses={200: {"description": "It is gone", "content": _DESCRIPTION}},
)
async def delete(request: Request, document_id: str, output: Output = None) -> Response:
    """Delete a document and, where no other has its content, all that was made of it."""
    store = service_of(request).store
    document = document_of(store, document_id)
    form = choose_form(output, request.headers.get("accept"), ("xml", "json"))
    await asyncio.to_thread(store.delete, document.id)
    if form == "json":
        told = json.dumps({"deleted": document.id}) + "\n"
    else:
        told = f"{PROLOGUE}<deleted>{document.id}</deleted>\n"
    return Response(told, media_type=MEDIA_TYPES[form])


def _file_name(document: Document) -> str:
    return document.name or document.id


def _described(
    request: Request, document: Document, form: str, *, status: int, headers: dict[str, str]
) -> Response:
    base = f"{request.base_url}{document.id}"
    stages = ("header", "citations", "body") if document.media_type == PDF else ()
    uris = {name: f"{base}/{name}" for name in ("file", *stages, "text", "records")}
    if form == "json":
        told = json.dumps({**asdict(document), "uri": base, "uris": uris}, ensure_ascii=False)
        return Response(f"{told}\n", status, headers, MEDIA_TYPES[form])
    root = Element("document")
    for name, value in {**asdict(document), "uri": base}.items():
        SubElement(root, name).text = str(value)
    places = SubElement(root, "uris")
    for name, uri in uris.items():
        SubElement(places, name).text = uri
    indent(root)
    written = tostring(root, encoding="unicode")
    return Response(f"{PROLOGUE}{written}\n", status, headers, MEDIA_TYPES[form])
