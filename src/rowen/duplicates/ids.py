"""Document ids as bytes, which take a fraction of the memory of Python objects."""

from rowen.model.errors import UsageError

ID_BYTES = 65_535
"""Limit: the longest document id in an index of fingerprints: its length is stored in two bytes."""


_INTEGER = b"\xff"  # marks numbers: UTF-8 never has this byte, so 7 and "7" stay different


def pack_id(id: str | int) -> bytes:  # noqa: A002  # the word for it
    """An id as bytes; different ids give different ones."""
    if isinstance(id, int):
        packed = _INTEGER + id.to_bytes(id.bit_length() // 8 + 1, "little", signed=True)
    else:
        packed = id.encode("utf-8", "surrogatepass")
    if len(packed) > ID_BYTES:
        raise UsageError(f"an id has {len(packed)} bytes; the limit is {ID_BYTES}")
    return packed


def unpack_id(packed: bytes) -> str | int:
    """The id that was packed."""
    if packed.startswith(_INTEGER):
        return int.from_bytes(packed[1:], "little", signed=True)
    return packed.decode("utf-8", "surrogatepass")
