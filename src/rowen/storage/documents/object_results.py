"""Results beside the documents on object storage, where there is no Redis for them."""

import zlib
from collections.abc import Mapping

from rowen.logs import LOG
from rowen.storage.documents.checksums import CHECKSUM_BYTES, checksum
from rowen.storage.documents.guard import Guard
from rowen.storage.documents.object_entries import about_path
from rowen.storage.documents.object_files import ObjectFiles
from rowen.storage.documents.store import Document, Result
from rowen.storage.place import Place

_SOURCE_BYTES = 32


class ObjectResults:
    """One file per form of a stage of a content."""

    results_are_remote = True

    def __init__(self, place: Place, *, realm: str, guard: Guard | None = None) -> None:
        self._files = ObjectFiles(place, realm, guard or Guard())

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, if this version of the stage has made it."""
        name = f"{_stage_path(digest, stage)}/{version}/{form}"
        packed = self._files.read(name)
        return None if packed is None else _unpacked(packed, name)

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Store the forms of a representation in place of those of other versions."""
        folder = _stage_path(document.digest, stage)
        for form, content in forms.items():
            name = f"{folder}/{version}/{form}"
            packed = document.id.encode() + zlib.compress(content, zlib.Z_BEST_SPEED)
            # Older services ignore what follows the end of a zlib stream.
            self._files.write(name, packed + checksum(name, packed))
        # Newer results are complete before older ones go: a reader finds one or the other.
        for stored in self._files.names(folder):
            if stored != version:
                self._files.remove(f"{folder}/{stored}")

    def forget(self, digest: str) -> None:
        """Delete all results of a content."""
        self._files.remove(f"{about_path(digest)}/results")


def _unpacked(packed: bytes, name: str) -> Result | None:
    """A stored result; None where it is damaged, so that it is computed again."""
    body, seal = packed[:-CHECKSUM_BYTES], packed[-CHECKSUM_BYTES:]
    try:
        if seal != checksum(name, body):
            raise ValueError("wrong checksum")  # noqa: TRY301  # handled like an error of zlib
        return Result(zlib.decompress(body[_SOURCE_BYTES:]), body[:_SOURCE_BYTES].decode())
    except (ValueError, zlib.error) as error:
        LOG.warning("a damaged result is computed again: %s", error)
        return None


def _stage_path(digest: str, stage: str) -> str:
    return f"{about_path(digest)}/results/{stage.replace(' ', '-')}"
