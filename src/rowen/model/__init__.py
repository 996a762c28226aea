"""The values that everything else is made of: spans, pages, records, examples and errors."""

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

__all__ = [
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
]
