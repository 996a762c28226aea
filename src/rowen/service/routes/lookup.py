"""Finds the document that a path names, and handles `If-None-Match`."""

import asyncio
import re

from fastapi import Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from rowen.storage.documents.store import Document, Store

_ID = re.compile("[0-9a-f]{32}")


async def document_of(store: Store, document_id: str) -> Document:
    """The document with an id from a request; 404 where there is none."""
    document = None
    # The id becomes part of a path in the store. Anything else could lead out of its folder.
    if _ID.fullmatch(document_id):
        if store.documents_are_remote:
            document = await asyncio.to_thread(store.document, document_id)
        else:
            document = store.document(document_id)
    if document is None:
        raise HTTPException(404, "document not found")
    return document


def is_known(request: Request, etag: str) -> bool:
    """Whether the client has the current version already."""
    header = request.headers.get("if-none-match", "")
    etags = [value.strip().removeprefix("W/") for value in header.split(",")]
    return etag in etags or etags == ["*"]


def unchanged(etag: str) -> Response:
    """The response 304 for such a client."""
    return Response(status_code=304, headers={"ETag": etag})
