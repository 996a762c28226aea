"""Wrappers from their saved definitions."""

from rowen.extractors.saved import parse_all
from rowen.model.errors import ExtractorError
from rowen.wrappers.base import Wrapper


def wrapper_of(definition: str) -> Wrapper:
    """The wrapper of a definition; ExtractorError if it is another kind of extractor."""
    (extractor,) = parse_all(definition, "json")
    if not isinstance(extractor, Wrapper):
        raise ExtractorError(f"{extractor.name!r} is not a wrapper")
    return extractor
