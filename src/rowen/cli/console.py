"""What people are told while a command works: on standard error, and moving only on a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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

    def warn(self, message: str) -> None:
        """Something may be wrong with a result."""
        if not self.quiet:
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
        with self.gauge(count(), doing=doing) as tell:
            for done, item in enumerate(items, start=1):
                yield item
                tell(done)

    @contextmanager
    def gauge(self, total: int | None, *, doing: str) -> Iterator[Callable[[int], None]]:
        """A bar that moves on a terminal, and what is to be told how many pages are done."""
        if not self.lively:
            yield lambda _done: None
            return
        from rich.console import Console as Terminal
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            SpinnerColumn,
            Task,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.text import Text

        class Rate(ProgressColumn):
            """Pages a second, of late."""

            def render(self, task: Task) -> Text:
                speed = task.finished_speed or task.speed
                return Text("" if speed is None else f"{speed:,.0f} pages/s")

        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Terminal(stderr=True), transient=True) as bar:
            task = bar.add_task(doing, total=total)
            yield lambda done: bar.update(task, completed=done)

    @contextmanager
    def clock(self, *, doing: str) -> Iterator[None]:
        """How long it has taken so far, on a terminal, for work of which no share can be told."""
        if not self.lively:
            yield
            return
        from rich.console import Console as Terminal
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=Terminal(stderr=True), transient=True) as shown:
            shown.add_task(doing, total=None)
            yield

    def _print(self, message: str) -> None:
        line = " ".join(message.splitlines())
        print(line, file=sys.stderr, flush=True)  # noqa: T201  # this is the place to print
