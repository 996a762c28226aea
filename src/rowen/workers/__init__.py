"""Confined worker processes for documents from strangers, with checked messages.

`Work` says what is done and which types the messages have; a `Pool` has it done. The processes are
copies of a template that has loaded everything before the first document comes. None of them can
open a file, and what they send is checked data, never code.
"""

from rowen.workers.confinement import Confinement
from rowen.workers.pool import Handle, Pool, Stopped
from rowen.workers.schema import Json
from rowen.workers.template import TemplateError
from rowen.workers.work import Allow, Asker, Reply, Work

__all__ = [
    "Allow",
    "Asker",
    "Confinement",
    "Handle",
    "Json",
    "Pool",
    "Reply",
    "Stopped",
    "TemplateError",
    "Work",
]
