"""The wrapper classes by name, each in a file of its own."""

from importlib import import_module

from rowen.model import ExtractorError
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
    "token": "rowen.wrappers.token:Token",
    "several": "rowen.wrappers.several:Several",
}
"""Each but `several` has a function `learn_class(examples)` beside it; `auto` is none of these."""


def wrapper_class(name: str) -> type[Wrapper]:
    """The class of that name."""
    if name not in CLASSES:
        known = ", ".join(CLASSES)
        raise ExtractorError(f"unknown wrapper class {name!r}; there are {known}")
    module, _, attribute = CLASSES[name].partition(":")
    found: type[Wrapper] = getattr(import_module(module), attribute)
    return found
