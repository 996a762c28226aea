"""Processes that work on documents from anywhere: one pool, a cage, and messages that are checked.

`Work` says what is done and what the messages about it hold; a `Pool` has it done. The processes
are copies of one template, which has loaded everything before the first document comes; none of
them can open a file, and what one of them sends is data that is checked, never code.
"""

from rowen.workers.confinement import Confinement
from rowen.workers.pool import Pool, Stopped
from rowen.workers.schema import Json
from rowen.workers.template import TemplateError
from rowen.workers.work import Allow, Asker, Reply, Work

__all__ = [
    "Allow",
    "Asker",
    "Confinement",
    "Json",
    "Pool",
    "Reply",
    "Stopped",
    "TemplateError",
    "Work",
]
