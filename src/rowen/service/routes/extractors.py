"""Extractors that clients register and run on documents."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from rowen.model.errors import ExtractorError, StoreError
from rowen.records.schema import LANGUAGE
from rowen.service.negotiation import result_of
from rowen.service.problems import PROBLEMS
from rowen.service.routes.lookup import is_known, unchanged
from rowen.service.state import realm_of, token_of
from rowen.service.uploads import NAME_CHARACTERS, chunks_of
from rowen.storage.documents.store import SavedExtractor, Store
from rowen.values.conversion import TYPES

REGISTERED_BYTES = 8 * 1024 * 1024
"""Limit: the size of an extractor's definition over HTTP; it is stored in the database."""


router = APIRouter(prefix="/extractors", tags=["extractors"], responses=PROBLEMS)

_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{NAME_CHARACTERS - 1}}}")
_TYPES = {"toml": "application/toml", "json": "application/json"}


def _described(kind: str, **settings: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a definition; the last of the settings is required."""
    return {
        "type": "object",
        "properties": {
            "kind": {"const": kind},
            "name": _TEXT,
            "version": _TEXT,
            "schema": _SCHEMA,
            **settings,
        },
        "required": ["kind", [*settings][-1]],
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
_SCHEMA = {
    "type": "object",
    "description": "What the fields hold: a type, or a type with settings. "
    "A field that is not named is a text.",
    "propertyNames": {"pattern": "^[a-z]{1,7}$"},
    "additionalProperties": {
        "anyOf": [
            {"enum": [*TYPES]},
            {
                "type": "object",
                "properties": {
                    "type": {"enum": [*TYPES]},
                    **dict.fromkeys(("many", "required", "key"), _FLAG),
                    "language": {"type": "string", "pattern": LANGUAGE},
                },
                "additionalProperties": False,
            },
        ]
    },
}
_WORD = {"type": "string", "minLength": 1}
_WORDS = {"type": "array", "items": _WORD, "minItems": 1}
_EXPRESSION = {
    "type": "string",
    "pattern": "^[a-z ]*[(][?]P<[a-z]{1,9}>[a-z ]+[)][a-z ]*$",
    "description": "Any regular expression with named groups; this schema describes the simplest.",
}
_BODY = {
    "required": True,
    "description": "Rules or a wrapper as the command line saves them, with all their settings; "
    "this schema describes the simplest ones.",
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
_REGISTERED = {_TYPES["json"]: result_of("registered")}
_SAVED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The definition",
        "content": {_TYPES["toml"]: {}, _TYPES["json"]: result_of("definition")},
    }
}


@router.get("")
async def names(request: Request) -> list[str]:
    """The names of all registered extractors."""
    return await asyncio.to_thread(realm_of(request).store.extractors)


@router.put(
    "/{name}",
    responses={
        200: {"description": "Replaced", "content": _REGISTERED},
        201: {"description": "Registered", "content": _REGISTERED},
    },
    openapi_extra={"requestBody": _BODY},
)
async def register(
    request: Request, name: Annotated[str, Path(pattern=f"^{_NAME.pattern}$")]
) -> JSONResponse:
    """Register rules (TOML), a wrapper (JSON) or `{"kind": "plugin", "plugin": NAME}`.

    Rules and wrappers are files as the command line reads them; a plugin must be installed.

    A name has letters, digits, dots, dashes and underscores. The response has the `warnings` of a
    wrapper, such as labels that it does not reproduce. Its `schema` gives fields their types.
    """
    realm = realm_of(request)
    content = await _definition(chunks_of(request))
    # TOML can't start with a brace, so the content alone decides, as for documents.
    form = "json" if content.lstrip().startswith("{") else "toml"
    digest = await realm.extraction.check(form, content)
    saved = SavedExtractor(name, form, content, digest)
    token = token_of(request)
    is_new = await realm.register(saved, most=None if token is None else token.bytes)
    headers = {"Location": f"/extractors/{name}"} if is_new else {}
    body = {"name": name, "form": form, "digest": digest, "warnings": _warnings(form, content)}
    return JSONResponse(body, 201 if is_new else 200, headers)


@router.get("/{name}", response_class=Response, responses=_SAVED)
async def definition(request: Request, name: str) -> Response:
    """The definition of an extractor, as it was registered."""
    saved = await extractor_of(realm_of(request).store, name)
    etag = f'"{saved.digest}"'
    if is_known(request, etag):
        return unchanged(etag)
    return Response(saved.content, 200, {"ETag": etag}, _TYPES[saved.form])


@router.delete("/{name}")
async def forget(request: Request, name: str) -> dict[str, str]:
    """Delete an extractor."""
    realm = realm_of(request)
    saved = await _registered(realm.store, name)
    await realm.unregister(saved.name)
    return {"deleted": saved.name}


async def extractor_of(store: Store, name: str) -> SavedExtractor:
    """The extractor with a name from a request; 404 where there is none, 503 where it is
    damaged.
    """
    saved = await _registered(store, name)
    if not saved.is_whole:
        raise StoreError("the stored extractor is damaged; register it again")
    return saved


async def _registered(store: Store, name: str) -> SavedExtractor:
    extractor = None
    # The name becomes part of a path in the store, so that it must not have a slash or be `..`.
    if _NAME.fullmatch(name):
        if store.documents_are_remote:
            extractor = await asyncio.to_thread(store.extractor, name)
        else:
            extractor = store.extractor(name)
    if extractor is None:
        raise HTTPException(404, "extractor not found")
    return extractor


def _warnings(form: str, content: str) -> list[Any]:
    """The warnings of a wrapper; a worker has checked the definition before."""
    definition = json.loads(content) if form == "json" and '"warnings"' in content else {}
    return list(definition.get("warnings", [])) if isinstance(definition, dict) else []


async def _definition(chunks: AsyncIterator[bytes]) -> str:
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        if len(data) > REGISTERED_BYTES:
            raise HTTPException(413, f"a definition may have at most {REGISTERED_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ExtractorError("not UTF-8 text") from None
