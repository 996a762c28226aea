"""Fingerprints of texts: much the same text, few different bits (Charikar, 2002)."""

from rowen._core import simhash64


def simhash(text: str) -> int:
    """A text's 64-bit fingerprint, made of its runs of three words, without regard to case."""
    return simhash64(text)
