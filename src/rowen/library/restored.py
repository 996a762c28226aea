"""A paper from its JSON: what a service or a library stores of it."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter

from rowen.model.errors import InputError
from rowen.papers.consistency import check_paper
from rowen.papers.paper import Paper

_EMPTY: dict[str, Any] = Paper(None, (), None, (), None, None, (), (), "").to_dict()
_SPANNED = ("markers", "paragraphs")
_NAMES = frozenset(field.name for field in fields(Paper))
_PAPER = TypeAdapter(Paper)


def paper_from(content: Mapping[str, Any]) -> Paper:
    """A paper from `Paper.to_dict`, or from parts of that; InputError where it is damaged.

    In JSON, markers and paragraphs have spans as lists. What a paper does not have is left out.
    """
    try:
        parts = {name: value for name, value in content.items() if name in _NAMES}
        body = [
            {**section, **{name: list(map(_spanned, section[name])) for name in _SPANNED}}
            for section in parts.get("body", [])
        ]
        paper = _PAPER.validate_python({**_EMPTY, **parts, "body": body})
        check_paper(paper)
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        # The worker that made it may have been taken over by the document.
        raise InputError("the stored results of this document are damaged") from error
    return paper


def _spanned(element: dict[str, Any]) -> dict[str, Any]:
    return {"start": element["span"][0], "end": element["span"][1], **element}
