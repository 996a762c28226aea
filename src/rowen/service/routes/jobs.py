"""Jobs, for clients that come again instead of waiting: `Prefer: respond-async`."""

import json
from typing import Annotated, Any, Literal
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from rowen.export.paper_xml import PROLOGUE
from rowen.limits import POLL_SECONDS
from rowen.service.app import realm_of
from rowen.service.extraction import REUSES
from rowen.service.jobs import Order, State
from rowen.service.negotiation import MEDIA_TYPES, choose_form
from rowen.service.problems import PROBLEMS
from rowen.service.reading import RECORDS
from rowen.service.realms import Realm
from rowen.service.routes.extractors import extractor_of
from rowen.service.routes.found import document_of
from rowen.service.stages import PAPER_FORMS, TEXT

router = APIRouter(prefix="/jobs", tags=["jobs"], responses=PROBLEMS)

FORMS = {**PAPER_FORMS, RECORDS: ("json", "jsonl")}
"""The forms of each stage, the default first."""

_STATE_FORMS = ("xml", "json")
_LIKE_JSON = frozenset({"json", "jsonl", "csl"})
_STATE: dict[str, dict[str, Any]] = {
    MEDIA_TYPES["xml"]: {},
    MEDIA_TYPES["json"]: {
        "schema": {
            "type": "object",
            "properties": {
                "id": {"type": "string"},
                "uri": {"type": "string"},
                "state": {"enum": ["queued", "running", "done", "failed"]},
                "result": {"type": "string"},
                "problem": {"type": "object"},
            },
            "required": ["id", "uri", "state"],
        }
    },
}
ACCEPTED: dict[int | str, dict[str, Any]] = {
    202: {
        "description": "With `Prefer: respond-async`: it is being worked on; ask the job",
        "content": _STATE,
        "headers": {"Location": {"description": "The job", "schema": {"type": "string"}}},
    }
}
PREFER = {
    "name": "Prefer",
    "in": "header",
    "description": "`respond-async` for a job instead of waiting; `wait=5` waits so long before.",
    "schema": {"type": "string"},
}


@router.get(
    "/{job_id}",
    response_class=Response,
    responses={200: {"description": "How the job stands", "content": _STATE}},
)
async def job(
    request: Request,
    job_id: str,
    output: Annotated[Literal["xml", "json"] | None, Query()] = None,
) -> Response:
    """Where a job stands: queued, running, done with the URI of its result, or failed."""
    realm = realm_of(request)
    order = await _order(realm, job_id)
    form = choose_form(output, request.headers.get("accept"), _STATE_FORMS)
    state, problem = await realm.jobs.ask(order)
    return _told(request, order, state, form, problem=problem)


def accepted(request: Request, order: Order) -> Response:
    """The answer for a client that comes again."""
    answer = _told(
        request, order, realm_of(request).jobs.state(order), _form(request, order), status=202
    )
    answer.headers["Location"] = f"/jobs/{order.job}"
    answer.headers["Preference-Applied"] = "respond-async"
    return answer


def _form(request: Request, order: Order) -> str:
    """How to tell of a job to one who asked for something else."""
    if order.form in _LIKE_JSON:
        return "json"
    try:
        return choose_form(None, request.headers.get("accept"), _STATE_FORMS)
    except HTTPException:
        return _STATE_FORMS[0]


def _told(
    request: Request,
    order: Order,
    state: State,
    form: str,
    *,
    status: int = 200,
    problem: dict[str, Any] | None = None,
) -> Response:
    told: dict[str, Any] = {
        "id": order.job,
        "uri": f"{request.base_url}jobs/{order.job}",
        "state": state,
    }
    headers = {"Cache-Control": "no-store"}
    if state == "done":
        told["result"] = f"{request.base_url}{_result(order)}"
    elif state == "failed":
        told["problem"] = problem
    else:
        headers["Retry-After"] = str(POLL_SECONDS)
    written = f"{json.dumps(told)}\n" if form == "json" else _xml(told)
    return Response(written, status, headers, MEDIA_TYPES[form])


async def _order(realm: Realm, job_id: str) -> Order:
    """What a job's id from anywhere says, or 404."""
    document_id, stage, form, said, extractor = (*job_id.split(".", 4), "", "", "", "")[:5]
    reuse = next((one for one in REUSES if one == said), None)
    known = form in FORMS.get(stage, ()) and (stage == RECORDS) == bool(extractor)
    if reuse is None or not known:
        raise HTTPException(404, "there is no such job")
    document = await document_of(realm.store, document_id)
    saved = await extractor_of(realm.store, extractor) if extractor else None
    return Order(document, stage, form, reuse, saved)


def _result(order: Order) -> str:
    place = f"{order.document.id}/{order.stage}"
    if order.extractor is not None:
        return f"{place}?extractor={quote(order.extractor.name)}&output={order.form}"
    return place if order.stage == TEXT else f"{place}?output={order.form}"


def _xml(told: dict[str, Any]) -> str:
    root = Element("job")
    _fill(root, told)
    indent(root)
    return f"{PROLOGUE}{tostring(root, encoding='unicode')}\n"


def _fill(parent: Element, told: dict[str, Any]) -> None:
    for name, value in told.items():
        inner = SubElement(parent, name)
        if isinstance(value, dict):
            _fill(inner, value)
        else:
            inner.text = str(value)
