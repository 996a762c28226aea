"""Wrappers as page objects of web-poet, which scrapy-poet gives to spiders."""

import re
from string import Template

from rowen.programs.python import to_python
from rowen.wrappers.base import Wrapper

_IMPORTS = """
from web_poet import WebPage
"""

_PAGE = Template('''

class $name(WebPage[list[Record]]):
    """A page of the site that the wrapper was learned for; its item is the list of its records."""

    async def to_item(self) -> list[Record]:
        return list(extract(self.response.text, str(self.response.url)))
''')


def to_page_object(wrapper: Wrapper) -> str:
    """A module with the wrapper's function and a page object; needs web-poet alone."""
    words = re.findall(r"[A-Za-z0-9]+", wrapper.name)
    name = "".join(word[:1].upper() + word[1:] for word in words) + "Page"
    module = to_python(wrapper, other_imports=_IMPORTS)
    return module + _PAGE.substitute(name=name if not name[0].isdigit() else f"Page{name}")
