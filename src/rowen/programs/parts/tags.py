"""The tags of an HTML page as in its source, and the element around each."""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

SPACES = " \t\n\v\f\r\xa0"
"""White space in texts; in tags the browsers' rules hold."""
EMPTY = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "param",
    "source",
    "track",
    "wbr",
}
SIBLINGS = {"li", "dt", "dd", "tr", "td", "th", "option", "p", "thead", "tbody"}
"""Elements that end where another of their kind begins."""
REACH = 64
"""How many of the innermost elements an end tag is compared with; it ends none further out."""

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_WORDS = re.compile(r"[\t-\r \xa0]+")
_MARKUP = re.compile(r"<(?=[a-zA-Z!?]|/[^>])")
_NAME = re.compile(r"[a-zA-Z][^ \t\n\f\r/>]*")
_ATTRIBUTE = re.compile(
    r"(.[^ \t\n\f\r/>=]*)"
    r"(?:[ \t\n\f\r]*=[ \t\n\f\r]*(?:\"([^\"]*)\"?|'([^']*)'?|([^ \t\n\f\r>]*)))?",
    re.DOTALL,
)
_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))", re.DOTALL)
_DECLARATION = re.compile(r"<[!?/][^>]*>?")
_CUT_OFF = re.compile(
    r"<\?(?!xml(?:-stylesheet)?[ \t\n\f\r?])(?:[a-z_][a-z0-9_-]*(?:[ \t\n\f\r?]|\Z)|\Z)",
    re.ASCII | re.IGNORECASE,
)
_RAW = {
    name: re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.ASCII | re.IGNORECASE)
    for name in ["iframe", "noembed", "noframes", "style", "textarea", "title", "xmp"]
}
"""Elements that hold nothing but text, with their ends."""
_SCRIPT = re.compile(
    r"(<!--(?!-*>))|(-->)|(<script(?=[ \t\n\f\r/>]))|(</script(?=[ \t\n\f\r/>]))",
    re.ASCII | re.IGNORECASE,
)


@dataclass
class Tag:
    """A tag, and the text after it up to the next one."""

    name: str
    """As `td`, `/td`, `!--` or `!doctype`; empty for the start of the page."""
    start: int
    end: int
    attributes: list[tuple[str, int, int]] = field(default_factory=list)
    """Names, and the bounds of their values; -1 without a value."""
    alone: bool = False
    """Whether it closes itself."""
    parent: int = 0
    """The number of the element around it."""
    until: int = 0
    """The number of the tag at which its element has ended."""
    after: int = 0
    """Where the text after it ends."""
    place: int = 0
    """Its place among the tags of its name, where `place_tags` has counted them."""


def lower(name: str) -> str:
    """A name in lower case as HTML has it: only the letters of ASCII change."""
    return name.translate(_LOWER)


def squeeze(text: str) -> str:
    """The text with white space as one space, and none around it."""
    return _WORDS.sub(" ", text).strip(" ")


def read_tags(page: str) -> list[Tag]:
    """All tags of a page; the first represents its start."""
    tags = [Tag("", 0, 0), *_tags(page)]
    for tag, following in pairwise(tags):
        tag.after = following.start
    tags[-1].after = len(page)
    _nest(tags)
    return tags


def _tags(page: str) -> Iterator[Tag]:
    at = 0
    while markup := _MARKUP.search(page, at):
        start = markup.start()
        tag = _tag(page, start)
        if tag is None:  # the end of the page cuts it off
            return
        at = tag.end
        yield tag
        end: int | None = at
        # In these elements browsers read text up to their own end tag: a `<` in them opens nothing.
        if tag.name in _RAW:
            closing = _RAW[tag.name].search(page, at)
            end = closing and closing.start()
        elif tag.name == "script":
            end = _end_of_script(page, at)
        elif tag.name == "plaintext":
            end = None
        if end is None:
            return
        at = end


def _tag(page: str, start: int) -> Tag | None:
    if page.startswith("<!--", start):
        comment = _COMMENT.match(page, start)
        return Tag("!--", start, comment.end()) if comment else None
    closing = page[start + 1] == "/"
    name = _NAME.match(page, start + 1 + closing)
    if name is None:
        return _declaration(page, start)
    tag = Tag("/" * closing + lower(name[0]), start, name.end())
    while tag.end < len(page):
        sign = page[tag.end]
        if sign == ">":
            tag.end += 1
            if closing:
                tag.attributes, tag.alone = [], False
            return tag
        if sign in " \t\n\f\r/":
            # Only a slash right before `>` closes a tag; any other is ignored.
            tag.alone = sign == "/" and page.startswith(">", tag.end + 1)
            tag.end += 1
        elif attribute := _ATTRIBUTE.match(page, tag.end):
            group = attribute.lastindex or 1
            value = attribute.span(group) if group > 1 else (-1, -1)
            tag.attributes.append((lower(attribute[1]), *value))
            tag.end = attribute.end()
    return None


def _declaration(page: str, start: int) -> Tag | None:
    declaration = _DECLARATION.match(page, start)
    assert declaration is not None
    text = declaration[0]
    # As in the native reader: a processing instruction that the page's end cuts off is no tag.
    if page[start + 1] == "?" and not text.endswith(">") and _CUT_OFF.match(page, start):
        return None
    doctype = lower(text[:9]) == "<!doctype"
    return Tag("!doctype" if doctype else "!--", start, declaration.end())


def _end_of_script(page: str, at: int) -> int | None:
    """Where a script's end tag starts.

    HTML's rule: inside of a comment an end tag that follows a start tag belongs to the script.
    """
    hidden = commented = False
    for match in _SCRIPT.finditer(page, at):
        opens, closes, starts, ends = match.groups()
        if opens:
            commented = True
        elif closes:
            commented = hidden = False
        elif starts:
            hidden = commented
        elif ends and not hidden:
            return match.start()
        else:
            hidden = False
    return None


def _nest(tags: list[Tag]) -> None:
    """Give each tag its element, with the end tags that HTML allows to leave out."""
    open_tags = [0]
    names: list[str] = []
    for number, tag in enumerate(tags[1:], 1):
        tag.until = number + 1
        closed = 0
        if tag.name.startswith("/"):
            # A stray end tag far from its start must not close all elements between.
            inner = names[: -REACH - 1 : -1]
            closed = inner.index(tag.name[1:]) + 1 if tag.name[1:] in inner else 0
        # HTML lets these end tags be left out: the next of its kind ends the element.
        elif tag.name in SIBLINGS and names[-1:] == [tag.name]:
            closed = 1
        for _ in range(closed):
            tags[open_tags.pop()].until = number
            names.pop()
        tag.parent = open_tags[-1]
        if tag.name[0] not in "/!" and not tag.alone and tag.name not in EMPTY:
            open_tags.append(number)
            names.append(tag.name)
    for number in open_tags:
        tags[number].until = len(tags)
