"""The library of a service: its papers as values, and the calls for them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, TypeVar
from urllib.parse import quote

from rowen.client.answers import Reply
from rowen.client.bodies import Body, Source
from rowen.client.conversation import Call, Request
from rowen.model.errors import ServiceError

LibraryFormat: TypeAlias = Literal["bibtex", "ris", "csl", "csv", "json", "tei", "markdown"]

T = TypeVar("T")

_JSON = {"Accept": "application/json"}
_SENT = {**_JSON, "Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class LibraryPaper:
    """A paper as a library lists it.

    >>> from rowen.types import LibraryPaper
    >>> [field for field in LibraryPaper.__dataclass_fields__][:5]
    ['id', 'title', 'authors', 'year', 'venue']
    """

    id: str
    title: str | None
    authors: tuple[str, ...]
    year: str | None
    venue: str | None
    state: str
    """waiting, ready or failed."""
    language: str | None
    doi: str | None
    name: str
    """The name of its file."""
    added: str
    tags: tuple[str, ...]
    versions: int
    """How many papers of the library are versions of this work."""
    cited: int
    """How often papers of the library cite it."""
    reason: str | None
    """Why it failed."""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    """A part of a list of papers.

    >>> from rowen.types import LibraryPage
    >>> LibraryPage(items=(), next=None, total=0).total
    0
    """

    items: tuple[LibraryPaper, ...]
    next: str | None
    """The cursor of what follows; None at the end."""
    total: int


@dataclass(frozen=True, slots=True)
class AddedPaper:
    """A paper that was sent.

    >>> from rowen.types import AddedPaper
    >>> AddedPaper("1fd217b4d1d92494bec69006ac9b9cc2", "a.pdf", new=True).new
    True
    """

    id: str
    name: str
    new: bool
    """False where the library had it already."""


@dataclass(frozen=True, slots=True)
class AddedPapers:
    """What came of sending a paper or a zip archive.

    >>> from rowen.types import AddedPapers
    >>> AddedPapers(papers=(), skipped=(("notes.docx", "not a PDF"),)).skipped
    (('notes.docx', 'not a PDF'),)
    """

    papers: tuple[AddedPaper, ...]
    skipped: tuple[tuple[str, str], ...]
    """Files of an archive that were not taken, each with the reason."""


class LibraryCalls:
    """The calls for the library."""

    def add_to_library(self, source: Source, *, name: str | None = None) -> Call[AddedPapers]:
        """Add a paper or a zip archive of papers: a path, the bytes, or an open file.

        The service reads them in the background. Equal files are one paper, so that adding them
        again changes nothing.
        """
        body = Body(source)
        headers: dict[str, str | bytes] = {**_JSON, "Content-Type": "application/octet-stream"}
        shown = body.name if name is None else name
        if shown:
            headers["Content-Disposition"] = disposition(shown)
        return Call(Request("POST", "/library", {}, headers, body), _added_of)

    def search_library(
        self,
        query: str = "",
        *,
        sort: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
        facets: Mapping[str, Sequence[str]] | None = None,
    ) -> Call[LibraryPage]:
        """List papers, or search them. `cursor` is `next` of the page before.

        `facets` are values of year, venue, author, language, state and tag; of several values of
        one facet any will do.
        """
        params: dict[str, str | Sequence[str]] = {
            "query": query,
            "limit": str(limit),
            **(facets or {}),
        }
        params |= {"sort": sort} if sort else {}
        params |= {"cursor": cursor} if cursor else {}
        return Call(Request("GET", "/library", params, _JSON), _page_of)

    def library_paper(self, paper: str) -> Call[dict[str, Any]]:
        """All that the library knows of a paper."""
        return Call(Request("GET", _at(paper), {}, _JSON), _dict_of)

    def library_queue(self) -> Call[dict[str, Any]]:
        """How many papers are waiting, ready and failed, and which are being read."""
        return Call(Request("GET", "/library/queue", {}, _JSON), _dict_of)

    def export_library(
        self,
        output: LibraryFormat = "bibtex",
        *,
        query: str = "",
        papers: Sequence[str] | None = None,
        archive: bool = False,
    ) -> Call[bytes]:
        """Papers as a file, or as a zip archive with a file for each: all, or by query or ids."""
        order: dict[str, Any] = {"format": output, "query": query, "archive": archive}
        if papers is not None:
            order["papers"] = list(papers)
        return _posted("/library/export", order, lambda reply: reply.content)

    def correct_paper(
        self, paper: str, field: str, value: Any, *, raw: str = ""
    ) -> Call[dict[str, Any]]:
        """Correct a field of a paper's header, or a citation, whose text is `raw`.

        Reading the paper again leaves the correction as it is.
        """
        correction = {"field": field, "value": value, "raw": raw}
        return _posted(f"{_at(paper)}/corrections", correction, _dict_of)

    def tag_papers(
        self, papers: Sequence[str], *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> Call[int]:
        """Add tags to papers and remove tags; the number of papers."""
        order = {"papers": list(papers), "add": list(add), "remove": list(remove)}
        return _posted("/library/tags", order, lambda reply: int(_dict_of(reply)["papers"]))

    def note_paper(self, paper: str, text: str) -> Call[dict[str, Any]]:
        """Add a note to a paper."""
        return _posted(f"{_at(paper)}/notes", {"text": text}, _dict_of)

    def read_papers_again(self, papers: Sequence[str] | None = None) -> Call[int]:
        """Have papers read again, or all that failed; their number. What people said stays."""
        order = {} if papers is None else {"papers": list(papers)}
        return _posted("/library/queue", order, lambda reply: int(_dict_of(reply)["papers"]))

    def remove_from_library(self, paper: str) -> Call[None]:
        """Delete a paper with all that was said about it, and its document."""
        request = Request("DELETE", _at(paper), {}, _JSON)
        return Call(request, lambda _reply: None, repeated=frozenset({404}))


def disposition(name: str) -> bytes:
    """A header with a name of any characters; control characters could end it, and are left out."""
    plain = "".join(letter for letter in name if letter.isprintable())
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'attachment; filename="{escaped}"'.encode()


def _posted(path: str, content: Mapping[str, Any], read: Any) -> Call[Any]:
    body = Body(json.dumps(content).encode())
    return Call(Request("POST", path, {}, _SENT, body), read)


def _at(paper: str) -> str:
    return f"/library/{quote(paper, safe='')}"


def _dict_of(reply: Reply) -> dict[str, Any]:
    content = reply.json()
    if not isinstance(content, dict):
        raise ServiceError("the response is not an object", status=reply.status)
    return content


def _page_of(reply: Reply) -> LibraryPage:
    content = _dict_of(reply)
    try:
        items = tuple(map(_paper_of, content["items"]))
        return LibraryPage(items, content["next"], content["total"])
    except (KeyError, TypeError):
        raise ServiceError("the response is not a list of papers", status=reply.status) from None


def _paper_of(content: Mapping[str, Any]) -> LibraryPaper:
    values = {field.name: content[field.name] for field in fields(LibraryPaper)}
    return LibraryPaper(
        **{**values, "authors": tuple(values["authors"]), "tags": tuple(values["tags"])}
    )


def _added_of(reply: Reply) -> AddedPapers:
    content = _dict_of(reply)
    try:
        return AddedPapers(
            tuple(AddedPaper(own["id"], own["name"], own["new"]) for own in content["papers"]),
            tuple((own["name"], own["reason"]) for own in content["skipped"]),
        )
    except (KeyError, TypeError):
        raise ServiceError("the response does not describe papers", status=reply.status) from None
