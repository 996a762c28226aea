"""Scrapling: no learner, but it finds an element again, and elements that are similar to one."""

from collections.abc import Sequence
from typing import Any

from benchmarks.optional import optional
from benchmarks.wrappers.peers.base import records_of, wanted
from benchmarks.wrappers.sites import Marked
from benchmarks.wrappers.texts import Record, cleaned
from rowen import Page


class Scrapling:
    """For each field the first marked element that has its text; more examples don't help it."""

    def __init__(self, marked: Sequence[Marked], *, several: bool) -> None:
        self.several = several
        self.elements: dict[str, Any] = {}
        for page, label in marked:
            texts = wanted((page, label))
            by_text: dict[str, Any] = {}
            for element in _parsed(page).find_all(lambda _: True):
                by_text[cleaned(element.get_all_text())] = element
            for name in texts.keys() - self.elements.keys():
                found = next((by_text[text] for text in texts[name] if text in by_text), None)
                if found is not None:
                    self.elements[name] = found

    def extract(self, page: Page) -> list[Record]:
        """The element that is most like the known one, on lists also those similar to it."""
        tree = _parsed(page)
        columns = {}
        for name, element in self.elements.items():
            found = tree.relocate(element, 40, True)[:1]  # noqa: FBT003  # its own signature
            if self.several and found:
                found = [*found, *found[0].find_similar()]
            columns[name] = [cleaned(one.get_all_text()) for one in found]
        return records_of(columns, several=self.several)


def _parsed(page: Page) -> Any:
    return optional("scrapling.parser").Selector(page.text)
