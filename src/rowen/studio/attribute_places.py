"""Where an element's attributes are in the source, so that their values can be marked."""

from rowen.text.tree import Element

PLACES = "data-rowen-places"
"""The attribute of a shown element that has the places: `href 12 30; title 37 42`."""

_MARKED = frozenset(
    {"href", "src", "data-src", "srcset", "datetime", "content", "value", "alt", "title"}
)
"""Attributes whose values are data; of others the source shows where they are."""


def attribute_places(element: Element) -> str:
    """The names and places of the attributes that may be marked; empty if there is none."""
    return "; ".join(
        f"{attribute.name} {attribute.value_span.start} {attribute.value_span.end}"
        for attribute in element.attributes
        if attribute.name in _MARKED
        and attribute.value_span is not None
        and attribute.value_span.start < attribute.value_span.end
    )
