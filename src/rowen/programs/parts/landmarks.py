"""Values by the tags and texts around them: the class token."""

from itertools import pairwise
from typing import Any

from rowen.programs.parts.cells import place_tags
from rowen.programs.parts.result import Place, Record, Result, program, stretches
from rowen.programs.parts.tags import SPACES, Tag, read_tags, squeeze

IN_NUMBERS = {"a", "li", "dd"}
"""Elements that come in numbers: with the first value of a field its neighbours are taken, too."""

FORMATTING = {
    *("b", "br", "cite", "code", "dfn", "em", "i", "kbd", "mark", "q", "samp", "strong", "sub"),
    *("sup", "u", "var", "wbr", "!--", "!doctype"),
}
"""Tags that change how a part of a text looks, and comments."""

PHRASE_TAGS = 64
"""Limit: a phrase with more tags is none."""


@program("token")
def read_landmarks(
    page: str,
    fields: list[str],
    *,
    record: dict[str, Any] | None,
    rules: dict[str, list[dict[str, Any]]],
    several: list[str],
    required: list[str],
) -> Result:
    """Bound the records first, then find each field inside its record."""
    tags = read_tags(page)
    place_tags(page, tags)
    values = {name: _values(page, tags, rules[name]) for name in fields}
    bounds = _stretches(page, tags, record)
    records: list[Record] = []
    for start, end, _ in bounds:
        candidate: Record = {}
        for name in fields:
            inside = [value for value in values[name] if start <= value[0] < end]
            # With one rule the values are in the order of their tags, as the native code has them.
            if len(rules[name]) == 1:
                inside.sort(key=lambda value: value[2])
            if inside:
                take = rules[name][0].get("take", "all")
                inside = _taken(tags, inside, take, several=name in several)
            places = [(from_, to) for from_, to, _ in inside]
            candidate[name] = None if not places else places[0] if len(places) == 1 else places
        records.append(candidate)
    counts = [sum(row[name] is not None for name in required or fields) for row in records]
    tables = [table for *_, table in bounds]
    complete = _are_records(counts, tables, len(required), bounded=record is not None)
    records = [row for row, is_record in zip(records, complete, strict=True) if is_record]
    return records, bool(records)


def _are_records(counts: list[int], tables: list[int], needed: int, *, bounded: bool) -> list[bool]:
    """Which stretches are records: those with half of what is needed, less rows of other tables.

    Where tables have complete rows, one with just half counts only in one of these, or alone.
    """
    enough = [count > 0 and 2 * count >= needed for count in counts]
    # Rows with only half of the fields are in doubt only where complete ones exist.
    partly = any(has and count < needed for has, count in zip(enough, counts, strict=True))
    if not bounded or needed < 2 or not partly:
        return enough
    complete = [table for table, count in zip(tables, counts, strict=True) if count == needed]
    if not any(complete.count(table) > 1 for table in complete):
        return enough
    return [
        has and (2 * count > needed or table in complete or tables.count(table) == 1)
        for has, count, table in zip(enough, counts, tables, strict=True)
    ]


def _stretches(
    page: str, tags: list[Tag], record: dict[str, Any] | None
) -> list[tuple[int, int, int]]:
    """From each tag that begins a record to the next, or to the end of the element around it.

    The third number is that element.
    """
    if record is None:
        return [(0, len(page) + 1, 0)]
    beginnings = find_beginnings(page, tags, record)
    bounds = []
    for begin, following in pairwise([*beginnings, len(tags)]):
        # At least the tag itself, even where broken nesting ends the element around it before.
        end = max(min(tags[tags[begin].parent].until, following), begin + 1)
        stop = tags[end].start if end < len(tags) else len(page) + 1
        bounds.append((tags[begin].start, stop, tags[begin].parent))
    return bounds


def find_beginnings(page: str, tags: list[Tag], record: dict[str, Any]) -> list[int]:
    """The tags that begin records."""
    parent = record.get("parent")
    return [
        number
        for number, tag in enumerate(tags)
        if _is_tag(page, tags, number, record["tag"])
        and (not parent or _is_tag(page, tags, tag.parent, parent[:2]))
    ]


@stretches("token")
def token_stretches(page: str, settings: dict[str, Any]) -> list[Place] | None:
    """The stretches of records that begin at a tag; the record of a whole page has none."""
    if settings["record"] is None:
        return None
    return [(start, end) for start, end, _ in _stretches(page, read_tags(page), settings["record"])]


def _values(page: str, tags: list[Tag], rules: list[dict[str, Any]]) -> list[tuple[int, int, int]]:
    """Start, end and tag of each value that a rule finds."""
    values: set[tuple[int, int, int]] = set()
    for rule in rules:
        if rule.get("otherwise") and values:
            break
        inside = set(range(len(tags)))
        if rule.get("container"):
            around = [tag for tag in inside if _matches(page, tags, tag, rule["container"])]
            inside = {number for tag in around for number in range(tag, tags[tag].until)}
        for number in inside:
            if _matches(page, tags, number, rule):
                value = _cut(page, tags, number, **_without_missing(rule))
                if value is not None and not _is_missing(page, *value, rule):
                    values.add((*value, number))
    return sorted(values)


def _without_missing(rule: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in rule.get("cut", {}).items() if name != "missing"}


def _is_missing(page: str, start: int, end: int, rule: dict[str, Any]) -> bool:
    """Whether a text says that there is no value."""
    missing = rule.get("cut", {}).get("missing", ())
    return squeeze(page[start:end]) in map(squeeze, missing)


def _taken(
    tags: list[Tag], values: list[tuple[int, int, int]], take: str, *, several: bool
) -> list[tuple[int, int, int]]:
    if take != "all":
        return [values[0 if take == "first" else -1]]
    if several:
        return values
    # The field had one value in all examples: a second one elsewhere is no part of it.
    first = tags[values[0][2]]
    if first.name not in IN_NUMBERS:
        return values[:1]
    return [value for value in values if tags[value[2]].parent == first.parent]


def _matches(page: str, tags: list[Tag], number: int, landmark: dict[str, Any]) -> bool:
    """Whether a tag is where a landmark says: `before` goes back from it, `after` forwards.

    A list is a tag, a string the text between two tags, None any text.
    """
    at = number
    for place, token in enumerate(landmark["before"]):
        # A text belongs to the tag before it: going back, each text is one tag further.
        at -= place > 0 and not isinstance(token, list)
        if at < 0 or not _is(page, tags, at, token):
            return False
    at = number
    for token in landmark.get("after", ()):
        at += isinstance(token, list)
        # Any text may also be the end of the page.
        if token is not None and (at >= len(tags) or not _is(page, tags, at, token)):
            return False
    return True


def _is(page: str, tags: list[Tag], number: int, token: list[Any] | str | None) -> bool:
    if isinstance(token, list):
        return _is_tag(page, tags, number, token)
    tag = tags[number]
    return token is None or squeeze(page[tag.end : tag.after]) == squeeze(token)


def _is_tag(page: str, tags: list[Tag], number: int, pattern: list[Any]) -> bool:
    """Whether a tag has that name, at least those attributes, and perhaps its place in its row."""
    tag = tags[number]
    if tag.name != pattern[0]:
        return False
    has = {(name, squeeze(page[start:end])) for name, start, end in tag.attributes}
    needed = pattern[1].items() if len(pattern) > 1 else ()
    if not all((name, squeeze(value)) in has for name, value in needed):
        return False
    return len(pattern) < 3 or tag.place == pattern[2]


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
    open: bool = False,  # noqa: A002  # the word in saved wrappers
    phrase: bool = False,
    run: list[list[str]] | None = None,
    outer: bool = False,
) -> tuple[int, int] | None:
    """A part of the text after a tag, or of its attribute; None where there is nothing."""
    if element:
        return _content(page, tags, number, tags[number].until)
    if run:
        return _run(page, tags, number, run, outer=outer)
    if phrase and (whole := _phrase(page, tags, number)) is not None:
        return whole
    around = _around(page, tags, number, attribute, until)
    if around is None:
        return None
    start, end = around
    if left is not None:
        place = page.rfind(left, start, end) if last else page.find(left, start, end)
        if place < 0:
            return None
        start = place + len(left)
    ends_at_text = right is None
    if right is not None:
        place = page.find(right, start, end)
        ends_at_text = open and place < 0
        end = end if ends_at_text else place
    if left is None and not exact:
        # A value that starts at a delimiter is taken as it is; one that starts at a tag is
        # stripped.
        start = end - len(page[start:end].lstrip(SPACES)) if start < end else end
    if ends_at_text and not exact:
        end = start + len(page[start:end].rstrip(SPACES))
    return (start, end) if start < end else None


def _phrase(page: str, tags: list[Tag], number: int) -> tuple[int, int] | None:
    """To the end of the element around the text after a tag, if only formatting is between."""
    tag = tags[number]
    opens = tag.until < len(tags) and tags[tag.until].name == f"/{tag.name}"
    end = tag.until if opens else tags[tag.parent].until
    inner = [each.name.removeprefix("/") for each in tags[number + 1 : end]]
    if end <= number or len(inner) >= PHRASE_TAGS or not FORMATTING.issuperset(inner):
        return None
    return _content(page, tags, number, end)


def _run(
    page: str, tags: list[Tag], number: int, run: list[list[str]], *, outer: bool
) -> tuple[int, int] | None:
    """From the first to the last child of these names and classes that has text."""
    parts = [(name, squeeze(of_class)) for name, of_class in run]
    children = []
    child = number + 1
    while child < tags[number].until:
        tag = tags[child]
        if tag.parent == number and (tag.name, _class_of(page, tag)) in parts:
            bounds = _content(page, tags, child, tag.until)
            if bounds is not None:
                children.append((tag, *bounds))
        child = max(tag.until, child + 1)
    if not children:
        return None
    (first, start, _), (last, _, end) = children[0], children[-1]
    if not outer:
        return start, end
    is_closed = last.until < len(tags) and tags[last.until].name == f"/{last.name}"
    return first.start, tags[last.until].end if is_closed else end


def _class_of(page: str, tag: Tag) -> str:
    values = [page[start:end] for name, start, end in tag.attributes if name == "class"]
    return squeeze(values[0]) if values else ""


def _content(page: str, tags: list[Tag], number: int, end: int) -> tuple[int, int] | None:
    """From the first to the last text from a tag up to another."""
    inner = tags[number:end]
    texts = [tag for tag in inner if squeeze(page[tag.end : tag.after])]
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
        values = [
            (start, end) for name, start, end in tag.attributes if name == attribute and start >= 0
        ]
        return values[0] if any(squeeze(page[start:end]) for start, end in values) else None
    if until is None:
        return tag.end, tag.after
    ends = (later.start for later in tags[number + 1 :] if later.name == until)
    end = next(ends, -1)
    return (tag.end, end) if end >= 0 else None
