"""A piece of HTML that stands by itself: tags that its span cuts off are completed.

source   one</p><p>two <b>three      the span starts in a paragraph and ends in a bold text
value    <p>one</p><p>two <b>three</b></p>
"""

from rowen.text.html_tokens import SELF_CLOSING, Kind, Tokens

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track")
) | {"wbr"}
"""Elements that have no end tag."""

_START, _END = int(Kind.START_TAG), int(Kind.END_TAG)


def fragment(source: str) -> str:
    """The source without white space around it, with the missing start and end tags added.

    >>> fragment("one</p><p>two ")
    '<p>one</p><p>two</p>'
    """
    source = source.strip()
    if "<" not in source:
        return source
    before: list[str] = []
    still_open: list[str] = []
    for kind, flags, _, _, name in Tokens(source).rows():
        if kind == _START and name not in _VOID and not flags & SELF_CLOSING:
            still_open.append(name)
        elif kind == _END and name not in _VOID:
            if name in still_open:
                # Like a browser, end what was opened inside and not ended.
                while still_open.pop() != name:
                    pass
            elif not still_open:
                before.append(name)
    opening = "".join(f"<{name}>" for name in reversed(before))
    closing = "".join(f"</{name}>" for name in reversed(still_open))
    return f"{opening}{source}{closing}"
