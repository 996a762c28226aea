"""The index of near-duplicates in Redis, where several services share it.

The sub-hash tables of CiteSeerExtractor's paper: four tables, one for each 16 bits of a code. A
bucket is a string of entries, each with a document's number and the 32 bits of its code that follow
those of the bucket. A document takes 32 bytes in the tables, 16 for its id, and a few more. The
tables alone can't verify candidates: that takes the fingerprints stored with the documents'
results.
"""

from collections.abc import Sequence
from hashlib import sha1
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import KEY_BYTES
from rowen.duplicates.verified import Match, VerifiedDuplicates
from rowen.storage.documents.neighbours import LIKE, NEAR_DONORS, Lookup
from rowen.storage.documents.redis import SharedRedis, redis_key

if TYPE_CHECKING:
    from redis import Redis

NEAR_CANDIDATES = 16
"""Limit: how many candidates from the tables in Redis are verified. Among 3.6 million texts one or
two are near to any given one by chance."""

NEAR_BUCKET = 4096
"""Limit: how many documents a bucket of the tables in Redis takes. With 3.6 million documents 55
are usual; an attacker could fill one with more, to slow down every search."""


_BLOCKS = range(4)
_SAME = np.zeros(1, np.uint16)
_NEARLY = np.array([0, *(1 << bit for bit in range(16))], np.uint16)
"""The changes of a block that are searched: none, and each single bit."""

_LIKELY = 6
"""How many bits of a bucket's value and of the 32 after it may differ. 97 of 100 texts that are
just similar enough differ in no more, and nearly all texts that are more similar. With 7, as in
memory, three times as many candidates would be looked up in vain."""

_ENTRY = np.dtype([("following", "<u4"), ("number", "<u4")])
_ID_BYTES = 16
_IDS_A_STRING = 255
"""With its header, such a string takes 4096 bytes, one of the sizes of Redis' memory allocator."""

# SET instead of APPEND: Redis doubles the memory of a string that is appended to.
_ADD = f"""
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local number = redis.call('INCR', KEYS[2]) - 1
for i = 1, 4 do
    local bucket = redis.call('GET', KEYS[i + 3]) or ''
    if #bucket < {NEAR_BUCKET * _ENTRY.itemsize} then
        redis.call('SET', KEYS[i + 3], bucket .. ARGV[i + 2] .. struct.pack('<I4', number))
    end
end
local at = number % {_IDS_A_STRING}
local ids = KEYS[3] .. string.format('%d', (number - at) / {_IDS_A_STRING})
if redis.call('EXISTS', ids) == 0 then
    redis.call('SET', ids, string.rep('\\0', {_IDS_A_STRING * _ID_BYTES}))
end
redis.call('SETRANGE', ids, at * {_ID_BYTES}, ARGV[2])
return 1
"""
# One string of names in, one of entries out: reading 68 replies takes a client longer than the
# search itself.
_LOOK_UP = """
local size, names, lengths = tonumber(ARGV[2]), {}, {}
for at = 1, #ARGV[1], size do
    names[#names + 1] = string.sub(ARGV[1], at, at + size - 1)
end
local buckets = redis.call('MGET', unpack(names))
for i = 1, #names do
    buckets[i] = buckets[i] or ''
    lengths[i] = #buckets[i]
end
local packed = struct.pack('<' .. string.rep('I4', #names), unpack(lengths))
return {redis.call('GET', KEYS[1]) or '', packed, table.concat(buckets)}
"""
_DROP = f"""
for i = 1, #KEYS do
    local bucket, kept = redis.call('GET', KEYS[i]) or '', {{}}
    for at = 1, #bucket, {_ENTRY.itemsize} do
        local entry = string.sub(bucket, at, at + {_ENTRY.itemsize - 1})
        if entry ~= ARGV[i] then kept[#kept + 1] = entry end
    end
    if #kept == 0 then redis.call('DEL', KEYS[i])
    else redis.call('SET', KEYS[i], table.concat(kept)) end
end
return 1
"""


class _Entry(NamedTuple):
    """An entry, and the bucket that it is in."""

    number: int
    bucket: bytes
    entry: bytes


class RedisNeighbours:
    """The index of all services on one Redis; while that does not answer, it finds nothing."""

    def __init__(self, redis: SharedRedis, *, realm: str) -> None:
        self._redis = redis
        self._prefix = redis_key(realm, "near").encode() + b":"
        self._secret: bytes | None = None

    @property
    def key(self) -> bytes | None:
        """The secret of all services' fingerprints; a new one after Redis has lost it."""
        if self._secret is None:
            self._secret = self._redis.ask(self._agree, None)
        return self._secret

    def add(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Add a document, unless Redis has lost the key meanwhile."""
        code = _code(fingerprint)
        names = [self._prefix + name for name in (b"key", b"count", b"ids:")]
        names += [bytes(name) for name in self._buckets(code, _SAME)]
        arguments = [self._secret or b"", bytes.fromhex(document_id)]
        arguments += [_following(code, block).to_bytes(4, "little") for block in _BLOCKS]
        if self._redis.ask(lambda redis: _run(redis, _ADD, names, arguments), None) == 0:
            self._secret = None

    def remove(self, document_id: str, fingerprint: Fingerprint | None, /) -> None:
        """Remove a document; without its fingerprint, the next search that meets it does so."""
        if fingerprint is None:
            return
        code = _code(fingerprint)
        entries = self._redis.ask(lambda redis: self._look_up(redis, code, _SAME, most=0), [])
        numbers = sorted({entry.number for entry in entries})
        ids = self._redis.ask(lambda redis: self._ids(redis, numbers), {}) if numbers else {}
        self._drop(entries, {number for number, own in ids.items() if own == document_id})

    def nearest(self, fingerprint: Fingerprint, lookup: Lookup, /) -> list[Match]:
        """The documents most like a text; entries of unknown documents are removed."""
        code = _code(fingerprint)
        entries = self._redis.ask(
            lambda redis: self._look_up(redis, code, _NEARLY, most=_LIKELY), []
        )
        if not entries:
            return []
        # A text with more candidates than this is a form letter: the newest of them will do.
        numbers = sorted({entry.number for entry in entries})[-NEAR_CANDIDATES:]
        candidates, gone = VerifiedDuplicates(), set()
        for number, own in self._redis.ask(lambda redis: self._ids(redis, numbers), {}).items():
            stored = None if own is None else lookup(own)
            if own is None or stored is None:
                gone.add(number)
            else:
                candidates.add(own, stored)
        self._drop(entries, gone)
        return candidates.nearest(fingerprint, NEAR_DONORS, threshold=LIKE)

    def close(self) -> None:
        """Nothing to do: the connection is shared."""

    def _agree(self, redis: "Redis") -> bytes:
        """The key of the first service."""
        name = self._prefix + b"key"
        redis.set(name, token_bytes(KEY_BYTES), nx=True)
        key = redis.get(name)
        assert isinstance(key, bytes)
        return key

    def _buckets(self, code: int, changes: NDArray[np.uint16]) -> NDArray[np.uint8]:
        """The names of the buckets of a code with these changes, one row each."""
        head = len(self._prefix)
        names = np.empty((len(_BLOCKS), len(changes), head + 3), np.uint8)
        names[:, :, :head] = np.frombuffer(self._prefix, np.uint8)
        names[:, :, head] = np.array(_BLOCKS, np.uint8)[:, None]
        blocks = np.frombuffer(code.to_bytes(8, "little"), "<u2")
        values = blocks[:, None] ^ changes
        names[:, :, head + 1], names[:, :, head + 2] = values & 0xFF, values >> 8
        return names.reshape(-1, head + 3)

    def _look_up(
        self, redis: "Redis", code: int, changes: NDArray[np.uint16], *, most: int
    ) -> list[_Entry]:
        """Entries that are likely near, from the buckets of a code with these changes."""
        # With `_NEARLY` these are 68 buckets: 4 blocks, each unchanged or with one bit changed.
        names = self._buckets(code, changes)
        secret, sizes, together = _run(
            redis, _LOOK_UP, [self._prefix + b"key"], [names.tobytes(), names.shape[1]]
        )
        # Redis was emptied: fingerprints with the old key can't match any more.
        if secret != self._secret:
            self._secret = None
            return []
        lengths = np.frombuffer(sizes, "<i4") // _ENTRY.itemsize
        entries = np.frombuffer(together, _ENTRY)
        own = np.array([_following(code, block) for block in _BLOCKS], np.uint32)
        ends = np.cumsum(lengths)
        changed = np.repeat(np.tile(np.bitwise_count(changes), len(_BLOCKS)), lengths)
        each = lengths.reshape(len(_BLOCKS), -1).sum(1)
        apart = changed + np.bitwise_count(entries["following"] ^ np.repeat(own, each))
        return [
            _Entry(
                int(entries["number"][at]),
                names[np.searchsorted(ends, at, "right")].tobytes(),
                entries[at].tobytes(),
            )
            for at in np.flatnonzero(apart <= most).tolist()
        ]

    def _ids(self, redis: "Redis", numbers: list[int]) -> dict[int, str | None]:
        """The ids of the documents with these numbers; None where Redis has lost it."""
        with redis.pipeline(transaction=False) as pipeline:
            for number in numbers:
                string, at = divmod(number, _IDS_A_STRING)
                start = at * _ID_BYTES
                name = self._prefix + b"ids:%d" % string
                pipeline.getrange(name, start, start + _ID_BYTES - 1)
            packed = pipeline.execute()
        return {
            number: own.hex() if len(own) == _ID_BYTES and any(own) else None
            for number, own in zip(numbers, packed, strict=True)
        }

    def _drop(self, entries: list[_Entry], gone: set[int]) -> None:
        dropped = [entry for entry in entries if entry.number in gone]
        if dropped:
            names = [entry.bucket for entry in dropped]
            packed = [entry.entry for entry in dropped]
            self._redis.ask(lambda redis: _run(redis, _DROP, names, packed), None)


def _run(
    redis: "Redis", script: str, names: Sequence[bytes], arguments: Sequence[bytes | int]
) -> Any:
    """Run a script by its digest; Redis must be sent the text again after a restart."""
    from redis.exceptions import NoScriptError

    digest = sha1(script.encode(), usedforsecurity=False).hexdigest()
    try:
        return redis.evalsha(digest, len(names), *names, *arguments)
    except NoScriptError:
        return redis.eval(script, len(names), *names, *arguments)


def _code(fingerprint: Fingerprint) -> int:
    """The first 64 bits of the sketch, by which documents are found."""
    return int.from_bytes(fingerprint.sketch[:8], "little")


def _following(code: int, block: int) -> int:
    """The 32 bits after a block, wrapping around the end."""
    shift = 16 * block + 16
    return (code >> shift | code << (64 - shift)) & 0xFFFFFFFF
