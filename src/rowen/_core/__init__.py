"""Kernels in C++: plain functions over buffers, without state.

`LinearChainCRF` labels sequences of rows by trained weights (`chain.hpp`); `label_surely` also says
how probable each label is. `ChainTrainer` finds such weights (`chain_training.hpp`): `add` labelled
sequences, `prepare`, and add those to be held out; `run_pass` takes a step for each sequence of an
order, `loss` scores sequences, and `weights` gives the mean of the last pass: keys, starts, labels,
weights and transitions. `feature_keys` returns
the keys of the rows' features, row after row, and `feature_value` the number of a feature's text.

`confine` leaves this process, with all its threads and for good, only the system calls that
`confinement_module.cpp` lists, with `libraries` also those that load code from files; 0, or the
number of the error for which it could not. `landlock` leaves it, for good, no files but to read
those below some folders; the version of Landlock, or the number of the error, negated.
`drop_privileges` gives up all capabilities, and `end_with` ends the process when its parent ends,
if that is still there.

`data_nodes` scans a value of JSON, or of a script's literals, and gives the columns kinds, flags,
starts, ends, starts and ends of keys, parents and afters, as `data_scan.hpp` describes them; then
where it stopped, and how it ended (0 complete, 1 malformed, 2 too deep, 3 too many nodes).

`html_tokens` gives the columns kinds, flags, bounds, name ends, attributes from and attributes, as
`html_tokens.hpp` describes them; it runs without the interpreter's lock. `html_token_at` gives
the kind, flags, start and end of the token at a place, without reading the text after it.

`html_outline` keeps tags, attributes and the texts between tags; `columns` and `digests` give them
as `html_outline.hpp` says; `name_digest` and `text_digest` give the digests of given strings.

`json_lines` writes flat records, given as rows of bounds, as lines of JSON: each begins with
`head`, and `keys` are the fields' names with their colons. `read` gives the JSON of the values of
fields that are `typed`, and of texts that a reader may see differently; without it values are
sources. `plain_values` gives the texts at the spans of a record's fields: those that a reader sees
as they are written, and None for each other field. `page_line` gives the id and the text of a
page from a line of JSON with just these, or None.

`match_suffix`, `match_anchor` and `match_line` give the regions of a new text that an old one has,
too, one a row: new start, old start, length; `match_anchor` gives None where its way does not
pay. `match_edges` gives those that begin both texts, or end both.

`NearIndex` keeps codes and finds those that are near, as `near_index.hpp` says: ids, distances, and
the bytes that were given with the codes.

`pdf_characters` gives the characters of a page of pdfium: codes, seven numbers each (left, bottom,
right, top, the origin's x and y, size), fonts, the direction that it runs in, whether its font
doesn't say what it means, whether it is white or invisible, and the fonts' names, weights and
flags. `pdf_shapes` gives what else is drawn on it: kinds (2 path, 3 image, 4 shading), and four
numbers each (left, bottom, right, top).

`QuietPlaces` is an automaton that follows attempts to match, as `quiet.hpp` says; `copies` gives
what scans of two texts have in common: old starts, old ends and shifts, and new starts and ends.

`scan_table` runs a tabular wrapper: rows of bounds, the kind of delimiter that was missing or None,
and the number of its field.

`segment_bounds` gives the starts and ends of what stands between separators;
`segments_inside` those of the whole segments that each old region holds; `segments_elsewhere`
those of the segments in gaps, and where the old text has the same segment, -1 if nowhere.

`simhash64` is a text's fingerprint: each bit is the vote of all runs of three words; `fingerprint`
gives it with a sketch of their set, which another key changes altogether. `shared_shingles` says
how many such runs both of two texts have, and either.

`suffix_order`, `substring_classes`, `first_after` and `last_starts` are the search structure of
learning: all substrings of the examples in linearly many classes, as `substrings.hpp` says.

`token_rows` runs a token wrapper over an outline, `landmark_tags`, `record_stretches`, `cut_bounds`
and `rule_values` parts of one; these are given as tuples of what the structs of `token_scan.hpp`
have. Rows are bounds where no field has several values, which the flag says, else tuples of bounds.

`universal_hash` gives 32 bytes for each 1024 of an array; under a secret key
of 1040 bytes two inputs of one length practically never have the same (`universal_hash.hpp`).
"""

from rowen._core.native import (
    ChainTrainer,
    HtmlOutline,
    LinearChainCRF,
    NearIndex,
    QuietPlaces,
    cell_places,
    confine,
    cut_bounds,
    data_nodes,
    drop_privileges,
    end_with,
    feature_keys,
    feature_value,
    fingerprint,
    first_after,
    html_outline,
    html_token_at,
    html_tokens,
    json_lines,
    landlock,
    landmark_tags,
    last_starts,
    match_anchor,
    match_edges,
    match_line,
    match_suffix,
    name_digest,
    page_line,
    pdf_characters,
    pdf_shapes,
    plain_values,
    record_stretches,
    rule_values,
    scan_table,
    segment_bounds,
    segments_elsewhere,
    segments_inside,
    shared_shingles,
    simhash64,
    substring_classes,
    suffix_order,
    text_digest,
    token_rows,
    universal_hash,
)

__all__ = [
    "ChainTrainer",
    "HtmlOutline",
    "LinearChainCRF",
    "NearIndex",
    "QuietPlaces",
    "cell_places",
    "confine",
    "cut_bounds",
    "data_nodes",
    "drop_privileges",
    "end_with",
    "feature_keys",
    "feature_value",
    "fingerprint",
    "first_after",
    "html_outline",
    "html_token_at",
    "html_tokens",
    "json_lines",
    "landlock",
    "landmark_tags",
    "last_starts",
    "match_anchor",
    "match_edges",
    "match_line",
    "match_suffix",
    "name_digest",
    "page_line",
    "pdf_characters",
    "pdf_shapes",
    "plain_values",
    "record_stretches",
    "rule_values",
    "scan_table",
    "segment_bounds",
    "segments_elsewhere",
    "segments_inside",
    "shared_shingles",
    "simhash64",
    "substring_classes",
    "suffix_order",
    "text_digest",
    "token_rows",
    "universal_hash",
]
