"""Ids of documents as bytes, which take a fraction of the memory of Python's objects."""


def pack_id(id: str | int) -> bytes:  # noqa: A002  # the word for it
    """An id as bytes; different ids give different ones."""
    if isinstance(id, int):
        return b"i" + id.to_bytes(id.bit_length() // 8 + 1, "little", signed=True)
    return b"s" + id.encode("utf-8", "surrogatepass")


def unpack_id(packed: bytes) -> str | int:
    """The id that was packed."""
    if packed[:1] == b"i":
        return int.from_bytes(packed[1:], "little", signed=True)
    return packed[1:].decode("utf-8", "surrogatepass")
