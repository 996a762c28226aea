"""What all programs return."""

from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]
"""One place per field, a list of places, or None (missing); `children` where records are nested.

`extract` puts values for the places, each a start and an end."""

Result: TypeAlias = tuple[list[Record], bool]
"""The records, and whether nothing was missing that the wrapper needs; if so, those before it."""
