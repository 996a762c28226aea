"""Duplicates: documents that were seen before, or nearly so."""
