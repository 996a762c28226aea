"""Compiled XPaths for the fields of a marked page, as someone who uses lxml would write them."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.optional import optional
from benchmarks.wrappers.sites import Label, Marked
from benchmarks.wrappers.texts import Record, cleaned, columns_of, record_of
from rowen import Page

_STEP = re.compile(r"([^/\[]+)(?:\[(\d+)\])?")


class XPaths:
    """An expression a field: the path of its values' elements, without the numbers that vary.

    Only fields for which it gives, on each of the pages, all that is marked there.
    """

    def __init__(self, marked: Sequence[Marked]) -> None:
        self.etree = optional("lxml.etree")
        self.fields: dict[str, Callable[[Any], list[Any]]] = {}
        found: dict[str, list[str | None]] = {}
        for page, label in marked:
            paths = self._paths(page.text.encode())
            for name, texts in _texts(page, label).items():
                found.setdefault(name, []).extend(map(paths.get, texts))
        for name, some in found.items():
            path = _common([one for one in some if one is not None])
            if path is not None and None not in some:
                self.fields[name] = self.etree.XPath(path)
        for page, label in marked:
            given = self.extract(page.text.encode())
            for name, texts in _texts(page, label).items():
                if name in given and not set(texts) <= set(map(cleaned, given[name])):
                    del self.fields[name]

    def _paths(self, source: bytes) -> dict[str, str]:
        """The path of the last and innermost element that has a text."""
        tree = self.parse(source)
        root = tree.getroottree()
        return {
            cleaned("".join(element.itertext())): root.getpath(element)
            for element in tree.iter("*")
        }

    def parse(self, source: bytes) -> Any:
        """The tree of a page."""
        return self.etree.fromstring(source, self.etree.HTMLParser(encoding="utf-8"))

    def extract(self, source: bytes) -> dict[str, list[str]]:
        """The texts of all fields."""
        tree = self.parse(source)
        return {
            name: ["".join(element.itertext()) for element in path(tree)]
            for name, path in self.fields.items()
        }


def _texts(page: Page, label: Label) -> Record:
    return columns_of(record_of(page, record) for record in label)


def _common(paths: Sequence[str]) -> str | None:
    """One path for all: steps of the same names, a number only where it is the same in all."""
    if not paths:
        return None
    split = [_STEP.findall(path) for path in paths]
    names = [[name for name, _ in steps] for steps in split]
    if any(one != names[0] for one in names):
        return None
    steps = []
    for place, name in enumerate(names[0]):
        numbers = {one[place][1] for one in split}
        number = numbers.pop() if len(numbers) == 1 else ""
        steps.append(f"{name}[{number}]" if number else name)
    return "/" + "/".join(steps)
