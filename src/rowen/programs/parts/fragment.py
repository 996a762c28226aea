"""Pieces of HTML that stand by themselves: tags that a value's place cuts off are completed."""

from rowen.programs.parts.tags import EMPTY, read_tags


def complete_fragment(source: str) -> str:
    """The source without white space around it, with the missing start and end tags added."""
    source = source.strip()
    before: list[str] = []
    still_open: list[str] = []
    for tag in read_tags(source)[1:]:
        name = tag.name.removeprefix("/")
        if name in EMPTY - {"param"} or tag.name[0] == "!" or tag.alone:
            continue
        if tag.name[0] != "/":
            still_open.append(name)
        elif name in still_open:
            while still_open.pop() != name:
                pass
        elif not still_open:
            before.append(name)
    opening = "".join(f"<{name}>" for name in reversed(before))
    closing = "".join(f"</{name}>" for name in reversed(still_open))
    return f"{opening}{source}{closing}"
