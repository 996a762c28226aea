"""The library: lists, imports, the queue and exports."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from dataclasses import asdict
from tempfile import TemporaryFile
from typing import IO, Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from rowen.librarian.answers import (
    Changed,
    Facets,
    Imported,
    QueueState,
    Reading,
)
from rowen.librarian.arrivals import Intake
from rowen.librarian.routes.state import shelf_of
from rowen.librarian.shelf import Shelf
from rowen.library.exports import FORMATS, export
from rowen.library.listing import LIST_PAPERS, Page
from rowen.library.query import QUERY_CHARACTERS
from rowen.library.selection import FACETS, SELECTED_PAPERS, Selection
from rowen.service.connections import ON_SHUTDOWN
from rowen.service.problems import PROBLEMS
from rowen.service.quotas import Entry
from rowen.service.routes.documents import DOCUMENT_SCHEMA, entry_of
from rowen.service.state import realm_of, service_of, token_of

CHANGE_SECONDS = 0.25
"""Limit: how long a change of the library stays unnoticed by those who watch it."""

EVENT_SECONDS = 10.0
"""Limit: how long nothing is sent to them. Proxies close connections that are silent for longer."""

SENT_CHUNK_BYTES = 256 * 1024
"""Limit: how much of an export is in memory while it is sent."""

FACET_CHARACTERS = 1_000
"""Limit: the length of a facet's value in a request."""

router = APIRouter(prefix="/library", tags=["library"], responses=PROBLEMS)

Sort = Literal[
    "relevance", "title", "authors", "year", "venue", "state", "added",
    "-relevance", "-title", "-authors", "-year", "-venue", "-state", "-added",
]  # fmt: skip
ExportFormat = Literal["bibtex", "ris", "csl", "csv", "json", "tei", "markdown"]
Value = Annotated[str, Field(max_length=FACET_CHARACTERS)]
Values = Annotated[list[Value], Query(max_length=100, description="Empty: papers without any.")]

_FILES = ("application/pdf", "application/zip", "text/html", "text/plain")
_ARCHIVE = {"type": "string", "contentMediaType": "application/zip", "pattern": "^PK\\x03\\x04"}
_FILE = {"anyOf": [*DOCUMENT_SCHEMA["anyOf"], _ARCHIVE]}
_BODY = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {"myfile": {"type": "string", **_FILE}},
                "required": ["myfile"],
            }
        },
        **{kind: {"schema": _FILE} for kind in _FILES},
    },
}
_EXPORTED: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The file",
        "content": {
            kind: {} for kind in ["application/zip", *(own.media_type for own in FORMATS.values())]
        },
    }
}


def selection_of(
    query: Annotated[
        str,
        Query(
            max_length=QUERY_CHARACTERS,
            description='Words, "words in a row", begin*, -without, and title:, author:, '
            "abstract:, body:, cites: or note: before a word.",
        ),
    ] = "",
    *,
    year: Values = [],  # noqa: B006  # FastAPI copies it
    venue: Values = [],  # noqa: B006
    author: Values = [],  # noqa: B006
    language: Values = [],  # noqa: B006
    state: Values = [],  # noqa: B006
    tag: Values = [],  # noqa: B006
) -> Selection:
    """The papers that a request is about."""
    chosen = dict(zip(FACETS, (year, venue, author, language, state, tag), strict=True))
    return Selection(query, {name: tuple(values) for name, values in chosen.items()})


Selected = Annotated[Selection, Depends(selection_of)]


class Selecting(BaseModel):
    """Papers by a query, by facets, or by their ids; all of these must agree."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field("", max_length=QUERY_CHARACTERS)
    facets: dict[Literal["year", "venue", "author", "language", "state", "tag"], list[Value]] = {}
    papers: list[Annotated[str, Field(max_length=64)]] | None = Field(
        None, max_length=SELECTED_PAPERS
    )

    def selection(self) -> Selection:
        """The papers that are meant."""
        facets: dict[str, tuple[str, ...]] = {}
        for name, values in self.facets.items():
            facets[name] = tuple(values)
        ids = None if self.papers is None else tuple(self.papers)
        return Selection(self.query, facets, ids)


class Exporting(Selecting):
    """What to export, and how."""

    format: ExportFormat
    archive: StrictBool = False
    """Whether to send a zip archive with a file for each paper."""


class Tagging(Selecting):
    """Tags to add to papers, and to remove."""

    add: list[str] = Field([], max_length=100)
    remove: list[str] = Field([], max_length=100)


class Retrying(BaseModel):
    """Papers to read again."""

    model_config = ConfigDict(extra="forbid")

    papers: list[str] | None = Field(None, max_length=SELECTED_PAPERS)
    """Their ids; all that failed if this is missing."""


class Listing(BaseModel):
    """Which part of a list is wanted."""

    sort: Sort | None = Field(
        None,
        description="title, authors, year, venue, state, added, or relevance where words are "
        "sought; with a minus before it in descending order.",
    )
    cursor: str | None = Field(None, max_length=10_000, description="`next` of the page before.")
    limit: int = Field(50, ge=1, le=LIST_PAPERS)
    grouped: bool = Field(default=False, description="List only the first version of each work.")


@router.get("")
async def papers(
    request: Request, selected: Selected, listing: Annotated[Listing, Depends()]
) -> Page:
    """List papers, or search them by words in title, authors, abstract, body, references, notes.

    `next` is the cursor of the following page.
    """
    shelf = shelf_of(request)
    return await asyncio.to_thread(
        lambda: shelf.library.page(
            selected,
            sort=listing.sort,
            cursor=listing.cursor,
            limit=listing.limit,
            grouped=listing.grouped,
        )
    )


@router.get("/facets")
async def facets(request: Request, selected: Selected) -> Facets:
    """How many papers have which year, venue, author, language, state and tag."""
    shelf = shelf_of(request)
    return Facets.of(await asyncio.to_thread(lambda: shelf.library.facets(selected)))


@router.post(
    "",
    status_code=201,
    openapi_extra={"requestBody": _BODY},
    responses={
        200: {"description": "The library had all of it", "model": Imported},
        201: {"description": "The papers, which are read in the background"},
    },
)
async def add(request: Request, response: Response) -> Imported:
    """Add a paper, or all papers of a zip archive: as a form with `myfile`, or as the body.

    Equal files are one paper. A request can be repeated without adding a second one.
    """
    service, realm, shelf = service_of(request), realm_of(request), shelf_of(request)
    token = token_of(request)

    def counting() -> AbstractContextManager[Entry]:
        if token is None:
            return realm.account.entry(most_bytes=None, most_documents=None)
        return realm.account.entry(most_bytes=token.bytes, most_documents=token.documents)

    with await entry_of(request, None) as entry:
        upload = await service.uploads.receive(request, realm.store, entry)
        try:
            intake = Intake(shelf, realm.store, counting)
            arrivals = await intake.take(upload.draft, upload.name, entry)
        finally:
            upload.draft.discard()
    service.metrics.received.inc(upload.draft.size)
    if not any(paper.new for paper in arrivals.papers):
        response.status_code = 200
    if len(arrivals.papers) == 1:
        response.headers["Location"] = f"/library/{arrivals.papers[0].id}"
    return Imported(arrivals.papers, arrivals.skipped)


@router.get("/queue")
async def queue(request: Request) -> QueueState:
    """How many papers wait, are ready and failed, and which are being read."""
    return await _queue_state(shelf_of(request))


@router.post("/queue")
async def retry(request: Request, retrying: Retrying) -> Changed:
    """Read papers again, with nothing reused: these, or all that failed. What people said stays."""
    realm, shelf = realm_of(request), shelf_of(request)
    library = await asyncio.to_thread(lambda: shelf.library)

    def again() -> int:
        chosen = retrying.papers
        if chosen is None:
            chosen = library.chosen(Selection(facets={"state": ("failed",)}))
        for paper in chosen:
            document = realm.store.document(paper) if len(paper) == 32 else None
            if document is not None:
                realm.extraction.forgive(document)
        return library.read_again(chosen)

    number = await asyncio.to_thread(again)
    shelf.queue.wake()
    return Changed(number)


@router.get("/events", include_in_schema=False)
async def events(request: Request) -> Response:
    """Tell whoever watches each change of the queue, as server-sent events."""
    shelf = shelf_of(request)
    stopping = asyncio.Event()
    request.scope[ON_SHUTDOWN] = stopping.set  # else the service would wait for the windows
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(shelf, stopping), 200, headers, "text/event-stream")


@router.post("/tags")
async def tag(request: Request, tagging: Tagging) -> Changed:
    """Add tags to papers, or remove them."""
    shelf = shelf_of(request)

    def change() -> int:
        chosen = shelf.library.chosen(tagging.selection())
        return sum(
            shelf.library.tag(paper, add=tagging.add, remove=tagging.remove) for paper in chosen
        )

    number = await asyncio.to_thread(change)
    shelf.queue.change()
    return Changed(number)


@router.get("/export", response_class=Response, responses=_EXPORTED)
async def export_query(
    request: Request,
    selected: Selected,
    format: ExportFormat = "bibtex",  # noqa: A002  # the name of the option
    archive: Annotated[bool, Query(description="A zip archive with a file per paper.")] = False,  # noqa: FBT002
) -> Response:
    """Export papers: one entry for each in bibtex, ris, csl and csv, else the whole papers."""
    return await _exported(shelf_of(request), selected, format, archive=archive)


@router.post("/export", response_class=Response, responses=_EXPORTED)
async def export_chosen(request: Request, exporting: Exporting) -> Response:
    """The same for papers by their ids."""
    shelf = shelf_of(request)
    return await _exported(
        shelf, exporting.selection(), exporting.format, archive=exporting.archive
    )


async def _exported(shelf: Shelf, selected: Selection, chosen: str, *, archive: bool) -> Response:
    def write() -> IO[bytes]:
        file = TemporaryFile()  # noqa: SIM115  # closed when it is sent
        try:
            library = shelf.library
            export(file, library.papers(library.chosen(selected)), chosen, archive=archive)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return file

    file = await asyncio.to_thread(write)
    written = FORMATS[chosen]
    ending = "zip" if archive else written.ending
    headers = {"Content-Disposition": f'attachment; filename="library.{ending}"'}
    media_type = "application/zip" if archive else written.media_type
    return StreamingResponse(_chunks(file), 200, headers, media_type)


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, SENT_CHUNK_BYTES):
            yield chunk


async def _queue_state(shelf: Shelf) -> QueueState:
    revision = shelf.queue.revision
    library = await asyncio.to_thread(lambda: shelf.library)
    counts = await asyncio.to_thread(library.counts)
    reading = [Reading(id_, name) for id_, name in shelf.queue.reading.items()]
    return QueueState(**counts, reading=reading, revision=revision)


async def _events(shelf: Shelf, stopping: asyncio.Event) -> AsyncIterator[bytes]:
    """The state now, and after each change."""
    sent, silent = -1, 0.0
    while not stopping.is_set():
        if shelf.queue.revision != sent:
            state = await _queue_state(shelf)
            sent, silent = state.revision, 0.0
            yield f"data: {json.dumps(asdict(state), ensure_ascii=False)}\n\n".encode()
        elif silent >= EVENT_SECONDS:
            silent = 0.0
            yield b":\n\n"
        silent += CHANGE_SECONDS
        await asyncio.sleep(CHANGE_SECONDS)
