"""An extension of griffe: examples in docstrings become blocks of code in the API reference.

Without it their output is read as Markdown, where `['CS 105']` is a link that leads nowhere.
"""  # noqa: INP001  # named in mkdocs.yml

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^ *>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)
"""From a prompt to the next empty line."""


class Doctests(griffe.Extension):
    """Puts each example between fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of any object."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
