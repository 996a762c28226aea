"""Frames: messages on a socket, each a name, plain data as JSON, and byte strings.

    4 bytes   length of the head
    8 bytes   length of all byte strings together
    head      JSON: [name, data, [length of each byte string]]
    strings   one after the other

Both lengths are checked before anything else is read, memory is allocated only for bytes that have
arrived, and a frame must be complete by a deadline. A hostile sender can make a frame late, too
large or invalid. Each of these is an error of its own here, and none makes the receiver wait.
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

from rowen.workers.schema import Data, ProtocolError

FRAME_READS = 1000
"""Limit: in how many pieces a part of a message may come, beside one for every
`FRAME_READ_BYTES`."""

FRAME_READ_BYTES = 1024
"""Limit: how small the pieces may be on average. Systems pass on pieces of 4 KB and more; a sender
that writes single bytes wants to keep the receiver busy."""


PREFIX = struct.Struct("!IQ")
_CHUNK = 256 * 1024
_PIECES = 512  # of a frame are given to the system at once; it takes up to 1024


@dataclass(frozen=True, slots=True)
class Bounds:
    """The largest sizes of a frame's parts."""

    head: int
    blobs: int


@dataclass(frozen=True, slots=True)
class Frame:
    """A message."""

    name: str
    data: Data
    blobs: tuple[bytes, ...] = ()


class LateError(Exception):
    """A frame was not complete in time."""


class GoneError(Exception):
    """The other end is closed."""


def packed(frame: Frame) -> list[bytes]:
    """The pieces of a frame; ValueError where its data is not JSON."""
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
    """The lengths of the head and of all byte strings."""
    head, blobs = PREFIX.unpack(prefix)
    if head > bounds.head or blobs > bounds.blobs:
        raise ProtocolError(f"a message of {head + blobs:,} bytes is too large")
    return head, blobs


def unpacked_head(head: bytes, blobs: int) -> tuple[str, Data, list[int]]:
    """The name and data of a frame, and the length of each byte string."""
    try:
        parts = json.loads(head.decode("ascii"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("a message is not JSON") from error
    if not (type(parts) is list and len(parts) == 3 and type(parts[0]) is str):
        raise ProtocolError("a message has no name")
    name, data, lengths = parts
    if type(lengths) is not list or not all(
        type(length) is int and length >= 0 for length in lengths
    ):
        raise ProtocolError("byte strings without lengths")
    # Only the total was checked against the limit before: single lengths must not exceed it
    # together.
    if sum(lengths) != blobs:
        raise ProtocolError("the lengths of byte strings don't add up")
    return name, data, lengths


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


class Channel:
    """One end of a stream socket that sends and receives frames.

    Descriptors that come along are closed by the system, except at an end that takes them. It uses
    only system calls that a confined process has: read, writev, recvmsg. Only the parent sends
    descriptors.
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
        """Send a packed frame; LateError or GoneError where it is not received.

        A descriptor is then open at the other end too.
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
            # writev may stop in the middle of a piece; the rest is sent in the next round.
            while pieces and sent >= len(pieces[0]):
                sent -= len(pieces.pop(0))
            if sent:
                pieces[0] = pieces[0][sent:]

    def receive(self, until: float | None = None) -> Frame:
        """The next frame; ProtocolError, LateError or GoneError where none comes."""
        return self.receive_with_descriptor(until)[0]

    def receive_with_descriptor(self, until: float | None = None) -> tuple[Frame, int | None]:
        """The next frame, and the descriptor that came with it."""
        descriptor = None
        start = b""
        if self._takes_descriptors:
            start, descriptor = self._read_descriptor(until)
        prefix = start + self._read(PREFIX.size - len(start), until)
        head, size = lengths_of(prefix, self._incoming)
        name, data, lengths = unpacked_head(self._read(head, until), size)
        blobs = tuple(self._read(length, until) for length in lengths)
        return Frame(name, data, blobs), descriptor

    @property
    def is_quiet(self) -> bool:
        """Whether no unread bytes have arrived; GoneError where the other end is closed.

        poll can't tell: a closed end counts as readable, and would pass for a message.
        """
        try:
            unread = self._end.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError as error:
            raise GoneError from error
        if not unread:
            raise GoneError
        return False

    def close(self) -> None:
        """Close the socket."""
        self._end.close()

    def _read(self, count: int, until: float | None) -> bytes:
        """Read `count` bytes; ProtocolError where they come in too many small pieces."""
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
                # Room for one descriptor: the kernel closes any further ones.
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
