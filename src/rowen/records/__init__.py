"""What an extractor returns and what a person marks: records, their schema, and examples."""

from rowen.records.label import Example
from rowen.records.record import Record
from rowen.records.records import Records

__all__ = ["Example", "Record", "Records"]
