"""Results beside the documents on object storage, where there is no Redis for them."""

import zlib
from collections.abc import Mapping

from rowen.service.objects import Objects, about
from rowen.service.store import Document, Result
from rowen.stores.place import Place

_SOURCE_BYTES = 32


class ObjectResults:
    """A file for each form of a stage of a content."""

    results_are_remote = True

    def __init__(self, place: Place, *, realm: str) -> None:
        self._objects = Objects(place, realm)

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, where this version of the stage has given it."""
        packed = self._objects.read_bytes(f"{_stage(digest, stage)}/{version}/{form}")
        if packed is None:
            return None
        content = zlib.decompress(packed[_SOURCE_BYTES:])
        return Result(content, packed[:_SOURCE_BYTES].decode())

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Keep the forms of a representation in place of those of other versions."""
        folder = _stage(document.digest, stage)
        for form, content in forms.items():
            packed = document.id.encode() + zlib.compress(content, zlib.Z_BEST_SPEED)
            self._objects.write_bytes(f"{folder}/{version}/{form}", packed)
        for other in self._objects.names(folder):
            if other != version:
                self._objects.remove(f"{folder}/{other}")

    def forget(self, digest: str) -> None:
        """Forget all of a content."""
        self._objects.remove(f"{about(digest)}/results")


def _stage(digest: str, stage: str) -> str:
    return f"{about(digest)}/results/{stage.replace(' ', '-')}"
