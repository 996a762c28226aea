"""The values that everything else works with: pages, spans, warnings and errors."""

from rowen.model import errors
from rowen.model.errors import *  # noqa: F403  # that module lists them, once for all
from rowen.model.page import Page
from rowen.model.span import Span
from rowen.model.warning import Warning  # noqa: A004  # the design's word

__all__ = ["Page", "Span", "Warning"]
__all__ += errors.__all__
