"""Profiles: what the records of a site look like, in a few numbers per field.

A page of many records counts like a few independent ones, 1 + log2(n): records of one page resemble
each other, so that fifty of them say little about the next page.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log2
from operator import itemgetter
from typing import Any, Self

from rowen.model import ExtractorError, Span
from rowen.records import Record
from rowen.records.nested import Nested
from rowen.records.record import CHILDREN
from rowen.wrappers.layout import Layout

TRAITS = {
    "empty": re.compile(r"\s*\Z"),
    "digits": re.compile(r".*?\d", re.DOTALL),
    "letters": re.compile(r".*?[^\W\d_]", re.DOTALL),
    "several words": re.compile(r"\s*\S+\s+\S", re.DOTALL),
    "tags": re.compile(r".*?<[/!a-zA-Z]|.*?[\w\"']>", re.DOTALL),
    "white space around": re.compile(r"\s|.*\s\Z", re.DOTALL),
    "line breaks": re.compile(r".*?[\r\n]", re.DOTALL),
    "punctuation": re.compile(r".*?[^\w\s]", re.DOTALL),
    "a capital first": re.compile(r"\W*[A-ZÀ-ÖØ-Þ]"),
    "a digit first": re.compile(r"\W*\d"),
}
"""What a value may have: the questions that a scraper's author would ask."""

SURVEYED = 2_000
"""Limit: how many records of a page are looked at, spread over it: more add nothing new."""

LOOKED_AT = 2_000
"""Limit: how many characters of a value are looked at; longer ones are no values, and the length
says so."""

KEPT = {"shapes": 30, "words": 20}
"""How many of each a saved profile keeps: drift shows in the common ones."""

SAMPLES = 20
"""How many records are kept as they are, for `repair` to look for on other pages."""

SAMPLE_CHARACTERS = 200
"""Records with longer values are not kept."""
# Words, numbers, single signs: what a shape is made of.
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_+")


def _weights() -> dict[Any, float]:
    return defaultdict(float)


@dataclass(slots=True)
class FieldProfile:
    """The values of one field: weights of how many have a trait, a length, a shape, a word."""

    pages: float = 0.0
    """Pages that have a value."""
    records: float = 0.0
    missing: float = 0.0
    values: float = 0.0
    number: float = 0.0
    """The values, unweighted."""
    traits: dict[str, float] = field(default_factory=_weights)
    lengths: dict[int, float] = field(default_factory=_weights)
    """By powers of two: 3 is for values of about 2**3 characters."""
    shapes: dict[str, float] = field(default_factory=_weights)
    """How many values have each shape, unweighted: one that came only once is no habit."""
    words: dict[str, float] = field(default_factory=_weights)
    commonest: float = 0.0
    """The weight of the value that came most often."""
    usual: str = ""
    """That value, as far as it is shown."""

    def to_dict(self) -> dict[str, Any]:
        """The profile as it is saved, the rare left out."""
        return {
            "pages": _short(self.pages),
            "records": _short(self.records),
            "missing": _short(self.missing),
            "values": _short(self.values),
            "number": _short(self.number),
            "commonest": _short(self.commonest),
            "usual": self.usual,
            "traits": _rounded(self.traits),
            "lengths": {str(key): value for key, value in sorted(_rounded(self.lengths).items())},
            **{name: _rounded(getattr(self, name), count) for name, count in KEPT.items()},
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self:
        """A saved profile of a field."""
        return cls(
            pages=float(saved["pages"]),
            records=float(saved["records"]),
            missing=float(saved["missing"]),
            values=float(saved["values"]),
            number=float(saved["number"]),
            commonest=float(saved["commonest"]),
            usual=str(saved["usual"]),
            traits=_read(saved["traits"]),
            lengths={int(key): float(n) for key, n in saved["lengths"].items()},
            shapes=_read(saved["shapes"]),
            words=_read(saved["words"]),
        )


@dataclass(frozen=True, slots=True)
class Profile:
    r"""What records of known-good pages look like, to compare others with.

    >>> import rowen
    >>> from rowen.types import Profile
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})")
    >>> profile = Profile.of([rooms.extract("CS 105, CS 310"), rooms.extract("none")])
    >>> profile.pages, profile.empty, list(profile.fields)
    (2.0, 1.0, ['room'])
    """

    pages: float
    empty: float
    """Pages without a record."""
    failed: float
    """Pages on which the extractor had to stop, though they have records."""
    counts: dict[int, float]
    """Pages by their number of records, in powers of two; pages without any are not in it."""
    fields: dict[str, FieldProfile]
    samples: tuple[dict[str, Any], ...] = ()
    """Some records: their page, and their values."""
    layout: Layout | None = None
    """The tags before the marked values, where pages are lists."""

    @classmethod
    def of(cls, pages: Iterable[Sequence[Record]]) -> Self:
        """The profile of records, page by page; where they have a `failure`, it counts."""
        return cls._of(
            _Sheet(
                _columns(records[:: 1 + len(records) // SURVEYED]),
                len(records),
                _sampled(records),
                failed=_failed(records),
            )
            for records in pages
        )

    @classmethod
    def of_values(cls, pages: Iterable[Sequence[Mapping[str, Any]]]) -> Self:
        """The same from values alone: one mapping per record, in which None is missing."""
        return cls._of(_Sheet(_value_columns(records), len(records), []) for records in pages)

    @classmethod
    def _of(cls, pages: Iterable["_Sheet"]) -> Self:
        total = empty = failures = 0
        samples: list[dict[str, Any]] = []
        counts: dict[int, float] = _weights()
        surveys: dict[str, _Survey] = {}
        for sheet in pages:
            total += 1
            failures += sheet.failed
            # An empty page counts by itself: it has no fields to survey, and drift of their values
            # would hide it.
            if not sheet.records:
                empty += 1
                continue
            _spread(counts, sheet.records, 1.0)
            samples += sheet.samples[: SAMPLES - len(samples)]
            for name, column in sheet.columns.items():
                surveys.setdefault(name, _Survey()).add(column)
        fields = {name: survey.profile() for name, survey in surveys.items()}
        return cls(float(total), float(empty), float(failures), counts, fields, tuple(samples))

    def to_dict(self) -> dict[str, Any]:
        """The profile as it is saved with a wrapper."""
        return {
            "pages": _short(self.pages),
            "empty": _short(self.empty),
            "failed": _short(self.failed),
            "counts": {str(key): value for key, value in sorted(_rounded(self.counts).items())},
            "fields": {name: field.to_dict() for name, field in self.fields.items()},
            "samples": list(self.samples),
            **({} if self.layout is None else {"layout": self.layout.to_dict()}),
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self:
        """A saved profile; raises `ExtractorError` where it is malformed."""
        try:
            return cls(
                pages=float(saved["pages"]),
                empty=float(saved["empty"]),
                failed=float(saved["failed"]),
                counts={int(key): float(n) for key, n in saved["counts"].items()},
                fields={name: FieldProfile.from_dict(own) for name, own in saved["fields"].items()},
                samples=tuple(dict(record) for record in saved["samples"]),
                layout=Layout.from_dict(saved.get("layout")),
            )
        # A saved wrapper comes from outside: whatever is wrong in it must be an `ExtractorError`.
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise ExtractorError(f"'profile' is invalid: {reason}") from None


@dataclass(slots=True)
class _Column:
    """One field on one page."""

    values: list[str] = field(default_factory=list)
    missing: int = 0


@dataclass(slots=True)
class _Sheet:
    """One page."""

    columns: dict[str, _Column]
    records: int
    samples: list[dict[str, Any]]
    failed: bool = False


class _Survey:
    """Collects the columns of one field, page by page."""

    def __init__(self) -> None:
        self._profile = FieldProfile()
        self._values: dict[str, float] = _weights()

    def add(self, column: _Column) -> None:
        to = self._profile
        # Records of one page are alike: together they count like 1 + log2(n) independent ones.
        records = len(column.values) + column.missing
        weight = (1 + log2(records)) / records
        to.pages += bool(column.values)
        to.records += weight * records
        to.missing += weight * column.missing
        to.values += weight * len(column.values)
        to.number += len(column.values)
        for value in column.values:
            _spread(to.lengths, len(value), weight)
            looked_at = value[:LOOKED_AT]
            for trait, has in TRAITS.items():
                if has.match(looked_at):
                    to.traits[trait] += weight
            # Each word counts once per value: a long value must not outweigh others.
            for word in dict.fromkeys(_TOKEN.findall(looked_at)):
                to.words[word] += weight
            # Unweighted: a shape that came only once is no habit.
            to.shapes[shape_of(looked_at)] += 1
            self._values[looked_at] += weight

    def profile(self) -> FieldProfile:
        profile = self._profile
        if self._values:
            usual, profile.commonest = max(self._values.items(), key=itemgetter(1))
            profile.usual = usual[:SAMPLE_CHARACTERS]
        return profile


def shape_of(value: str) -> str:
    """A value as the kinds of its tokens: `Aa` a word, `9` a number, signs as they are.

    Repeated kinds count once, so that names of two and of three words are alike.
    """
    kinds: list[str] = []
    for token in _TOKEN.findall(value):
        kind = _kind(token)
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
        # Longer texts are prose: a shape is for values.
        if len(kinds) == 12:
            kinds.append("...")
            break
    return " ".join(kinds)


def _kind(token: str) -> str:
    if token[0].isdigit():
        return "9"
    if token[0].isalpha():
        return ("AA" if token.isupper() and len(token) > 1 else "Aa") if token[0].isupper() else "a"
    return token[0]


def _failed(records: Sequence[Record]) -> bool:
    return getattr(records, "failure", None) is not None


def _sampled(records: Sequence[Record]) -> list[dict[str, Any]]:
    """A few records of a page as they are written, without their spans."""
    samples: list[dict[str, Any]] = []
    # At most half of the samples from one page, so that they are not of one page alone.
    for record in records[: SAMPLES // 2]:
        longest = max((span.length for _, spans in record.items() for span in spans), default=0)
        if longest <= SAMPLE_CHARACTERS:
            samples.append(written(record))
    return samples


def written(record: Record) -> dict[str, Any]:
    """A record with the texts that a reader sees, whatever their types, and the page's source."""
    texts = record.with_schema(None)
    values, source = texts.values, texts.source
    return {
        "page": record.page.id,
        "values": values,
        **({} if source == values else {"source": source}),
        **({CHILDREN: [written(child) for child in record.children]} if record.children else {}),
    }


def _columns(records: Iterable[Record]) -> dict[str, _Column]:
    columns: dict[str, _Column] = {}
    for record in _walk(records):
        _add_columns(columns, record, "")
    return columns


def _add_columns(columns: dict[str, _Column], record: Record, parent: str) -> None:
    """Add the values of a record; those of nested records have a path as their name."""
    text = record.page.text
    for name, where in record.stored():
        path = f"{parent}{name}"
        if isinstance(where, Nested):
            _add_count(columns, path, len(where))
            for nested in where:
                _add_columns(columns, nested, f"{path}.")
            continue
        spans = () if where is None else (where,) if isinstance(where, Span) else where
        column = columns.setdefault(path, _Column())
        column.missing += not spans
        column.values.extend(span.of(text) for span in spans)


def _add_count(columns: dict[str, _Column], path: str, count: int) -> None:
    """A nested field itself: its value is how many records it holds, and none is missing."""
    column = columns.setdefault(path, _Column())
    column.missing += not count
    column.values += [str(count)] if count else []


def _value_columns(records: Iterable[Mapping[str, Any]]) -> dict[str, _Column]:
    columns: dict[str, _Column] = {}
    # Not by recursion: records from a file may be nested as deep as they like.
    waiting = [("", record) for record in records]
    while waiting:
        parent, record = waiting.pop(0)
        waiting[:0] = [(parent, child) for child in record.get(CHILDREN) or ()]
        for name, value in record.items():
            path = f"{parent}{name}"
            if name == CHILDREN:
                continue
            if isinstance(value, list) and value and isinstance(value[0], Mapping):
                _add_count(columns, path, len(value))
                waiting[:0] = [(f"{path}.", nested) for nested in value]
                continue
            column = columns.setdefault(path, _Column())
            column.missing += not value and value != ""
            column.values += [value] if isinstance(value, str) else value or ()
    return columns


def _walk(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        yield record
        yield from _walk(record.children)


def _spread(counts: dict[int, float], number: int, weight: float) -> None:
    """Count a number by its power of two; one between two powers counts in part for each."""
    # Spread over two powers, so that 7 and 8 are near to each other, as they should be.
    power = log2(1 + number)
    low = floor(power)
    counts[low] += weight * (1 - power + low)
    counts[low + 1] += weight * (power - low)


def _read(saved: Mapping[str, Any]) -> dict[str, float]:
    return {str(key): float(value) for key, value in saved.items()}


def _rounded(weights: Mapping[Any, float], count: int | None = None) -> dict[Any, float]:
    common = sorted(weights.items(), key=itemgetter(1), reverse=True)[:count]
    return {key: _short(weight) for key, weight in common if weight > 0}


def _short(number: float) -> float:
    return round(number, 3)
