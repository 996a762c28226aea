"""Wrappers in use: whether they still fit the site, and new ones for a new design."""
