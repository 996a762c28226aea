"""What the commands about wrappers share: opening one, reading pages, writing it."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rowen.model.errors import ExtractorError, InputError

if TYPE_CHECKING:
    from rowen.cli.console import Console
    from rowen.model import DocumentError, Page
    from rowen.sources import Source
    from rowen.wrappers.base import Wrapper


def open_wrapper(path: str) -> "Wrapper":
    """The wrapper in a file."""
    from rowen.extractors.saved import load
    from rowen.wrappers.base import Wrapper

    extractor = load(path)
    if not isinstance(extractor, Wrapper):
        raise ExtractorError(f"{path}: {extractor.name!r} is not a learned wrapper")
    return extractor


def write_wrapper(wrapper: "Wrapper", output: str | None) -> None:
    """Write a wrapper's JSON to a file, whole or not at all, or to standard output."""
    saved = wrapper.to_definition().to_dict()
    write_text(json.dumps(saved, indent=2, ensure_ascii=False) + "\n", output)


def write_text(text: str, output: str | None) -> None:
    """Write a text to a file, whole or not at all, or to standard output."""
    from rowen.export.target import writing

    with writing(output) as target:
        # Half a surrogate pair becomes JSON's own escape.
        target.write(text.encode("utf-8", "backslashreplace"))


class Reader:
    """The pages of a source; one that can't be read is reported and skipped."""

    def __init__(self, source: "Source", console: "Console") -> None:
        self._source = source
        self._console = console
        self.read = 0
        self.failures = 0

    def __iter__(self) -> Iterator["Page"]:
        for page in self._source.pages(on_error=self._fail):
            self.read += 1
            yield page

    def watched(self, doing: str) -> Iterator["Page"]:
        """The pages, with a progress bar on a terminal."""
        return self._console.progress(self, doing=doing, count=lambda: self._source.count_hint)

    def require(self) -> None:
        """Refuse a source without a page; where pages failed, each was reported already."""
        if not self.read:
            raise InputError("" if self.failures else f"no pages in {self._source.name}")

    def _fail(self, error: "DocumentError") -> None:
        self.failures += 1
        self._console.complain(str(error))
