"""Recognizers of fields, and learning from what they find instead of from labels."""
