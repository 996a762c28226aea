"""The history of a paper: when it was received, revised, accepted and published.

Received: 3 May 2019; Accepted: 2019-07-01     received 2019-05-03, accepted 2019-07-01
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from rowen.values.dates import to_date
from rowen.values.refusal import NotConverted
from rowen.values.setting import Setting

_DATE = (
    r"(?P<date>\d{1,2}(?:st|nd|rd|th)?[\s.\-/]{1,3}[^\W\d_]{3,10}\.?[\s.,\-/]{1,3}\d{4}"
    r"|[^\W\d_]{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s{1,2}\d{4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    r"|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}\.? de [^\W\d_]{3,10} de \d{4}|[^\W\d_]{3,10} \d{4})"
)
_BETWEEN = r"\W{0,4}(?:(?:on|online|date|the|le|el|em|am|il)\b\W{0,3}){0,2}"


def dates_of(text: str) -> dict[str, str]:
    """The dates in a text by what happened; in ISO 8601 where they have one reading.

    >>> dates_of("Received: 3 May 2019; accepted for publication July 1, 2019.")
    {'received': '2019-05-03', 'accepted': '2019-07-01'}
    """
    dates: dict[str, str] = {}
    for kind, form in _forms().items():
        match = form.search(text)
        if match is not None:
            dates[kind] = iso_date(match["date"])
    return dates


def iso_date(printed: str) -> str:
    """A date in ISO 8601 if it has only one reading, otherwise as it is printed."""
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", printed)
    try:
        return to_date(plain, Setting(language="en")).isoformat()
    except NotConverted:
        return " ".join(printed.split())


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    table = tomllib.loads(files(__package__).joinpath("history.toml").read_text("utf-8"))
    return {
        kind: re.compile(rf"\b(?:{words}){_BETWEEN}{_DATE}", re.IGNORECASE)
        for kind, words in table.items()
    }
