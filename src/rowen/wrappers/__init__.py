"""Wrappers: extractors of delimiters, learned from a few marked pages (Kushmerick, 1997)."""
