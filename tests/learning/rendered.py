"""Made-up pages with nested records: trees of values, rendered through made-up templates."""

from dataclasses import dataclass
from itertools import count

import hypothesis.strategies as st

import rowen

TAGS = ["div", "p", "span", "b", "i", "em", "h2", "h3", "section", "article", "strong", "u"]
BLOCKS = ["div", "section", "article", "li"]


@dataclass(frozen=True)
class Level:
    """How the records of one level are rendered: fields in order, one of which may be nested."""

    element: str
    label: str
    fields: tuple[tuple[str, str, str], ...]
    """Name, tag and class of each."""
    nested: "Level | None" = None
    place: int = 0
    """Before which of the fields the nested list stands."""
    container: bool = True
    name: str = ""
    noise: str = ""


@st.composite
def levels(draw, depth, prefix="f"):
    """A template; below it `depth` levels of nested records."""
    number = draw(st.integers(1, 3))
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=number, max_size=number))
    fields = tuple(
        (f"{prefix}{n}", tag, f"{prefix}-{n}" if draw(st.booleans()) or n else f"{prefix}-x")
        for n, tag in enumerate(tags)
    )
    nested = draw(levels(depth - 1, f"{prefix}n")) if depth else None
    return Level(
        element=draw(st.sampled_from(BLOCKS)),
        label=f"{prefix}-item",
        fields=fields,
        nested=nested,
        place=draw(st.integers(0, number)),
        container=draw(st.booleans()),
        name=f"{prefix}list",
        noise=draw(st.sampled_from(["", "<hr>", "<small>note</small>"])),
    )


def trees(level, values, *, least=0, most=3):
    """Lists of records for a template; values are numbers that `values` draws."""
    record = {name: st.builds(lambda n: n, values) for name, *_ in level.fields}
    if level.nested is not None:
        record[level.name] = trees(level.nested, values)
    return st.lists(st.fixed_dictionaries(record), min_size=least, max_size=most)


def numbered(records, numbers):
    """The same records with values that occur once."""
    return [
        {
            name: numbered(value, numbers)
            if isinstance(value, list)
            else f"w{next(numbers)}x{value}"
            for name, value in record.items()
        }
        for record in records
    ]


def render(level, records):
    """The HTML of records."""
    parts = []
    for record in records:
        pieces = [
            f'<{tag} class="{label}">{record[name]}</{tag}>' for name, tag, label in level.fields
        ]
        if level.nested is not None:
            inner = render(level.nested, record[level.name])
            pieces.insert(
                level.place, f'<ul class="{level.name}">{inner}</ul>' if level.container else inner
            )
        body = "".join(pieces)
        parts.append(
            f'<{level.element} class="{level.label}">{body}{level.noise}</{level.element}>'
        )
    return "".join(parts)


def page(level, records, name):
    """A page with some text around the records."""
    head = f"<html><head><title>Page {name}</title></head><body><nav><a href='/'>Home</a></nav>"
    return rowen.Page(f"{head}<main>{render(level, records)}</main><footer>end</footer>", id=name)


def fresh():
    """Numbers for values."""
    return count(100)
