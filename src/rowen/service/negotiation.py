"""Which form of an answer a client wants: by `output`, else by `Accept`, else the first."""

from collections.abc import Iterable, Sequence

from starlette.exceptions import HTTPException

MEDIA_TYPES = {
    "xml": "application/xml",
    "json": "application/json",
    "tei": "application/tei+xml",
    "bibtex": "application/x-bibtex",
    "csl": "application/vnd.citationstyles.csl+json",
    "jsonl": "application/x-ndjson",
    "text": "text/plain",
}
_ALSO = {"text/xml": "xml", "text/x-bibtex": "bibtex", "application/jsonl": "jsonl"}


def choose_form(output: str | None, accept: str | None, offered: Sequence[str]) -> str:
    """One of the forms that are offered; 406 where none of them is accepted."""
    if output is not None:
        if output not in offered:
            raise HTTPException(422, f"output is one of {', '.join(offered)}")
        return output
    ranges = sorted(_ranges(accept or "*/*"), key=lambda one: -one[1])
    for wanted, quality in ranges:
        if quality > 0:
            for form in offered:
                if _matches(wanted, form) and not _refuses(ranges, form):
                    return form
    types = ", ".join(MEDIA_TYPES[form] for form in offered)
    raise HTTPException(406, f"there are {types}")


def _ranges(accept: str) -> Iterable[tuple[str, float]]:
    for one in accept.split(","):
        wanted, *parameters = (part.strip().lower() for part in one.split(";"))
        quality = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    quality = float(parameter[2:])
                except ValueError:
                    quality = 0.0
        if wanted:
            yield wanted, quality


def _matches(wanted: str, form: str) -> bool:
    own = MEDIA_TYPES[form]
    if wanted.endswith("/*"):
        return wanted == "*/*" or own.startswith(wanted[:-1])
    return wanted == own or _ALSO.get(wanted) == form


def _refuses(ranges: Iterable[tuple[str, float]], form: str) -> bool:
    return any(
        quality <= 0 and not wanted.endswith("/*") and _matches(wanted, form)
        for wanted, quality in ranges
    )
