"""Wrappers as XPaths, which are looked for on pages and checked there.

A wrapper reads a page's source and an XPath its tree, so that none can be shown to say the same on
every page. Those are written that give the wrapper's values on all pages at hand, with lxml; white
space, character references and tags inside values aside.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, TypeAlias

from rowen.documents.references import decode
from rowen.limits import XPATHS_TRIED
from rowen.model import Page, Record, UsageError
from rowen.wrappers.base import Wrapper
from rowen.wrappers.exporting.refusal import refuse

Element: TypeAlias = Any
"""An element of lxml, which has no types."""
Values: TypeAlias = dict[str, list[str]]

LEVELS = 3
"""So many elements an XPath names, at most, on the way to a value."""
TELLING = ("id", "class", "itemprop", "property", "rel", "name", "headers", "data-label")
"""Attributes that tell what an element is for."""
LONGEST = 60
"""Attributes with longer values are data, not names."""


@dataclass(frozen=True)
class _Scope:
    """An element in which a record stands, and the record's values."""

    element: Element
    values: Values


class _NoPath(Exception):  # noqa: N818  # becomes a refusal
    """There is no XPath, for this reason."""


def to_xpath(wrapper: Wrapper, pages: Iterable[Page]) -> str:
    """A line for the elements that are records, where pages have several, then a line a field."""
    trees = [
        (_tree(page), [_values(wrapper, one) for one in wrapper.extract(page)]) for page in pages
    ]
    if not trees:
        raise UsageError("an XPath is looked for and checked on pages: give some")
    if not any(records for _, records in trees):
        raise refuse(wrapper, "XPath", "it finds nothing on these pages")
    try:
        if all(len(records) <= 1 for _, records in trees):
            scopes = [_Scope(root, records[0] if records else {}) for root, records in trees]
            found = _fields(wrapper.fields, scopes, "//")
        else:
            found = _records(wrapper.fields, trees)
    except _NoPath as reason:
        raise refuse(wrapper, "XPath", str(reason)) from None
    return "".join(f"{name}: {path}\n" for name, path in found.items())


def _tree(page: Page) -> Element:
    try:
        from lxml import html
    except ImportError:
        raise UsageError("XPaths are checked with lxml: pip install lxml") from None
    source = page.text.encode("utf-8", "replace")
    tree = html.document_fromstring(source or b"<p>", parser=html.HTMLParser(encoding="utf-8"))
    return tree.getroottree()


def _values(wrapper: Wrapper, record: Record) -> Values:
    if record.children:
        raise refuse(wrapper, "XPath", "its records are nested")
    text = record.page.text
    return {name: [_seen(span.of(text)) for span in spans] for name, spans in record.items()}


def _seen(value: str) -> str:
    """A value as its reader sees it."""
    if "<" in value:
        from lxml import html

        return _squeezed(html.fromstring(f"<div>{value}</div>").text_content())
    return _squeezed(decode(value).text)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _records(
    fields: Sequence[str], trees: Sequence[tuple[Element, list[Values]]]
) -> dict[str, str]:
    """Elements for records, such that in each stand the values of one."""
    root, records = max(trees, key=lambda tree: len(tree[1]))
    reason = "no elements hold one record each"
    for path in islice(_paths(_holders(root, records), "//"), XPATHS_TRIED):
        scopes: list[_Scope] = []
        for tree, wanted in trees:
            elements = tree.xpath(path)
            if len(elements) != len(wanted):
                break
            scopes += map(_Scope, elements, wanted)
        else:
            try:
                return {"(records)": path, **_fields(fields, scopes, ".//")}
            except _NoPath as error:
                reason = str(error)
    raise _NoPath(reason)


def _holders(root: Element, records: Sequence[Values]) -> list[tuple[Element, str]]:
    """The smallest element that has the first record's values, and those around it."""
    texts = [value for values in records[0].values() for value in values if value]
    if not texts:
        return []
    smallest, size = None, 0
    for element in root.iter():
        if isinstance(element.tag, str):
            shown = _everything(element)
            if all(one in shown for one in texts) and (smallest is None or len(shown) <= size):
                smallest, size = element, len(shown)
    if smallest is None:
        return []
    return [(one, "") for one in (smallest, *islice(smallest.iterancestors(), LEVELS))]


def _everything(element: Element) -> str:
    """The texts and the attributes' values in an element."""
    attributes = [value for one in element.iter() for value in one.attrib.values()]
    return _squeezed(" ".join([*element.itertext(), *attributes]))


def _fields(fields: Sequence[str], scopes: Sequence[_Scope], start: str) -> dict[str, str]:
    return {name: _field(name, scopes, start) for name in fields}


def _field(name: str, scopes: Sequence[_Scope], start: str) -> str:
    """An XPath that gives the field's values in every scope, and nothing where there is none."""
    first = next((one for one in scopes if any(one.values.get(name, ()))), None)
    if first is None:
        raise _NoPath(f"field {name!r} is on none of these pages; give some that have it")
    value = next(filter(None, first.values[name]))
    holders = list(_holding(first.element, value))
    if not holders:
        raise _NoPath(f"field {name!r}: {value[:40]!r} is only a part of a text or an attribute")
    # The scope that has most to exclude refuses most candidates.
    order = sorted(scopes, key=lambda one: len(one.values.get(name, ())) == 1)
    for path in islice(_paths(holders, start), XPATHS_TRIED):
        if all(_found(one.element, path) == one.values.get(name, []) for one in order):
            return path
    raise _NoPath(f"field {name!r}: no simple XPath finds its values and nothing else")


def _found(scope: Element, path: str) -> list[str]:
    found = scope.xpath(path)
    return [_squeezed(one if isinstance(one, str) else one.text_content()) for one in found]


def _holding(scope: Element, value: str) -> Iterator[tuple[Element, str]]:
    """Elements that have a value, each with the step to it: a text, an attribute, all of it."""
    inside = [one for one in scope.iter() if isinstance(one.tag, str)]
    for element in inside:
        texts = [_squeezed(one) for one in element.xpath("text()[normalize-space()]")]
        if texts == [value]:
            yield element, "/text()"
        elif value in texts:
            yield element, f"/text()[normalize-space()][{texts.index(value) + 1}]"
    for element in inside:
        for name, given in element.attrib.items():
            if _squeezed(given) == value and _is_plain(name):
                yield element, f"/@{name}"
    for element in inside:
        if len(element) and _squeezed(element.text_content()) == value:
            yield element, ""


def _paths(holders: Sequence[tuple[Element, str]], start: str) -> Iterator[str]:
    """Ways to say where elements stand, each with its last step, the plainest first."""
    for levels in range(1, LEVELS + 1):
        ways: dict[str, int] = {}
        for element, last in holders:
            chain = [element, *islice(element.iterancestors(), levels - 1)]
            if len(chain) == levels:
                for way in product(*(list(_steps(one)) for one in chain)):
                    path = "/".join(step for _, step in reversed(way))
                    ways.setdefault(f"{start}{path}{last}", sum(cost for cost, _ in way))
        yield from sorted(ways, key=ways.__getitem__)


def _steps(element: Element) -> Iterator[tuple[int, str]]:
    """An element by its name, by an attribute, by what stands in or before it, by its place."""
    tag = element.tag
    if not _is_plain(tag):
        return
    yield 0, tag
    for name, value in element.attrib.items():
        if name in TELLING and value and len(value) <= LONGEST and '"' not in value:
            yield 1, f'{tag}[@{name}="{value}"]'
    for child in dict.fromkeys(one.tag for one in element if _is_plain(one.tag)):
        yield 2, f"{tag}[{child}]"
    before = element.getprevious()
    if before is not None and _is_plain(before.tag):
        label = _squeezed(before.text_content())
        if 0 < len(label) <= LONGEST and '"' not in label:
            yield 2, f'{before.tag}[normalize-space()="{label}"]/following-sibling::{tag}[1]'
    same = sum(one.tag == tag for one in element.itersiblings(preceding=True))
    yield 3, f"{tag}[{same + 1}]"


def _is_plain(name: object) -> bool:
    """Whether an XPath can name it; broken pages have elements such as `a:b`, lxml has comments."""
    return isinstance(name, str) and re.fullmatch(r"[a-zA-Z][\w-]*", name, re.ASCII) is not None
