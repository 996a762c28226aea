"""What the nested and missing-field classes share: their delimiters, and a head and a tail.

NLR, MLR      EarliestWrapper: a left and a right delimiter per field, on the whole page
NHLRT, MHLRT  FramedWrapper before one of these: the same scan, from the head to the tail
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records import Record
from rowen.records.records import Rows
from rowen.wrappers.base import Wrapper
from rowen.wrappers.earliest import find_head
from rowen.wrappers.sides import check_sides, describe_ends, read_sides, save_sides


class EarliestWrapper(Wrapper):
    """A wrapper in which the earliest left delimiter decides which field comes next."""

    follows_page = True
    optional: ClassVar[bool]
    """Whether a field may have no delimiters, because it was in no example."""

    def __init__(
        self, fields: Sequence[str], left: Sequence[str], right: Sequence[str], **identity: Any
    ) -> None:
        super().__init__(fields, **identity)
        self.left = tuple(left)
        self.right = tuple(right)
        complaint = check_sides(self.fields, self.left, self.right, optional=self.optional)
        if complaint is not None:
            raise self.error(complaint)

    @abstractmethod
    def _scan(self, page: Page, *, cursor: int, tail: str | None) -> Rows | Iterator[Record]:
        """The records from the cursor to the tail, or to the end of the page."""

    @abstractmethod
    def _lines(self) -> list[str]:
        """Where each value starts and ends, in words."""

    def describe(self) -> str:
        """Where each value starts and ends, and which field comes next."""
        return "\n".join(self._lines())

    def _run(self, page: Page) -> Rows | Iterator[Record]:
        """The records of the whole page."""
        return self._scan(page, cursor=0, tail=None)

    def _delimiters(self) -> dict[str, Any]:
        """A left and a right delimiter per field."""
        return save_sides(self.left, self.right)

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        return cls(**cls._arguments(definition))

    @classmethod
    def _arguments(cls, definition: Definition) -> dict[str, Any]:
        """What the constructor takes, from a saved wrapper."""
        left, right = read_sides(definition)
        return {"left": left, "right": right, **cls._common(definition)}


class FramedWrapper(EarliestWrapper):
    """Comes before one of the classes for whole pages: their scan, from a head to a tail."""

    def __init__(
        self,
        fields: Sequence[str],
        left: Sequence[str],
        right: Sequence[str],
        *,
        head: str,
        tail: str,
        **options: Any,
    ) -> None:
        super().__init__(fields, left, right, **options)
        # An empty tail is found at once: there would be no records.
        if not tail:
            raise self.error("the tail must not be empty")
        self.head = head
        self.tail = tail

    def _run(self, page: Page) -> Rows | Iterator[Record]:
        """The records between head and tail."""
        return self._scan(page, cursor=find_head(page.text, self.head), tail=self.tail)

    def _delimiters(self) -> dict[str, Any]:
        """As on whole pages, with head and tail."""
        return {**super()._delimiters(), "head": self.head, "tail": self.tail}

    @classmethod
    def _arguments(cls, definition: Definition) -> dict[str, Any]:
        """As on whole pages, with head and tail."""
        ends = {"head": definition.text("head"), "tail": definition.text("tail")}
        return {**super()._arguments(definition), **ends}

    def describe(self) -> str:
        """As on whole pages, with where the records start and end."""
        return "\n".join([*self._lines(), *describe_ends(self.head, self.tail)])
