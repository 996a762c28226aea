"""Token wrappers run slowly and plainly, as a reference for the kernel."""

import re
from itertools import pairwise

from rowen._core import name_digest, text_digest
from rowen.wrappers.token.landmark import Tag
from rowen.wrappers.token.outline import Outline

SPACES = " \t\n\v\f\r\xa0"
IN_NUMBERS = {Tag(name).digest for name in ("a", "li", "dd")}

FORMATTING = {
    Tag(f"{end}{name}").digest
    for name in (
        *("b", "br", "cite", "code", "dfn", "em", "i", "kbd", "mark", "q", "samp", "strong"),
        *("sub", "sup", "u", "var", "wbr"),
    )
    for end in ("", "/")
}

CELLS = {Tag(name).digest for name in ("td", "th")}


def is_tag(outline, at, tag, *, placed=True):
    """Whether the tag there has the name and the attributes, and perhaps the place."""
    if outline.names[at] != tag.digest or not set(tag.pairs) <= outline.pairs(at):
        return False
    return not placed or tag.place in (None, place_of(outline, at))


def place_of(outline, at):
    """The place of a tag among those of its name; a cell's in the grid of its table."""
    name, row = outline.names[at], outline.parents[at]
    same = [
        earlier
        for earlier in range(at + 1)
        if outline.names[earlier] == name and outline.parents[earlier] == row
    ]
    if name not in CELLS:
        return len(same)
    for here, before in grid(outline).get(int(outline.parents[row]), {}).get(int(row), []):
        if here == at:
            return before
    return len(same)


def grid(outline):
    """For each section and row its cells with their places: every cell of the grid is painted."""
    sections = {}
    painted = {}
    for tag in range(outline.size):
        section = int(outline.parents[tag])
        if outline.names[tag] == Tag("tr").digest:
            sections.setdefault(section, {})[tag] = []
        elif outline.names[tag] in CELLS:
            rows = sections.get(int(outline.parents[section]), {})
            if not rows or list(rows)[-1] != section:
                continue
            number = len(rows) - 1
            grid = painted.setdefault(int(outline.parents[section]), {})
            row = grid.setdefault(number, {})
            # As browsers do: after the cell before, at the first column that no cell above takes.
            column = max((at for at, (_, by, _) in row.items() if by == section), default=-1) + 1
            while column in row and row[column][1] != section:
                column += 1
            width, height = (number_of(outline, tag, name) for name in ("colspan", "rowspan"))
            width, height = width or 1, 50 if height == 0 else height
            for below in range(number, number + height):
                into = grid.setdefault(below, {})
                for at in range(column, column + width):
                    into[at] = (outline.names[tag], section, tag)
            own = [cell for at, (cell, *_) in row.items() if at <= column]
            rows[section].append((tag, own.count(outline.names[tag])))
    return sections


def number_of(outline, tag, name):
    """The number in an attribute; 1 without one."""
    bounds = outline.attribute(tag, Tag(name).digest)
    digits = bounds and re.match(r"[ \t\n\v\f\r\xa0]*([0-9]+)", outline.text[slice(*bounds)])
    return int(digits[1]) if digits else 1


def stands(outline, tag, landmark):
    """Whether a tag stands at a landmark."""
    at = tag
    for place, token in enumerate(landmark.before):
        at -= place > 0 and not isinstance(token, Tag)
        if at < 0 or not is_token(outline, at, token):
            return False
    at = tag
    for token in landmark.after:
        at += isinstance(token, Tag)
        anything = not isinstance(token, Tag) and token.text is None
        if not anything and (at >= outline.size or not is_token(outline, at, token)):
            return False
    return True


def is_token(outline, at, token):
    """Whether the tag there, or the text after it, is this one."""
    if isinstance(token, Tag):
        return is_tag(outline, at, token)
    return token.text is None or outline.slots[at] == text_digest(token.text)


def find(outline, landmark):
    """All tags that stand at a landmark."""
    return [tag for tag in range(outline.size) if stands(outline, tag, landmark)]


def stretches(outline, boundary):
    """From each tag that begins a record to the next, or to the end of the element around it."""
    begins = [
        tag
        for tag in range(outline.size)
        if is_tag(outline, tag, boundary.tag)
        and (
            boundary.parent is None
            or is_tag(outline, outline.parents[tag], boundary.parent, placed=False)
        )
    ]
    return [
        (tag, max(min(int(outline.closes[outline.parents[tag]]), following), tag + 1))
        for tag, following in pairwise([*begins, outline.size])
    ]


def around(outline, cut, tag):
    """Where a value may stand: in an attribute, in the slot, or up to a certain tag."""
    if cut.attribute_digest is not None:
        return outline.attribute(tag, cut.attribute_digest)
    if cut.until is None:
        return outline.slot(tag)
    digest = Tag(cut.until).digest
    ends = [end for end in range(tag + 1, outline.size) if outline.names[end] == digest]
    return (int(outline.ends[tag]), int(outline.starts[ends[0]])) if ends else None


def phrase(outline, tag):
    """From the text after a tag to the end of the element around it, over formatting only."""
    close = int(outline.closes[tag])
    opens = outline.is_start(tag) and close < outline.size
    opens = opens and outline.names[close] == ~outline.names[tag]
    end = close if opens else int(outline.closes[outline.parents[tag]])
    inner = range(tag + 1, end)
    if end <= tag or len(inner) >= 64:
        return None
    if any(int(outline.names[at]) not in FORMATTING and outline.names[at] >= 16 for at in inner):
        return None
    texts = [at for at in range(tag, end) if outline.slots[at]]
    if not texts:
        return None
    return int(outline.slot_starts[texts[0]]), int(outline.slot_ends[texts[-1]])


def value(outline, cut, tag):
    """What a cut takes out, unless it is a text that means nothing."""
    bounds = taken(outline, cut, tag)
    missing = {text_digest(text) for text in cut.missing}
    return None if bounds and text_digest(outline.text[slice(*bounds)]) in missing else bounds


def taken(outline, cut, tag):
    """What a cut takes out."""
    if cut.run and not cut.element:
        return run(outline, cut, tag)
    whole = phrase(outline, tag) if cut.phrase else None
    if cut.element or whole is not None:
        return outline.content(tag) if cut.element else whole
    return part(outline, cut, tag)


def run(outline, cut, tag):
    """From the first to the last child of a name and class that has text."""
    parts = [(Tag(name).digest, text_digest(of_class)) for name, of_class in cut.run]
    inside = range(tag + 1, int(outline.closes[tag]))
    children = [
        child
        for child in inside
        if int(outline.parents[child]) == tag
        and outline.is_start(child)
        and (int(outline.names[child]), class_of(outline, child)) in parts
        and outline.content(child)
    ]
    if not children:
        return None
    first, last = children[0], children[-1]
    if not cut.outer:
        return outline.content(first)[0], outline.content(last)[1]
    close = int(outline.closes[last])
    closed = close < outline.size and outline.names[close] == ~outline.names[last]
    return int(outline.starts[first]), (
        int(outline.ends[close]) if closed else outline.content(last)[1]
    )


def class_of(outline, tag):
    """The digest of a tag's first class; 0 for none."""
    own = slice(outline.attributes_from[tag], outline.attributes_from[tag + 1])
    names, values = outline.attribute_names[own].tolist(), outline.attribute_values[own].tolist()
    return dict(zip(reversed(names), reversed(values), strict=True)).get(name_digest("class"), 0)


def part(outline, cut, tag):
    """A part of a slot or of an attribute."""
    place = around(outline, cut, tag)
    if place is None:
        return None
    text, (start, end) = outline.text, place
    if cut.left is not None:
        start = (text.rfind if cut.last else text.find)(cut.left, start, end)
        if start < 0:
            return None
        start += len(cut.left)
    ends_at_text = cut.right is None
    if cut.right is not None:
        found = text.find(cut.right, start, end)
        ends_at_text = cut.open and found < 0
        end = end if ends_at_text else found
    if cut.left is None and not cut.exact:
        while start < end and text[start] in SPACES:
            start += 1
    if ends_at_text and not cut.exact:
        while start < end and text[end - 1] in SPACES:
            end -= 1
    return (start, end) if start < end else None


def rule_values(outline, rule):
    """Start, end and tag of all values that a rule finds."""
    tags = find(outline, rule.item)
    if rule.cut.attribute_digest is not None:
        name = rule.cut.attribute_digest
        tags = [tag for tag in tags if any(n == name and v for n, v in outline.pairs(tag))]
    if rule.container is not None:
        inside = {
            tag
            for container in find(outline, rule.container)
            for tag in range(container, outline.closes[container])
        }
        tags = [tag for tag in tags if tag in inside]
    matches = [(value(outline, rule.cut, tag), tag) for tag in tags]
    return [(*bounds, tag) for bounds, tag in matches if bounds is not None]


def chosen(outline, wrapper, field, values):
    """Which of a field's values in a record count."""
    if not values:
        return []
    take = wrapper.rules[field][0].take
    if take != "all":
        return [values[0 if take == "first" else -1]]
    first = values[0][2]
    if field in wrapper.several:
        return values
    if int(outline.names[first]) not in IN_NUMBERS:
        return values[:1]
    return [
        occurrence
        for occurrence in values
        if outline.parents[occurrence[2]] == outline.parents[first]
    ]


def rows(wrapper, text):
    """For each record the bounds of all values of each field."""
    outline = Outline(text)
    record = wrapper.record
    parts = [(0, outline.size)] if record is None else stretches(outline, record)
    candidates = []
    for first, last in parts:
        low, high = outline.start_of(first), outline.start_of(last) + (last == outline.size)
        row = {}
        for field in wrapper.fields:
            values = set()
            for rule in wrapper.rules[field]:
                if not (rule.otherwise and values):
                    values |= set(rule_values(outline, rule))
            inside = sorted(occurrence for occurrence in values if low <= occurrence[0] < high)
            if len(wrapper.rules[field]) == 1:
                inside.sort(key=lambda occurrence: occurrence[2])
            row[field] = chosen(outline, wrapper, field, inside)
        candidates.append(row)
    counted = [name for name in wrapper.fields if name in wrapper.required or not wrapper.required]
    counts = [sum(bool(row[name]) for name in counted) for row in candidates]
    needed = len(wrapper.required)
    are_records = [count > 0 and 2 * count >= needed for count in counts]
    partly = any(
        is_record and count < needed for is_record, count in zip(are_records, counts, strict=True)
    )
    if record is not None and needed > 1 and partly:
        tables = [int(outline.parents[first]) for first, _ in parts]
        complete = [table for table, count in zip(tables, counts, strict=True) if count == needed]
        seen = any(complete.count(table) > 1 for table in tables)
        are_records = [
            is_record
            and (not seen or 2 * count > needed or table in complete or tables.count(table) == 1)
            for is_record, count, table in zip(are_records, counts, tables, strict=True)
        ]
    return [
        [[occurrence[:2] for occurrence in values] for values in row.values()]
        for row, is_record in zip(candidates, are_records, strict=True)
        if is_record
    ]
