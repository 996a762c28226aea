"""What has to wait until the end, kept aside in bounded memory."""

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile, gettempdir

from rowen.export.target import Target, reporting
from rowen.limits import SPOOL_BYTES

_CHUNK = 1 << 20


class Spool:
    """Bytes in the order of writing; they move to an unnamed temporary file when they get many."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115  # lives until close
        self._place = f"temporary files in {gettempdir()}"

    def write(self, data: bytes) -> None:
        """Add bytes at the end."""
        with reporting(self._place):
            self._file.write(data)

    def lines(self) -> Iterator[bytes]:
        """Everything from the start, line by line."""
        self._rewind()
        yield from self._file

    def copy_to(self, target: Target) -> None:
        """Everything from the start, to where it belongs."""
        self._rewind()
        while chunk := self._file.read(_CHUNK):
            target.write(chunk)

    def close(self) -> None:
        """Give memory and disk back."""
        self._file.close()

    def _rewind(self) -> None:
        with reporting(self._place):
            self._file.seek(0)
