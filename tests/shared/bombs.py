"""Few bytes that unpack to very many, made without ever having them."""

import struct
import zlib

_PIECE = bytes(1024 * 1024)


def bomb(coding, size=4 * 1024**3):
    """A body of zeros in a content coding, `size` bytes long when it is unpacked."""
    return {"gzip": _gzip, "deflate": _zlib, "br": _brotli, "zstd": _zstd}[coding](size)


def _gzip(size):
    return _deflated(size, 31)


def _zlib(size):
    return _deflated(size, 15)


def _deflated(size, window):
    packer = zlib.compressobj(1, wbits=window)
    size = min(size, 256 * 1024**2)  # a thousandth of it, which takes a while to make
    parts = [
        packer.compress(_PIECE[: min(size - at, len(_PIECE))]) for at in range(0, size, len(_PIECE))
    ]
    return b"".join(parts) + packer.flush()


def _brotli(size):
    import brotli

    packer = brotli.Compressor(quality=1, lgwin=24)
    size = min(size, 1024**3)
    parts = [
        packer.process(_PIECE[: min(size - at, len(_PIECE))]) for at in range(0, size, len(_PIECE))
    ]
    return b"".join(parts) + packer.finish()


def _zstd(size):
    """One frame of blocks that each say: this byte, 128 K times. 4 GB are 128 KB."""
    block = 128 * 1024
    sizes = [block] * (size // block) + [size % block] * bool(size % block) or [0]
    head = b"\x28\xb5\x2f\xfd" + bytes([0, (23 - 10) << 3])  # no size, a window of 8 MB
    blocks = (
        struct.pack("<I", length << 3 | 1 << 1 | (number == len(sizes) - 1))[:3] + b"a"
        for number, length in enumerate(sizes)
    )
    return head + b"".join(blocks)
