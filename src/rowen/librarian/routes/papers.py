"""One paper of the library: what is known of it, and what people say about it."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException

from rowen.librarian.answers import PaperDetails, SaidCorrection
from rowen.librarian.arrivals import Arrived, add_document
from rowen.librarian.routes.state import shelf_of
from rowen.library.fields import TEXT_CHARACTERS
from rowen.library.library import NOTE_CHARACTERS, Library
from rowen.library.training import annotated_references
from rowen.service.problems import PROBLEMS
from rowen.service.routes.lookup import document_of
from rowen.service.state import realm_of


class PaperConvertor(StringConvertor):
    """Ids in paths. Other words are no papers, so that a call on them has no method but its own."""

    regex = "[0-9a-f]{32}"


register_url_convertor("paper", PaperConvertor())
router = APIRouter(prefix="/library", tags=["library"], responses=PROBLEMS)

PaperId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
Number = Annotated[int, Path(ge=1, lt=2**62)]


CorrectedField = Literal[
    "title", "authors", "abstract", "keywords", "doi", "date", "year", "venue", "language",
    "citation",
]  # fmt: skip


class Correcting(BaseModel):
    """What a field should say."""

    model_config = ConfigDict(extra="forbid")

    field: CorrectedField
    value: Any = Field(None)
    """The right value; null where the paper has none. Of a citation the corrected fields, or null
    where it is no reference."""
    raw: str = Field("", max_length=TEXT_CHARACTERS)
    """The text of the citation, as the paper has it."""


class Noting(BaseModel):
    """A remark."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=NOTE_CHARACTERS)


@router.get("/corrections")
async def corrections(request: Request) -> list[SaidCorrection]:
    """All corrections of all papers, each with what was extracted."""
    shelf = shelf_of(request)

    def said() -> list[SaidCorrection]:
        return [
            SaidCorrection(item.id, item.name, correction)
            for item, correction in shelf.library.all_corrections()
        ]

    return await asyncio.to_thread(said)


@router.get("/training")
async def training(request: Request) -> list[dict[str, Any]]:
    """Corrected references as annotated references, from which `rowen train citations` learns.

    Write one per line. References whose corrected values are not in their text are left out.
    """
    shelf = shelf_of(request)
    return await asyncio.to_thread(lambda: list(annotated_references(shelf.library)))


@router.get("/{paper:paper}")
async def paper_details(request: Request, paper: PaperId) -> PaperDetails:
    """A paper with its references, the papers that cite it, its versions, and all that was said."""
    return await _details(request, paper)


@router.put("/{paper:paper}", responses={200: {"description": "The paper"}})
async def add_paper(request: Request, paper: PaperId) -> Arrived:
    """Add a document that the service has already."""
    realm = realm_of(request)
    return await add_document(shelf_of(request), await document_of(realm.store, paper))


@router.delete("/{paper:paper}", status_code=204, response_class=Response)
async def delete_paper(request: Request, paper: PaperId) -> None:
    """Delete a paper with everything that was said about it, and its document."""
    realm = realm_of(request)
    shelf = shelf_of(request)
    removed = await asyncio.to_thread(lambda: shelf.library.remove(paper))
    document = await asyncio.to_thread(realm.store.document, paper) if removed else None
    if document is not None:
        await realm.delete(document)
    if not removed:
        raise _missing()
    shelf.queue.change()


@router.post("/{paper:paper}/corrections")
async def correct(request: Request, paper: PaperId, correcting: Correcting) -> PaperDetails:
    """Correct a field of the header, or a reference. Reading the paper again leaves it as it is."""

    def change(library: Library) -> bool:
        return library.correct(paper, correcting.field, correcting.value, raw=correcting.raw)

    return await _changed(request, paper, change)


@router.delete("/{paper:paper}/corrections/{number}")
async def restore(request: Request, paper: PaperId, number: Number) -> PaperDetails:
    """Take a correction back: what was extracted is shown again."""
    return await _changed(request, paper, lambda library: library.restore(paper, number))


@router.put("/{paper:paper}/tags/{tag}")
async def add_tag(request: Request, paper: PaperId, tag: str) -> PaperDetails:
    """Add a tag to a paper."""
    return await _changed(request, paper, lambda library: library.tag(paper, add=[tag]))


@router.delete("/{paper:paper}/tags/{tag}")
async def remove_tag(request: Request, paper: PaperId, tag: str) -> PaperDetails:
    """Remove a tag from a paper."""
    return await _changed(request, paper, lambda library: library.tag(paper, remove=[tag]))


@router.post("/{paper:paper}/notes")
async def note(request: Request, paper: PaperId, noting: Noting) -> PaperDetails:
    """Add a note to a paper."""
    return await _changed(request, paper, lambda library: library.note(paper, noting.text))


@router.delete("/{paper:paper}/notes/{number}")
async def remove_note(request: Request, paper: PaperId, number: Number) -> PaperDetails:
    """Remove a note."""
    return await _changed(request, paper, lambda library: library.remove_note(paper, number))


async def _changed(request: Request, paper: str, change: Callable[[Library], bool]) -> PaperDetails:
    """The paper after a change."""
    shelf = shelf_of(request)
    if not await asyncio.to_thread(lambda: change(shelf.library)):
        raise _missing()
    shelf.queue.change()
    return await _details(request, paper)


async def _details(request: Request, paper: str) -> PaperDetails:
    shelf = shelf_of(request)
    details = await asyncio.to_thread(lambda: shelf.library.details(paper))
    if details is None:
        raise _missing()
    return PaperDetails.of(details)


def _missing() -> HTTPException:
    return HTTPException(404, "not found in the library")
