"""Papers as documents of LangChain: `pip install rowen[langchain]`.

>>> from rowen.loaders.langchain import PaperLoader
>>> loader = PaperLoader("rowen-demo/papers/jose.00050.pdf")
>>> loader.load()[0].metadata["title"]
'Emacs-reveal: A software bundle to create OER presentations'
"""

from collections.abc import Iterator

from rowen.loaders.documents import Mode, Paths, documents_of
from rowen.model.errors import MissingPackageError

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
except ImportError:
    raise MissingPackageError(
        "a loader of LangChain", package="langchain-core", extra="langchain"
    ) from None


class PaperLoader(BaseLoader):
    """Loads papers: one document for each section, or as `mode` says."""

    def __init__(self, paths: Paths, *, mode: Mode = "sections", skip_errors: bool = False) -> None:
        self.paths = paths
        self.mode = mode
        self.skip_errors = skip_errors

    def lazy_load(self) -> Iterator[Document]:
        """The documents, paper by paper."""
        found = documents_of(self.paths, mode=self.mode, skip_errors=self.skip_errors)
        for name, text, metadata in found:
            yield Document(id=name, page_content=text, metadata=metadata)
