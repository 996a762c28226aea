"""Packed bodies: all that was packed comes out, or an error, and never more than may."""

import gzip
import subprocess
import sys
import textwrap
import zlib
from contextlib import suppress

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from rowen.sources.codings import CodingError, TooMuchError, accepted, codings_of, unpack

LIMIT = 1_000_000


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def zstd_of_unknown_size(data):
    packer = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    return packer.compress(data) + packer.flush()


PACKERS = {
    "gzip": [gzip.compress],
    "x-gzip": [gzip.compress],
    "deflate": [zlib.compress, raw_deflate],
    "br": [brotli.compress],
    "zstd": [zstandard.ZstdCompressor(level=3).compress, zstd_of_unknown_size],
}
CASES = [(name, pack) for name, packers in PACKERS.items() for pack in packers]
PACKED = pytest.mark.parametrize(("coding", "pack"), CASES)
CONTENTS = st.one_of(
    st.binary(max_size=3000),
    st.builds(lambda part, times: part * times, st.binary(max_size=20), st.integers(0, 20_000)),
)


@given(data=CONTENTS, layers=st.lists(st.sampled_from(CASES), max_size=3))
def test_what_was_packed_comes_out(data, layers):
    packed = data
    for _, pack in layers:
        packed = pack(packed)
    codings = [name for name, _ in layers]
    assert unpack(packed, codings, limit=LIMIT) == data
    assert codings_of(", ".join([*codings, "identity"]).upper()) == codings


@PACKED
def test_it_stops_at_the_limit_and_not_before(coding, pack):
    assert unpack(pack(bytes(LIMIT)), [coding], limit=LIMIT) == bytes(LIMIT)
    with pytest.raises(TooMuchError, match="more than the limit of 1,000,000 bytes"):
        unpack(pack(bytes(LIMIT + 1)), [coding], limit=LIMIT)


@PACKED
@given(data=st.data())
def test_what_is_cut_short_is_reported(coding, pack, data):
    packed = pack(bytes(range(256)) * 20)
    end = data.draw(st.integers(1, len(packed) - 1))
    with pytest.raises(CodingError, match="truncated|damaged"):
        unpack(packed[:end], [coding], limit=LIMIT)


@PACKED
@given(data=st.data())
def test_what_is_damaged_raises_nothing_else(coding, pack, data):
    packed = bytearray(pack(b"words of a page " * 500))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(CodingError):
        assert len(unpack(bytes(packed), [coding], limit=LIMIT)) <= LIMIT


@pytest.mark.parametrize("pack", [gzip.compress, zstd_of_unknown_size, PACKERS["zstd"][0]])
def test_several_parts_are_one_body_and_what_follows_is_passed_over(pack):
    coding = "gzip" if pack is gzip.compress else "zstd"
    parts = [b"one, ", b"", b"two, ", b"three"]
    packed = b"".join(map(pack, parts))
    assert unpack(packed, [coding], limit=LIMIT) == b"one, two, three"
    assert unpack(packed + b"\0" * 100 + b"!", [coding], limit=LIMIT) == b"one, two, three"
    with pytest.raises(TooMuchError):
        unpack(pack(bytes(LIMIT // 2)) * 3, [coding], limit=LIMIT)
    with pytest.raises(CodingError, match="more than 100 parts"):
        unpack(pack(b"") * 1_000_000, [coding], limit=LIMIT)


def test_frames_that_say_nothing_are_passed_over():
    empty = b"\x5a\x2a\x4d\x18\x03\x00\x00\x00abc"
    packed = zstandard.compress(b"page")
    assert unpack(empty + packed + empty + packed + empty, ["zstd"], limit=9) == b"pagepage"


def test_a_window_that_takes_gigabytes_is_refused():
    packed = zstd_of_unknown_size(b"page")
    wide = packed[:5] + bytes([(31 - 10) << 3]) + packed[6:]  # 2 GB are to be held
    with pytest.raises(CodingError, match="damaged"):
        unpack(wide, ["zstd"], limit=LIMIT)


@pytest.mark.parametrize("header", ["compress", "gzip, lzma", "aes128gcm"])
def test_an_unknown_coding_is_reported(header):
    with pytest.raises(CodingError, match="unknown coding"):
        unpack(b"page", codings_of(header), limit=LIMIT)


def test_nobody_packs_four_times():
    with pytest.raises(CodingError, match="more than 3 times"):
        codings_of("gzip, gzip, gzip, gzip")


def test_what_is_accepted_can_be_unpacked():
    assert accepted() == "gzip, deflate, br, zstd"


BOMB = """
import gzip, resource, sys, time, zlib
sys.path.insert(0, sys.argv[2])
from bombs import bomb
from rowen.sources.codings import TooMuchError, unpack
body = bomb(sys.argv[1])
unpack(bomb(sys.argv[1], 1000), [sys.argv[1]], limit=1_000_000)  # what is imported, is
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    unpack(body, [sys.argv[1]], limit=16_000_000)
except TooMuchError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_costs_the_limit_and_little_more(coding, request):
    shared = request.config.rootpath / "tests" / "shared"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(BOMB), coding, str(shared)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout) * 1024 < 3 * 16_000_000, "the parts, and all of them together"
