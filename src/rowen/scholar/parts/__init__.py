"""What was made of parts of papers before, found by the digest of exactly what it is made of."""

from rowen.scholar.parts.digests import DIGEST_BYTES
from rowen.scholar.parts.memory import LookUp, Parts
from rowen.scholar.parts.packed import joined, parted

__all__ = ["DIGEST_BYTES", "LookUp", "Parts", "joined", "parted"]
