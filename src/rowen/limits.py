"""Every limit that Rowen sets, in one place, each with its reason."""

PAGE_BYTES = 256 * 1024 * 1024
"""The largest page that is read. Real pages end around 30 MB; beyond this it is a dump or an attack."""

DETECTION_BYTES = 256 * 1024
"""How much of a page the charset detector reads. More does not change its answer, only its time."""

DEFINITION_BYTES = 64 * 1024 * 1024
"""The largest saved extractor: a dictionary of a million names fits."""

PATTERN_SECONDS = 10.0
"""How long a pattern may work on one page. The engine backtracks, so hostile text could hold it for
years; a sane pattern needs a second for 100 MB."""

NESTING = 32
"""How deep records may nest. Labels come from people, who stop long before."""

HTML_DEPTH = 4096
"""How deep a parsed page may nest; browsers stop at 512."""
