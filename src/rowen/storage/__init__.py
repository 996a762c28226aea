"""Stores: snapshots of a corpus with the records that were extracted from them, on disk."""
