"""The wrapper classes by name, each in a file of its own."""

from importlib import import_module

from rowen.model import ExtractorError
from rowen.wrappers.base import Wrapper

CLASSES = {
    "lr": "rowen.wrappers.tabular.lr:LR",
    "hlrt": "rowen.wrappers.tabular.hlrt:HLRT",
    "oclr": "rowen.wrappers.tabular.oclr:OCLR",
    "hoclrt": "rowen.wrappers.tabular.hoclrt:HOCLRT",
    "n-lr": "rowen.wrappers.racing.nlr:NLR",
    "n-hlrt": "rowen.wrappers.racing.nhlrt:NHLRT",
    "m-lr": "rowen.wrappers.racing.mlr:MLR",
    "m-hlrt": "rowen.wrappers.racing.mhlrt:MHLRT",
    "token": "rowen.wrappers.token.wrapper:Token",
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
