"""Extractors: a page in, records out."""
