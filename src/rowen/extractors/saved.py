"""Saved extractors: JSON for programs, TOML for people."""

import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from rowen.extractors.base import Extractor
from rowen.extractors.definition import DEFINITION_BYTES, FORMAT, Definition
from rowen.model import ExtractorError

KINDS = {
    "pattern": "rowen.extractors.pattern:Pattern",
    "dictionary": "rowen.extractors.dictionary:Dictionary",
    "relation": "rowen.extractors.relation:Relation",
    "paper": "rowen.sheets.records:PaperRecords",
    "chain": "rowen.extractors.chain:Chain",
    "wrapper": "rowen.wrappers.base:Wrapper",
}
"""The kinds that can be saved, and their classes, which are imported when needed."""


def load(path: str | os.PathLike[str]) -> Extractor:
    r"""Load a saved extractor; the file must have exactly one.

    >>> import rowen
    >>> rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms").save("rooms.json")
    >>> load("rooms.json").extract("CS 105")
    Records(1: [Record(room='CS 105')])
    """
    extractors = load_all(path)
    if len(extractors) != 1:
        names = ", ".join(extractor.name for extractor in extractors)
        raise ExtractorError(
            f"{path} has {len(extractors)} extractors ({names}), where one is expected; "
            "rowen.load_all reads all of them"
        )
    return extractors[0]


def load_all(path: str | os.PathLike[str]) -> list[Extractor]:
    r"""Load all extractors of a file in order, except those marked as parts of others.

    >>> from pathlib import Path
    >>> _ = Path("rules.toml").write_text(
    ...     "[[extractor]]\nname = 'rooms'\nkind = 'pattern'\npattern = '(?P<room>CS \\d+)'\n"
    ...     "[[extractor]]\nname = 'years'\nkind = 'pattern'\npattern = '(?P<year>20\\d\\d)'\n"
    ... )
    >>> [extractor.name for extractor in load_all("rules.toml")]
    ['rooms', 'years']
    """
    path = Path(path)
    try:
        tables = list(_tables(_read(path)))
        return _Workshop(tables, path.parent).extractors()
    except ExtractorError as error:
        raise ExtractorError(f"{path}: {error}") from None


def parse_all(content: str, form: str) -> list[Extractor]:
    """Load extractors from a text in JSON or TOML, which must not refer to files."""
    tables = list(_tables(parsed(content, form)))
    _refuse_files(tables)
    return _Workshop(tables, None).extractors()


def from_dict(saved: Mapping[str, Any]) -> Extractor:
    """The extractor that a definition describes."""
    (extractor,) = _Workshop([saved], None).extractors()
    return extractor


def _read(path: Path) -> Mapping[str, Any]:
    form = path.suffix[1:].lower()
    if form not in _READERS:
        raise ExtractorError("the name of a saved extractor must end in .json or .toml")
    try:
        if path.stat().st_size > DEFINITION_BYTES:
            raise ExtractorError(f"larger than {DEFINITION_BYTES} bytes")
        content = path.read_text("utf-8-sig")
    except OSError as error:
        raise ExtractorError(error.strerror or "can't be read") from None
    except UnicodeDecodeError:
        raise ExtractorError("not UTF-8 text") from None
    return parsed(content, form)


_READERS: dict[str, Callable[[str], Any]] = {"json": json.loads, "toml": tomllib.loads}


def parsed(content: str, form: str) -> Mapping[str, Any]:
    """Parse a text in JSON or TOML into a table."""
    try:
        table = _READERS[form](content)
    except ValueError as error:
        raise ExtractorError(f"malformed {form.upper()}: {error}") from None
    except RecursionError:
        raise ExtractorError("nested too deeply") from None
    if not isinstance(table, Mapping):
        raise ExtractorError("not an extractor: a table of settings is expected")
    return table


def _refuse_files(content: object) -> None:
    """Refuse references to files: a client could read the server's files with them."""
    left = [content]  # not by recursion: hostile definitions nest deeply
    while left:
        node = left.pop()
        if isinstance(node, list):
            left.extend(node)
        elif isinstance(node, Mapping):
            if node.get("kind") == "dictionary" and "file" in node:
                raise ExtractorError("a dictionary must have its 'entries' here, not in a 'file'")
            if node.get("kind") == "wrapper" and "file" in node:
                raise ExtractorError("a wrapper must have its settings here, not in a 'file'")
            left.extend(node.values())


def _tables(content: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The definitions in a file: the file itself, or the tables under `extractor`."""
    if "extractor" not in content:
        yield content
        return
    if unknown := content.keys() - {"extractor", "rowen"}:
        raise ExtractorError(f"unknown table {min(unknown)!r} beside 'extractor'")
    tables = content["extractor"]
    tables = tables if isinstance(tables, list) else [tables]
    if not tables or not all(isinstance(table, Mapping) for table in tables):
        raise ExtractorError("'extractor' must be a table of settings, or a list of such tables")
    yield from ({"rowen": content.get("rowen", FORMAT), **table} for table in tables)


def _saved_wrapper(definition: Definition) -> dict[str, Any]:
    """The settings in a wrapper's file, with those that are set beside its name."""
    definition.expect("file")
    named = {name: value for name, value in definition.settings.items() if name != "file"}
    path = (definition.folder or Path()) / definition.text("file")
    try:
        saved = dict(_read(path))
    except ExtractorError as error:
        raise definition.error(f"{path}: {error}") from None
    if saved.get("kind") != "wrapper" or "file" in saved:
        raise definition.error(f"{path} is not a wrapper that `rowen learn` or `save` wrote")
    if (version := saved.pop("rowen", FORMAT)) != FORMAT:
        raise definition.error(
            f"{path}: written in format {version!r}; this Rowen reads format {FORMAT}: upgrade it"
        )
    del saved["kind"]
    return {**saved, **named}


class _Workshop:
    """Builds the extractors of one file, which may refer to each other by name."""

    def __init__(self, tables: list[Mapping[str, Any]], folder: Path | None) -> None:
        self.folder = folder
        self.tables = tables
        self.by_name: dict[str, Mapping[str, Any]] = {}
        self.built: dict[str, Extractor] = {}
        self.under_way: list[str] = []
        for table in tables:
            name = table.get("name")
            if isinstance(name, str):
                if name in self.by_name:
                    raise ExtractorError(f"two extractors are called {name!r}")
                self.by_name[name] = table
            elif len(tables) > 1:
                raise ExtractorError("a file has several extractors: each needs a 'name'")

    def extractors(self) -> list[Extractor]:
        extractors = []
        for table in self.tables:
            is_part = table.get("part", False)
            if not isinstance(is_part, bool):
                raise ExtractorError("'part' must be true or false")
            if not is_part:
                extractors.append(self.make(table))
        if not extractors:
            raise ExtractorError("all extractors are marked as parts: none is left to run")
        return extractors

    def make(self, table: Mapping[str, Any]) -> Extractor:
        name = table.get("name")
        if isinstance(name, str) and self.by_name.get(name) is table:
            return self.resolve(name)
        return self.build(table)

    def resolve(self, reference: object) -> Extractor:
        """The extractor of that name in this file, or the one defined in place."""
        if isinstance(reference, Mapping):
            return self.build(reference)
        if not isinstance(reference, str) or reference not in self.by_name:
            names = ", ".join(self.by_name) or "none"
            raise ExtractorError(
                f"no extractor {reference!r} in this file; its extractors: {names}"
            )
        if reference in self.under_way:
            circle = " -> ".join([*self.under_way, reference])
            raise ExtractorError(f"extractors refer to each other in a circle: {circle}")
        if reference not in self.built:
            self.under_way.append(reference)
            self.built[reference] = self.build(self.by_name[reference])
            self.under_way.pop()
        return self.built[reference]

    def build(self, table: Mapping[str, Any]) -> Extractor:
        settings = dict(table)
        version = settings.pop("rowen", FORMAT)
        if version != FORMAT:
            raise ExtractorError(
                f"written in format {version!r}; this Rowen reads format {FORMAT}: upgrade it"
            )
        kind = settings.pop("kind", None)
        settings.pop("part", None)
        # The `input` of a saved chain is one of its own settings: a definition.
        reads = None if kind == "chain" else settings.pop("input", None)
        if not isinstance(kind, str) or kind not in KINDS:
            raise ExtractorError(f"unknown kind {kind!r}; the kinds are {', '.join(KINDS)}")
        if kind == "wrapper" and "file" in settings:
            settings = _saved_wrapper(Definition(kind, settings, self.folder))
        definition = Definition(kind, settings, self.folder, self.resolve)
        module, _, name = KINDS[kind].partition(":")
        extractor: Extractor = getattr(import_module(module), name).from_definition(definition)
        return extractor if reads is None else self.chained(extractor, reads)

    def chained(self, extractor: Extractor, reads: object) -> Extractor:
        """The extractor with `input = "OTHER.FIELD"`: it reads that field instead of the page."""
        from rowen.extractors.chain import Chain, split_input

        other, field = split_input(extractor.name, reads, list(self.by_name))
        return Chain(extractor, self.resolve(other), field)
