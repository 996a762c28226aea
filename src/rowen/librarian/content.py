"""What a library stores of a document: the whole paper as JSON, from the stages of the service."""

import asyncio
from typing import Any

from rowen.service.extraction import Extraction
from rowen.service.stages import HEADER, TEXT
from rowen.service.whole import whole_paper
from rowen.storage.documents.store import Document


async def content_of(
    extraction: Extraction, document: Document, *, fresh: bool
) -> tuple[dict[str, Any], str]:
    """The paper of a document, and the version that read it; InputError where it can't be read.

    Where `fresh`, no stored result is used.
    """
    header = await extraction.obtain(document, HEADER, "json", reuse="off" if fresh else "near")
    paper = await whole_paper(extraction, document)
    text = await extraction.obtain(document, TEXT, "text")
    content = await asyncio.to_thread(paper.to_dict)
    return {**content, "text": text.content.decode()}, header.version
