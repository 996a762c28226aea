"""Recognizers, for learning without labels: `rowen.learn(recognizers=[...], pages=pages)`.

A recognizer finds the instances of one field on a page, rightly or not, and declares which mistakes
it makes. There are ready ones for dates, prices, e-mail addresses and the like; others come from a
regular expression, from a list of known values, from any extractor or function, or from a file.

>>> import rowen
>>> rowen.recognizers.ready("email").find("Write to ada@example.org.")
[Span(9, 24)]
"""

from rowen.learning.recognizers.library import load_recognizers, ready, ready_names
from rowen.learning.recognizers.recognizer import (
    Recognizer,
    Soundness,
    Where,
    from_entries,
    from_pattern,
)

__all__ = [
    "Recognizer",
    "Soundness",
    "Where",
    "from_entries",
    "from_pattern",
    "load_recognizers",
    "ready",
    "ready_names",
]
