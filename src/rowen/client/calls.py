"""The calls of the HTTP contract: each has a request and reads its response."""

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar
from urllib.parse import quote

from rowen.client.answers import (
    Answer,
    Document,
    Found,
    Reply,
    body_of,
    citations_of,
    document_of,
    found_of,
    header_of,
    reuse_of,
    text_of,
)
from rowen.client.bodies import Body, Source
from rowen.client.conversation import Call, Request
from rowen.client.library import LibraryCalls, disposition

if TYPE_CHECKING:
    from rowen.citations.citation import Citation
    from rowen.papers.body import Section
    from rowen.papers.paper import Paper

T = TypeVar("T")

Reusing: TypeAlias = Literal["off", "exact", "near"]
"""Which earlier results may be reused; by default the service decides."""
Part: TypeAlias = Literal["header", "citations", "body"]
Form: TypeAlias = Literal["xml", "json", "tei", "jats", "markdown", "bibtex", "ris", "csl"]
Whole: TypeAlias = Literal["tei", "jats", "markdown", "bibtex", "ris", "csl", "text"]

_JSON = {"Accept": "application/json"}


class Calls(LibraryCalls):
    """The calls of a service; `wait` is how many seconds it may take before it starts a job."""

    def __init__(self, *, wait: float | None) -> None:
        self._prefer = {} if wait is None else {"Prefer": f"respond-async, wait={wait:.0f}"}

    def submit(
        self,
        source: Source,
        *,
        name: str | None = None,
        key: str | None = None,
        url: str | None = None,
    ) -> Call[Document]:
        """Submit a document: a path, the bytes, or an open file, which is read while it is sent.

        `url` is the page's own address: relative links in its records start from it.

        Retries don't add a second document: each submission has an `Idempotency-Key`, which may
        be given as `key`.
        """
        body = Body(source)
        shown = body.name if name is None else name
        headers: dict[str, str | bytes] = {
            **_JSON,
            "Content-Type": "application/octet-stream",
            "Idempotency-Key": key or token_hex(16),
        }
        if shown:
            headers["Content-Disposition"] = disposition(shown)
        return Call(Request("POST", "/", {"url": url} if url else {}, headers, body), document_of)

    def describe(self, document: str | Document) -> Call[Document]:
        """Describe a document."""
        return Call(Request("GET", _path(document), {}, _JSON), document_of)

    def delete(self, document: str | Document) -> Call[None]:
        """Delete a document and, where no other document has its content, its results."""
        request = Request("DELETE", _path(document), {}, _JSON)
        return Call(request, _nothing, repeated=frozenset({404}))

    def file(self, document: str | Document) -> Call[bytes]:
        """The original document."""
        return Call(Request("GET", f"{_path(document)}/file", {}, {}), _content)

    def header(
        self, document: str | Document, *, reuse: Reusing | None = None
    ) -> "Call[Answer[Paper]]":
        """Title, authors, abstract, keywords, DOI and date, as a paper without other parts."""
        return self._part(document, "header", header_of, reuse=reuse)

    def citations(
        self, document: str | Document, *, reuse: Reusing | None = None
    ) -> "Call[Answer[tuple[Citation, ...]]]":
        """The works that a paper cites."""
        return self._part(document, "citations", citations_of, reuse=reuse)

    def body(
        self, document: str | Document, *, reuse: Reusing | None = None
    ) -> "Call[Answer[tuple[Section, ...]]]":
        """A paper's sections."""
        return self._part(document, "body", body_of, reuse=reuse)

    def text(self, document: str | Document, *, reuse: Reusing | None = None) -> Call[Answer[str]]:
        """All text in reading order."""
        return self._part(document, "text", text_of, reuse=reuse, accept="text/plain")

    def export(
        self, document: str | Document, part: Part, output: Form, *, reuse: Reusing | None = None
    ) -> Call[Answer[str]]:
        """A part of a paper as the service writes it.

        All parts have `xml`, `json` and `tei`; citations also have `bibtex`, `ris` and `csl`,
        bodies `jats` and `markdown`.
        """
        return self._part(document, part, text_of, reuse=reuse, accept="*/*", output=output)

    def paper(self, document: str | Document, output: Whole) -> Call[str]:
        """The whole paper: `tei`, `jats`, `markdown`, `text`, or the works that it cites."""
        return Call(Request("GET", _path(document), {"output": output}, {}), text_of)

    def records(
        self, document: str | Document, extractor: str, *, reuse: Reusing | None = None
    ) -> Call[Answer[Found]]:
        """The records that a registered extractor finds."""
        return self._part(document, "records", found_of, reuse=reuse, extractor=extractor)

    def extractors(self) -> Call[list[str]]:
        """The names of all registered extractors."""
        return Call(Request("GET", "/extractors", {}, _JSON), lambda reply: list(reply.json()))

    def extractor(self, name: str) -> Call[str]:
        """The definition of an extractor, as it was registered."""
        return Call(Request("GET", _extractor(name), {}, {}), text_of)

    def put_extractor(self, name: str, definition: str | Path) -> Call[None]:
        """Register rules (TOML) or a wrapper (JSON): the definition, or the path of its file."""
        body = Body(definition if isinstance(definition, Path) else definition.encode())
        return Call(Request("PUT", _extractor(name), {}, _JSON, body), _nothing)

    def delete_extractor(self, name: str) -> Call[None]:
        """Delete an extractor."""
        request = Request("DELETE", _extractor(name), {}, _JSON)
        return Call(request, _nothing, repeated=frozenset({404}))

    def _part(
        self,
        document: str | Document,
        part: str,
        read: Callable[[Reply], T],
        *,
        reuse: Reusing | None,
        accept: str = "application/json",
        **params: str,
    ) -> Call[Answer[T]]:
        query = params if reuse is None else {**params, "reuse": reuse}
        headers = {"Accept": accept, **self._prefer}

        def answer(reply: Reply) -> Answer[T]:
            reused = reuse_of(reply.headers.get("rowen-reuse"))
            return Answer(read(reply), reused, reply.headers.get("rowen-version"))

        return Call(Request("GET", f"{_path(document)}/{part}", query, headers), answer)


def _path(document: str | Document) -> str:
    return f"/{quote(document if isinstance(document, str) else document.id, safe='')}"


def _extractor(name: str) -> str:
    return f"/extractors/{quote(name, safe='')}"


def _content(reply: Reply) -> bytes:
    return reply.content


def _nothing(_reply: Reply) -> None:
    return None
