"""Compiled XPaths for the fields of a marked page, as someone who uses lxml would write them."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.wrappers.optional import optional
from benchmarks.wrappers.sites import Marked
from benchmarks.wrappers.texts import cleaned, record_of

_STEP = re.compile(r"([^/\[]+)(?:\[(\d+)\])?")


class XPaths:
    """An expression a field: the path of its values' elements, without the numbers that vary."""

    def __init__(self, marked: Marked) -> None:
        self.etree = optional("lxml.etree")
        self.fields: dict[str, Callable[[Any], list[Any]]] = {}
        page, label = marked
        tree = self.parse(page.text.encode())
        by_text: dict[str, list[str]] = {}
        paths = tree.getroottree()
        for element in tree.iter("*"):
            by_text.setdefault(cleaned("".join(element.itertext())), []).append(
                paths.getpath(element)
            )
        texts: dict[str, list[str]] = {}
        for record in label:
            for name, values in record_of(page, record).items():
                texts.setdefault(name, []).extend(values)
        for name, values in texts.items():
            found = [by_text[value][-1] for value in values if value in by_text]
            path = _common(found)
            if path is not None and len(found) == len(values):
                self.fields[name] = self.etree.XPath(path)

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
