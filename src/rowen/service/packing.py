"""Results as they lie in Redis: small, and told from anything else that may lie there."""

from hashlib import blake2b
from importlib.resources import files
from threading import local

from rowen.model.errors import UsageError
from rowen.service.store import Result

DICTIONARY = "results.zdict"
"""What representations of papers have in common, by `python -m training.dictionary`."""

LEVEL = 3
"""With 9 results would be a tenth smaller, but packing them took 3% of the time of reading."""

_SEAL_BYTES = 16
_SOURCE_BYTES = 32


class Packing(local):
    """Packs and unpacks; each thread that does has its own, for they may not be shared."""

    def __init__(self) -> None:
        try:
            import zstandard
        except ImportError:
            raise UsageError("--redis needs `pip install rowen[redis]`") from None
        words = zstandard.ZstdCompressionDict(
            files("rowen.service").joinpath(DICTIONARY).read_bytes()
        )
        self._name = str(words.dict_id())
        self._compressor = zstandard.ZstdCompressor(level=LEVEL, dict_data=words)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=words)

    def pack(self, result: Result, name: str) -> bytes:
        """A result under a name, sealed together with it."""
        body = result.source.encode() + self._compressor.compress(result.content)
        return self._seal(body, name) + body

    def unpack(self, packed: bytes, name: str) -> Result | None:
        """What was packed under this name; nothing where it is damaged or something else."""
        seal, body = packed[:_SEAL_BYTES], packed[_SEAL_BYTES:]
        if seal != self._seal(body, name):
            return None
        content = self._decompressor.decompress(body[_SOURCE_BYTES:])
        return Result(content, body[:_SOURCE_BYTES].decode())

    def _seal(self, body: bytes, name: str) -> bytes:
        """Another dictionary has other seals: what was packed with it can't be read."""
        about = blake2b(f"{self._name} {name}".encode(), digest_size=_SEAL_BYTES)
        return blake2b(body, digest_size=_SEAL_BYTES, key=about.digest()).digest()
