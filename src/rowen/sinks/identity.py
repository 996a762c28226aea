"""What tells a snapshot of one store from that of another with the same number."""

import hashlib
import json
from dataclasses import fields

from rowen.storage.snapshots.manifest import Manifest


def identity_of(manifest: Manifest) -> str:
    """A digest of a snapshot's manifest, which names its time and its counts."""
    content = {column.name: getattr(manifest, column.name) for column in fields(manifest)}
    written = json.dumps(content, sort_keys=True).encode()
    return hashlib.blake2b(written, digest_size=16).hexdigest()
