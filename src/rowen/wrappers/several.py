"""Several wrappers for the templates of one site: each page goes to the one that fits it best."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.model import Page, Record, Records
from rowen.wrappers.base import Failure, Wrapper


class Several(Wrapper):
    """Wrappers for groups of examples that no single one fits.

    A page goes to the wrapper that does not fail on it, gives the most complete records and, where
    that is equal, was learned from more pages, and then to the one with the fewest other records
    beside complete ones. Where all fail, none fits the page.
    """

    wrapper_class = "several"

    def __init__(
        self, fields: Sequence[str], *, wrappers: Sequence[Wrapper], **identity: Any
    ) -> None:
        super().__init__(fields, **identity)
        self.wrappers = tuple(wrappers)

    def route(self, page: Page) -> tuple[Wrapper | None, Records]:
        """The wrapper that fits a page best, with its records; None where all fail."""
        best: tuple[tuple[int, int, int], Wrapper, Records] | None = None
        for wrapper in self.wrappers:
            records = wrapper.extract(page)
            if records.failure is not None:
                continue
            complete = sum(_is_complete(record) for record in records)
            learned = wrapper.evidence.pages if wrapper.evidence is not None else 0
            rest = len(records) - complete
            fit = (complete, learned, -rest if complete else rest)
            if best is None or fit > best[0]:
                best = (fit, wrapper, records)
        return (None, Records()) if best is None else best[1:]

    def run(self, page: Page) -> Iterator[Record]:
        """The records by the wrapper that fits best."""
        wrapper, records = self.route(page)
        if wrapper is None:
            raise Failure("no wrapper fits this page")
        return iter(records)

    def delimiters(self) -> dict[str, Any]:
        """The wrappers."""
        return {"wrappers": [wrapper.to_definition().to_dict() for wrapper in self.wrappers]}

    def fingerprint(self) -> dict[str, Any]:
        """The versions of the wrappers, with what the class of each means."""
        versions = [wrapper.derived_version for wrapper in self.wrappers]
        return {**super().fingerprint(), "wrappers": versions}

    @classmethod
    def read(cls, definition: Definition) -> Self:
        """The wrappers that were saved."""
        from rowen.extractors.saved import from_dict

        saved = definition.get("wrappers", list)
        if not saved or not all(isinstance(one, Mapping) for one in saved):
            raise definition.error("'wrappers' must be a list of wrappers")
        wrappers = [from_dict(one) for one in saved]
        if not all(isinstance(one, Wrapper) for one in wrappers):
            raise definition.error("'wrappers' must be a list of wrappers")
        return cls(
            wrappers=[one for one in wrappers if isinstance(one, Wrapper)],
            **cls.common(definition),
        )

    def describe(self) -> str:
        """Each wrapper in turn."""
        parts = [f"{len(self.wrappers)} templates; each page goes to the one that fits best."]
        for number, wrapper in enumerate(self.wrappers, 1):
            parts.append(f"Template {number} ({wrapper.wrapper_class}):\n{wrapper.describe()}")
        return "\n".join(parts)


def _is_complete(record: Record) -> bool:
    return all(spans for _, spans in record.items())
