"""What a wrapper was learned from, as far as its confidence depends on it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self, TypeAlias

from rowen.extractors.definition import Definition
from rowen.model import Span
from rowen.records import Example

Trusted: TypeAlias = Callable[[Example, str, Span], bool]
"""Whether a field's value in an example was seen, rather than guessed."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Counts of the examples that a wrapper was learned from: the input of the PAC model.

    >>> import rowen
    >>> example = rowen.Example("<b>Ada</b> <b>Alan</b>", [{"name": "Ada"}, {"name": "Alan"}])
    >>> evidence = rowen.learn([example], "lr").evidence
    >>> evidence.pages, evidence.records
    (1, 2)
    """

    pages: int
    records: int
    shortest: int
    """The length of the shortest example page, which bounds the delimiters to choose from (R)."""
    framed: int | None = None
    """The pages of which both head and tail are known (N*); None where all are."""
    known: Mapping[str, int] = field(default_factory=dict)
    """How many values of a field are known; a field that is not listed has one per record."""
    cut_short: bool = False
    """Whether the search ended at a limit, so that there may be a better wrapper."""

    @classmethod
    def of(cls, examples: Sequence[Example], *, trusted: Trusted | None = None) -> Self:
        """Count the pages, records and known values of examples.

        `trusted` decides which values count as known; without it all do.
        """
        known_values: dict[str, int] = {}
        for example in examples:
            for record in example.records:
                for name, spans in record.items():
                    sure = [
                        span for span in spans if trusted is None or trusted(example, name, span)
                    ]
                    known_values[name] = known_values.get(name, 0) + len(sure)
        framed = sum(
            not example.partial and _ends_known(example, known_values, trusted)
            for example in examples
        )
        return cls(
            pages=len(examples),
            records=sum(len(example.records) for example in examples),
            shortest=min((len(example.page.text) for example in examples), default=0),
            framed=framed,
            known=known_values,
        )

    def to_dict(self) -> dict[str, Any]:
        """The evidence as it is saved, without what has its default."""
        values = {column.name: getattr(self, column.name) for column in fields(self)}
        return {
            name: value
            for name, value in values.items()
            if value not in (None, {}) and value is not False
        }

    @classmethod
    def from_definition(cls, definition: Definition) -> Self | None:
        """The evidence in a saved wrapper, None where it has none."""
        saved = definition.get("learned_from", dict)
        if saved is None:
            return None
        known_values = saved.get("known", {})
        # A file from outside: all numbers are checked, since the PAC model calculates with them.
        counts = [value for name, value in saved.items() if name != "known"]
        names = [column.name for column in fields(cls)]
        if (
            not {"pages", "records", "shortest"} <= saved.keys() <= set(names)
            or not isinstance(known_values, dict)
            or not all(isinstance(count, int) for count in (*counts, *known_values.values()))
        ):
            raise definition.error(f"'learned_from' must have the numbers {', '.join(names)}")
        return cls(**saved)


def _ends_known(example: Example, names: Iterable[str], trusted: Trusted | None) -> bool:
    """Whether no value of the first and the last record is unknown or only guessed.

    Only then is it known where the page's head ends and where its tail starts.
    """
    for record in (*example.records[:1], *example.records[-1:]):
        spans = dict(record.items())
        for name in names:
            if name not in spans or not all(
                trusted is None or trusted(example, name, span) for span in spans[name]
            ):
                return False
    return True
