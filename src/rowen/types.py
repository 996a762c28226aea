"""Types that public calls take or give, for annotations: the top level of `rowen` keeps the rest.

They are imported when they are first used.

>>> from rowen.types import Report
>>> Report.__name__
'Report'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowen.assurance.estimate import Estimate
    from rowen.assurance.evidence import Evidence
    from rowen.citations.markers.marker import Marker
    from rowen.client.answers import Answer, Document, Found, Reuse
    from rowen.client.library import AddedPaper, AddedPapers, LibraryPage, LibraryPaper
    from rowen.elements.element import (
        Figure,
        Footnote,
        Formula,
        PaperTable,
        Paragraph,
    )
    from rowen.export.writer import Writer
    from rowen.extractors.definition import Definition
    from rowen.extractors.function import Function
    from rowen.extractors.locality import Locality
    from rowen.learning.recognizers.model import Model
    from rowen.learning.recognizers.recognizer import Soundness, Where
    from rowen.model.suggestion import Suggestion
    from rowen.papers.body import Section
    from rowen.papers.many import Papers
    from rowen.papers.people.authors import Author
    from rowen.records.nested import Nested
    from rowen.records.records import Rows
    from rowen.records.tie import Tie
    from rowen.records.version import Version
    from rowen.recycling.engine import Engine
    from rowen.recycling.report import Report
    from rowen.sinks.sync import Synced
    from rowen.sources.base import Source
    from rowen.storage.snapshots.manifest import Manifest
    from rowen.structure.discover import Column, Table
    from rowen.wrappers.profile import Profile

__all__ = [
    "AddedPaper",
    "AddedPapers",
    "Answer",
    "Author",
    "Column",
    "Definition",
    "Document",
    "Engine",
    "Estimate",
    "Evidence",
    "Figure",
    "Footnote",
    "Formula",
    "Found",
    "Function",
    "LibraryPage",
    "LibraryPaper",
    "Locality",
    "Manifest",
    "Marker",
    "Model",
    "Nested",
    "PaperTable",
    "Papers",
    "Paragraph",
    "Profile",
    "Report",
    "Reuse",
    "Rows",
    "Section",
    "Soundness",
    "Source",
    "Suggestion",
    "Synced",
    "Table",
    "Tie",
    "Version",
    "Where",
    "Writer",
]

_HOMES = {
    "rowen.citations.markers.marker": ("Marker",),
    "rowen.client.answers": ("Answer", "Document", "Found", "Reuse"),
    "rowen.client.library": ("AddedPaper", "AddedPapers", "LibraryPage", "LibraryPaper"),
    "rowen.export.writer": ("Writer",),
    "rowen.extractors.definition": ("Definition",),
    "rowen.extractors.function": ("Function",),
    "rowen.extractors.locality": ("Locality",),
    "rowen.learning.recognizers.model": ("Model",),
    "rowen.learning.recognizers.recognizer": ("Soundness", "Where"),
    "rowen.structure.discover": ("Column", "Table"),
    "rowen.records.nested": ("Nested",),
    "rowen.records.records": ("Rows",),
    "rowen.records.tie": ("Tie",),
    "rowen.records.version": ("Version",),
    "rowen.papers.body": ("Section",),
    "rowen.papers.many": ("Papers",),
    "rowen.papers.people.authors": ("Author",),
    "rowen.elements.element": (
        "Figure",
        "Footnote",
        "Formula",
        "PaperTable",
        "Paragraph",
    ),
    "rowen.recycling.engine": ("Engine",),
    "rowen.recycling.report": ("Report",),
    "rowen.sinks.sync": ("Synced",),
    "rowen.sources.base": ("Source",),
    "rowen.storage.snapshots.manifest": ("Manifest",),
    "rowen.assurance.estimate": ("Estimate",),
    "rowen.assurance.evidence": ("Evidence",),
    "rowen.wrappers.profile": ("Profile",),
    "rowen.model.suggestion": ("Suggestion",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rowen.types' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
