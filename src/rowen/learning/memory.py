"""The wrappers that were learned last.

A person who marks one page after the other changes one label at a time. What is learned from the
labels before it (`counterexamples`) stays the same, and is only tried on the new one.
"""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from copy import deepcopy
from hashlib import blake2b
from threading import Lock

from rowen.induction import budget
from rowen.labels.marks import marks_of
from rowen.learning.classes import Learner
from rowen.model import Page
from rowen.records import Example
from rowen.wrappers.base import Wrapper

REMEMBERED = 16
"""Limit: so many wrappers are kept. From one mark to the next two or three are asked for again."""


class Memory:
    """What learners have answered, by all that it depends on."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, Wrapper] = OrderedDict()
        self._lock = Lock()

    def learn(
        self, learner: Learner, name: str, examples: Sequence[Example], pages: Sequence[Page]
    ) -> Wrapper:
        """What the learner of that name learns from examples and unlabelled pages."""
        key = _key(name, examples, pages)
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return deepcopy(self._answers[key])
        wrapper = learner(examples)
        # With more time it might be another one.
        if not budget.untried():
            with self._lock:
                self._answers[key] = deepcopy(wrapper)
                if len(self._answers) > self._most:
                    self._answers.popitem(last=False)
        return wrapper


def _key(name: str, examples: Sequence[Example], pages: Sequence[Page]) -> Hashable:
    labels = tuple(
        (
            _digest(example.page),
            repr([marks_of(record) for record in example.records]),
            repr(example.given),
            example.partial,
        )
        for example in examples
    )
    return name, labels, tuple(map(_digest, pages))


def _digest(page: Page) -> tuple[str, bytes]:
    """A page in few bytes, so that its text need not be kept."""
    text = page.text.encode("utf-8", "surrogatepass")
    return page.id, blake2b(text, digest_size=20).digest()


MEMORY = Memory()
"""Of this process."""
