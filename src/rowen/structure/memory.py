"""The rules that were chosen last.

A person who marks one value after the other changes one field at a time: the rules of all others
stay as they are.
"""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

from rowen.structure.rules import Group, Rules, choose_rules

REMEMBERED = 1024
"""Limit: for so many fields of groups the rules are kept. Learning from one record of ten fields
tries about 20 groups."""


class Memory:
    """What `choose_rules` has answered, by all that it depends on."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, Rules | None] = OrderedDict()
        self._lock = Lock()

    def choose_rules(self, group: Group, name: str) -> Rules | None:
        """As `rules.choose_rules`."""
        key = _key(group, name)
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return _copied(self._answers[key])
        answer = choose_rules(group, name)
        with self._lock:
            self._answers[key] = answer
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return _copied(answer)


def _key(group: Group, name: str) -> Hashable:
    """All that the rules of a field depend on: the pages, the regions, its own marks in them."""
    texts = tuple(view.tree.text for view in group.views)
    placed = tuple(
        (
            record.page,
            number,
            tuple(mark[1:] for mark in record.marks if mark.field == name),
            name in record.missing,
        )
        for record, number in group.placed
    )
    return texts, group.pattern, placed


def _copied(rules: Rules | None) -> Rules | None:
    """For callers that add rules of their own."""
    return rules and Rules(list(rules.rules), dict(rules.likeness), rules.rival)


MEMORY = Memory()
"""Of this process."""
