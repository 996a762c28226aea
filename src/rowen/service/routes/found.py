"""What a path names, or 404; and answers that a client may have already."""

import asyncio
import re

from fastapi import Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from rowen.service.store import Document, Store

_ID = re.compile("[0-9a-f]{32}")


async def document_of(store: Store, document_id: str) -> Document:
    """The document with an id from anywhere."""
    found = None
    if _ID.fullmatch(document_id):
        if store.documents_are_remote:
            found = await asyncio.to_thread(store.document, document_id)
        else:
            found = store.document(document_id)
    if found is None:
        raise HTTPException(404, "there is no such document")
    return found


def is_known(request: Request, etag: str) -> bool:
    """Whether the client has what it asks for."""
    given = request.headers.get("if-none-match", "")
    known = [one.strip().removeprefix("W/") for one in given.split(",")]
    return etag in known or known == ["*"]


def unchanged(etag: str) -> Response:
    """The answer then."""
    return Response(status_code=304, headers={"ETag": etag})
