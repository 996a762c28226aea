"""Wrappers in other people's words: Python, Scrapy, regular expressions, XPath.

What is written says exactly what the wrapper says, or it is not written: a `UsageError` tells why.
"""

import re
from collections.abc import Callable
from pprint import pformat
from string import Template
from typing import Any

from rowen.model import UsageError
from rowen.wrappers.base import Wrapper

SCANS = ("lr", "hlrt", "oclr", "hoclrt")
"""The classes that run from left to right between constant delimiters."""

_PYTHON = Template('''\
"""Extracts $names: the wrapper $name (class $kind), written by Rowen."""

FIELDS = $fields
"""Each field with the text before its value and the text after it."""
$constants

def extract(page):
    """The records of a page, a dictionary each; one that is not complete ends the list."""
    records = []
$start    while True:
        place = page.find($first, cursor)
        if place < 0$stop:
            return records
$open        record = {}
        for field, left, right in FIELDS:
            start = page.find(left, cursor)
            if start < 0:
                return records
            start += len(left)
            cursor = page.find(right, start)
            if cursor < 0:
                return records
            record[field] = page[start:cursor]
        records.append(record)
$close''')

_SCRAPY = """\
from itemloaders.processors import MapCompose, TakeFirst
from scrapy import Spider
from scrapy.loader import ItemLoader
"""

_SPIDER = Template('''

class Loader(ItemLoader):
    """Cleans the values; add processors for single fields as FIELD_in."""

    default_item_class = dict
    default_input_processor = MapCompose(str.strip)
    default_output_processor = TakeFirst()


class WrapperSpider(Spider):
    name = $name
    start_urls = []

    def parse(self, response):
        for record in extract(response.text):
            loader = Loader()
            for field, value in record.items():
                loader.add_value(field, value)
            yield loader.load_item()
''')

_BY_ROWEN = Template('''\
"""Extracts $names: the wrapper $name (class $kind); needs rowen and the wrapper's file."""

import rowen

WRAPPER = rowen.load("wrapper.json")


def extract(page):
    """The records of a page, a dictionary each."""
    return [record.values for record in WRAPPER.extract(page)]
''')


def to_python(wrapper: Wrapper) -> str:
    """The source of a module with a function `extract(page)` that needs nothing else.

    It gives the values of the records that the wrapper gives, on every page.
    """
    given = _scan(wrapper, "Python")
    outer = {key: given[key] for key in ("head", "tail", "open", "close") if given[key] is not None}
    constants = "".join(f"{key.upper()} = {value!r}\n" for key, value in outer.items())
    sides = list(zip(given["fields"], given["left"], given["right"], strict=True))
    return _PYTHON.substitute(
        **_title(wrapper),
        fields=pformat(sides, width=88),
        constants=constants,
        start=_FROM_HEAD if "head" in outer else "    cursor = 0\n",
        first="OPEN" if "open" in outer else "FIELDS[0][1]",
        stop=" or page.find(TAIL, cursor, place + len(TAIL)) >= 0" if "tail" in outer else "",
        open="        cursor = place\n" if "open" in outer else "",
        close=_TO_CLOSE if "close" in outer else "",
    )


_FROM_HEAD = """\
    cursor = page.find(HEAD)
    if cursor < 0:
        return records
"""
_TO_CLOSE = """\
        cursor = page.find(CLOSE, cursor)
        if cursor < 0:
            return records
"""


def to_scrapy(wrapper: Wrapper) -> str:
    """A spider with an item loader; of other classes than the tabular ones it needs Rowen."""
    alone = wrapper.wrapper_class in SCANS
    source = to_python(wrapper) if alone else _BY_ROWEN.substitute(_title(wrapper))
    title, rest = source.split("\n", 1)
    spider = _SPIDER.substitute(name=repr(wrapper.name))
    return f"{title}\n\n{_SCRAPY}{rest}{spider}"


def to_regex(wrapper: Wrapper) -> str:
    r"""A regular expression whose successive matches are the wrapper's records.

    Named groups are fields; where a name can't be one, `field_1` and so on take its place. All
    parts are atomic: what a wrapper finds first, it never takes back, and a hostile page can't make
    the search slow. With a head or a tail it uses `\G`, which the module `regex`, Perl and PCRE
    have, and Python's own `re` has not.
    """
    given = _scan(wrapper, "a regular expression")
    left, right = map(re.escape, given["left"]), map(re.escape, given["right"])
    groups = group_names(given["fields"])
    head, tail, open_, close = (given[key] for key in ("head", "tail", "open", "close"))
    parts = [
        f"(?>.*?{before})(?P<{group}>(?>.*?(?={after})))"
        for group, before, after in zip(groups, left, right, strict=True)
    ]
    first = re.escape(given["left"][0])
    if open_ is not None:
        begin = f"(?={re.escape(open_)})"
    else:
        begin, parts[0] = first, parts[0].removeprefix(f"(?>.*?{first})")
    end = rf"(?>.*?(?:(?={re.escape(close)})|\Z))" if close else ""
    if tail is None:
        return f"(?s){begin}{''.join(parts)}{end}"
    no_tail = f"(?!{re.escape(tail)})"
    start = rf"(?:\A(?>.*?(?={re.escape(head)}))|(?!\A)\G)"
    return f"(?s){start}(?>(?:{no_tail}.)*?{no_tail}{begin}){''.join(parts)}{end}"


def group_names(fields: list[str]) -> list[str]:
    """A name for the group of each field: its own where that can be one."""
    return [
        field if field.isascii() and field.isidentifier() else f"field_{number}"
        for number, field in enumerate(fields, 1)
    ]


def to_xpath(wrapper: Wrapper) -> str:
    """An XPath that selects the elements whose contents are the values.

    There is one for a single field between a tag and its end only, and it says the same where the
    page spells and closes that tag as the examples do.
    """
    if wrapper.wrapper_class != "lr" or len(wrapper.fields) != 1:
        raise _refuse(
            wrapper,
            "XPath",
            "its values depend on what stands before them in the page's text, also outside the "
            "tree; an XPath that gives the same can be told for one field between <tag> and </tag> "
            "only",
        )
    settings = wrapper.settings()
    (left,), (right,) = settings["left"], settings["right"]
    tag = re.fullmatch(r"<([a-zA-Z][a-zA-Z0-9]*)>", left)
    if tag is None or right != f"</{tag[1]}>":
        raise _refuse(wrapper, "XPath", f"{left!r} and {right!r} are not an element's tags")
    return f"//{tag[1].lower()}[not(@*)]"


EXPORTS: dict[str, Callable[[Wrapper], str]] = {
    "python": to_python,
    "scrapy": to_scrapy,
    "regex": to_regex,
    "xpath": to_xpath,
}
"""The forms by the names that the command line has for them."""


def _scan(wrapper: Wrapper, form: str) -> dict[str, Any]:
    if wrapper.wrapper_class not in SCANS:
        raise _refuse(wrapper, form, f"only the classes {', '.join(SCANS)} are as simple as that")
    return {"head": None, "tail": None, "open": None, "close": None, **wrapper.settings()}


def _refuse(wrapper: Wrapper, form: str, reason: str) -> UsageError:
    kind = wrapper.wrapper_class
    return UsageError(f"{form} can't say what this wrapper of class {kind!r} does: {reason}")


def _title(wrapper: Wrapper) -> dict[str, str]:
    """What the first line of a module tells."""
    return {
        "names": _plain(", ".join(wrapper.fields)),
        "name": repr(_plain(wrapper.name)),
        "kind": wrapper.wrapper_class,
    }


def _plain(text: str) -> str:
    """A text that can stand in a docstring."""
    return re.sub(r"[\"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", "?", text)
