"""Trees of pages that are looked at again and again, as while a person marks them."""

from collections import OrderedDict
from threading import Lock

from rowen.wrappers.region.tree import Tree

KEPT_CHARACTERS = 4_000_000
"""Limit: the pages whose trees are kept have no more characters than this together. A tree takes
about as much memory as ten pages."""


class Trees:
    """The trees of the pages that were looked at last."""

    def __init__(self, most: int = KEPT_CHARACTERS) -> None:
        self._most = most
        self._trees: OrderedDict[str, Tree] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def of(self, text: str) -> Tree:
        """The tree of a page, built only if it is not kept."""
        with self._lock:
            tree = self._trees.get(text)
            if tree is not None:
                self._trees.move_to_end(text)
                return tree
        tree = Tree(text)
        if len(text) <= self._most:
            self._keep(text, tree)
        return tree

    def _keep(self, text: str, tree: Tree) -> None:
        with self._lock:
            if text not in self._trees:
                self._trees[text] = tree
                self._size += len(text)
            while self._size > self._most:
                dropped, _ = self._trees.popitem(last=False)
                self._size -= len(dropped)


TREES = Trees()
"""Of this process."""
