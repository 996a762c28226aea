"""A paper for people: its pages with what was found on them."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from rowen.service.app import realm_of
from rowen.service.routes.found import document_of

router = APIRouter(prefix="/studio/papers", include_in_schema=False)


@router.get("/{document_id}")
async def paper(request: Request, document_id: str) -> Response:
    """A document's pages with header, sections and citations highlighted."""
    realm = realm_of(request)
    document = await document_of(realm.store, document_id)
    content = await realm.extraction.report(document)
    # What came from the document is escaped, and the page names its own script by its digest; in a
    # sandbox it could not reach the service even so.
    headers = {
        "Content-Security-Policy": "sandbox allow-scripts",
    }
    return Response(content, 200, headers, "text/html; charset=utf-8")
