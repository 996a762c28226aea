"""The elements of a page by its tags, as HTML nests them where end tags are left out."""

from functools import cached_property

from rowen.programs.parts.cells import place_tags
from rowen.programs.parts.tags import EMPTY, REACH, SPACES, read_tags, squeeze

# fmt: off
IMPLIED = {
    "tr": ({"tr"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "tbody": ({"tbody", "thead", "tfoot"}, {"table"}),
    "thead": ({"tbody", "thead", "tfoot"}, {"table"}),
    "tfoot": ({"tbody", "thead", "tfoot"}, {"table"}),
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "option": ({"option"}, {"select"}),
    "p": ({"p"}, {"td", "th", "li", "div", "table", "body"}),
}
"""Start tags that end open elements: which ones, and in which elements they stop looking."""
# fmt: on
SPANS = {"rowspan", "colspan"}
CELLS = {"td", "th"}
UNREAD = {"script", "style", "template", "noscript"}
"""Elements whose texts nobody reads."""


class Elements:
    """The tags of a page with the element around each.

    Tag 0 is the page. The text after a tag has the tag's number; its owner is the element that it
    is directly in.
    """

    def __init__(self, page: str) -> None:
        self.page = page
        self.tags = read_tags(page)
        self.size = len(self.tags)
        self.names = [tag.name for tag in self.tags]
        self.opens = [self._opens(number) for number in range(self.size)]
        self.parents = [tag.parent for tag in self.tags]
        self.ends = [tag.until for tag in self.tags]
        """The tag at which each element has ended."""
        self.grid: dict[int, int] = {}
        """The places of cells in a table in which some span others, if all end tags are there."""
        if any(self.names.count(name) != self.names.count(f"/{name}") for name in IMPLIED):
            self._nest()
        elif any(name in SPANS for tag in self.tags for name, _, _ in tag.attributes):
            place_tags(page, self.tags)
            cells = ((number, tag) for number, tag in enumerate(self.tags) if tag.name in CELLS)
            self.grid = {number: tag.place for number, tag in cells}
        self.owners = [
            number if opens else parent
            for number, (opens, parent) in enumerate(zip(self.opens, self.parents, strict=True))
        ]

    def _opens(self, number: int) -> bool:
        """Whether a tag opens an element that can hold something."""
        tag = self.tags[number]
        if not tag.name:
            return True
        if tag.name[0] in "/!" or tag.name in EMPTY:
            return False
        # `<x/>` is closed at once, unless a later tag says otherwise.
        return tag.until > number + 1 or self.page[tag.end - 2] != "/"

    def _nest(self) -> None:
        """Nest the elements anew: a row ends the row before it with all of its cells."""
        stack = [0]
        self.ends = list(range(1, self.size + 1))
        for number, name in enumerate(self.names[1:], 1):
            sought, scope = ({name[1:]}, set()) if name[0] == "/" else IMPLIED.get(name, ((), ()))
            near = stack[max(1, len(stack) - REACH) :] if sought else []
            for count, outer in enumerate(reversed(near), 1):
                if self.names[outer] in sought:
                    for closed in stack[-count:]:
                        self.ends[closed] = number
                    del stack[-count:]
                    break
                if self.names[outer] in scope:
                    break
            self.parents[number] = stack[-1]
            if self.opens[number]:
                stack.append(number)
        for number in stack:
            self.ends[number] = self.size

    def text(self, number: int) -> str:
        """The text after a tag, white space as one blank."""
        tag = self.tags[number]
        return squeeze(self.page[tag.end : tag.after])

    def bounds(self, number: int) -> tuple[int, int]:
        """Where the text after a tag is, without white space around it."""
        tag = self.tags[number]
        written = self.page[tag.end : tag.after]
        start = tag.after - len(written.lstrip(SPACES))
        return start, max(start, tag.end + len(written.rstrip(SPACES)))

    @cached_property
    def texts(self) -> list[int]:
        """The tags that have a text after them."""
        return [number for number in range(self.size) if self.text(number)]

    @cached_property
    def read_texts(self) -> list[int]:
        """Those of them whose text somebody may read."""
        return [number for number in self.texts if self.names[number] not in UNREAD]

    @cached_property
    def closed_by(self) -> dict[int, int]:
        """The element that each end tag of its name closes."""
        return {
            end: number
            for number, end in enumerate(self.ends)
            if number
            and self.opens[number]
            and self.names[end : end + 1] == [f"/{self.names[number]}"]
        }
