"""The wrapper classes by the names that files and commands use, each in a file of its own."""

from importlib import import_module
from typing import TYPE_CHECKING

from rowen.model import ExtractorError

if TYPE_CHECKING:
    from rowen.wrappers.base import Wrapper

CLASSES = {
    "lr": "rowen.wrappers.lr:LR",
    "hlrt": "rowen.wrappers.hlrt:HLRT",
    "oclr": "rowen.wrappers.oclr:OCLR",
    "hoclrt": "rowen.wrappers.hoclrt:HOCLRT",
    "n-lr": "rowen.wrappers.nlr:NLR",
    "n-hlrt": "rowen.wrappers.nhlrt:NHLRT",
    "m-lr": "rowen.wrappers.mlr:MLR",
    "m-hlrt": "rowen.wrappers.mhlrt:MHLRT",
    "token": "rowen.wrappers.token.wrapper:Token",
    "region": "rowen.wrappers.region.wrapper:Region",
    "lines": "rowen.wrappers.lines:Lines",
    "data": "rowen.wrappers.data.wrapper:Data",
    # The name in saved files; what it means is a mixture of wrappers.
    "several": "rowen.wrappers.mixture:Mixture",
    "combined": "rowen.wrappers.combination:Combination",
    # Wrappers of any class, put together where fields hold records.
    "nested": "rowen.wrappers.nested_fields:NestedFields",
    "tree": "rowen.wrappers.tree:Tree",
    # A wrapper of any class for rows that share cells.
    "spanning": "rowen.wrappers.spanning:Spanning",
}
"""Imported when needed. `rowen.learning.classes` has the learner of each but the last five: `auto`
learns the first two of these; labels with nested fields, or with values that records share, make
the others of wrappers of any class."""


def wrapper_class(name: str) -> "type[Wrapper]":
    """The class of that name."""
    if name not in CLASSES:
        raise ExtractorError(
            f"unknown wrapper class {name!r}; the classes are {', '.join(CLASSES)}"
        )
    module, _, attribute = CLASSES[name].partition(":")
    kind: type[Wrapper] = getattr(import_module(module), attribute)
    return kind
