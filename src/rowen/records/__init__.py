"""What an extractor returns and what a person marks: records, their schema, and examples.

Examples are imported when they are first used: a program that only extracts needs none.
"""

from typing import TYPE_CHECKING, Any

from rowen.records.record import Record
from rowen.records.records import Records

if TYPE_CHECKING:
    from rowen.records.label import Example

__all__ = ["Example", "Record", "Records"]


def __getattr__(name: str) -> Any:
    if name != "Example":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rowen.records.label import Example

    globals()[name] = Example
    return Example
