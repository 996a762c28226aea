"""Documents: submit, describe, download, delete."""

import asyncio
import json
import re
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict
from hashlib import sha256
from typing import Annotated, Any, Literal
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from rowen.export.unicode import encode
from rowen.export.xml_elements import PROLOGUE
from rowen.model.errors import UsageError
from rowen.service.negotiation import MEDIA_TYPES, choose_form, result_of
from rowen.service.problems import PROBLEMS, problem
from rowen.service.quotas import Entry
from rowen.service.routes.lookup import document_of, is_known, unchanged
from rowen.service.stages import CITATIONS
from rowen.service.stages import TEXT as TEXT_STAGE
from rowen.service.state import realm_of, service_of, token_of
from rowen.service.uploads import (
    ADDRESS,
    NAME_CHARACTERS,
    OUTPUT,
    URL,
    URL_CHARACTERS,
    checked_url,
)
from rowen.service.whole import WHOLE_FORMS, whole_paper, written_whole
from rowen.storage.documents.store import Document
from rowen.text.sniffing import HTML, PDF, TEXT, media_type_of

router = APIRouter(tags=["documents"], responses=PROBLEMS)

_DESCRIPTION: dict[str, dict[str, Any]] = {
    MEDIA_TYPES["xml"]: {},
    MEDIA_TYPES["json"]: result_of("document"),
}
_DELETED: dict[str, dict[str, Any]] = {
    MEDIA_TYPES["xml"]: {},
    MEDIA_TYPES["json"]: result_of("deleted"),
}
DOCUMENT_SCHEMA: dict[str, Any] = {
    "description": "A PDF, an HTML page or plain text without control characters. The type is "
    "detected from the content, whatever Content-Type says.",
    "anyOf": [
        {"contentMediaType": PDF, "pattern": "^%PDF-[12][.][0-9]"},
        {"contentMediaType": TEXT, "pattern": r"^[^\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]+$"},
    ],
}
_ADDRESS = "The document's own address: relative links in records of type `url` start from it."
_BODY = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {
                    "myfile": {"type": "string", **DOCUMENT_SCHEMA},
                    "url": {"type": "string", "description": _ADDRESS, "pattern": f"^$|{ADDRESS}"},
                },
                "required": ["myfile"],
            },
            "encoding": {"myfile": {"contentType": f"{PDF}, {HTML}, {TEXT}"}},
        },
        **{kind: {"schema": DOCUMENT_SCHEMA} for kind in (PDF, HTML, TEXT)},
    },
}
_ORIGINAL: dict[str, dict[str, str]] = {PDF: {}, HTML: {}, TEXT: {}}
_RANGE = re.compile(r"bytes=(\d+-\d*|-\d+)")


class _HeldFile(FileResponse):
    """A file response that releases the file after sending."""

    held: ExitStack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        with self.held:
            await super().__call__(scope, receive, send)


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
    url: Annotated[
        str | None, Query(description=_ADDRESS, pattern=ADDRESS, max_length=URL_CHARACTERS)
    ] = None,
) -> Response:
    """Submit a PDF, an HTML page or a text: as a form with `myfile`, or as the body.

    `url`, in the form or in the query, is the page's own address. It becomes the `page` of its
    records, and relative links in them become absolute.

    With an `Idempotency-Key` a request can be repeated without adding a second document.
    """
    service, store = service_of(request), realm_of(request).store
    with await entry_of(request, idempotency_key) as entry:
        upload = await service.uploads.receive(request, store, entry)
        draft = upload.draft
        try:
            accept = request.headers.get("accept")
            form = choose_form(output or upload.texts.get(OUTPUT), accept, ("xml", "json"))
            # Checked also where the query has another one: a wrong request must not pass unnoticed.
            own = checked_url(upload.texts.get(URL))
            document = await asyncio.to_thread(
                store.keep,
                draft,
                media_type=media_type_of(draft.head),
                name=upload.name,
                key=idempotency_key,
                url=checked_url(url) or own,
            )
            entry.kept = draft.kept
        except UsageError as error:
            raise HTTPException(409, str(error)) from None
        finally:
            draft.discard()
    service.metrics.received.inc(document.size)
    location = {"Location": f"/{document.id}"}
    return _described(request, document, form, status=201, headers=location)


_WHOLE = (*WHOLE_FORMS, "bibtex", "ris", "csl", "text")
_FORMS = ("xml", "json", *_WHOLE)


@router.get(
    "/{document_id}",
    response_class=Response,
    responses={
        200: {
            "description": "The description, or the whole paper",
            "content": {
                **{MEDIA_TYPES[form]: {} for form in _FORMS},
                **_DESCRIPTION,
                MEDIA_TYPES["csl"]: result_of("csl"),
            },
        },
        304: {"description": "Not changed"},
    },
)
async def describe(
    request: Request,
    document_id: str,
    output: Annotated[
        Literal["xml", "json", "tei", "jats", "markdown", "bibtex", "ris", "csl", "text"] | None,
        Query(),
    ] = None,
) -> Response:
    """Describe a document, with the URIs of its representations, or give the whole paper.

    `xml` and `json` are the description. `tei`, `jats` and `markdown` are the whole paper, `text`
    is its text in reading order, and `bibtex`, `ris` and `csl` are the works that it cites.
    """
    realm = realm_of(request)
    document = await document_of(realm.store, document_id)
    form = choose_form(output, request.headers.get("accept"), _FORMS)
    if form not in _WHOLE:
        return _described(request, document, form, status=200, headers={})
    if form in WHOLE_FORMS:
        paper = await whole_paper(realm.extraction, document)
        content = encode(await written_whole(paper, form, name=_file_name(document)))
    else:
        stage = TEXT_STAGE if form == "text" else CITATIONS
        content = (await realm.extraction.obtain(document, stage, form)).content
    etag = f'"{sha256(content).hexdigest()[:32]}"'
    if is_known(request, etag):
        return unchanged(etag)
    return Response(content, 200, {"ETag": etag, "Vary": "Accept"}, MEDIA_TYPES[form])


@router.get(
    "/{document_id}/file",
    response_class=Response,
    responses={
        200: {"description": "The original", "content": _ORIGINAL},
        206: {"description": "A part of it", "content": _ORIGINAL},
    },
)
async def file(request: Request, document_id: str) -> Response:
    """The original document, or a part of it by `Range`."""
    store = realm_of(request).store
    document = await document_of(store, document_id)
    etag = f'"{document.digest}"'
    if is_known(request, etag):
        return unchanged(etag)
    if (span := request.headers.get("range")) is not None:
        match = _RANGE.fullmatch(span.strip())
        if match is None:  # RFC 9110: a server ignores a Range that it does not understand
            others = [pair for pair in request.scope["headers"] if pair[0] != b"range"]
            request.scope["headers"] = others
        elif match[1] == "-0" or int(match[1].split("-")[0] or 0) >= document.size:
            whole = {"Content-Range": f"bytes */{document.size}"}
            return problem(416, "the document is shorter than that", headers=whole)
    # A submitted page must not run scripts with this service's origin when somebody opens it.
    headers = {
        "ETag": etag,
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(_file_name(document))}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
    # The file must stay until it is sent: a copy of a remote document could be dropped before.
    held = ExitStack()
    try:
        path = await asyncio.to_thread(held.enter_context, store.reading(document))
        status = path.stat()
    except FileNotFoundError:
        held.close()
        raise HTTPException(404, "the document was deleted meanwhile") from None
    response = _HeldFile(path, 200, headers, document.media_type, stat_result=status)
    response.held = held
    return response


@router.delete(
    "/{document_id}",
    response_class=Response,
    responses={200: {"description": "Deleted", "content": _DELETED}},
)
async def delete(request: Request, document_id: str, output: Output = None) -> Response:
    """Delete a document and, where no other document has its content, its results."""
    realm = realm_of(request)
    document = await document_of(realm.store, document_id)
    # Before the deletion: a client that gets 406 must find its document still there.
    form = choose_form(output, request.headers.get("accept"), ("xml", "json"))
    await realm.delete(document)
    if form == "json":
        body = json.dumps({"deleted": document.id}) + "\n"
    else:
        body = f"{PROLOGUE}<deleted>{document.id}</deleted>\n"
    return Response(body, media_type=MEDIA_TYPES[form])


async def entry_of(request: Request, key: str | None) -> AbstractContextManager[Entry]:
    """Count a new document; one that is sent again with its Idempotency-Key does not count."""
    token, realm = token_of(request), realm_of(request)
    if token is None or (
        key is not None and await asyncio.to_thread(realm.store.by_key, key) is not None
    ):
        return realm.account.entry(most_bytes=None, most_documents=None)
    return realm.account.entry(most_bytes=token.bytes, most_documents=token.documents)


def _file_name(document: Document) -> str:
    return document.name or document.id


def _described(
    request: Request, document: Document, form: str, *, status: int, headers: dict[str, str]
) -> Response:
    base = f"{request.base_url}{document.id}"
    names = ("file", "header", "citations", "body", "text", "records")
    uris = {name: f"{base}/{name}" for name in names}
    if form == "json":
        body = json.dumps({**asdict(document), "uri": base, "uris": uris}, ensure_ascii=False)
        return Response(f"{body}\n", status, headers, MEDIA_TYPES[form])
    root = Element("document")
    for name, value in {**asdict(document), "uri": base}.items():
        SubElement(root, name).text = str(value)
    places = SubElement(root, "uris")
    for name, uri in uris.items():
        SubElement(places, name).text = uri
    indent(root)
    written = tostring(root, encoding="unicode")
    return Response(f"{PROLOGUE}{written}\n", status, headers, MEDIA_TYPES[form])
