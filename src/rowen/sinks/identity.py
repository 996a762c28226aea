"""What tells a snapshot of one store from that of another with the same number."""

import hashlib
import json

from rowen.storage.snapshots.manifest import Manifest

_LASTING = ("number", "created", "source", "pages", "bytes", "extractors", "report")


def identity_of(manifest: Manifest) -> str:
    """A digest of when a snapshot was made, of what, by which extractors, and of its report.

    Where its files are does not count: pruning may move them.
    """
    content = {name: getattr(manifest, name) for name in _LASTING}
    written = json.dumps(content, sort_keys=True).encode()
    return hashlib.blake2b(written, digest_size=16).hexdigest()
