"""Label files: what people marked, one line per page."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from rowen.files import write_file
from rowen.induction import budget
from rowen.induction.budget import LEARNING_SECONDS
from rowen.labels.marks import marks_of
from rowen.model import InputError, LabelError, OutputError, Page
from rowen.records import Example
from rowen.text.charset import PAGE_BYTES


@dataclass(frozen=True, slots=True)
class Label:
    """One line of a label file."""

    where: str
    page: str
    records: list[Any]
    partial: bool

    def example(self, page: Page) -> Example:
        """The page with this label; an error names the file and the line."""
        try:
            return Example(page, self.records, partial=self.partial)
        except LabelError as error:
            raise InputError(f"{self.where}: {error}") from None

    @property
    def has_texts(self) -> bool:
        """Whether some value is a text instead of offsets."""
        return _has_text(self.records)


def read_labels(path: str | os.PathLike[str], pages: Iterable[Page]) -> list[Example]:
    """Read a label file (`.jsonl`): the examples that its labels make of `pages`, in its order.

    A label names its page by id, by path relative to the label file, or by the end of the id where
    only one page ends so. Pages without a label are skipped and not kept in memory. A text in place
    of offsets is located where its surroundings agree best with those of the other labels.

    Raises `InputError` with file and line where a label is malformed, its page is missing, or a
    text was not found on the page.

    >>> import rowen
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> page = rowen.Page("<b>Congo</b> <i>242</i><b>Egypt</b> <i>20</i>", id="p1.html")
    >>> label = '{"page": "p1.html", "records": [{"country": "Congo", "code": "242"}]}'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "labels.jsonl")
    ...     written = path.write_text(label)
    ...     examples = rowen.read_labels(path, [page])
    >>> examples[0].records[0].spans
    {'country': Span(3, 8), 'code': Span(16, 19)}
    """
    labels = parse_labels(path)
    matcher = _PageMatcher(labels, Path(path).parent)
    for page in pages:
        matcher.offer(page)
    # Locating texts is a search, and some labels take it very long.
    with budget.limit(LEARNING_SECONDS):
        return _located([(label, matcher.find(label)) for label in labels])


def _located(labelled: Sequence[tuple[Label, Page]]) -> list[Example]:
    if not any(label.has_texts for label, _ in labelled):
        return [label.example(page) for label, page in labelled]
    from rowen.labels.locate import locate

    try:
        return locate([(page, label.records, label.partial) for label, page in labelled])
    except LabelError as error:
        where = next(label.where for label, page in labelled if page.id == error.page)
        raise InputError(f"{where}: {error}") from None


def parse_labels(path: str | os.PathLike[str]) -> list[Label]:
    """The lines of a label file; a page labelled twice is an error."""
    name = os.fspath(path)
    labels: dict[str, Label] = {}
    for number, line in enumerate(_lines(name), 1):
        if not line.strip():
            continue
        where = f"{name}: line {number}"
        label = _label(_object(line, where), where)
        # Only a person can say which of the two holds.
        if label.page in labels:
            before = labels[label.page].where.rpartition(" ")[2]
            raise InputError(f"{where}: page {label.page!r} has a label in line {before} already")
        labels[label.page] = label
    if not labels:
        raise InputError(f"{name} has no labels")
    return list(labels.values())


def label_line(example: Example) -> str:
    """An example as a line of a label file, with offsets and without its newline."""
    line: dict[str, Any] = {
        "page": example.page.id,
        "records": [marks_of(record) for record in example.records],
    }
    if example.partial:
        line["partial"] = True
    return json.dumps(line, ensure_ascii=False)


def write_labels(path: str | os.PathLike[str], examples: Iterable[Example]) -> None:
    """Write a label file (`.jsonl`) with offsets, one line per page, whole or not at all.

    Texts are located as in learning: where their surroundings agree over all of these examples.
    Raises `OutputError` where it can't be written.

    >>> import rowen
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> page = rowen.Page("<b>Congo</b> <i>242</i>", id="p1.html")
    >>> example = rowen.Example(page, [{"country": "Congo", "code": "242"}])
    >>> with TemporaryDirectory() as folder:
    ...     rowen.write_labels(Path(folder, "labels.jsonl"), [example])
    ...     print(Path(folder, "labels.jsonl").read_text().strip())
    {"page": "p1.html", "records": [{"country": [3, 8], "code": [16, 19]}]}
    """
    from rowen.labels.locate import locate_examples

    target = Path(path)
    with budget.limit(LEARNING_SECONDS):
        located = locate_examples(list(examples))
    text = "".join(label_line(example) + "\n" for example in located)
    try:
        write_file(target, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise OutputError(f"can't write {target}: {error.strerror}") from None


class _PageMatcher:
    """Finds the pages that labels name among many more."""

    def __init__(self, labels: Iterable[Label], folder: Path) -> None:
        self._folder = folder
        self._file_names = {self._file_name(label.page) for label in labels}
        self._by_id: dict[str, list[Page]] = defaultdict(list)

    def offer(self, page: Page) -> None:
        """Keep a page that some label could mean."""
        if self._file_name(page.id) in self._file_names:
            self._by_id[page.id].append(page)

    def find(self, label: Label) -> Page:
        """The one page that a label means: by its id, else its path, else the end of its id."""
        beside = os.path.normpath(self._folder / label.page)
        ending = "/" + os.path.normpath(label.page).removeprefix("/")
        ways: tuple[Callable[[str], bool], ...] = (
            lambda name: name == label.page,
            lambda name: os.path.normpath(name) == beside,
            lambda name: ("/" + os.path.normpath(name)).endswith(ending),
        )
        for is_meant in ways:
            matches = [
                page for name, pages in self._by_id.items() if is_meant(name) for page in pages
            ]
            # The same page read twice, from a folder and an archive, is no ambiguity.
            if len({page.text for page in matches}) > 1:
                names = " and ".join(sorted({page.id for page in matches})[:2])
                raise InputError(f"{label.where}: {label.page!r} is ambiguous: it may be {names}")
            if matches:
                return matches[0]
        raise InputError(f"{label.where}: page {label.page!r} is not among the pages given")

    @staticmethod
    def _file_name(page_id: str) -> str:
        return PurePath(os.path.normpath(page_id)).name


def _lines(name: str) -> Iterable[bytes]:
    try:
        with open(name, "rb") as file:  # noqa: PTH123  # the path may be any string
            first = file.read(3)  # spreadsheets and editors on Windows write a byte order mark
            if first != b"\xef\xbb\xbf":
                file.seek(0)
            while line := file.readline(PAGE_BYTES):
                yield line
    except OSError as error:
        raise InputError(f"can't read {name}: {error.strerror}") from None


def _object(line: bytes, where: str) -> Mapping[str, Any]:
    try:
        content = json.loads(line)
    except RecursionError:
        raise InputError(f"{where}: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise InputError(f"{where}: a label must be an object with 'page' and 'records'")
    return content


def _label(content: Mapping[str, Any], where: str) -> Label:
    page, records, partial = (
        content.get("page"),
        content.get("records"),
        content.get("partial", False),
    )
    if not isinstance(page, str) or not page:
        raise InputError(f"{where}: 'page' must name the page that is labelled")
    if not isinstance(records, list):
        raise InputError(f"{where}: 'records' must be a list of records")
    if not isinstance(partial, bool):
        raise InputError(f"{where}: 'partial' must be true or false")
    spans = content.get("spans")
    if spans is not None:
        records = _with_spans(records, spans, where)
    return Label(where, page, records, partial)


def _with_spans(records: list[Any], spans: object, where: str) -> list[Any]:
    """Records that have texts and, beside them, offsets: the offsets win.

    A text without an offset was not found by whoever wrote the file: its position is unknown.
    """
    if not isinstance(spans, list) or len(spans) != len(records):
        raise InputError(f"{where}: 'spans' must have an entry for each of the records")
    with_offsets = []
    for number, (texts, offsets) in enumerate(zip(records, spans, strict=True), 1):
        if not isinstance(texts, dict) or not isinstance(offsets, dict):
            raise InputError(f"{where}: record {number} is not an object")
        with_offsets.append(
            {
                name: offset
                for name, offset in offsets.items()
                if offset is not None or texts.get(name) is None
            }
        )
    return with_offsets


def _has_text(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_text, value.values()))
    return any(map(_has_text, value)) if isinstance(value, list) else isinstance(value, str)
