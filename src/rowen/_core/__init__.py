"""Kernels in C++: plain functions over buffers, without state.

`html_tokens` gives the columns kinds, flags, bounds, name ends, attributes from and attributes, as
`html_tokens.hpp` describes them; it runs without the interpreter's lock.

`json_lines` writes flat records, given as rows of bounds, as lines of JSON: each begins with
`head`, and `keys` are the fields' names as they are to stand there, colon included.
"""

from rowen._core.native import html_tokens, json_lines

__all__ = ["html_tokens", "json_lines"]
