"""A paper's pages with the extracted parts highlighted."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from rowen.service.routes.lookup import document_of
from rowen.service.state import realm_of

router = APIRouter(prefix="/studio/papers", include_in_schema=False)


@router.get("/{document_id}")
async def paper(request: Request, document_id: str) -> Response:
    """The pages of a document with header, sections and citations highlighted."""
    realm = realm_of(request)
    document = await document_of(realm.store, document_id)
    content = await realm.extraction.report(document)
    # The report escapes everything from the document and allows only its own script, by digest.
    # The sandbox is the second line: without an origin a script could not call the service.
    headers = {
        "Content-Security-Policy": "sandbox allow-scripts",
    }
    return Response(content, 200, headers, "text/html; charset=utf-8")
