"""The pages that a tool of an agent is called with: texts, files, folders and addresses."""

from collections.abc import Sequence
from itertools import islice
from typing import TypeAlias

from typing_extensions import TypedDict

from rowen.agents.jobs import PageText
from rowen.agents.permissions import Permissions
from rowen.model.errors import InputError, UsageError
from rowen.sources import open_pages
from rowen.studio.fetching import Fetcher, Reach

AGENT_PAGES = 200
"""Limit: how many pages a call of a tool takes. Of a larger folder, the first ones are read; for a
whole crawl there is `rowen extract`."""

AGENT_PAGE_BYTES = 16 * 1024 * 1024
"""Limit: the size of a page that a tool reads."""

AGENT_CHARACTERS = 48 * 1024 * 1024
"""Limit: how many characters the pages of a call have together."""


class InlinePage(TypedDict):
    """A page as text."""

    id: str
    """Its URL or another name."""
    text: str
    """Its HTML or plain text."""


Given: TypeAlias = str | InlinePage
"""A page, or a place with pages."""


class Material:
    """Reads what agents name, within what they may."""

    def __init__(self, permissions: Permissions, fetch: Reach | None) -> None:
        self.permissions = permissions
        self._fetcher = None if fetch is None else Fetcher(fetch)

    async def read(self, given: Sequence[Given]) -> tuple[tuple[PageText, ...], list[str]]:
        """The pages, and notes on what was left out."""
        pages: list[PageText] = []
        notes: list[str] = []
        for place in given:
            if len(pages) >= AGENT_PAGES:
                notes.append(f"only the first {AGENT_PAGES} pages were read")
                break
            if not isinstance(place, str):
                pages.append((place["id"], place["text"]))
            elif "://" in place:
                pages.append((place, await self._fetched(place)))
            else:
                self._from_files(place, pages, notes)
        if not pages:
            raise InputError("; ".join(["there are no pages", *notes]))
        if len({name for name, _ in pages}) < len(pages):
            raise UsageError("two pages have the same id: name a folder, or give texts other ids")
        size = sum(len(text) for _, text in pages)
        if size > AGENT_CHARACTERS:
            raise UsageError(
                f"the pages have {size:,} characters together; a call takes {AGENT_CHARACTERS:,}"
            )
        return tuple(pages), notes

    async def _fetched(self, url: str) -> str:
        if self._fetcher is None:
            raise UsageError(
                f"{url}: pages are not fetched; the server must be started with --fetch, or pass "
                "the page as text"
            )
        return (await self._fetcher.fetch(url)).text

    def _from_files(self, place: str, pages: list[PageText], notes: list[str]) -> None:
        source = open_pages([str(self.permissions.path(place))], limit=AGENT_PAGE_BYTES)
        room = AGENT_PAGES - len(pages)
        found = source.pages(on_error=lambda error: notes.append(str(error)))
        size = 0
        for page in islice(found, room + 1):
            if not room:
                notes.append(f"only the first {AGENT_PAGES} pages were read")
                break
            size += len(page.text)
            if size > AGENT_CHARACTERS:
                raise UsageError(f"{place} has more than {AGENT_CHARACTERS:,} characters")
            pages.append((page.id, page.text))
            room -= 1
