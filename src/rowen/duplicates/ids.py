"""Ids of documents as bytes, which take a fraction of the memory of Python's objects."""

from rowen.limits import ID_BYTES
from rowen.model.errors import UsageError

_INTEGER = b"\xff"  # no text's UTF-8 has this byte


def pack_id(id: str | int) -> bytes:  # noqa: A002  # the word for it
    """An id as bytes; different ids give different ones."""
    if isinstance(id, int):
        packed = _INTEGER + id.to_bytes(id.bit_length() // 8 + 1, "little", signed=True)
    else:
        packed = id.encode("utf-8", "surrogatepass")
    if len(packed) > ID_BYTES:
        raise UsageError(f"an id of {len(packed)} bytes; an index keeps {ID_BYTES} at most")
    return packed


def unpack_id(packed: bytes) -> str | int:
    """The id that was packed."""
    if packed.startswith(_INTEGER):
        return int.from_bytes(packed[1:], "little", signed=True)
    return packed.decode("utf-8", "surrogatepass")
