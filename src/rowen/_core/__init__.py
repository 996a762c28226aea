"""Kernels in C++: plain functions over buffers, without state, run without the interpreter's lock.

`html_tokens` gives the columns kinds, flags, bounds, name ends, attributes from and attributes, as
`html_tokens.hpp` describes them.
"""

from rowen._core.native import html_tokens

__all__ = ["html_tokens"]
