"""The ready recognizers, and those that people write down in a file of their own."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from rowen.extractors.saved import load
from rowen.limits import DEFINITION_BYTES
from rowen.model import ExtractorError
from rowen.wrappers.recognizing.recognizers import (
    Recognizer,
    Soundness,
    Where,
    from_entries,
    from_pattern,
)

SETTINGS = frozenset(
    {"field", "use", "pattern", "entries", "file", "extractor", "soundness", "where", "check"}
    | {"words", "fold_case"}
)
KINDS = ("use", "pattern", "entries", "file", "extractor")


def ready_names() -> list[str]:
    """What ready recognizers there are."""
    return list(_library()["recognizer"])


def ready(name: str, *, field: str | None = None, soundness: str | None = None) -> Recognizer:
    """A ready recognizer, for the field of its own name unless another is given."""
    table = _library()["recognizer"].get(name)
    if table is None:
        known = ", ".join(ready_names())
        raise ExtractorError(f"no ready recognizer is called {name!r}; there are {known}")
    settings = {**table, "field": field or name}
    if soundness is not None:
        settings["soundness"] = soundness
    return _recognizer(settings, None)


def load_recognizers(path: str | os.PathLike[str]) -> list[Recognizer]:
    """The recognizers of a TOML file, in its order: one `[[recognizer]]` table each.

    A table has a `field` and one of `use` (a ready one), `pattern`, `entries`, `file` (of entries,
    a line each) or `extractor` (a saved one, such as a wrapper); further `soundness`, `where`,
    `check`, `words` and `fold_case`.
    """
    path = Path(path)
    try:
        return [_recognizer(table, path.parent) for table in _tables(_read(path))]
    except ExtractorError as error:
        raise ExtractorError(f"{path}: {error}") from None


def _tables(text: str) -> list[object]:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExtractorError(f"malformed TOML: {error}") from None
    tables = content.get("recognizer")
    if not isinstance(tables, list) or not tables or len(content) > 1:
        raise ExtractorError("a recognizers file has [[recognizer]] tables, and nothing else")
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
        raise ExtractorError("a recognizer is a table of settings")
    field = table.get("field")
    if not isinstance(field, str) or not field:
        raise ExtractorError("a recognizer needs a 'field'")
    if unknown := table.keys() - SETTINGS:
        known = ", ".join(sorted(SETTINGS))
        raise _error(field, f"unknown setting {min(unknown)!r}; there are {known}")
    given = [kind for kind in KINDS if kind in table]
    if len(given) != 1:
        raise _error(field, f"give one of {', '.join(KINDS)}")
    return _MAKERS[given[0]](field, table, folder)


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
    made = from_entries(field, entries, **flags)
    options = {"soundness": made.soundness, "where": made.where, **_options(field, table)}
    return Recognizer(field, made.source, **options)


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
    """The settings that all recognizers have, those that are given."""
    options: dict[str, Any] = {}
    for key, kind in (("soundness", Soundness), ("where", Where)):
        if key in table:
            try:
                options[key] = kind(table[key])
            except ValueError:
                known = ", ".join(kind)
                raise _error(field, f"{key!r} is one of {known}, not {table[key]!r}") from None
    if "check" in table:
        check = CHECKS.get(table["check"])
        if check is None:
            raise _error(field, f"'check' is one of {', '.join(CHECKS)}")
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
    digits = [10 if one in "xX" else int(one) for one in text if one.isdigit() or one in "xX"]
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
    keys = sum(one.isdigit() or one.isupper() for one in number)  # letters stand on the keys, too
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
    text = files("rowen.wrappers.recognizing").joinpath("recognizers.toml").read_text("utf-8")
    return tomllib.loads(text)
