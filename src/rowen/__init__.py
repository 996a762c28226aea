"""Rowen: information extraction that never does the same work twice.

An extractor turns a page into records of spans. What this module lists is the public interface,
with `rowen.errors`, `rowen.types`, `rowen.recognizers` and `rowen.testing`. Everything else may
change. Names are imported when they are first used, so that `import rowen` stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowen import errors, recognizers, testing, types
    from rowen.bibliography.library import read_library
    from rowen.citations.citation import Citation, Name
    from rowen.citations.parser import parse_citations
    from rowen.client.clients import AsyncClient, Client
    from rowen.duplicates.index import NearDuplicates
    from rowen.duplicates.simhash import simhash
    from rowen.export import open_writer
    from rowen.export.papers import write_citations, write_papers
    from rowen.extractors.base import Extractor
    from rowen.extractors.chain import Chain
    from rowen.extractors.dictionary import Dictionary
    from rowen.extractors.function import extractor
    from rowen.extractors.locality import Segments, WholePage, Window
    from rowen.extractors.pattern import Pattern
    from rowen.extractors.relation import Relation
    from rowen.extractors.saved import load, load_all
    from rowen.labels.files import read_labels, write_labels
    from rowen.learning.learn import learn
    from rowen.learning.recognizers.recognizer import Recognizer
    from rowen.maintenance.drift import check
    from rowen.maintenance.drift_report import DriftReport, Finding, PageReport
    from rowen.maintenance.repair import Repair, RepairReport, repair
    from rowen.matching.match import Match, match_citations
    from rowen.model.errors import *  # noqa: F403  # that module lists them
    from rowen.model.errors import NoConsistentWrapper, RowenError
    from rowen.model.page import Page
    from rowen.model.span import Span
    from rowen.model.warning import Warning  # noqa: A004  # the design's word
    from rowen.papers.many import read_papers
    from rowen.papers.paper import Paper, read_paper
    from rowen.programs.forms import export_wrapper
    from rowen.records.label import Example
    from rowen.records.record import Record
    from rowen.records.records import Records
    from rowen.records.schema import Field, Schema
    from rowen.recycling.match import Region, find_regions
    from rowen.recycling.recycle import recycle
    from rowen.sinks.sync import sync
    from rowen.sources import open_source
    from rowen.store import Store
    from rowen.structure.discover import discover
    from rowen.wrappers.base import Wrapper

    __version__: str

__all__ = [
    "AsyncClient",
    "Chain",
    "Citation",
    "Client",
    "Dictionary",
    "DriftReport",
    "Example",
    "Extractor",
    "Field",
    "Finding",
    "Match",
    "Name",
    "NearDuplicates",
    "NoConsistentWrapper",
    "Page",
    "PageReport",
    "Paper",
    "Pattern",
    "Recognizer",
    "Record",
    "Records",
    "Region",
    "Relation",
    "Repair",
    "RepairReport",
    "RowenError",
    "Schema",
    "Segments",
    "Span",
    "Store",
    "Warning",
    "WholePage",
    "Window",
    "Wrapper",
    "__version__",
    "check",
    "discover",
    "errors",
    "export_wrapper",
    "extractor",
    "find_regions",
    "learn",
    "load",
    "load_all",
    "match_citations",
    "open_source",
    "open_writer",
    "parse_citations",
    "read_labels",
    "read_library",
    "read_paper",
    "read_papers",
    "recognizers",
    "recycle",
    "repair",
    "simhash",
    "sync",
    "testing",
    "types",
    "write_citations",
    "write_labels",
    "write_papers",
]

_HOMES = {
    "rowen.client.clients": ("AsyncClient", "Client"),
    "rowen.duplicates.index": ("NearDuplicates",),
    "rowen.duplicates.simhash": ("simhash",),
    "rowen.export": ("open_writer",),
    "rowen.export.papers": ("write_citations", "write_papers"),
    "rowen.extractors.base": ("Extractor",),
    "rowen.extractors.chain": ("Chain",),
    "rowen.extractors.dictionary": ("Dictionary",),
    "rowen.extractors.function": ("extractor",),
    "rowen.extractors.locality": ("Segments", "WholePage", "Window"),
    "rowen.extractors.pattern": ("Pattern",),
    "rowen.extractors.relation": ("Relation",),
    "rowen.extractors.saved": ("load", "load_all"),
    "rowen.model": ("Page", "Span", "Warning"),
    "rowen.records": ("Example", "Record", "Records"),
    "rowen.records.schema": ("Field", "Schema"),
    "rowen.model.errors": ("NoConsistentWrapper", "RowenError"),
    "rowen.recycling.match": ("Region", "find_regions"),
    "rowen.recycling.recycle": ("recycle",),
    "rowen.citations.citation": ("Citation", "Name"),
    "rowen.bibliography.library": ("read_library",),
    "rowen.citations.parser": ("parse_citations",),
    "rowen.matching.match": ("Match", "match_citations"),
    "rowen.papers.many": ("read_papers",),
    "rowen.papers.paper": ("Paper", "read_paper"),
    "rowen.sources": ("open_source",),
    "rowen.sinks.sync": ("sync",),
    "rowen.store": ("Store",),
    "rowen.wrappers.base": ("Wrapper",),
    "rowen.programs.forms": ("export_wrapper",),
    "rowen.labels.files": ("read_labels", "write_labels"),
    "rowen.learning.learn": ("learn",),
    "rowen.maintenance.drift": ("check",),
    "rowen.maintenance.drift_report": ("DriftReport", "Finding", "PageReport"),
    "rowen.maintenance.repair": ("Repair", "RepairReport", "repair"),
    "rowen.learning.recognizers.recognizer": ("Recognizer",),
    "rowen.structure.discover": ("discover",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
"""Where each name is found."""


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    elif name in {"errors", "recognizers", "testing", "types"}:
        value = import_module(f"rowen.{name}")
    elif name == "__version__":
        from importlib.metadata import version

        value = version("rowen")
    # Errors have a module of their own, and still work as `rowen.InputError`.
    elif name in (errors := import_module("rowen.errors")).__all__:
        value = getattr(errors, name)
    else:
        raise AttributeError(f"module 'rowen' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
