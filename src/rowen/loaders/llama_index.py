"""Papers as documents of LlamaIndex: `pip install rowen[llama-index]`.

from rowen.loaders.llama_index import PaperReader
documents = PaperReader().load_data("papers/")
"""

from collections.abc import Iterator
from typing import Any

from rowen.loaders.documents import Mode, Paths, documents_of
from rowen.model.errors import MissingPackageError

try:
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document
except ImportError:
    raise MissingPackageError(
        "a reader of LlamaIndex", package="llama-index-core", extra="llama-index"
    ) from None

_FOR_PROGRAMS = ["boxes", "references", "source"]
"""Metadata that would only fill the prompt of a model."""


class PaperReader(BaseReader):  # type: ignore[misc,unused-ignore]  # typed only where installed
    """Reads papers: one document for each section, or as `mode` says."""

    def __init__(self, *, mode: Mode = "sections", skip_errors: bool = False) -> None:
        self.mode = mode
        self.skip_errors = skip_errors

    def lazy_load_data(self, paths: Paths, **_options: Any) -> Iterator[Document]:
        """The documents, paper by paper."""
        found = documents_of(paths, mode=self.mode, skip_errors=self.skip_errors)
        for name, text, metadata in found:
            yield Document(
                id_=name,
                text=text,
                metadata=metadata,
                excluded_llm_metadata_keys=_FOR_PROGRAMS,
                excluded_embed_metadata_keys=_FOR_PROGRAMS,
            )
