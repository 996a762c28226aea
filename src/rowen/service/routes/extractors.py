"""Extractors that clients register, to run over documents."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from rowen.limits import NAME_CHARACTERS, REGISTERED_BYTES
from rowen.model.errors import ExtractorError, StoreError
from rowen.service.app import realm_of, token_of
from rowen.service.problems import PROBLEMS
from rowen.service.routes.found import is_known, unchanged
from rowen.service.store import SavedExtractor, Store
from rowen.service.uploads import chunks_of

router = APIRouter(prefix="/extractors", tags=["extractors"], responses=PROBLEMS)

_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{NAME_CHARACTERS - 1}}}")
_TYPES = {"toml": "application/toml", "json": "application/json"}


def _described(kind: str, **settings: dict[str, Any]) -> dict[str, Any]:
    """A definition of one kind, the last of whose settings it needs."""
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, "name": _TEXT, "version": _TEXT, **settings},
        "required": ["kind", [*settings][-1]],
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_WORD = {"type": "string", "minLength": 1}
_WORDS = {"type": "array", "items": _WORD, "minItems": 1}
_EXPRESSION = {
    "type": "string",
    "pattern": "^[a-z ]*[(][?]P<[a-z]{1,9}>[a-z ]+[)][a-z ]*$",
    "description": "Any regular expression with named groups; here are the simplest.",
}
_BODY = {
    "required": True,
    "description": "Rules or a wrapper as the command line saves them, with all settings that they "
    "may have there; described are the simplest ones.",
    "content": {
        _TYPES["toml"]: {"schema": {"type": "string"}},
        _TYPES["json"]: {
            "schema": {
                "anyOf": [
                    _described("pattern", pattern=_EXPRESSION),
                    _described("dictionary", field=_WORD, entries=_WORDS),
                ]
            }
        },
    },
}
_SAVED: dict[int | str, dict[str, Any]] = {
    200: {"description": "The definition", "content": {one: {} for one in _TYPES.values()}}
}


@router.get("")
async def names(request: Request) -> list[str]:
    """The names of all registered extractors."""
    return await asyncio.to_thread(realm_of(request).store.extractors)


@router.put(
    "/{name}",
    responses={200: {"description": "Replaced"}, 201: {"description": "Registered"}},
    openapi_extra={"requestBody": _BODY},
)
async def register(
    request: Request, name: Annotated[str, Path(pattern=f"^{_NAME.pattern}$")]
) -> JSONResponse:
    """Register rules (TOML), a wrapper (JSON) or `{"kind": "plugin", "plugin": NAME}`.

    Rules and wrappers are as the command line takes them; a plugin is one that is installed.

    A name has letters, digits, dots, dashes and underscores. The answer has the `warnings` of a
    wrapper: which of its labels it does not reproduce, and what else may be wrong with it.
    """
    realm = realm_of(request)
    content = await _definition(chunks_of(request))
    form = "json" if content.lstrip().startswith("{") else "toml"
    digest = await realm.extraction.check(form, content)
    saved = SavedExtractor(name, form, content, digest)
    token = token_of(request)
    new = await realm.register(saved, most=None if token is None else token.bytes)
    headers = {"Location": f"/extractors/{name}"} if new else {}
    told = {"name": name, "form": form, "digest": digest, "warnings": _warnings(form, content)}
    return JSONResponse(told, 201 if new else 200, headers)


@router.get("/{name}", response_class=Response, responses=_SAVED)
async def definition(request: Request, name: str) -> Response:
    """An extractor as it was registered."""
    saved = await extractor_of(realm_of(request).store, name)
    etag = f'"{saved.digest}"'
    if is_known(request, etag):
        return unchanged(etag)
    return Response(saved.content, 200, {"ETag": etag}, _TYPES[saved.form])


@router.delete("/{name}")
async def forget(request: Request, name: str) -> dict[str, str]:
    """Forget an extractor."""
    realm = realm_of(request)
    saved = await _registered(realm.store, name)
    await realm.unregister(saved.name)
    return {"deleted": saved.name}


async def extractor_of(store: Store, name: str) -> SavedExtractor:
    """The extractor of a name from anywhere, or 404; 503 where it is not what was put."""
    saved = await _registered(store, name)
    if not saved.is_whole:
        raise StoreError("the extractor is damaged where it is kept; put it again")
    return saved


async def _registered(store: Store, name: str) -> SavedExtractor:
    found = None
    if _NAME.fullmatch(name):
        if store.documents_are_remote:
            found = await asyncio.to_thread(store.extractor, name)
        else:
            found = store.extractor(name)
    if found is None:
        raise HTTPException(404, "there is no such extractor")
    return found


def _warnings(form: str, content: str) -> list[Any]:
    """What learning warned of; the definition was checked before, by a worker."""
    given = json.loads(content) if form == "json" and '"warnings"' in content else {}
    return list(given.get("warnings", [])) if isinstance(given, dict) else []


async def _definition(chunks: AsyncIterator[bytes]) -> str:
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        if len(data) > REGISTERED_BYTES:
            raise HTTPException(413, f"a definition may have {REGISTERED_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ExtractorError("not UTF-8 text") from None
