"""The attributes of a tag."""

from rowen.programs.parts.references import resolve_references
from rowen.programs.parts.tags import Tag


def written_value(page: str, tag: Tag, name: str) -> str:
    """What the first attribute of that name says."""
    places = [(start, end) for key, start, end in tag.attributes if key == name]
    if not places or places[0][0] < 0:
        return ""
    return resolve_references(page[slice(*places[0])], attribute=True)
