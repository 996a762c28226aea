"""Kernels in C++: plain functions over buffers, without state.

`html_tokens` gives the columns kinds, flags, bounds, name ends, attributes from and attributes, as
`html_tokens.hpp` describes them; it runs without the interpreter's lock.

`html_outline` gives the columns of `html_outline.hpp`: tags, attributes and the texts between tags
as digests and offsets; `name_digest` and `text_digest` give the same digests for given strings.

`json_lines` writes flat records, given as rows of bounds, as lines of JSON: each begins with
`head`, and `keys` are the fields' names as they are to stand there, colon included.

`match_suffix`, `match_anchor` and `match_line` give the regions of a new text that an old one has,
too, one a row: new start, old start, length; `match_anchor` gives None where its way does not
pay. `match_edges` gives those that begin both texts, or end both.

`scan_table` runs a tabular wrapper: rows of bounds, the kind of delimiter that was missing or None,
and the number of its field.

`segment_bounds` gives the starts and ends of what stands between separators;
`segments_inside` those of the whole segments that each old region holds.

`simhash64` is a text's fingerprint: each bit is the vote of all runs of three words.

`suffix_order`, `substring_classes`, `first_after` and `last_starts` are the search structure of
learning: all substrings of the examples in linearly many classes, as `substrings.hpp` says.
"""

from rowen._core.native import (
    first_after,
    html_outline,
    html_tokens,
    json_lines,
    last_starts,
    match_anchor,
    match_edges,
    match_line,
    match_suffix,
    name_digest,
    scan_table,
    segment_bounds,
    segments_inside,
    simhash64,
    substring_classes,
    suffix_order,
    text_digest,
)

__all__ = [
    "first_after",
    "html_outline",
    "html_tokens",
    "json_lines",
    "last_starts",
    "match_anchor",
    "match_edges",
    "match_line",
    "match_suffix",
    "name_digest",
    "scan_table",
    "segment_bounds",
    "segments_inside",
    "simhash64",
    "substring_classes",
    "suffix_order",
    "text_digest",
]
