"""The forms in which a wrapper can be written, by their names on the command line.

A form gives the values that the wrapper gives; where that is impossible, a `UsageError` says why.
"""

from collections.abc import Callable, Iterable

from rowen.model import Page, UsageError
from rowen.programs.css import to_css
from rowen.programs.page_object import to_page_object
from rowen.programs.python import to_python
from rowen.programs.regular_expression import to_regex
from rowen.programs.scrapy import to_scrapy
from rowen.programs.xpath import to_xpath
from rowen.wrappers.base import Wrapper

_PROGRAMS: dict[str, Callable[[Wrapper], str]] = {
    "text": Wrapper.explain,
    "python": to_python,
    "scrapy": to_scrapy,
    "page-object": to_page_object,
    "regex": to_regex,
}
"""Those that need nothing but the wrapper."""

_PATHS: dict[str, Callable[[Wrapper, Iterable[Page]], str]] = {"xpath": to_xpath, "css": to_css}
"""Those that are searched for on pages."""

FORMS = (*_PROGRAMS, *_PATHS)
"""The names that `export_wrapper` accepts."""


def export_wrapper(wrapper: Wrapper, form: str, pages: Iterable[Page | str] = ()) -> str:
    """Write a wrapper in another form, which does the same without Rowen.

    The forms are `text` (an explanation in words), `python` (a module), `scrapy` (a spider),
    `page-object` (for web-poet), `regex` (a regular expression), `xpath` and `css` (one XPath or
    CSS selector per field). XPaths and CSS selectors are searched for on `pages` and checked there;
    the other forms use no pages.

    A module, a spider and a page object give the same values as the wrapper, of the types of its
    schema. A regular expression gives the page's source, an XPath or CSS selector texts.

    Raises `UsageError` where the form can't express what the wrapper does, and says why.

    >>> import re
    >>> import rowen
    >>> page = "<li><b>Ada</b> <i>1815</i></li><li><b>Alan</b> <i>1912</i></li>"
    >>> marked = rowen.Example(page, [{"name": "Ada", "year": "1815"}], partial=True)
    >>> wrapper = rowen.learn([marked], "lr")
    >>> re.findall(rowen.export_wrapper(wrapper, "regex"), page)
    [('Ada', '1815'), ('Alan', '1912')]
    >>> module = rowen.export_wrapper(wrapper, "python")
    >>> "def extract(" in module
    True
    """
    if form in _PATHS:
        return _PATHS[form](wrapper, map(Page.of, pages))
    if form not in _PROGRAMS:
        raise UsageError(f"unknown form {form!r}; the forms are {', '.join(FORMS)}")
    return _PROGRAMS[form](wrapper)
