"""What the four tabular classes share: delimiters, the scan that runs them, how they are saved."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from rowen._core import scan_table
from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records.records import Rows
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.sides import read_sides


class ScanWrapper(Wrapper):
    """A wrapper that finds its records from left to right, between constant delimiters.

    `head` and `close` may be empty, the others not; those that a class doesn't use are None.
    """

    follows_page = True
    uses: ClassVar[tuple[str, ...]]
    """Which of head, tail, open and close the class has."""

    def __init__(
        self,
        fields: Sequence[str],
        *,
        left: Sequence[str],
        right: Sequence[str],
        head: str | None = None,
        tail: str | None = None,
        open: str | None = None,  # noqa: A002  # the name in the saved file
        close: str | None = None,
        **identity: Any,
    ) -> None:
        super().__init__(fields, **identity)
        self.left = tuple(left)
        self.right = tuple(right)
        self.head = head
        self.tail = tail
        self.open = open
        self.close = close
        self._check()

    def _run(self, page: Page) -> Rows:
        """The rows of a page, by the native scan."""
        # In native code; the tests have a slow reference for it.
        values, missing, k = scan_table(
            page.text,
            self.left,
            self.right,
            head=self.head,
            tail=self.tail,
            open=self.open,
            close=self.close,
        )
        rows = Rows(page, self.fields, values)
        if missing is not None:
            raise Failure(self._reason(missing, k), rows)
        return rows

    def _delimiters(self) -> dict[str, Any]:
        """Head, tail, open and close, None where unused; a left and a right one per field."""
        return {
            "head": self.head,
            "tail": self.tail,
            "open": self.open,
            "close": self.close,
            "left": list(self.left),
            "right": list(self.right),
        }

    def describe(self) -> str:
        """The scan in words, with one line per field."""
        lines = [f"Records with {len(self.fields)} field(s), found from left to right:"]
        if self.head:
            lines.append(f"- the search starts at the first {_shown(self.head)};")
        if self.open is not None:
            lines.append(f"- each record opens with {_shown(self.open)};")
        for field, left, right in zip(self.fields, self.left, self.right, strict=True):
            lines.append(f"- {field}: starts after {_shown(left)}, ends before {_shown(right)};")
        if self.close:
            lines.append(f"- each record closes with {_shown(self.close)};")
        first = self.left[0] if self.open is None else self.open
        if self.tail is None:
            lines.append(f"- it ends where no {_shown(first)} is left.")
        else:
            lines.append(f"- it ends where {_shown(self.tail)} comes before {_shown(first)}.")
        return "\n".join(lines)

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        outer = ("head", "tail", "open", "close")
        definition.expect("class", "fields", "learned_from", *outer, "left", "right")
        used = {
            key: definition.text(key) for key in outer if definition.settings.get(key) is not None
        }
        left, right = read_sides(definition)
        return cls(left=left, right=right, **used, **cls._common(definition))

    def _check(self) -> None:
        for key in ("head", "tail", "open", "close"):
            # None where the class has none: an empty string is a delimiter that is always found.
            if (getattr(self, key) is None) == (key in self.uses):
                need = "needs" if key in self.uses else "has no"
                raise self.error(f"class {self.wrapper_class!r} {need} {key!r}")
        if not len(self.fields) == len(self.left) == len(self.right) or not self.fields:
            raise self.error("each field must have a left and a right delimiter")
        # An empty delimiter is found where the scan already is: it would never move on.
        if not all((*self.left, *self.right)) or "" in {self.tail, self.open}:
            raise self.error("only 'head' and 'close' can be empty")

    def _reason(self, missing: str, k: int) -> str:
        if missing in {"left", "right"}:
            delimiter = getattr(self, missing)[k]
            return (
                f"field {self.fields[k]!r}: its {missing} delimiter {_shown(delimiter)} is missing"
            )
        return f"the {missing} delimiter {_shown(getattr(self, missing))} is missing"


def _shown(delimiter: str) -> str:
    """The delimiter with white space that can be seen."""
    shown = delimiter.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")
    return f"'{shown}'"
