"""Ready recognizers, and recognizers from files that people write."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from rowen.extractors.definition import DEFINITION_BYTES
from rowen.extractors.saved import load
from rowen.learning.recognizers.model import recognizers_of_model
from rowen.learning.recognizers.recognizer import (
    Recognizer,
    Soundness,
    Where,
    from_entries,
    from_pattern,
)
from rowen.model import ExtractorError

MODEL = "model"
"""What `use` says where a language model recognizes fields."""

SETTINGS = frozenset(
    {"field", "use", "pattern", "entries", "file", "extractor", "soundness", "where", "check"}
    | {"words", "fold_case"}
)
READY_KEPT = 128
"""Limit: how many ready recognizers are kept, each with its field; there are fourteen names."""

KINDS = ("use", "pattern", "entries", "file", "extractor")


def ready_names() -> list[str]:
    """The names of all ready recognizers.

    >>> from rowen.recognizers import ready_names
    >>> "isbn" in ready_names()
    True
    """
    return list(_library()["recognizer"])


def ready(name: str, *, field: str | None = None, soundness: str | None = None) -> Recognizer:
    """A ready recognizer, for the field of its own name unless another is given.

    Raises `ExtractorError` where none has that name.

    >>> from rowen.recognizers import ready
    >>> ready("isbn", field="book").find("ISBN 978-0-13-110362-7, not 978-0-13-110362-0")
    [Span(5, 22)]
    """
    recognizer = _ready(name, field or name)
    if soundness is None:
        return recognizer
    return replace(recognizer, **_options(recognizer.field, {"soundness": soundness}))


@lru_cache(maxsize=READY_KEPT)
def _ready(name: str, field: str) -> Recognizer:
    """A ready recognizer, made once.

    Recognizers don't change, so callers can share one. To compile the pattern for names of persons
    takes 0.07 s, and to prove how far it looks 0.11 s at its first page.
    """
    table = _library()["recognizer"].get(name)
    if table is None:
        names = ", ".join(ready_names())
        raise ExtractorError(f"unknown ready recognizer {name!r}; choose from {names}")
    return _recognizer({**table, "field": field}, None)


def load_recognizers(path: str | os.PathLike[str]) -> list[Recognizer]:
    r"""The recognizers of a TOML file, in its order: one `[[recognizer]]` table each.

    A table has a `field` and one of `use` (a ready one), `pattern`, `entries`, `file` (of entries,
    one per line) or `extractor` (a saved one, such as a wrapper); further `soundness`, `where`,
    `check`, `words` and `fold_case`. With `use = "model"` a table is for several fields, which a
    language model recognizes: `url`, `model`, `fields` with the meaning of each, and `pages`.

    Raises `ExtractorError` where the file can't be read or a table is malformed.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rowen.recognizers import load_recognizers
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "recognizers.toml")
    ...     written = path.write_text("[[recognizer]]\nfield = 'code'\npattern = '[A-Z]{2}'\n")
    ...     (codes,) = load_recognizers(path)
    >>> codes.find("CG and EG")
    [Span(0, 2), Span(7, 9)]
    """
    path = Path(path)
    try:
        return [
            recognizer
            for table in _tables(_read(path))
            for recognizer in (
                recognizers_of_model(table)
                if isinstance(table, Mapping) and table.get("use") == MODEL
                else [_recognizer(table, path.parent)]
            )
        ]
    except ExtractorError as error:
        raise ExtractorError(f"{path}: {error}") from None


def _tables(text: str) -> list[object]:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExtractorError(f"malformed TOML: {error}") from None
    tables = content.get("recognizer")
    if not isinstance(tables, list) or not tables or len(content) > 1:
        raise ExtractorError("a recognizers file must have [[recognizer]] tables, and nothing else")
    return tables


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > DEFINITION_BYTES:
            raise ExtractorError(f"larger than {DEFINITION_BYTES} bytes")
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ExtractorError(error.strerror or "can't be read") from None
    except UnicodeDecodeError:
        raise ExtractorError("not UTF-8 text") from None


def _recognizer(table: object, folder: Path | None) -> Recognizer:
    if not isinstance(table, Mapping):
        raise ExtractorError("a recognizer must be a table of settings")
    field = table.get("field")
    if not isinstance(field, str) or not field:
        raise ExtractorError("a recognizer needs a 'field'")
    if unknown := table.keys() - SETTINGS:
        names = ", ".join(sorted(SETTINGS))
        raise _error(field, f"unknown setting {min(unknown)!r}; the settings are {names}")
    kinds = [kind for kind in KINDS if kind in table]
    if len(kinds) != 1:
        raise _error(field, f"give one of {', '.join(KINDS)}")
    return _MAKERS[kinds[0]](field, table, folder)


def _from_use(field: str, table: Mapping[str, Any], _folder: Path | None) -> Recognizer:
    named = ready(_text(field, table, "use"), field=field)
    changed = _options(field, table)
    return Recognizer(
        field,
        named.source,
        changed.get("soundness", named.soundness),
        changed.get("where", named.where),
        changed.get("check", named.check),
    )


def _from_pattern(field: str, table: Mapping[str, Any], _folder: Path | None) -> Recognizer:
    pattern = _text(field, table, "pattern")
    words = _library()["words"]
    while named := [name for name in words if f"@{name}@" in pattern]:  # words hold others
        for name in named:
            pattern = pattern.replace(f"@{name}@", "|".join(words[name]))
    return from_pattern(field, pattern, **_options(field, table))


def _from_entries(field: str, table: Mapping[str, Any], folder: Path | None) -> Recognizer:
    if "file" in table:
        lines = _read((folder or Path()) / _text(field, table, "file")).splitlines()
        entries = [line.strip() for line in lines if line.strip()]
    else:
        entries = table["entries"]
        if isinstance(entries, str) and entries.strip("@") in _library()["words"]:
            entries = _library()["words"][entries.strip("@")]
        if not isinstance(entries, list):
            raise _error(field, "'entries' is a list of strings")
    flags = {key: table[key] for key in ("words", "fold_case") if key in table}
    if not all(isinstance(flag, bool) for flag in flags.values()):
        raise _error(field, "'words' and 'fold_case' are true or false")
    default = from_entries(field, entries, **flags)
    options = {"soundness": default.soundness, "where": default.where, **_options(field, table)}
    return Recognizer(field, default.source, **options)


def _from_extractor(field: str, table: Mapping[str, Any], folder: Path | None) -> Recognizer:
    extractor = load((folder or Path()) / _text(field, table, "extractor"))
    return Recognizer(field, extractor, **_options(field, table))


_MAKERS: dict[str, Callable[[str, Mapping[str, Any], Path | None], Recognizer]] = {
    "use": _from_use,
    "pattern": _from_pattern,
    "entries": _from_entries,
    "file": _from_entries,
    "extractor": _from_extractor,
}


def _options(field: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that all recognizers may have."""
    options: dict[str, Any] = {}
    for key, kind in (("soundness", Soundness), ("where", Where)):
        if key in table:
            try:
                options[key] = kind(table[key])
            except ValueError:
                names = ", ".join(kind)
                raise _error(field, f"{key!r} must be one of {names}, not {table[key]!r}") from None
    if "check" in table:
        check = CHECKS.get(table["check"])
        if check is None:
            raise _error(field, f"'check' must be one of {', '.join(CHECKS)}")
        options["check"] = check
    return options


def _text(field: str, table: Mapping[str, Any], key: str) -> str:
    value = table[key]
    if not isinstance(value, str) or not value:
        raise _error(field, f"{key!r} is a string")
    return value


def _error(field: str, complaint: str) -> ExtractorError:
    return ExtractorError(f"recognizer of {field!r}: {complaint}")


def is_isbn(text: str) -> bool:
    """Whether it has the groups and the check digit of an ISBN with 10 or 13 digits."""
    digits = [
        10 if character in "xX" else int(character)
        for character in text
        if character.isdigit() or character in "xX"
    ]
    parted = len(text) - len(digits)
    if len(digits) == 13:
        summed = sum(digits[::2], 3 * sum(digits[1::2]))
        return text[:3] in _BOOKLAND and parted in {0, 1, 4} and not summed % 10
    if len(digits) != 10 or 10 in digits[:-1] or parted not in {0, 3}:
        return False
    return (
        not sum(weight * digit for weight, digit in zip(range(10, 0, -1), digits, strict=True)) % 11
    )


_BOOKLAND = {"978", "979"}


def is_phone(text: str) -> bool:
    """Whether a number has as many digits as telephones have, and is nothing else."""
    number = _EXTENSION.sub("", text.replace("&nbsp;", " ").replace("&#160;", " "))
    keys = sum(
        character.isdigit() or character.isupper() for character in number
    )  # letters are on the keys, too
    is_book = number.startswith("97") and is_isbn(number)
    return 7 <= keys <= 15 and not is_book and not _NO_PHONE.fullmatch(number)


_EXTENSION = re.compile(r",?\s?(?:x|ext\.?|extension)\s?\d{1,5}\Z", re.IGNORECASE)

_NO_PHONE = re.compile(
    r"(?:19|20)\d\d[-. /]\d\d?[-. /]\d\d?(?: \d\d?)?|\d\d[-. /]\d\d[-. /](?:19|20)\d\d"  # dates
    r"|(?:1[5-9]|20)\d\d[- ](?:1[5-9]|20)\d\d"  # years
    r"|\d{5}-\d{4}"  # ZIP+4
    r"|\d{3}-\d{2}-\d{4}"  # social security
    r"|[1-9]\d{0,2}(?:([ .])000)(?:\1\d{3})+"  # thousands, where it is sure
    r"|\d{1,3}(?:\.\d{1,3}){3}"  # addresses
)


def is_address(text: str) -> bool:
    """Whether it is an address of the internet protocol, version 4 or 6."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


CHECKS: dict[str, Callable[[str], bool]] = {
    "isbn": is_isbn,
    "phone": is_phone,
    "ip": is_address,
}
"""What a pattern can't decide."""


@cache
def _library() -> dict[str, Any]:
    text = files("rowen.learning.recognizers").joinpath("recognizers.toml").read_text("utf-8")
    return tomllib.loads(text)
