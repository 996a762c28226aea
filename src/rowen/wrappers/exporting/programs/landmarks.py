"""Values by the tags and texts around them: the class token."""

from itertools import pairwise
from typing import Any

from rowen.wrappers.exporting.programs.found import Found, Record
from rowen.wrappers.exporting.programs.tags import SPACES, Tag, read_tags, squeeze

IN_NUMBERS = {"a", "li", "dd"}
"""Of these, the first of a field that has one value brings those beside it along."""


def read_landmarks(
    page: str,
    fields: list[str],
    *,
    record: dict[str, Any] | None,
    rules: dict[str, list[dict[str, Any]]],
    several: list[str],
    required: list[str],
) -> Found:
    """Bound the records first, then find each field inside its record."""
    tags = read_tags(page)
    values = {name: _values(page, tags, rules[name]) for name in fields}
    stretches = _stretches(page, tags, record)
    records: list[Record] = []
    for start, end, _ in stretches:
        found: Record = {}
        for name in fields:
            inside = [one for one in values[name] if start <= one[0] < end]
            if len(rules[name]) == 1:
                inside.sort(key=lambda one: one[2])
            if inside:
                take = rules[name][0].get("take", "all")
                inside = _taken(tags, inside, take, several=name in several)
            texts = [page[from_:to] for from_, to, _ in inside]
            found[name] = None if not texts else texts[0] if len(texts) == 1 else texts
        records.append(found)
    there = [sum(one[name] is not None for name in required or fields) for one in records]
    kept = _kept(there, [table for *_, table in stretches], len(required), record is not None)
    records = [found for found, is_record in zip(records, kept, strict=True) if is_record]
    return records, bool(records)


def _kept(there: list[int], tables: list[int], needed: int, bounded: bool) -> list[bool]:  # noqa: FBT001
    """Which stretches are records: those with half of what is needed, less rows of other tables.

    Where tables have complete rows, one with just half counts only in one of these, or alone.
    """
    kept = [count > 0 and 2 * count >= needed for count in there]
    partly = any(one and count < needed for one, count in zip(kept, there, strict=True))
    if not bounded or needed < 2 or not partly:
        return kept
    complete = [table for table, count in zip(tables, there, strict=True) if count == needed]
    if not any(complete.count(table) > 1 for table in complete):
        return kept
    return [
        one and (2 * count > needed or table in complete or tables.count(table) == 1)
        for one, count, table in zip(kept, there, tables, strict=True)
    ]


def _stretches(
    page: str, tags: list[Tag], record: dict[str, Any] | None
) -> list[tuple[int, int, int]]:
    """From each tag that begins a record to the next, or to the end of the element around it.

    The third number is that element.
    """
    if record is None:
        return [(0, len(page) + 1, 0)]
    begins = [
        number
        for number, tag in enumerate(tags)
        if _is_tag(page, tags, number, record["tag"])
        and (not record.get("parent") or _is_tag(page, tags, tag.parent, record["parent"][:2]))
    ]
    stretches = []
    for begin, following in pairwise([*begins, len(tags)]):
        end = max(min(tags[tags[begin].parent].until, following), begin + 1)
        stop = tags[end].start if end < len(tags) else len(page) + 1
        stretches.append((tags[begin].start, stop, tags[begin].parent))
    return stretches


def _values(page: str, tags: list[Tag], rules: list[dict[str, Any]]) -> list[tuple[int, int, int]]:
    """Start, end and tag of each value that a rule finds."""
    found = set()
    for rule in rules:
        inside = set(range(len(tags)))
        if rule.get("container"):
            around = [one for one in inside if _stands(page, tags, one, rule["container"])]
            inside = {number for one in around for number in range(one, tags[one].until)}
        for number in inside:
            if _stands(page, tags, number, rule):
                value = _cut(page, tags, number, **rule.get("cut", {}))
                if value is not None:
                    found.add((*value, number))
    return sorted(found)


def _taken(
    tags: list[Tag], values: list[tuple[int, int, int]], take: str, *, several: bool
) -> list[tuple[int, int, int]]:
    if take != "all":
        return [values[0 if take == "first" else -1]]
    if several:
        return values
    first = tags[values[0][2]]
    if first.name not in IN_NUMBERS:
        return values[:1]
    return [one for one in values if tags[one[2]].parent == first.parent]


def _stands(page: str, tags: list[Tag], number: int, landmark: dict[str, Any]) -> bool:
    """Whether a tag stands as a landmark says: `before` goes back from it, `after` forwards.

    A list is a tag, a string the text between two tags, None any text.
    """
    at = number
    for place, token in enumerate(landmark["before"]):
        at -= place > 0 and not isinstance(token, list)
        if at < 0 or not _is(page, tags, at, token):
            return False
    at = number
    for token in landmark.get("after", ()):
        at += isinstance(token, list)
        if token is not None and (at >= len(tags) or not _is(page, tags, at, token)):
            return False
    return True


def _is(page: str, tags: list[Tag], number: int, token: list[Any] | str | None) -> bool:
    if isinstance(token, list):
        return _is_tag(page, tags, number, token)
    tag = tags[number]
    return token is None or squeeze(page[tag.end : tag.after]) == squeeze(token)


def _is_tag(page: str, tags: list[Tag], number: int, wanted: list[Any]) -> bool:
    """Whether a tag has that name, at least those attributes, and perhaps its place in its row."""
    tag = tags[number]
    if tag.name != wanted[0]:
        return False
    has = {(name, squeeze(page[start:end])) for name, start, end in tag.attributes}
    needed = wanted[1].items() if len(wanted) > 1 else ()
    if not all((name, squeeze(value)) in has for name, value in needed):
        return False
    beside = (one.name == tag.name and one.parent == tag.parent for one in tags[: number + 1])
    return len(wanted) < 3 or sum(beside) == wanted[2]


def _cut(
    page: str,
    tags: list[Tag],
    number: int,
    *,
    attribute: str | None = None,
    left: str | None = None,
    right: str | None = None,
    last: bool = False,
    until: str | None = None,
    exact: bool = False,
    element: bool = False,
) -> tuple[int, int] | None:
    """A part of the text after a tag, or of its attribute; None where there is nothing."""
    if element:
        return _content(page, tags, number)
    around = _around(page, tags, number, attribute, until)
    if around is None:
        return None
    start, end = around
    if left is not None:
        place = page.rfind(left, start, end) if last else page.find(left, start, end)
        if place < 0:
            return None
        start = place + len(left)
    if right is not None:
        end = page.find(right, start, end)
    if left is None and not exact:
        start = end - len(page[start:end].lstrip(SPACES)) if start < end else end
    if right is None and not exact:
        end = start + len(page[start:end].rstrip(SPACES))
    return (start, end) if start < end else None


def _content(page: str, tags: list[Tag], number: int) -> tuple[int, int] | None:
    """From the first to the last text of an element."""
    texts = [one for one in tags[number : tags[number].until] if squeeze(page[one.end : one.after])]
    if not texts:
        return None
    first, last = texts[0], texts[-1]
    start = first.after - len(page[first.end : first.after].lstrip(SPACES))
    return start, last.end + len(page[last.end : last.after].rstrip(SPACES))


def _around(
    page: str, tags: list[Tag], number: int, attribute: str | None, until: str | None
) -> tuple[int, int] | None:
    """The text after a tag, or up to a certain one, or an attribute that is not empty."""
    tag = tags[number]
    if attribute is not None:
        given = [
            (start, end) for name, start, end in tag.attributes if name == attribute and start >= 0
        ]
        return given[0] if any(squeeze(page[start:end]) for start, end in given) else None
    if until is None:
        return tag.end, tag.after
    ends = (one.start for one in tags[number + 1 :] if one.name == until)
    end = next(ends, -1)
    return (tag.end, end) if end >= 0 else None
