"""Messages and progress on standard error; progress bars appear only on a terminal."""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Self, TypeVar

Item = TypeVar("Item")


class Console:
    """Messages and progress on standard error."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.lively = sys.stderr.isatty() and not quiet
        _show_details(self if verbose and not quiet else None)

    def complain(self, message: str) -> None:
        """Print a problem with the input, even with -q."""
        self._print(f"rowen: {message}")

    def warn(self, message: str) -> None:
        """Print a warning about a result, unless -q."""
        if not self.quiet:
            self._print(f"rowen: {message}")

    def inform(self, message: str) -> None:
        """Print a summary, on a terminal or with -v."""
        # A script that collects standard error should see problems only.
        if (self.lively or self.verbose) and not self.quiet:
            self._print(message)

    def progress(
        self, items: Iterable[Item], *, doing: str, count: Callable[[], int | None]
    ) -> Iterator[Item]:
        """The items as they come, with a progress bar on a terminal; `count` is called for it only.

        Counting may be slow: a folder must be listed for it.
        """
        if not self.lively:
            yield from items
            return
        with self.gauge(count(), doing=doing) as tell:
            for count_done, item in enumerate(items, start=1):
                yield item
                tell(count_done)

    @contextmanager
    def gauge(
        self, total: int | None, *, doing: str, unit: str = "pages"
    ) -> Iterator[Callable[[int], None]]:
        """Show a progress bar on a terminal; yields a function that takes the number of pages."""
        if not self.lively or not _has_rich():
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
            """Recent pages, or what `unit` says, per second."""

            def render(self, task: Task) -> Text:
                speed = task.finished_speed or task.speed
                return Text("" if speed is None else f"{speed:,.0f} {unit}/s")

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
            yield lambda count_done: bar.update(task, completed=count_done)

    @contextmanager
    def clock(self, *, doing: str) -> Iterator[Callable[[str], None]]:
        """The time elapsed, on a terminal, for work of unknown length; yields what shows a step."""
        if not self.lively or not _has_rich():
            yield lambda _step: None
            return
        from rich.console import Console as Terminal
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=Terminal(stderr=True), transient=True) as shown:
            task = shown.add_task(doing, total=None)
            yield lambda step: shown.update(task, description=f"{doing}: {step}")

    def _print(self, message: str) -> None:
        line = " ".join(message.splitlines())
        print(line, file=sys.stderr, flush=True)  # noqa: T201  # this is the place to print


class Bars:
    """A progress bar on the terminal for each step of a job, one after the other."""

    def __init__(self, console: Console, *, titles: Mapping[str, str]) -> None:
        self._console = console
        self._titles = titles
        self._bar = ExitStack()
        self._step = ""
        self._update: Callable[[int], None] | None = None

    def show(self, step: str, done: int, total: int | None) -> None:
        """Show that so many pages of this step are done; another step begins another bar."""
        if step != self._step:
            self._bar.close()
            gauge = self._console.gauge(total, doing=self._titles[step])
            self._step, self._update = step, self._bar.enter_context(gauge)
        if self._update is not None:
            self._update(done)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.close()


def _has_rich() -> bool:
    """Whether bars can be shown; rich is no part of the core, and nothing else needs it."""
    return find_spec("rich") is not None


class _Details(logging.Handler):
    """Prints what sources report, each message once: pages may be counted before they are read."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self._console = console
        self._messages: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print a message that is new."""
        message = record.getMessage()
        if message not in self._messages:
            self._messages.add(message)
            self._console.inform(message)


def _show_details(console: Console | None) -> None:
    """Print what sources leave out on a console, or on none."""
    logger = logging.getLogger("rowen.sources")
    logger.handlers = [] if console is None else [_Details(console)]
    logger.setLevel(logging.NOTSET if console is None else logging.INFO)
