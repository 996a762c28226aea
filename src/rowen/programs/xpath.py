"""Wrappers as XPaths, which are searched for on pages and checked there."""

from collections.abc import Iterable, Iterator

from rowen.model import Page
from rowen.programs.selection import (
    LONGEST,
    TELLING,
    Element,
    Notation,
    is_plain,
    paths,
    place_of,
)
from rowen.values.clean import tidy
from rowen.wrappers.base import Wrapper


def to_xpath(wrapper: Wrapper, pages: Iterable[Page]) -> str:
    """One line for the elements that are records, where pages have several, and one per field.

    An XPath that ends in an element is for the text that a reader sees of it.
    """
    return paths(wrapper, pages, _XPath())


class _XPath(Notation):
    name = "XPath"
    start = "//"
    inner = ".//"
    between = "/"
    text = "/text()"
    attribute = "/@{}"

    def steps(self, element: Element) -> Iterator[tuple[int, str]]:
        """An element by its name, by an attribute, by what is in or before it, by its place."""
        tag = element.tag
        if not is_plain(tag):
            return
        yield 0, tag
        for name, value in element.attrib.items():
            if name in TELLING and value and len(value) <= LONGEST and '"' not in value:
                yield 1, f'{tag}[@{name}="{value}"]'
        for child in dict.fromkeys(child.tag for child in element if is_plain(child.tag)):
            yield 2, f"{tag}[{child}]"
        before = element.getprevious()
        if before is not None and is_plain(before.tag):
            label = tidy(before.text_content())
            if 0 < len(label) <= LONGEST and '"' not in label:
                yield 2, f'{before.tag}[normalize-space()="{label}"]/following-sibling::{tag}[1]'
        # A place breaks when the page changes: it is the last resort.
        yield 3, f"{tag}[{place_of(element)}]"

    def part_of_text(self, number: int) -> str | None:
        return f"/text()[normalize-space()][{number}]"

    def xpath(self, path: str) -> str:
        return path
