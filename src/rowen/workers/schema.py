"""Types as schemas: values to plain data and back, and nothing else comes back.

    >>> schema = schema_of(dict[str, tuple[int, ...]])
    >>> schema.decode({"a": [1, 2]}, Blobs([]))
    {'a': (1, 2)}
    >>> schema.decode({"a": [1, "2"]}, Blobs([]))
    Traceback (most recent call last):
    rowen.workers.schema.ProtocolError: expected int, not str

What is decoded are values of these types only: None, bool, int, float, str, bytes, literals, lists,
tuples, mappings, and dataclasses that the type names. A dataclass is the list of its fields; in a
union its name stands first. Bytes stand beside the data, in order, as blobs.
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
"""Stands for any of that in a type."""

_INTEGER = 2**64
"""Integers are below it: larger ones are no count, place or hash of anything."""


class ProtocolError(Exception):
    """What came from the other side is no message that could come from there."""


class Blobs:
    """The byte strings beside some data; each is taken once, in order."""

    def __init__(self, blobs: Sequence[bytes]) -> None:
        self._blobs = blobs
        self._next = 0

    def take(self, data: Data) -> bytes:
        """The next one, which the data must name."""
        if type(data) is not int or data != self._next or data >= len(self._blobs):
            raise ProtocolError("a byte string is named that is not next")
        self._next += 1
        return self._blobs[data]

    def finish(self) -> None:
        """All have been taken."""
        if self._next != len(self._blobs):
            raise ProtocolError("there are byte strings that nothing names")


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
    """JSON's own depth is bounded by its parser; floats may still be infinite."""
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


def _unexpected(wanted: str, data: Data) -> ProtocolError:
    return ProtocolError(f"expected {wanted}, not {type(data).__name__}")


def _plain(kind: type | None) -> Schema:
    exact = NoneType if kind is None else kind

    def decode(data: Data, _blobs: Blobs) -> Any:
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
            raise ProtocolError("a word is none of those that may stand there")
        return data

    return Schema(_same, decode, accepts=lambda data: type(data) is str and data in values)


def _list(arguments: tuple[Any, ...]) -> Schema:
    item = schema_of(arguments[0])

    def encode(value: Sequence[Any], blobs: list[bytes]) -> Data:
        return [item.encode(one, blobs) for one in value]

    def decode(data: Data, blobs: Blobs) -> Any:
        if type(data) is not list:
            raise _unexpected("list", data)
        return [item.decode(one, blobs) for one in data]

    return Schema(encode, decode, accepts=_is(list, tuple))


def _tuple(arguments: tuple[Any, ...]) -> Schema:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        many = _list(arguments[:1])
        return Schema(
            many.encode, lambda data, blobs: tuple(many.decode(data, blobs)), accepts=many.accepts
        )
    items = [schema_of(argument) for argument in arguments]

    def encode(value: tuple[Any, ...], blobs: list[bytes]) -> Data:
        return [item.encode(one, blobs) for item, one in zip(items, value, strict=True)]

    def decode(data: Data, blobs: Blobs) -> Any:
        if type(data) is not list or len(data) != len(items):
            raise _unexpected(f"list of {len(items)}", data)
        return tuple(item.decode(one, blobs) for item, one in zip(items, data, strict=True))

    return Schema(encode, decode, accepts=_is(list, tuple))


def _mapping(arguments: tuple[Any, ...]) -> Schema:
    key, item = map(schema_of, arguments)

    def encode(value: Mapping[Any, Any], blobs: list[bytes]) -> Data:
        return {name: item.encode(one, blobs) for name, one in value.items()}

    def decode(data: Data, blobs: Blobs) -> Any:
        if type(data) is not dict:
            raise _unexpected("mapping", data)
        return {key.decode(name, blobs): item.decode(one, blobs) for name, one in data.items()}

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
        values = [item.decode(one, blobs) for item, one in zip(items, data, strict=True)]
        try:
            return kind(*values)
        except (TypeError, ValueError) as error:  # it has demands of its own
            raise ProtocolError(f"this is no {kind.__name__}") from error

    return Schema(encode, decode, accepts=lambda value: type(value) is kind)


def _union(arguments: tuple[Any, ...]) -> Schema:
    named = {one.__name__: one for one in arguments if isinstance(one, type) and is_dataclass(one)}
    others = [schema_of(one) for one in _told_apart(arguments, named=bool(named))]

    def encode(value: Any, blobs: list[bytes]) -> Data:
        name = type(value).__name__
        if named.get(name) is type(value):
            return [name, schema_of(named[name]).encode(value, blobs)]
        for one in others:
            if one.accepts(value):
                return one.encode(value, blobs)
        raise TypeError(f"a message can't have {name} here")

    def decode(data: Data, blobs: Blobs) -> Any:
        if named and type(data) is list and len(data) == 2 and data[0].__class__ is str:
            if data[0] not in named:
                raise ProtocolError("this is none of the values that may stand there")
            return schema_of(named[data[0]]).decode(data[1], blobs)
        for one in others:
            if one.accepts(data):
                return one.decode(data, blobs)
        raise _unexpected("one of several types", data)

    return Schema(encode, decode, accepts=lambda _: True)


def _told_apart(arguments: tuple[Any, ...], *, named: bool) -> list[Any]:
    """The types of a union that are no dataclasses, if each can be told by its data alone."""
    rest = [one for one in arguments if not (isinstance(one, type) and is_dataclass(one))]
    if named and any(get_origin(one) in (tuple, list) for one in rest):
        raise TypeError("lists and dataclasses look alike in a union")
    if {bytes, int} <= set(rest):
        raise TypeError("bytes and integers look alike in a union")
    return rest


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
