"""All data of a page.

Nothing of this runs in normal extraction: trees are built where a rule or a label needs them.
"""

from collections.abc import Collection
from functools import cached_property
from typing import get_args

from rowen.model import Page
from rowen.text.data.meta import read_meta
from rowen.text.data.scripts import read_scripts
from rowen.text.data.sources import Origin, Root
from rowen.text.html_tokens import Tokens, tokenize

ORIGINS: tuple[Origin, ...] = get_args(Origin)
_IN_SCRIPTS = frozenset(("json-ld", "json", "script"))


class PageData:
    """The roots of a page's data, by where they are written; each kind is read when needed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._roots: dict[str, list[Root]] = {}

    def of(self, origin: Origin) -> list[Root]:
        """The roots of one kind, in page order."""
        if origin not in self._roots:
            self._read(origin)
        return self._roots[origin]

    def all(self, origins: Collection[Origin] = ORIGINS) -> list[Root]:
        """The roots of some kinds, one kind after the other."""
        return [root for origin in origins for root in self.of(origin)]

    def _read(self, origin: Origin) -> None:
        if origin in _IN_SCRIPTS:
            for name in _IN_SCRIPTS:
                self._roots[name] = []
            for root in read_scripts(self.page.text, self._tokens):
                self._roots[root.origin].append(root)
        elif origin == "meta":
            self._roots[origin] = list(read_meta(self.page.text, self._tokens))
        else:
            # Imported here: it needs a parser of HTML, which takes long to load.
            from rowen.text.data.items import MICRODATA, RDFA, read_items

            vocabulary = MICRODATA if origin == "microdata" else RDFA
            self._roots[origin] = list(read_items(self.page, vocabulary))

    @cached_property
    def _tokens(self) -> Tokens:
        return tokenize(self.page.text)
