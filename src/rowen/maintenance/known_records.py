"""Records that were extracted before: texts without the pages that they were on.

They are texts, as a reader sees them and as the page has them, never typed values: pages are
searched for them.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

from rowen.model import InputError
from rowen.records import Record
from rowen.records.record import CHILDREN
from rowen.text.character_references import decode
from rowen.text.charset import PAGE_BYTES
from rowen.text.data.escapes import unescaped
from rowen.text.html_tokens import Tokens
from rowen.text.visible import visible
from rowen.values.clean import tidy
from rowen.wrappers.profile import Profile, written

Values: TypeAlias = dict[str, str | list[str] | None]

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


@dataclass(frozen=True, slots=True)
class KnownRecord:
    """A record by its texts; None is known to be missing."""

    page: str | None
    values: Values
    """What a reader sees, whatever the types of the fields: that is looked for on other pages."""
    children: tuple["KnownRecord", ...] = ()
    nested: Mapping[str, tuple["KnownRecord", ...]] = field(default_factory=dict)
    """The records in each nested field."""
    sources: Values | None = None
    """The texts as the page's source has them, where they are known."""

    @classmethod
    def of(cls, record: Record | Mapping[str, Any], page: str | None = None) -> Self:
        """From a record as `rowen extract` writes it, or from a mapping of fields to texts.

        Records of 0.1 have sources for values, and no `source`; later ones have both.
        """
        if isinstance(record, Record):
            record = written(record)
        page = page if page is not None else record.get("page")
        is_written = isinstance(record.get("values"), Mapping)
        fields = record["values"] if is_written else record
        sources = record.get("source") if is_written else None
        children = record.get(CHILDREN) or ()
        # In a plain mapping these two keys are not fields; under "values" they may be.
        skipped = () if is_written else ("page", CHILDREN)
        if sources is not None and not isinstance(sources, Mapping):
            raise ValueError("'source' must be an object")  # as all of them
        if page is not None and not isinstance(page, str):
            raise ValueError("'page' must be a string")
        if not isinstance(children, list | tuple):
            raise ValueError("'children' must be a list")  # noqa: TRY004  # as all of them
        nested = {name: value for name, value in fields.items() if _holds_records(value)}
        own = {
            name: (value, _texts(name, value if sources is None else sources.get(name)))
            for name, value in fields.items()
            if name not in skipped and name not in nested
        }
        return cls(
            page,
            {name: _seen(value, source) for name, (value, source) in own.items()},
            tuple(cls.of(child, page) for child in children),
            nested={
                name: tuple(cls._inner(inner, sources, name, page))
                for name, inner in nested.items()
            },
            sources={name: source for name, (_, source) in own.items()},
        )

    @classmethod
    def _inner(
        cls,
        values: Sequence[Mapping[str, Any]],
        sources: Mapping[str, Any] | None,
        name: str,
        page: str | None,
    ) -> Iterator[Self]:
        """The records of a nested field, each with its own source where that is written."""
        written_sources = None if sources is None else sources.get(name)
        if not isinstance(written_sources, list) or len(written_sources) != len(values):
            yield from (cls.of({"values": own}, page) for own in values)
            return
        for own, source in zip(values, written_sources, strict=True):
            yield cls.of({"values": own, "source": source}, page)

    def to_dict(self) -> dict[str, Any]:
        """A mapping of fields to the texts of the source, with its nested records and children."""
        nested = {name: [inner.to_dict() for inner in held] for name, held in self.nested.items()}
        children = [child.to_dict() for child in self.children]
        own = self.values if self.sources is None else self.sources
        return {**own, **nested, **({CHILDREN: children} if children else {})}


class KnownRecords(tuple[KnownRecord, ...]):
    """Known records in their order."""

    __slots__ = ()

    @classmethod
    def of(
        cls,
        records: str | os.PathLike[str] | Iterable[KnownRecord | Record | Mapping[str, Any]],
    ) -> Self:
        """From a file that `rowen extract` wrote, or from records in any form."""
        if isinstance(records, str | os.PathLike):
            return cls(read_records(records))
        return cls(
            record if isinstance(record, KnownRecord) else KnownRecord.of(record)
            for record in records
        )

    def by_page(self) -> dict[str | None, list[KnownRecord]]:
        """The records of each page."""
        pages: dict[str | None, list[KnownRecord]] = {}
        for record in self:
            pages.setdefault(record.page, []).append(record)
        return pages

    def profile(self) -> Profile:
        """What these records look like."""
        return Profile.of_values(
            [record.to_dict() for record in records] for records in self.by_page().values()
        )


def read_records(path: str | os.PathLike[str]) -> KnownRecords:
    """The records of a `.jsonl` file that `rowen extract` wrote; errors name the line."""
    name = os.fspath(path)
    records = KnownRecords(_lines(name))
    if not records:
        raise InputError(f"{name} has no records")
    return records


def _lines(name: str) -> Iterator[KnownRecord]:
    try:
        with open(name, "rb") as file:  # noqa: PTH123  # the path may be any string
            number = 0
            # A line without end must not fill the memory.
            while line := file.readline(PAGE_BYTES):
                number += 1
                if line.strip():
                    yield _known_record(line, f"{name}: line {number}")
    except OSError as error:
        raise InputError(f"can't read {name}: {error.strerror}") from None


def _known_record(line: bytes, where: str) -> KnownRecord:
    try:
        content = json.loads(line)
        if not isinstance(content, dict) or not isinstance(content.get("values"), dict):
            raise ValueError("not a record as 'rowen extract' writes it")  # noqa: TRY004, TRY301
        return KnownRecord.of(content)
    except RecursionError:
        raise InputError(f"{where}: nested too deeply") from None
    except (ValueError, AttributeError) as error:
        raise InputError(f"{where}: {error}") from None


def _texts(name: str, value: object) -> str | list[str] | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
        return list(value)
    raise ValueError(f"{name!r} is {value!r}, not a text: its text must be in 'source'")


def _holds_records(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(item, Mapping) and "amount" not in item for item in value)
    )


def _seen(value: object, source: str | list[str] | None) -> str | list[str] | None:
    """What a reader sees: the value where it is that, else the source, read as markup."""
    if source is None:
        return None
    if isinstance(source, str):
        return value if isinstance(value, str) and _says(value, source) else _read(source)
    values = value if isinstance(value, list | tuple) and len(value) == len(source) else source
    return [
        text if isinstance(text, str) and _says(text, own) else _read(own)
        for text, own in zip(values, source, strict=True)
    ]


def _says(value: str, source: str) -> bool:
    """Whether a value is a reading of its source, and not a link made absolute, or markup."""
    readings = (
        source,
        tidy(source),
        tidy(decode(source, attribute=True).text),
        tidy(unescaped(source)),
    )
    return _TAG.search(value) is None and (value in readings or value == _read(source))


def _read(source: str) -> str:
    if _TAG.search(source):
        return tidy(visible(Tokens(source)).text)
    return source if "&" not in source else decode(source).text
