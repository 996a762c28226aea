"""Fields that stand one after the other, as all classes of string delimiters need them."""

from itertools import pairwise

from rowen.model import NoConsistentWrapper, Record


def check_apart(record: Record) -> None:
    """Refuse a record of which one value lies inside another."""
    placed = sorted((span, name) for name, spans in record.items() for span in spans)
    for (one, around), (other, name) in pairwise(placed):
        if other.start < one.end:
            raise NoConsistentWrapper(
                f"shares text with field {around!r}, but delimiters find one value after the "
                "other; use class 'token'",
                field=name,
                pages=(record.page.id,),
            )
