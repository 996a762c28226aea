"""Records that were extracted before: known values without the pages that they stood on."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from rowen.limits import PAGE_BYTES
from rowen.model import InputError
from rowen.model.record import CHILDREN
from rowen.wrappers.profile import Profile

Values: TypeAlias = dict[str, str | list[str] | None]


@dataclass(frozen=True, slots=True)
class Known:
    """A record by its values; None is known to be missing."""

    page: str | None
    values: Values
    children: tuple["Known", ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any], page: str | None = None) -> Self:
        """From a record as `rowen extract` writes it, or from a mapping of fields to values."""
        page = page if page is not None else given.get("page")
        written = isinstance(given.get("values"), Mapping)
        fields = given["values"] if written else given
        children = given.get(CHILDREN) or ()
        hidden = () if written else ("page", CHILDREN)
        values = {name: _value(one) for name, one in fields.items() if name not in hidden}
        if page is not None and not isinstance(page, str):
            raise ValueError("'page' must be a string")
        if not isinstance(children, list | tuple):
            raise ValueError("'children' must be a list")  # noqa: TRY004  # as all of them
        return cls(page, values, tuple(cls.of(child, page) for child in children))

    def to_dict(self) -> dict[str, Any]:
        """A mapping of fields to values, with its children."""
        nested = {CHILDREN: [child.to_dict() for child in self.children]} if self.children else {}
        return {**self.values, **nested}


class Earlier(tuple[Known, ...]):
    """Known records in their order."""

    __slots__ = ()

    @classmethod
    def of(cls, records: Iterable[Known | Mapping[str, Any]]) -> Self:
        """From records in any of the forms that `Known.of` takes."""
        return cls(one if isinstance(one, Known) else Known.of(one) for one in records)

    def by_page(self) -> dict[str | None, list[Known]]:
        """The records of each page."""
        pages: dict[str | None, list[Known]] = {}
        for one in self:
            pages.setdefault(one.page, []).append(one)
        return pages

    def profile(self) -> Profile:
        """What these records look like."""
        return Profile.of_values(
            [known.to_dict() for known in records] for records in self.by_page().values()
        )


def read_records(path: str | os.PathLike[str]) -> Earlier:
    """The records of a `.jsonl` file that `rowen extract` wrote; errors name the line."""
    name = os.fspath(path)
    known = Earlier(_read(name))
    if not known:
        raise InputError(f"{name}: no records in it")
    return known


def _read(name: str) -> Iterator[Known]:
    try:
        with open(name, "rb") as file:  # noqa: PTH123  # the path may be any string
            number = 0
            while line := file.readline(PAGE_BYTES):
                number += 1
                if line.strip():
                    yield _known(line, f"{name}: line {number}")
    except OSError as error:
        raise InputError(f"can't read {name}: {error.strerror}") from None


def _known(line: bytes, where: str) -> Known:
    try:
        given = json.loads(line)
        if not isinstance(given, dict) or not isinstance(given.get("values"), dict):
            raise ValueError("not a record as 'rowen extract' writes it")  # noqa: TRY004, TRY301
        return Known.of(given)
    except RecursionError:
        raise InputError(f"{where}: nests too deep") from None
    except (ValueError, AttributeError) as error:
        raise InputError(f"{where}: {error}") from None


def _value(given: object) -> str | list[str] | None:
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, list | tuple) and all(isinstance(one, str) for one in given):
        return list(given)
    raise ValueError(f"{given!r} is not a value")
