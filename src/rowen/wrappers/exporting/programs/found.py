"""What all programs give."""

from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]
"""A text, a list of texts or None (missing) a field; `children` where records are nested."""

Found: TypeAlias = tuple[list[Record], bool]
"""The records, and whether all that the wrapper needs was there; if not, those before are given."""
