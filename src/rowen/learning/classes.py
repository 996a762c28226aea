"""The learner of each wrapper class, by the class's name."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TypeAlias

from rowen.model import Page
from rowen.records import Example
from rowen.wrappers.base import Wrapper

Learner: TypeAlias = Callable[[Sequence[Example]], Wrapper]

LEARNERS = {
    "lr": "rowen.induction.lr",
    "hlrt": "rowen.induction.hlrt",
    "oclr": "rowen.induction.oclr",
    "hoclrt": "rowen.induction.hoclrt",
    "n-lr": "rowen.induction.nlr",
    "n-hlrt": "rowen.induction.nhlrt",
    "m-lr": "rowen.induction.mlr",
    "m-hlrt": "rowen.induction.mhlrt",
    "token": "rowen.landmarks.excerpt",
    "region": "rowen.structure.learn",
    "lines": "rowen.learning.lines",
    "data": "rowen.learning.data.learn",
}
"""Modules with a function `learn_class(examples)`, imported when needed."""


TELLING_LISTS = ("token", "data")
"""Classes that distinguish lists from pages of one record each."""


def learner_of(name: str, *, repeats: bool | None = None, pages: Sequence[Page] = ()) -> Learner:
    """The function that learns wrappers of that class.

    For records of a nested field `repeats` says whether some label has two in one record. They are
    lists even where it has not. The classes of delimiters take all records for lists anyway.
    Unlabelled `pages` teach regions; other classes learn from labels alone.
    """
    learner: Learner = import_module(LEARNERS[name]).learn_class
    if repeats is not None and name in TELLING_LISTS:
        return partial(learner, repeats=repeats)  # type: ignore[call-arg]  # these classes take it
    if pages and name == "region":
        return partial(learner, pages=pages)  # type: ignore[call-arg]  # the region class does
    return learner
