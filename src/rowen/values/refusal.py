"""The one way in which a conversion fails: a reason that a person can act on."""

TEXT_CHARACTERS = 1_000
"""Limit: the longest text that is read as a number, a price, a date or a boolean. A longer one is prose, and reading it costs time."""  # noqa: E501  # the generated page takes the docstring as it is

_SHOWN_CHARACTERS = 60
"""Limit: how much of a text a reason quotes: reasons are lines in logs and reports."""


class NotConverted(ValueError):  # noqa: N818  # the name says what happened to the value
    """A text that can't be converted to a type; `reason` is a short sentence that says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def shown(text: str) -> str:
    r"""A text in quotes for a reason: on one line, and shortened where it is long.

    >>> shown("12\napples")
    "'12 apples'"
    """
    cut = text[:_SHOWN_CHARACTERS]
    dots = "..." if len(text) > len(cut) else ""
    # Half a surrogate pair could not be written to a log.
    line = " ".join(cut.split()).encode("utf-8", "replace").decode("utf-8")
    return f"'{line}{dots}'"


def stripped(text: str) -> str:
    """The text without white space around it; refuses what is empty or too long to be a value."""
    if len(text) > TEXT_CHARACTERS:
        raise NotConverted(
            f"{shown(text)} is longer than {TEXT_CHARACTERS} characters: too long for a value"
        )
    text = text.strip()
    if not text:
        raise NotConverted("the text is empty")
    return text
