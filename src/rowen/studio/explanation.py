"""A wrapper in words, and how reliable it is."""

from typing import Any

from rowen.wrappers.base import Wrapper
from rowen.wrappers.estimate import EPSILON, assurance
from rowen.wrappers.pac import confidence
from rowen.wrappers.summary import summarise


def explain(wrapper: Wrapper) -> dict[str, Any]:
    """What the studio's panel shows of a wrapper."""
    evidence = wrapper.evidence
    return {
        "class": wrapper.wrapper_class,
        "description": wrapper.describe(),
        "reason": wrapper.reason,
        "warnings": [warning.to_dict() for warning in wrapper.warnings],
        "warned": list(summarise(wrapper.warnings)),
        "assurance": list(assurance(wrapper)),
        "confidence": None if evidence is None else confidence(wrapper, EPSILON),
        "pages": 0 if evidence is None else evidence.pages,
        "records": 0 if evidence is None else evidence.records,
        "cut_short": evidence is not None and evidence.cut_short,
        "delimiters": _delimiters(wrapper),
        "types": dict(wrapper.suggested_types),
    }


def _delimiters(wrapper: Wrapper) -> dict[str, list[str]]:
    """The delimiters left and right of each field, if the class has them."""
    # Classes without a delimiter pair per field, such as token, show none.
    settings = wrapper.settings()
    left, right = settings.get("left"), settings.get("right")
    if not isinstance(left, list) or not isinstance(right, list):
        return {}
    return {
        name: [before, after]
        for name, before, after in zip(wrapper.fields, left, right, strict=False)
        if isinstance(before, str) and isinstance(after, str)
    }
