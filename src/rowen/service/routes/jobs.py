"""Jobs, for clients that poll instead of waiting: `Prefer: respond-async`."""

import json
from typing import Annotated, Any, Literal
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from rowen.export.xml_elements import PROLOGUE
from rowen.service.extraction import REUSES
from rowen.service.jobs import Order, State
from rowen.service.negotiation import MEDIA_TYPES, choose_form, result_of
from rowen.service.problems import PROBLEMS
from rowen.service.reading import RECORDS
from rowen.service.realms import Realm
from rowen.service.routes.extractors import extractor_of
from rowen.service.routes.lookup import document_of
from rowen.service.stages import PAPER_FORMS, TEXT
from rowen.service.state import realm_of

POLL_SECONDS = 1
"""After how many seconds a client should poll its job again."""


router = APIRouter(prefix="/jobs", tags=["jobs"], responses=PROBLEMS)

FORMS = {**PAPER_FORMS, RECORDS: ("json", "jsonl")}
"""The forms of each stage, the default first."""

_STATE_FORMS = ("xml", "json")
_LIKE_JSON = frozenset({"json", "jsonl", "csl"})
_STATE: dict[str, dict[str, Any]] = {
    MEDIA_TYPES["xml"]: {},
    MEDIA_TYPES["json"]: result_of("job"),
}
ACCEPTED: dict[int | str, dict[str, Any]] = {
    202: {
        "description": "With `Prefer: respond-async`: the job is running; poll its URI",
        "content": _STATE,
        "headers": {"Location": {"description": "The job", "schema": {"type": "string"}}},
    }
}
PREFER = {
    "name": "Prefer",
    "in": "header",
    "description": "`respond-async` for a job instead of waiting; `wait=5` waits 5 seconds before.",
    "schema": {"type": "string"},
}


@router.get(
    "/{job_id}",
    response_class=Response,
    responses={200: {"description": "The state of the job", "content": _STATE}},
)
async def job(
    request: Request,
    job_id: str,
    output: Annotated[Literal["xml", "json"] | None, Query()] = None,
) -> Response:
    """The state of a job: queued, running, done with the URI of its result, or failed."""
    realm = realm_of(request)
    order = await _order(realm, job_id)
    form = choose_form(output, request.headers.get("accept"), _STATE_FORMS)
    state, problem = await realm.jobs.ask(order)
    return _described(request, order, state, form, problem=problem)


def accepted(request: Request, order: Order) -> Response:
    """The response 202 for a client that polls."""
    response = _described(
        request, order, realm_of(request).jobs.state(order), _form(request, order), status=202
    )
    response.headers["Location"] = f"/jobs/{order.job}"
    response.headers["Preference-Applied"] = "respond-async"
    return response


def _form(request: Request, order: Order) -> str:
    """The form of a job's description for a client that asked for another kind of answer."""
    if order.form in _LIKE_JSON:
        return "json"
    try:
        return choose_form(None, request.headers.get("accept"), _STATE_FORMS)
    except HTTPException:
        return _STATE_FORMS[0]


def _described(
    request: Request,
    order: Order,
    state: State,
    form: str,
    *,
    status: int = 200,
    problem: dict[str, Any] | None = None,
) -> Response:
    description: dict[str, Any] = {
        "id": order.job,
        "uri": f"{request.base_url}jobs/{order.job}",
        "state": state,
    }
    # A proxy that keeps a state would have the client poll for ever.
    headers = {"Cache-Control": "no-store"}
    if state == "done":
        description["result"] = f"{request.base_url}{_result(order)}"
    elif state == "failed":
        description["problem"] = problem
    else:
        headers["Retry-After"] = str(POLL_SECONDS)
    written = f"{json.dumps(description)}\n" if form == "json" else _xml(description)
    return Response(written, status, headers, MEDIA_TYPES[form])


async def _order(realm: Realm, job_id: str) -> Order:
    """The order of a job with an id from a request; 404 where the id is invalid."""
    # The name of an extractor comes last, because it may have dots.
    document_id, stage, form, mode, extractor = (*job_id.split(".", 4), "", "", "", "")[:5]
    reuse = next((reuse for reuse in REUSES if reuse == mode), None)
    is_valid = form in FORMS.get(stage, ()) and (stage == RECORDS) == bool(extractor)
    if reuse is None or not is_valid:
        raise HTTPException(404, "job not found")
    document = await document_of(realm.store, document_id)
    saved = await extractor_of(realm.store, extractor) if extractor else None
    return Order(document, stage, form, reuse, saved)


def _result(order: Order) -> str:
    place = f"{order.document.id}/{order.stage}"
    if order.extractor is not None:
        return f"{place}?extractor={quote(order.extractor.name)}&output={order.form}"
    return place if order.stage == TEXT else f"{place}?output={order.form}"


def _xml(description: dict[str, Any]) -> str:
    root = Element("job")
    _fill(root, description)
    indent(root)
    return f"{PROLOGUE}{tostring(root, encoding='unicode')}\n"


def _fill(parent: Element, description: dict[str, Any]) -> None:
    for name, value in description.items():
        inner = SubElement(parent, name)
        if isinstance(value, dict):
            _fill(inner, value)
        else:
            inner.text = str(value)
