"""Booleans: words that answer yes or no whatever the field asks."""

from functools import cache

from rowen.values.refusal import NotConverted, shown, stripped
from rowen.values.setting import Setting, locale_of
from rowen.values.tables import read_table


def to_boolean(text: str, setting: Setting) -> bool:
    """Yes or no, in the page's language, in English or in a language where the word is plain.

    Raises:
        NotConverted: the text is no such word.

    >>> to_boolean("Ja", Setting("de")), to_boolean("no", Setting())
    (True, False)
    """
    word = stripped(text).casefold().rstrip(".!")
    meanings = _words().get(word, {})
    language = locale_of(setting.language).language
    for name in (language, "any"):
        if name in meanings:
            return meanings[name]
    if len(set(meanings.values())) == 1:
        return next(iter(meanings.values()))
    if meanings:
        raise NotConverted(f"{shown(text)} is yes or no by language; set the field's language")
    raise NotConverted(f"{shown(text)} is neither yes nor no")


@cache
def _words() -> dict[str, dict[str | None, bool]]:
    """What a word means, by language."""
    words: dict[str, dict[str | None, bool]] = {}
    for answer, languages in read_table("booleans.toml").items():
        for language, names in languages.items():
            for name in names:
                words.setdefault(name.casefold(), {})[language] = answer == "true"
    return words
