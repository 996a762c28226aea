"""A whole paper from its stages, which are stored as JSON."""

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rowen.export.jats import jats_xml
from rowen.export.markdown import markdown
from rowen.export.tei import tei_xml
from rowen.export.xml_elements import PROLOGUE
from rowen.library.restored import paper_from
from rowen.model.errors import InputError
from rowen.papers.paper import Paper
from rowen.service.extraction import Extraction, Reuse
from rowen.service.stages import BODY, CITATIONS, HEADER, WRITTEN
from rowen.storage.documents.store import Document

WHOLE_FORMS = ("tei", "jats", "markdown")
"""The forms of a whole paper that no stage has."""


async def whole_paper(
    extraction: Extraction,
    document: Document,
    stages: Sequence[str] = (HEADER, BODY, CITATIONS),
    *,
    reuse: Reuse = "near",
) -> Paper:
    """A paper with the parts of these stages; InputError where it can't be read."""
    contents = []
    for number, stage in enumerate(stages):  # the first one makes all of them
        again: Reuse = "near" if number and reuse == "off" else reuse
        contents.append((await extraction.obtain(document, stage, "json", reuse=again)).content)
    return await asyncio.to_thread(_read, contents)


async def excerpt(
    extraction: Extraction,
    document: Document,
    first: int,
    last: int | None,
    stages: Sequence[str] = (HEADER, BODY, CITATIONS),
) -> Paper:
    """A PDF's pages from `first` to `last`, counted from 1, read as if there were no others."""
    contents = await extraction.excerpt(document, first, last)
    chosen = [own for stage, own in zip(WRITTEN, contents, strict=True) if stage in stages]
    return await asyncio.to_thread(_read, chosen)


async def written_whole(paper: Paper, form: str, *, name: str) -> str:
    """A paper in one of `WHOLE_FORMS`; `name` is that of its file."""
    write: Callable[[], str]
    match form:
        case "markdown":
            return await asyncio.to_thread(markdown, paper)
        case "jats":
            write = partial(jats_xml, paper, file=name)
        case _:
            write = partial(tei_xml, paper, file=name)
    return PROLOGUE + await asyncio.to_thread(write)


def _read(contents: Sequence[bytes]) -> Paper:
    """A paper from its stages as JSON."""
    try:
        parts: dict[str, Any] = {}
        for content in contents:
            parts |= json.loads(content)
    except (ValueError, TypeError, RecursionError) as error:
        # The worker that made it may have been taken over by the document.
        raise InputError("the stored results of this document are damaged") from error
    return paper_from(parts)
