"""Content negotiation: the form of a response by `output`, else by `Accept`, else the first."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.exceptions import HTTPException

MEDIA_TYPES = {
    "xml": "application/xml",
    "json": "application/json",
    "tei": "application/tei+xml",
    "jats": "application/jats+xml",
    "markdown": "text/markdown",
    "bibtex": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
    "csl": "application/vnd.citationstyles.csl+json",
    "jsonl": "application/x-ndjson",
    "text": "text/plain",
}
_ALSO = {"text/xml": "xml", "text/x-bibtex": "bibtex", "application/jsonl": "jsonl"}


@cache
def _results() -> dict[str, dict[str, Any]]:
    described: dict[str, dict[str, Any]] = json.loads(
        files("rowen.service").joinpath("results.json").read_bytes()
    )
    return described


def result_of(name: str) -> dict[str, Any]:
    """The JSON schema of a result, with an example, for the OpenAPI description."""
    return _results()[name]


def choose_form(output: str | None, accept: str | None, offered: Sequence[str]) -> str:
    """One of the offered forms; 406 where the client accepts none."""
    if output is not None:
        if output not in offered:
            raise HTTPException(422, f"output must be one of {', '.join(offered)}")
        return output
    # The sort is stable: equal qualities keep the order of the client.
    ranges = sorted(_ranges(accept or "*/*"), key=lambda pair: -pair[1])
    for media_range, quality in ranges:
        if quality > 0:
            for form in offered:
                if _matches(media_range, form) and not _refuses(ranges, form):
                    return form
    types = ", ".join(MEDIA_TYPES[form] for form in offered)
    raise HTTPException(406, f"available: {types}")


def _ranges(accept: str) -> Iterable[tuple[str, float]]:
    for item in accept.split(","):
        media_range, *parameters = (part.strip().lower() for part in item.split(";"))
        quality = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    quality = float(parameter[2:])
                except ValueError:
                    # What can't be understood is not taken as consent.
                    quality = 0.0
        if media_range:
            yield media_range, quality


def _matches(media_range: str, form: str) -> bool:
    own = MEDIA_TYPES[form]
    if media_range.endswith("/*"):
        return media_range == "*/*" or own.startswith(media_range[:-1])
    return media_range == own or _ALSO.get(media_range) == form


def _refuses(ranges: Iterable[tuple[str, float]], form: str) -> bool:
    # A type with q=0 is refused even if `*/*` accepts it: the more specific range counts (RFC
    # 9110).
    return any(
        quality <= 0 and not media_range.endswith("/*") and _matches(media_range, form)
        for media_range, quality in ranges
    )
