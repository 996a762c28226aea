"""Rowen: information extraction that never does the same work twice.

An extractor turns a page into records of spans. What this module lists is the public interface;
everything else may change. Names are imported when they are first used, so that `import rowen`
stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowen.client.clients import AsyncClient, Client
    from rowen.duplicates.index import NearDuplicates
    from rowen.duplicates.simhash import simhash
    from rowen.extractors.base import Extractor
    from rowen.extractors.dictionary import Dictionary
    from rowen.extractors.function import extractor
    from rowen.extractors.locality import Segments, WholePage, Window
    from rowen.extractors.pattern import Pattern
    from rowen.extractors.relation import Relation
    from rowen.extractors.saved import load, load_all
    from rowen.model.errors import (
        DocumentError,
        ExtractionError,
        ExtractorError,
        InputError,
        LabelError,
        LimitError,
        LocalityError,
        NoConsistentWrapper,
        OutputError,
        RowenError,
        SearchCutShort,
        ServiceError,
        SourceError,
        StoreError,
        UsageError,
    )
    from rowen.model.label import Example
    from rowen.model.page import Page
    from rowen.model.record import Record
    from rowen.model.records import Records
    from rowen.model.span import Span
    from rowen.model.warning import Warning  # noqa: A004  # the design's word
    from rowen.reuse.match import Region, find_regions
    from rowen.reuse.recycle import recycle
    from rowen.runs.store import Store
    from rowen.scholar.citations.citation import Citation, Name
    from rowen.scholar.citations.parser import parse_citations
    from rowen.scholar.paper import Paper, read_paper
    from rowen.sources import open_source
    from rowen.wrappers.base import Wrapper
    from rowen.wrappers.learn import learn

    __version__: str

__all__ = [
    "AsyncClient",
    "Citation",
    "Client",
    "Dictionary",
    "DocumentError",
    "Example",
    "ExtractionError",
    "Extractor",
    "ExtractorError",
    "InputError",
    "LabelError",
    "LimitError",
    "LocalityError",
    "Name",
    "NearDuplicates",
    "NoConsistentWrapper",
    "OutputError",
    "Page",
    "Paper",
    "Pattern",
    "Record",
    "Records",
    "Region",
    "Relation",
    "RowenError",
    "SearchCutShort",
    "Segments",
    "ServiceError",
    "SourceError",
    "Span",
    "Store",
    "StoreError",
    "UsageError",
    "Warning",
    "WholePage",
    "Window",
    "Wrapper",
    "__version__",
    "extractor",
    "find_regions",
    "learn",
    "load",
    "load_all",
    "open_source",
    "parse_citations",
    "read_paper",
    "recycle",
    "simhash",
    "testing",
]

_HOMES = {
    "rowen.client.clients": ("AsyncClient", "Client"),
    "rowen.duplicates.index": ("NearDuplicates",),
    "rowen.duplicates.simhash": ("simhash",),
    "rowen.extractors.base": ("Extractor",),
    "rowen.extractors.dictionary": ("Dictionary",),
    "rowen.extractors.function": ("extractor",),
    "rowen.extractors.locality": ("Segments", "WholePage", "Window"),
    "rowen.extractors.pattern": ("Pattern",),
    "rowen.extractors.relation": ("Relation",),
    "rowen.extractors.saved": ("load", "load_all"),
    "rowen.model": (
        "DocumentError",
        "Example",
        "ExtractionError",
        "ExtractorError",
        "InputError",
        "LabelError",
        "LimitError",
        "LocalityError",
        "NoConsistentWrapper",
        "OutputError",
        "Page",
        "Record",
        "Records",
        "RowenError",
        "SearchCutShort",
        "ServiceError",
        "SourceError",
        "Span",
        "StoreError",
        "UsageError",
        "Warning",
    ),
    "rowen.reuse.match": ("Region", "find_regions"),
    "rowen.reuse.recycle": ("recycle",),
    "rowen.scholar.citations.citation": ("Citation", "Name"),
    "rowen.scholar.citations.parser": ("parse_citations",),
    "rowen.scholar.paper": ("Paper", "read_paper"),
    "rowen.sources": ("open_source",),
    "rowen.runs.store": ("Store",),
    "rowen.wrappers.base": ("Wrapper",),
    "rowen.wrappers.learn": ("learn",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
"""Where each public name is found; the linters and type checkers see the imports above."""


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    elif name == "testing":
        value = import_module("rowen.testing")
    elif name == "__version__":
        from importlib.metadata import version

        value = version("rowen")
    else:
        raise AttributeError(f"module 'rowen' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
