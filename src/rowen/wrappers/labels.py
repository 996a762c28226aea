"""Label files: what people marked, a line a page, and back again."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from rowen.limits import PAGE_BYTES
from rowen.model import Example, InputError, LabelError, OutputError, Page, Record
from rowen.model.record import CHILDREN


@dataclass(frozen=True, slots=True)
class Label:
    """One line of a label file, its page not yet looked up."""

    where: str
    page: str
    records: list[Any]
    partial: bool

    def example(self, page: Page) -> Example:
        """The page with this label; an error tells the file and the line, too."""
        try:
            return Example(page, self.records, partial=self.partial)
        except LabelError as error:
            raise InputError(f"{self.where}: {error}") from None

    @property
    def has_texts(self) -> bool:
        """Whether texts stand in place of offsets."""
        return _has_text(self.records)


def read_labels(path: str | os.PathLike[str], pages: Iterable[Page]) -> list[Example]:
    """The examples that a label file makes of the pages that it names, in its order."""
    return place_labels(match_labels(path, pages))


def match_labels(path: str | os.PathLike[str], pages: Iterable[Page]) -> list[tuple[Label, Page]]:
    """The labels of a file, each with its page.

    A page is named by its id, by its path beside the label file, or by the end of its id where
    only one page ends so. Pages that have no label are passed over, and not kept in memory.
    """
    labels = parse_labels(path)
    known = _Pages(labels, Path(path).parent)
    for page in pages:
        known.offer(page)
    return [(label, known.find(label)) for label in labels]


def place_labels(labelled: Sequence[tuple[Label, Page]]) -> list[Example]:
    """The examples that labels make of their pages.

    A text in place of offsets is taken where its surroundings agree best with those of the others.
    """
    if not any(label.has_texts for label, _ in labelled):
        return [label.example(page) for label, page in labelled]
    from rowen.wrappers.placing.placement import place

    try:
        return place([(page, label.records, label.partial) for label, page in labelled])
    except LabelError as error:
        where = next(label.where for label, page in labelled if page.id == error.page)
        raise InputError(f"{where}: {error}") from None


def parse_labels(path: str | os.PathLike[str]) -> list[Label]:
    """The lines of a label file; no page is labelled twice."""
    name = os.fspath(path)
    labels: dict[str, Label] = {}
    for number, line in enumerate(_lines(name), 1):
        if not line.strip():
            continue
        where = f"{name}: line {number}"
        label = _label(_object(line, where), where)
        if label.page in labels:
            before = labels[label.page].where.rpartition(" ")[2]
            raise InputError(f"{where}: page {label.page!r} has a label in line {before} already")
        labels[label.page] = label
    if not labels:
        raise InputError(f"{name}: no labels in it")
    return list(labels.values())


def label_line(example: Example) -> str:
    """An example as a line of a label file, with offsets and without its newline."""
    line: dict[str, Any] = {
        "page": example.page.id,
        "records": [_marked(record) for record in example.records],
    }
    if example.partial:
        line["partial"] = True
    return json.dumps(line, ensure_ascii=False)


def write_labels(path: str | os.PathLike[str], examples: Iterable[Example]) -> None:
    """Write a label file, whole or not at all."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    text = "".join(label_line(example) + "\n" for example in examples)
    try:
        draft.write_bytes(text.encode("utf-8", "backslashreplace"))
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OutputError(f"can't write {target}: {error.strerror}") from None


class _Pages:
    """The pages that labels name, found among many more."""

    def __init__(self, labels: Iterable[Label], folder: Path) -> None:
        self._folder = folder
        self._wanted = {self._tail(label.page) for label in labels}
        self._by_id: dict[str, list[Page]] = defaultdict(list)

    def offer(self, page: Page) -> None:
        """Keep a page that any label could mean."""
        if self._tail(page.id) in self._wanted:
            self._by_id[page.id].append(page)

    def find(self, label: Label) -> Page:
        """The one page that a label means: by its id, else its path, else its ending."""
        beside = os.path.normpath(self._folder / label.page)
        ending = "/" + os.path.normpath(label.page).removeprefix("/")
        ways: tuple[Callable[[str], bool], ...] = (
            lambda name: name == label.page,
            lambda name: os.path.normpath(name) == beside,
            lambda name: ("/" + os.path.normpath(name)).endswith(ending),
        )
        for means in ways:
            found = [page for name, pages in self._by_id.items() if means(name) for page in pages]
            if len({page.text for page in found}) > 1:
                names = " and ".join(sorted({page.id for page in found})[:2])
                raise InputError(f"{label.where}: {label.page!r} may be several pages: {names}")
            if found:
                return found[0]
        raise InputError(f"{label.where}: page {label.page!r} is not among the pages given")

    @staticmethod
    def _tail(name: str) -> str:
        return PurePath(os.path.normpath(name)).name


def _lines(name: str) -> Iterable[bytes]:
    try:
        with open(name, "rb") as file:  # noqa: PTH123  # the path may be any string
            first = file.read(3)
            if first != b"\xef\xbb\xbf":
                file.seek(0)
            while line := file.readline(PAGE_BYTES):
                yield line
    except OSError as error:
        raise InputError(f"can't read {name}: {error.strerror}") from None


def _object(line: bytes, where: str) -> Mapping[str, Any]:
    try:
        given = json.loads(line)
    except RecursionError:
        raise InputError(f"{where}: nests too deep") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from None
    if not isinstance(given, dict):
        raise InputError(f"{where}: a label is an object with a page and its records")
    return given


def _label(given: Mapping[str, Any], where: str) -> Label:
    page, records, partial = given.get("page"), given.get("records"), given.get("partial", False)
    if not isinstance(page, str) or not page:
        raise InputError(f"{where}: 'page' must name the page that is labelled")
    if not isinstance(records, list):
        raise InputError(f"{where}: 'records' must be a list of records")
    if not isinstance(partial, bool):
        raise InputError(f"{where}: 'partial' must be true or false")
    spans = given.get("spans")
    if spans is not None:
        records = _with_spans(records, spans, where)
    return Label(where, page, records, partial)


def _with_spans(records: list[Any], spans: object, where: str) -> list[Any]:
    """Records whose texts stand beside their offsets: the offsets win.

    A text without an offset was not found by whoever wrote the file: its place is unknown.
    """
    if not isinstance(spans, list) or len(spans) != len(records):
        raise InputError(f"{where}: 'spans' must have an entry for each of the records")
    placed = []
    for number, (texts, offsets) in enumerate(zip(records, spans, strict=True), 1):
        if not isinstance(texts, dict) or not isinstance(offsets, dict):
            raise InputError(f"{where}: record {number} is not an object")
        placed.append(
            {
                name: offset
                for name, offset in offsets.items()
                if offset is not None or texts.get(name) is None
            }
        )
    return placed


def _has_text(given: object) -> bool:
    if isinstance(given, dict):
        return any(map(_has_text, given.values()))
    return any(map(_has_text, given)) if isinstance(given, list) else isinstance(given, str)


def _marked(record: Record) -> dict[str, Any]:
    fields: dict[str, Any] = dict(record.spans)
    if record.children:
        fields[CHILDREN] = [_marked(child) for child in record.children]
    return fields
