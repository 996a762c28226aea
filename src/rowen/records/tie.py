"""Texts in labels that are at several places of their page, none of which is better."""

from dataclasses import dataclass

from rowen.model.span import Span


@dataclass(frozen=True, slots=True)
class Tie:
    """Positions of one value that are as good as the one that was taken.

    >>> tie = Tie("lamp.html", "1", "price", Span(13, 15), (Span(29, 31),))
    >>> print(tie)
    lamp.html: record 1, field 'price': taken at [13, 15), which is no better than [29, 31)
    """

    page: str
    record: str
    field: str
    taken: Span
    rivals: tuple[Span, ...]

    def __str__(self) -> str:
        rivals = ", ".join(f"[{span.start}, {span.end})" for span in self.rivals)
        return (
            f"{self.page}: record {self.record}, field {self.field!r}: taken at "
            f"[{self.taken.start}, {self.taken.end}), which is no better than {rivals}"
        )
