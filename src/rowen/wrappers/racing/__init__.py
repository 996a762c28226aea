"""Wrappers whose left delimiters race, the first one found wins: nested and missing fields."""
