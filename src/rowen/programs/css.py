"""Wrappers as CSS selectors, which are searched for on pages and checked there.

    (records): tr.result
    name: b::text
    link: a::attr(href)

`::text` and `::attr()` are those of parsel and Scrapy: `response.css("tr.result")`, then
`row.css("b::text")`. A selector without either is for the text that a reader sees of the element.
"""

import re
from collections.abc import Iterable, Iterator

from rowen.model import Page
from rowen.model.extras import needs
from rowen.programs.selection import (
    LONGEST,
    TELLING,
    Element,
    Notation,
    is_plain,
    paths,
    place_of,
)
from rowen.wrappers.base import Wrapper

_NAME = re.compile(r"-?[a-zA-Z_][a-zA-Z0-9_-]*")
_PSEUDO = re.compile(
    r"(?P<path>.*?)(?:(?P<text>::text)|::attr\((?P<attribute>[^()]*)\))?", re.DOTALL
)


def to_css(wrapper: Wrapper, pages: Iterable[Page]) -> str:
    """One line for the elements that are records, where pages have several, and one per field."""
    return paths(wrapper, pages, _Css())


class _Css(Notation):
    name = "CSS selector"
    start = inner = ""
    between = " > "
    text = "::text"
    attribute = "::attr({})"

    def __init__(self) -> None:
        with needs("css", "checking CSS selectors"):
            from cssselect import HTMLTranslator
        self._translator = HTMLTranslator()

    def steps(self, element: Element) -> Iterator[tuple[int, str]]:
        """An element by its name, by a class or attribute, by what is before it, by its place."""
        tag = element.tag
        if not is_plain(tag):
            return
        yield 0, tag
        yield from ((1, f"{tag}{suffix}") for suffix in _attributes(element))
        before = element.getprevious()
        if before is not None and is_plain(before.tag):
            yield from ((2, f"{before.tag}{suffix} + {tag}") for suffix in _attributes(before))
        # A place breaks when the page changes: it is the last resort.
        yield 3, f"{tag}:nth-of-type({place_of(element)})"

    def part_of_text(self, number: int) -> str | None:  # noqa: ARG002  # CSS can't count texts
        return None

    def xpath(self, path: str) -> str:
        match = _PSEUDO.fullmatch(path)
        assert match is not None
        selector = str(self._translator.css_to_xpath(match["path"]))
        if match["text"]:
            return f"{selector}/text()"
        return f"{selector}/@{match['attribute']}" if match["attribute"] else selector


def _attributes(element: Element) -> Iterator[str]:
    """What follows the name of an element with its classes or other attributes that tell."""
    for name, value in element.attrib.items():
        if name == "class":
            classes = [f".{word}" for word in value.split() if _NAME.fullmatch(word)]
            yield from classes
            if len(classes) > 1:
                yield "".join(classes)
        elif name == "id" and _NAME.fullmatch(value):
            yield f"#{value}"
        elif (
            name in TELLING and value and len(value) <= LONGEST and not re.search(r'["\\\n]', value)
        ):
            yield f'[{name}="{value}"]'
