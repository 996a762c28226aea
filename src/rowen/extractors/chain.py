r"""Chains: an extractor that reads a field of another one instead of the page.

Delex (Chen, Gao, Doan, Yang, Ramakrishnan: Optimizing complex extraction programs over evolving
text data) describes programs of several extractors, each of which reads what another one found.
This is one such chain. Each span of the field is read as a text of its own; what is found there is
moved to its place on the page.

    page       Ada Lovelace wrote it. | Seen by Bob.
    blocks     [0, 22), [25, 37)              a line between bars
    names      "Ada Lovelace" at [0, 12) of the first block, "Bob" at [8, 11) of the second
    the chain  [0, 12), [33, 36)

A chain is an extractor by itself, and so it may be the input of a further one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from rowen.extractors.base import Extractor, columns_of, schema_of
from rowen.extractors.definition import Defined, Definition
from rowen.extractors.locality import Locality, Window
from rowen.model import ExtractionError, ExtractorError, Page
from rowen.records import Records
from rowen.records.packed import Packed, Shapes, field_spans, pack, pack_texts, unpack
from rowen.records.schema import Schema


class Step(NamedTuple):
    """An extractor of a chain, and the field of the step before that it reads.

    The first step reads the page, and has no such field.
    """

    extractor: Extractor
    field: str | None = None


class StepResult(NamedTuple):
    """The records of one step on the page; why one of its calls stopped early, if one did."""

    records: Packed
    failure: str | None = None


class Chain(Defined):
    r"""Reads a field of another extractor: each of its spans is a text for `step`.

    The text is the page's own source at the span, markup included, so that places are exact. Spans
    that occur several times are read once, empty ones not at all. Records have the fields of
    `step`, with their spans on the page; what is found twice, in texts that overlap, is one record.
    A field of nested records can't be read.

    >>> import rowen
    >>> notes = rowen.Pattern(r"\[(?P<note>[^\]]*)\]", name="notes")
    >>> years = rowen.Chain(rowen.Pattern(r"(?P<year>\d{4})", name="years"), notes, "note")
    >>> [(record.values, record.extent) for record in years.extract("1815 [or 1816?]")]
    [({'year': '1816'}, Span(9, 13))]
    """

    kind = "chain"

    def __init__(
        self,
        step: Extractor,
        reads: Extractor,
        field: str,
        *,
        name: str | None = None,
        version: str | None = None,
        locality: Locality | None = None,
        schema: object = None,
    ) -> None:
        super().__init__(step.name if name is None else name, version, locality, schema)
        self.step = step
        self.reads = reads
        self.field = field
        self.fields = step.fields
        self.columns = columns_of(step)
        if reads.fields and field not in reads.fields:
            raise self.error(
                f"{reads.name!r} has no field {field!r} to read; "
                f"its fields: {', '.join(reads.fields)}"
            )
        if schema_of(reads).field(field).fields is not None:
            raise self.error(_nested(reads.name, field))
        earlier = reads.steps if isinstance(reads, Chain) else (Step(reads),)
        self.steps: tuple[Step, ...] = (*earlier, Step(step, field))

    def derive_schema(self) -> Schema:
        """What the last step says of its fields."""
        return schema_of(self.step)

    def extract(self, page: Page | str) -> Records:
        """The records of the last step, with their places on the page."""
        page = Page.of(page)
        shapes = [Shapes() for _ in self.steps]
        results = results_of_steps(self, page, shapes)
        failure = next((result.failure for result in results if result.failure is not None), None)
        schema = self.schema
        records = unpack(results[-1].records.as_set(shapes[-1]), shapes[-1], page, schema)
        return Records(records, failure=failure, schema=schema or None, fields=self.columns)

    def settings(self) -> dict[str, Any]:
        """The definitions of both extractors, and the field that is read."""
        return {
            "step": self._definition(self.step),
            "input": self._definition(self.reads),
            "field": self.field,
        }

    def _definition(self, extractor: Extractor) -> dict[str, Any]:
        if isinstance(extractor, Defined):
            return extractor.to_definition().to_dict()
        raise self.error(f"{extractor.name!r} is code, and can't be saved")

    def fingerprint(self) -> dict[str, Any]:
        """The versions of both extractors: a change of either changes the records."""
        return {"step": self.step.version, "input": self.reads.version, "field": self.field}

    @property
    def proved(self) -> bool:
        """Whether the locality of every step is derived."""
        return all(getattr(step.extractor, "proved", False) for step in self.steps)

    def derive_locality(self) -> Locality:
        """That of the first extractor, as far as it covers what is read.

        A text that is read lies in a record of the first extractor: in the same segment, or within
        its scope. Whatever the step finds depends on nothing else.
        """
        before = self.reads.locality
        if isinstance(before, Window):
            return Window(before.scope, before.scope + before.context)
        return before

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """Read a saved chain."""
        definition.expect("step", "input", "field")
        for key in ("step", "input"):
            if key not in definition.settings:
                raise definition.error(f"{key!r} is missing")
        step, reads = (definition.resolve(definition.settings[key]) for key in ("step", "input"))
        return cls(step, reads, definition.text("field"), **definition.identity())

    def __repr__(self) -> str:
        return f"Chain({self.step!r}, {self.reads!r}, {self.field!r})"


def results_of_steps(chain: Chain, page: Page, shapes: list[Shapes]) -> list[StepResult]:
    """The records of every step, from scratch; each numbers its shapes in its own list."""
    results: list[StepResult] = []
    for number, (extractor, field) in enumerate(chain.steps):
        if field is None:
            records = extractor.extract(page)
            results.append(StepResult(pack(records, shapes[number]), records.failure))
            continue
        texts = inputs_of(chain, number, results[-1].records, shapes[number - 1], page)
        results.append(read_texts(extractor, texts, page, shapes[number]))
    return results


def read_texts(
    extractor: Extractor, texts: Sequence[tuple[int, int]], page: Page, shapes: Shapes
) -> StepResult:
    """What an extractor finds in each of these texts by itself, at its place on the page."""
    read = [
        (extractor.extract(Page(page.text[start:end], id=page.id)), start, end)
        for start, end in texts
    ]
    failures = (records.failure for records, _, _ in read)
    failure = next((failure for failure in failures if failure is not None), None)
    return StepResult(placed(extractor, read, page, shapes), failure)


def placed(
    extractor: Extractor, read: Sequence[tuple[Records, int, int]], page: Page, shapes: Shapes
) -> Packed:
    """The records of texts at their places on the page; each has the text's start and end."""
    packed, outside = pack_texts(read, shapes)
    if outside is not None:
        _, start, end = read[outside]
        reason = f"gave spans outside the text that it read, which has {end - start:,} characters"
        raise ExtractionError(extractor.name, page.id, reason)
    return packed


def inputs_of(
    chain: Chain, number: int, earlier: Packed, shapes: Shapes, page: Page
) -> list[tuple[int, int]]:
    """The distinct texts that a step reads, in page order, by their places."""
    before, (_, field) = chain.steps[number - 1], chain.steps[number]
    assert field is not None
    spans = field_spans(earlier, shapes, field)
    if spans is None:
        raise ExtractionError(chain.name, page.id, _nested(before.extractor.name, field))
    if len(spans) and spans.max() > len(page.text):
        reason = f"its input {before.extractor.name!r} gave spans outside the page"
        raise ExtractionError(chain.name, page.id, reason)
    spans = spans[spans[:, 0] < spans[:, 1]]
    return sorted(set(map(tuple, spans.tolist())))


def reads_papers(extractor: Extractor) -> bool:
    """Whether an extractor reads the sheets of papers, as the extractor `paper` does."""
    return bool(getattr(parts_of(extractor)[0], "reads_papers", False))


def steps_of(extractor: Extractor) -> tuple[Step, ...]:
    """The steps of a chain; nothing for other extractors."""
    return extractor.steps if isinstance(extractor, Chain) else ()


def parts_of(extractor: Extractor) -> tuple[Extractor, ...]:
    """The extractors by whose localities a run reuses records: the steps, or the one itself."""
    return tuple(step.extractor for step in steps_of(extractor)) or (extractor,)


def split_input(name: str, reference: object, known: list[str]) -> tuple[str, str]:
    """The extractor and the field of `input = "OTHER.FIELD"`; either name may have dots."""
    if isinstance(reference, str) and "." in reference:
        fitting = [other for other in known if reference.startswith(f"{other}.")]
        if fitting:
            other = max(fitting, key=len)
            return other, reference[len(other) + 1 :]
        raise ExtractorError(
            f"extractor {name!r}: its input {reference!r} names no extractor of this file; "
            f"its extractors: {', '.join(known) or 'none'}"
        )
    raise ExtractorError(
        f"extractor {name!r}: 'input' must be an extractor of this file and a field of it, as in "
        f'"blocks.text", not {reference!r}'
    )


def _nested(name: str, field: str) -> str:
    return (
        f"the field {field!r} of {name!r} holds records, so it has no text of its own to read; "
        "read a field that is a text"
    )
