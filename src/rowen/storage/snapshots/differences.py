"""Bytes as the difference from earlier bytes: Zstandard with the earlier ones as its dictionary.

old     ... <b>12.00</b> ...        15,000 bytes
new     ... <b>12.50</b> ...        stored as "copy 7,000; 12.50; copy 7,995": about 30 bytes
"""

from functools import cache

import zstandard

_LEVEL = 3
_SIZE_PER_ENTRY = 3
"""The logarithm of how many characters share an entry of the search's table, about. A match is
extended as far as it goes, so that one in eight places is enough to find it. A table with an entry
for each place takes up to twice the time, and saves 1 to 5% of the differences' bytes."""

_LARGEST_TABLE = 23
"""The logarithm of its entries; with this many it takes 32 MB."""

_LARGEST_WINDOW = 27
"""The window of 128 MB is the largest that readers accept without being asked."""


def compressed(new: bytes, old: bytes = b"") -> bytes:
    """The bytes `new`, as their difference from `old` if that is not empty."""
    size = len(new) + len(old)
    parameters = zstandard.ZstdCompressionParameters.from_level(
        _LEVEL,
        source_size=len(new),
        dict_size=len(old),
        window_log=min(max(size.bit_length(), 10), _LARGEST_WINDOW),
        **_tables(size if old else 0),
        write_content_size=True,
        write_checksum=False,  # the files have checksums of their own
        write_dict_id=False,
        format=zstandard.FORMAT_ZSTD1_MAGICLESS,
    )
    compressor = zstandard.ZstdCompressor(
        dict_data=_dictionary(old) if old else None, compression_params=parameters
    )
    return compressor.compress(new)


def _tables(size: int) -> dict[str, int]:
    """The simplest search. Zstandard's own choice of a table is too small for what is far back.

    Of 5 MB with one edit, 3.9 MB were stored.
    """
    if not size:
        return {}
    entries = max(size.bit_length() - _SIZE_PER_ENTRY, zstandard.HASHLOG_MIN)
    return {"strategy": zstandard.STRATEGY_FAST, "hash_log": min(entries, _LARGEST_TABLE)}


def restored(data: bytes, old: bytes = b"") -> bytes:
    """What `compressed` was given; a `ValueError` if `data` is damaged or `old` is another one."""
    if not old:
        decompressor = _plain()
    else:
        decompressor = zstandard.ZstdDecompressor(
            dict_data=_dictionary(old), format=zstandard.FORMAT_ZSTD1_MAGICLESS
        )
    try:
        return decompressor.decompress(data)
    except zstandard.ZstdError as error:
        raise ValueError(f"it can't be decompressed: {error}") from None


@cache
def _plain() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor(format=zstandard.FORMAT_ZSTD1_MAGICLESS)


def _dictionary(old: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(old, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
