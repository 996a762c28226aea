"""Files of the applications in the browser, from a package's folder `static`."""

from importlib.resources import files

from fastapi.responses import Response
from starlette.exceptions import HTTPException

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
# Scripts only from our own files; nothing from elsewhere, and no other site may frame a screen.
# Inline styles are those of shown pages, in their frame.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


def static_file(package: str, name: str) -> Response:
    """The response with a file below `static` of a package; 404 where there is none."""
    # Only known types of files below `static`: the path comes from the request.
    kind = _TYPES.get(name.rpartition(".")[2])
    file = files(package).joinpath("static").joinpath(name)
    if kind is None or ".." in name.split("/") or not file.is_file():
        raise HTTPException(404, "file not found")
    headers = {
        "Content-Security-Policy": POLICY,
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
    }
    return Response(file.read_bytes(), 200, headers, kind)
