"""Results beside the documents on object storage, where there is no Redis for them."""

import zlib
from collections.abc import Mapping

from rowen.service.guard import Guard
from rowen.service.logs import LOG
from rowen.service.objects import Objects, about
from rowen.service.seals import SEAL_BYTES, seal
from rowen.service.store import Document, Result
from rowen.stores.place import Place

_SOURCE_BYTES = 32


class ObjectResults:
    """A file for each form of a stage of a content."""

    results_are_remote = True

    def __init__(self, place: Place, *, realm: str, guard: Guard | None = None) -> None:
        self._objects = Objects(place, realm, guard or Guard())

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, where this version of the stage has given it."""
        name = f"{_stage(digest, stage)}/{version}/{form}"
        packed = self._objects.read_bytes(name)
        return None if packed is None else _unpacked(packed, name)

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Keep the forms of a representation in place of those of other versions."""
        folder = _stage(document.digest, stage)
        for form, content in forms.items():
            name = f"{folder}/{version}/{form}"
            packed = document.id.encode() + zlib.compress(content, zlib.Z_BEST_SPEED)
            # What follows the end of a zlib stream is passed over by services of before.
            self._objects.write_bytes(name, packed + seal(name, packed))
        for other in self._objects.names(folder):
            if other != version:
                self._objects.remove(f"{folder}/{other}")

    def forget(self, digest: str) -> None:
        """Forget all of a content."""
        self._objects.remove(f"{about(digest)}/results")


def _unpacked(packed: bytes, name: str) -> Result | None:
    """A result as it was kept; none where it is damaged, so that it is made again."""
    body, sealed = packed[:-SEAL_BYTES], packed[-SEAL_BYTES:]
    try:
        if sealed != seal(name, body):
            raise ValueError("its seal is broken")  # noqa: TRY301  # as it is for zlib
        return Result(zlib.decompress(body[_SOURCE_BYTES:]), body[:_SOURCE_BYTES].decode())
    except (ValueError, zlib.error) as error:
        LOG.warning("a result is damaged and made again: %s", error)
        return None


def _stage(digest: str, stage: str) -> str:
    return f"{about(digest)}/results/{stage.replace(' ', '-')}"
