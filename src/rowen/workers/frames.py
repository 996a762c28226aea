"""Frames: how messages go through a socket. A name, plain data as JSON, and byte strings.

    4 bytes   how long the head is
    8 bytes   how long all byte strings are together
    head      JSON: [name, data, [length of each byte string]]
    strings   one after the other

Both lengths are compared with a bound before anything is read that they announce, memory is taken
only for what has come, and a frame must be whole by a point in time. Whoever is on the other side
can make a frame late, too large or wrong; each is an error of its own here, and none is a wait.
"""

import json
import os
import select
import socket
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NoReturn

from rowen.limits import FRAME_READ_BYTES, FRAME_READS
from rowen.workers.schema import Data, ProtocolError

PREFIX = struct.Struct("!IQ")
_CHUNK = 256 * 1024
_PIECES = 512  # of a frame are given to the system at once; it takes up to 1024


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large the parts of a frame may be."""

    head: int
    blobs: int


@dataclass(frozen=True, slots=True)
class Frame:
    """What a frame says."""

    name: str
    data: Data
    blobs: tuple[bytes, ...] = ()


class LateError(Exception):
    """A frame was not whole in time."""


class GoneError(Exception):
    """Nobody is at the other end any more."""


def packed(frame: Frame) -> list[bytes]:
    """The pieces of a frame; ValueError where its data is not plain."""
    lengths = [len(blob) for blob in frame.blobs]
    written = json.dumps(
        [frame.name, frame.data, lengths],
        allow_nan=False,
        check_circular=False,
        separators=(",", ":"),
    )
    head = written.encode("ascii")
    return [PREFIX.pack(len(head), sum(lengths)), head, *frame.blobs]


def lengths_of(prefix: bytes, bounds: Bounds) -> tuple[int, int]:
    """How much follows: the head, and all byte strings."""
    head, blobs = PREFIX.unpack(prefix)
    if head > bounds.head or blobs > bounds.blobs:
        raise ProtocolError(f"a message of {head + blobs:,} bytes is too large")
    return head, blobs


def unpacked_head(head: bytes, blobs: int) -> tuple[str, Data, list[int]]:
    """A frame's name and data, and how long each of its byte strings is."""
    try:
        found = json.loads(head.decode("ascii"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("a message is no JSON") from error
    if not (type(found) is list and len(found) == 3 and type(found[0]) is str):
        raise ProtocolError("a message has no name")
    name, data, lengths = found
    if type(lengths) is not list or not all(type(one) is int and one >= 0 for one in lengths):
        raise ProtocolError("byte strings have no lengths")
    if sum(lengths) != blobs:
        raise ProtocolError("byte strings are longer or shorter than they should be")
    return name, data, lengths


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


class Channel:
    """One end of a stream socket on which frames come and go.

    Descriptors that come along are closed by the system, except at an end that takes them. Only
    calls that a confined process has are used: read, writev, recvmsg; descriptors are sent by the
    other side alone.
    """

    def __init__(
        self, end: socket.socket, incoming: Bounds, *, takes_descriptors: bool = False
    ) -> None:
        end.settimeout(0)
        self._end = end
        self._incoming = incoming
        self._takes_descriptors = takes_descriptors

    def send(
        self,
        frame: Sequence[bytes],
        *,
        until: float | None = None,
        descriptor: int | None = None,
    ) -> None:
        """Send all of a packed frame; LateError or GoneError where it was not taken.

        A descriptor is open over there, too, then.
        """
        pieces = [memoryview(piece) for piece in frame if piece]
        while pieces:
            try:
                if descriptor is None:
                    sent = os.writev(self._end.fileno(), pieces[:_PIECES])
                else:
                    sent = self._end.sendmsg(pieces[:1], [_rights(descriptor)])
            except BlockingIOError:
                self._wait(select.POLLOUT, until)
                continue
            except OSError as error:
                raise GoneError from error
            descriptor = None
            while pieces and sent >= len(pieces[0]):
                sent -= len(pieces.pop(0))
            if sent:
                pieces[0] = pieces[0][sent:]

    def receive(self, until: float | None = None) -> Frame:
        """The next frame; ProtocolError, LateError or GoneError where there is none."""
        return self.receive_with_descriptor(until)[0]

    def receive_with_descriptor(self, until: float | None = None) -> tuple[Frame, int | None]:
        """The next frame, and the descriptor that came with it."""
        descriptor = None
        start = b""
        if self._takes_descriptors:
            start, descriptor = self._read_descriptor(until)
        prefix = start + self._read(PREFIX.size - len(start), until)
        head, rest = lengths_of(prefix, self._incoming)
        name, data, lengths = unpacked_head(self._read(head, until), rest)
        blobs = tuple(self._read(length, until) for length in lengths)
        return Frame(name, data, blobs), descriptor

    @property
    def is_quiet(self) -> bool:
        """Whether nothing has come that was not read."""
        return not self._poll(select.POLLIN).poll(0)

    def close(self) -> None:
        """Let go of it."""
        self._end.close()

    def _read(self, count: int, until: float | None) -> bytes:
        """So many bytes. What comes drop by drop costs this side too much, and is refused."""
        parts: list[bytes] = []
        left, reads = count, FRAME_READS + count // FRAME_READ_BYTES
        while left:
            try:
                part = os.read(self._end.fileno(), min(left, _CHUNK))
            except BlockingIOError:
                self._wait(select.POLLIN, until)
                continue
            except OSError as error:
                raise GoneError from error
            if not part:
                raise GoneError
            left -= len(part)
            parts.append(part)
            if len(parts) > reads:
                raise ProtocolError("a message comes in too many pieces")
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _read_descriptor(self, until: float | None) -> tuple[bytes, int | None]:
        """The first bytes of a frame, and the descriptor that came with them."""
        while True:
            try:
                room = socket.CMSG_SPACE(array("i").itemsize)
                start, ancillary, _, _ = self._end.recvmsg(PREFIX.size, room)
                break
            except BlockingIOError:
                self._wait(select.POLLIN, until)
            except OSError as error:
                raise GoneError from error
        if not start:
            raise GoneError
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                return start, array("i", content)[0]
        return start, None

    def _wait(self, event: int, until: float | None) -> None:
        poll = self._poll(event)
        if until is None:
            poll.poll()
        elif (left := until - monotonic()) <= 0 or not poll.poll(left * 1000):
            raise LateError

    def _poll(self, event: int) -> "select.poll":
        poll = select.poll()
        poll.register(self._end, event)
        return poll


def _rights(descriptor: int) -> tuple[int, int, "array[int]"]:
    return socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [descriptor])
