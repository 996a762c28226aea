"""What people are told while a command works: on standard error, and moving only on a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


class Console:
    """Messages and progress on standard error."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.lively = sys.stderr.isatty() and not quiet

    def complain(self, message: str) -> None:
        """Something is wrong with the input; told even when quiet."""
        self._print(f"rowen: {message}")

    def tell(self, message: str) -> None:
        """How it went; for people who watch, or who ask."""
        if (self.lively or self.verbose) and not self.quiet:
            self._print(message)

    def progress(
        self, items: Iterable[Item], *, doing: str, count: Callable[[], int | None]
    ) -> Iterator[Item]:
        """The items as they come, with a bar that moves on a terminal; they are counted for it."""
        if not self.lively:
            yield from items
            return
        from rich.console import Console as Terminal
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Terminal(stderr=True), transient=True) as bar:
            task = bar.add_task(doing, total=count())
            for item in items:
                yield item
                bar.advance(task)

    def _print(self, message: str) -> None:
        line = " ".join(message.splitlines())
        print(line, file=sys.stderr, flush=True)  # noqa: T201  # this is the place to print
