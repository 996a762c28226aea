"""What a page says of itself in `<meta>` tags, as one tree without levels."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from rowen.programs.parts.attributes import written_value
from rowen.programs.parts.data_tree import Node, Root, reads
from rowen.programs.parts.tags import Tag, read_tags

META_TAGS = 10_000
"""So many tags are read at most."""

_META = re.compile(r"<meta(?=[\s/])", re.IGNORECASE)


@reads("meta")
def read_meta(page: str) -> Iterator[Root]:
    """The `<meta>` tags with a name and a content; several of one name are an array."""
    starts = {match.start() for match in islice(_META.finditer(page), META_TAGS)}
    values: dict[str, list[Node]] = {}
    for tag in read_tags(page):
        places = [(start, end) for key, start, end in tag.attributes if key == "content"]
        if tag.start not in starts or not places or places[0][0] < 0:
            continue
        name = _name(page, tag)
        value = written_value(page, tag, "content")
        if name and value.strip():
            values.setdefault(name, []).append(Node("leaf", places[0], None, value))
    if values:
        members = [
            Node("array", nodes[0].place, name, "", nodes)
            if len(nodes) > 1
            else replace(nodes[0], key=name)
            for name, nodes in values.items()
        ]
        yield Root("meta", Node("object", (0, 0), None, "", members))


def _name(page: str, tag: Tag) -> str:
    """What `property` says, or `name` where there is none."""
    for name in ("property", "name"):
        places = [start for key, start, _ in tag.attributes if key == name]
        if places and places[0] >= 0:
            return written_value(page, tag, name).strip()
    return ""
