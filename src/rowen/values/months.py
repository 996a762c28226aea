"""Names of months in many languages."""

from functools import cache

from rowen.values.refusal import NotConverted, shown
from rowen.values.setting import Locale
from rowen.values.tables import fold, read_table

_RELATED = {"no": "nb", "nn": "nb", "bs": "hr", "ms": "id", "gl": "pt"}
"""Languages whose months have the names of another one."""


def month_of(word: str, locale: Locale) -> int | None:
    """The month that a word names, 1 for January; None if it names none.

    A name counts in every language: pages in one have dates in another. Where languages differ, as
    for `listopad`, the page's language decides.

    Raises:
        NotConverted: they differ, and the page's language has no such name.

    >>> month_of("Oktober", Locale()), month_of("Août", Locale()), month_of("word", Locale())
    (10, 8, None)
    """
    months = _names().get(fold(word))
    if not months:
        return None
    choices = set(months.values())
    if len(choices) == 1:
        return choices.pop()
    language = locale.language or ""
    month = months.get(_RELATED.get(language, language))
    if month is None:
        raise NotConverted(f"{shown(word)} is a month by language; set the field's language")
    return month


def is_thai(word: str) -> bool:
    """Whether a name is Thai; Thai dates count the years of the Buddhist era."""
    return "th" in _names().get(fold(word), {})


@cache
def _names() -> dict[str, dict[str, int]]:
    """The month that a name means, by language."""
    names: dict[str, dict[str, int]] = {}
    for language, months in read_table("months.toml").items():
        for month, forms in enumerate(months, 1):
            for form in forms:
                names.setdefault(fold(form), {})[language] = month
    return names
