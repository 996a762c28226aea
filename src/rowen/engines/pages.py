"""Several extractors over many pages, on several processes; pages come back in their order.

    pages      batch 0   batch 1   batch 2   batch 3
    process 0  ########  ....................########
    process 1            ##################
    yielded              0                  1  2      3

A run spreads partitions of a store; here nothing is stored. So pages go to the processes through
pipes, and rows of bounds or packed records come back.
"""

import multiprocessing as mp
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, TypeAlias

from rowen._core import end_with
from rowen.extractors.base import Extractor, columns_of, schema_of
from rowen.extractors.many import Results, batches, try_page
from rowen.model import Page
from rowen.model.errors import ExtractorError, InputError
from rowen.records import Records
from rowen.records.packed import Packed, Shapes, pack, unpack
from rowen.records.records import Row, Rows

_WAITING_BATCHES = 4
"""Limit: batches per process that are at work, or done before one that came earlier."""


class _Flat(NamedTuple):
    """Records of one page that all have the same fields."""

    fields: tuple[str, ...]
    rows: list[Row]
    failure: str | None


class _Other(NamedTuple):
    """Any records of one page."""

    packed: Packed
    shapes: list[str]
    failure: str | None


_Answer: TypeAlias = "list[list[_Flat | _Other] | InputError] | Exception"
"""For each page of a batch what each extractor gave, or why there is nothing."""


def extract_many_spread(
    extractors: Sequence[Extractor],
    pages: Iterable[Page],
    *,
    jobs: int,
    on_error: Callable[[InputError], None],
) -> Iterator[tuple[Page, Results]]:
    """Each page with the records of each extractor, like `extract_many`, on `jobs` processes."""
    workers: list[_Worker] = []
    try:
        # Forked workers have the extractors as they are, which need not be picklable.
        for _ in range(jobs):
            workers.append(_Worker(extractors, workers))
        for batch, answers in _in_order(batches(pages), workers):
            for page, answer in zip(batch, answers, strict=True):
                if isinstance(answer, InputError):
                    on_error(answer)
                else:
                    yield page, _unpacked(extractors, page, answer)
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process, and the pipe to it. It has one batch at a time, so that no pipe is ever full."""

    def __init__(self, extractors: Sequence[Extractor], siblings: "Sequence[_Worker]") -> None:
        context = mp.get_context("fork")
        self.pipe, theirs = context.Pipe()
        ours = [self.pipe, *(sibling.pipe for sibling in siblings)]
        self.process = context.Process(
            target=_serve, args=(extractors, theirs, ours, os.getpid()), daemon=True
        )
        self.process.start()
        theirs.close()
        self.batch: list[Page] = []
        self.number = -1

    def give(self, number: int, batch: list[Page]) -> None:
        self.number, self.batch = number, batch
        with suppress(OSError):  # it has died; `answer` notices that
            self.pipe.send([(page.id, page.text) for page in batch])

    def answer(self) -> Any:
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            pages = f"{self.batch[0].id}"
            if len(self.batch) > 1:
                pages += f" or one of the {len(self.batch) - 1} pages after it"
            raise ExtractorError(
                f"an extractor crashed its process, on {pages}; with `--jobs 1` the last page "
                "that is shown is the one"
            ) from None

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _in_order(
    batches_: Iterator[list[Page]], workers: Sequence[_Worker]
) -> Iterator[tuple[list[Page], Any]]:
    """Each batch with its answers, in the order of batches."""
    idle = deque(workers)
    busy: dict[Connection, _Worker] = {}
    done: dict[int, tuple[list[Page], Any]] = {}
    given = taken = 0
    more = True
    while more or busy or done:
        while more and idle and given - taken < _WAITING_BATCHES * len(workers):
            batch = next(batches_, None)
            if batch is None:
                more = False
                break
            worker = idle.popleft()
            worker.give(given, batch)
            busy[worker.pipe] = worker
            given += 1
        if taken in done:
            yield done.pop(taken)
            taken += 1
            continue
        for pipe in wait(list(busy)) if busy else ():
            assert isinstance(pipe, Connection)
            worker = busy.pop(pipe)
            answer: _Answer = worker.answer()
            if isinstance(answer, Exception):
                raise answer
            done[worker.number] = worker.batch, answer
            idle.append(worker)


def _unpacked(extractors: Sequence[Extractor], page: Page, answer: Any) -> Results:
    results = []
    for extractor, own in zip(extractors, answer, strict=True):
        schema = schema_of(extractor) or None
        if isinstance(own, _Flat):
            rows = Rows(page, own.fields, own.rows)
            records = Records(rows, failure=own.failure, schema=schema)
        else:
            records = Records(
                unpack(own.packed, Shapes(own.shapes), page, schema),
                failure=own.failure,
                schema=schema,
                fields=columns_of(extractor),
            )
        results.append((extractor, records))
    return results


def _serve(
    extractors: Sequence[Extractor], pipe: Connection, ours: Sequence[Connection], parent: int
) -> None:
    """The loop of a process: a batch in, its records out, until the parent ends it or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it, too, and ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for end in ours:
        end.close()
    if not end_with(parent):
        return
    with suppress(EOFError, OSError):
        while True:
            pages = [Page(text, id=page_id) for page_id, text in pipe.recv()]
            pipe.send(_answer(extractors, pages))


def _answer(extractors: Sequence[Extractor], pages: Sequence[Page]) -> _Answer:
    try:
        return [_packed(try_page(extractors, page)) for page in pages]
    except Exception as error:  # noqa: BLE001  # the parent raises it
        return RuntimeError(f"{type(error).__name__}: {error} (in a worker)")


def _packed(results: Results | InputError) -> "list[_Flat | _Other] | InputError":
    if isinstance(results, InputError):
        return results
    packed: list[_Flat | _Other] = []
    for _, records in results:
        if records.rows is not None:
            packed.append(_Flat(records.rows.fields, records.rows.rows, records.failure))
        else:
            shapes = Shapes()
            own = pack(records, shapes)
            packed.append(_Other(own, shapes.written, records.failure))
    return packed
