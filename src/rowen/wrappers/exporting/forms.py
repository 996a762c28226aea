"""The forms in which a wrapper can be written, by the names that the command line has for them.

What is written says exactly what the wrapper says, or it is not written: a `UsageError` tells why.
"""

from collections.abc import Callable

from rowen.wrappers.base import Wrapper
from rowen.wrappers.exporting.python import to_python
from rowen.wrappers.exporting.regular_expression import to_regex
from rowen.wrappers.exporting.scrapy import to_scrapy

FORMS: dict[str, Callable[[Wrapper], str]] = {
    "python": to_python,
    "scrapy": to_scrapy,
    "regex": to_regex,
}
"""Those that need nothing but the wrapper; an XPath needs pages, too."""
