"""Types as schemas: they encode values as plain data, and decode only values of the type.

    >>> schema = schema_of(dict[str, tuple[int, ...]])
    >>> schema.decode({"a": [1, 2]}, Blobs([]))
    {'a': (1, 2)}
    >>> schema.decode({"a": [1, "2"]}, Blobs([]))
    Traceback (most recent call last):
    rowen.workers.schema.ProtocolError: expected int, not str

Types may be: None, bool, int, float, str, bytes, literals, lists,
tuples, mappings and dataclasses. A dataclass is encoded as the list of its fields; in a union its
name comes first. Bytes are sent beside the data, in order, as blobs.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NewType, TypeAlias, Union, get_args, get_origin, get_type_hints

Data: TypeAlias = Any
"""What JSON has: None, bool, int, float, str, and lists and dicts of them."""

Json = NewType("Json", object)
"""A type for any of that."""

_INTEGER = 2**64
"""Limit: integers are smaller. No count, offset or hash needs more."""


class ProtocolError(Exception):
    """The other side sent an invalid message."""


class Blobs:
    """The byte strings beside the data; each is used once, in order."""

    def __init__(self, blobs: Sequence[bytes]) -> None:
        self._blobs = blobs
        self._next = 0

    def take(self, data: Data) -> bytes:
        """The next byte string; the data must name it by its number."""
        if type(data) is not int or data != self._next or data >= len(self._blobs):
            raise ProtocolError("byte strings are out of order")
        self._next += 1
        return self._blobs[data]

    def finish(self) -> None:
        """ProtocolError where some were not used."""
        if self._next != len(self._blobs):
            raise ProtocolError("there are unused byte strings")


class Schema:
    """A type, and how its values are written and read."""

    def __init__(
        self,
        encode: Callable[[Any, list[bytes]], Data],
        decode: Callable[[Data, Blobs], Any],
        *,
        accepts: Callable[[object], bool],
    ) -> None:
        self.encode = encode
        """Plain data for a value; bytes are put into the list."""
        self.decode = decode
        """The value; ProtocolError where the data is not what the type says."""
        self.accepts = accepts
        """Whether a value, or its data, may be of this branch of a union."""


@cache
def schema_of(kind: Any) -> Schema:
    """The schema of a type; TypeError where the type is none that messages may have."""
    origin = get_origin(kind)
    if origin in _BUILT:
        return _BUILT[origin](get_args(kind))
    if kind in (Json, Any):
        return Schema(_same, _any_json, accepts=lambda _: True)
    if kind in _PLAIN:
        return _plain(kind)
    if kind is bytes:
        return Schema(_put_blob, lambda data, blobs: blobs.take(data), accepts=_is(bytes, int))
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass(kind)
    raise TypeError(f"messages can't have {kind!r}")


_PLAIN = (None, NoneType, bool, int, float, str)


def _is(*kinds: type) -> Callable[[object], bool]:
    return lambda value: type(value) in kinds


def _same(value: Any, _blobs: list[bytes]) -> Data:
    return value


def _any_json(data: Data, _blobs: Blobs) -> Data:
    """Any JSON. Its parser limits the depth; floats may still be infinite."""
    pending = [data]
    while pending:
        value = pending.pop()
        if isinstance(value, float) and not math.isfinite(value):
            raise ProtocolError("a number is not finite")
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return data


def _put_blob(value: bytes, blobs: list[bytes]) -> Data:
    blobs.append(value)
    return len(blobs) - 1


def _unexpected(expected: str, data: Data) -> ProtocolError:
    return ProtocolError(f"expected {expected}, not {type(data).__name__}")


def _plain(kind: type | None) -> Schema:
    exact = NoneType if kind is None else kind

    def decode(data: Data, _blobs: Blobs) -> Any:
        # Not `isinstance`: `True` is an `int` in Python, and must not pass for a number.
        if type(data) is not exact:
            raise _unexpected(exact.__name__, data)
        return data

    def decode_int(data: Data, blobs: Blobs) -> Any:
        if not -_INTEGER <= decode(data, blobs) < _INTEGER:
            raise ProtocolError("a number is too large")
        return data

    def decode_float(data: Data, _blobs: Blobs) -> Any:
        if type(data) not in (int, float):
            raise _unexpected("float", data)
        if not -_INTEGER <= data < _INTEGER:  # nor is it NaN
            raise ProtocolError("a number is too large")
        return float(data)

    special = {int: decode_int, float: decode_float}
    accepted = _is(int, float) if exact is float else _is(exact)
    return Schema(_same, special.get(exact, decode), accepts=accepted)


def _choice(arguments: tuple[Any, ...]) -> Schema:
    values = frozenset(arguments)

    def decode(data: Data, _blobs: Blobs) -> Any:
        if type(data) is not str or data not in values:
            raise ProtocolError("a word is not one of those allowed")
        return data

    return Schema(_same, decode, accepts=lambda data: type(data) is str and data in values)


def _list(arguments: tuple[Any, ...]) -> Schema:
    item = schema_of(arguments[0])

    def encode(value: Sequence[Any], blobs: list[bytes]) -> Data:
        return [item.encode(element, blobs) for element in value]

    def decode(data: Data, blobs: Blobs) -> Any:
        if type(data) is not list:
            raise _unexpected("list", data)
        return [item.decode(element, blobs) for element in data]

    return Schema(encode, decode, accepts=_is(list, tuple))


def _tuple(arguments: tuple[Any, ...]) -> Schema:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        many = _list(arguments[:1])
        return Schema(
            many.encode, lambda data, blobs: tuple(many.decode(data, blobs)), accepts=many.accepts
        )
    items = [schema_of(argument) for argument in arguments]

    def encode(value: tuple[Any, ...], blobs: list[bytes]) -> Data:
        return [item.encode(element, blobs) for item, element in zip(items, value, strict=True)]

    def decode(data: Data, blobs: Blobs) -> Any:
        if type(data) is not list or len(data) != len(items):
            raise _unexpected(f"list of {len(items)}", data)
        return tuple(item.decode(element, blobs) for item, element in zip(items, data, strict=True))

    return Schema(encode, decode, accepts=_is(list, tuple))


def _mapping(arguments: tuple[Any, ...]) -> Schema:
    key, item = map(schema_of, arguments)

    def encode(value: Mapping[Any, Any], blobs: list[bytes]) -> Data:
        return {name: item.encode(element, blobs) for name, element in value.items()}

    def decode(data: Data, blobs: Blobs) -> Any:
        if type(data) is not dict:
            raise _unexpected("mapping", data)
        return {
            key.decode(name, blobs): item.decode(element, blobs) for name, element in data.items()
        }

    return Schema(encode, decode, accepts=lambda value: isinstance(value, Mapping))


def _dataclass(kind: type) -> Schema:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    items = [schema_of(hints[name]) for name in names]

    def encode(value: Any, blobs: list[bytes]) -> Data:
        return [
            item.encode(getattr(value, name), blobs)
            for name, item in zip(names, items, strict=True)
        ]

    def decode(data: Data, blobs: Blobs) -> Any:
        if type(data) is not list or len(data) != len(items):
            raise _unexpected(kind.__name__, data)
        values = [item.decode(element, blobs) for item, element in zip(items, data, strict=True)]
        try:
            return kind(*values)
        except (TypeError, ValueError) as error:  # raised by its own checks
            raise ProtocolError(f"invalid {kind.__name__}") from error

    return Schema(encode, decode, accepts=lambda value: type(value) is kind)


def _union(arguments: tuple[Any, ...]) -> Schema:
    named = {kind.__name__: kind for kind in arguments if _is_dataclass(kind)}
    others = [schema_of(kind) for kind in _plain_types(arguments, named=bool(named))]

    def encode(value: Any, blobs: list[bytes]) -> Data:
        name = type(value).__name__
        if named.get(name) is type(value):
            return [name, schema_of(named[name]).encode(value, blobs)]
        for schema in others:
            if schema.accepts(value):
                return schema.encode(value, blobs)
        raise TypeError(f"a message can't have {name} here")

    def decode(data: Data, blobs: Blobs) -> Any:
        # A dataclass in a union is [name, fields]; other types of the union are never such lists.
        if named and type(data) is list and len(data) == 2 and data[0].__class__ is str:
            if data[0] not in named:
                raise ProtocolError("a value is not of the types allowed")
            return schema_of(named[data[0]]).decode(data[1], blobs)
        for schema in others:
            if schema.accepts(data):
                return schema.decode(data, blobs)
        raise _unexpected("one of several types", data)

    return Schema(encode, decode, accepts=lambda _: True)


def _plain_types(arguments: tuple[Any, ...], *, named: bool) -> list[Any]:
    """The other types of a union; TypeError where data could mean two of them."""
    kinds = [kind for kind in arguments if not _is_dataclass(kind)]
    if named and any(get_origin(kind) in (tuple, list) for kind in kinds):
        raise TypeError("a union can't have both lists and dataclasses")
    if {bytes, int} <= set(kinds):
        raise TypeError("a union can't have both bytes and integers")
    return kinds


def _is_dataclass(kind: Any) -> bool:
    return isinstance(kind, type) and is_dataclass(kind)


_BUILT: dict[Any, Callable[[tuple[Any, ...]], Schema]] = {
    Literal: _choice,
    Union: _union,
    UnionType: _union,
    tuple: _tuple,
    list: _list,
    Sequence: _list,
    dict: _mapping,
    Mapping: _mapping,
}
