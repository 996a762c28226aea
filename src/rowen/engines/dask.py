"""The Dask engine: each partition is a task of a cluster's scheduler."""

import os
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.metadata import version
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from rowen.engines.guest import admit, do_in_guest, load_in_guest, topic_of
from rowen.engines.luggage import Luggage, packed
from rowen.model.errors import StoreError
from rowen.model.extras import needs
from rowen.recycling.engine import Tick
from rowen.recycling.outcome import Outcome
from rowen.recycling.task import Job, Task

if TYPE_CHECKING:
    from distributed import Client

CLUSTER_SECONDS = 60.0
"""Limit: seconds that a cluster may be without any worker before a run gives up."""

_LISTENING_SECONDS = 0.5
"""Seconds between reports of progress while no partition ends."""

_SENT_CHARACTERS = 4 * 1024 * 1024
"""Limit: characters of text sent with a partition. The scheduler holds them until a worker is free.
"""


class Dask:
    """The workers of a Dask cluster, which must all reach the store's place.

    `client` is a `distributed.Client` or the address of a scheduler. Without it, the current client
    is used, or `jobs` workers are started on this machine for the run. The scheduler gives the
    partitions of workers that it lost to others.
    """

    def __init__(self, client: "Client | str | None" = None, *, jobs: int | None = None) -> None:
        with needs("cluster", "the dask engine"):
            import distributed
        self._distributed: Any = distributed
        self.client = client
        self.jobs = jobs or os.cpu_count() or 1

    def check(self, jobs: Sequence[Job]) -> None:
        """Try whether workers can load the extractors, one on each host; ExtractorError if not.

        Workers that this engine starts itself are on this machine, and load what it loads.
        """
        luggage = packed(jobs)
        if luggage.safe or (self.client is None and not self._has_client()):
            return
        with self._connected() as client:
            _wait_for_workers(client)
            try:
                hosts = {address.rpartition(":")[0]: address for address in client.nthreads()}
                answers = client.run(
                    load_in_guest, luggage, rowen=version("rowen"), workers=list(hosts.values())
                )
            except Exception as error:
                raise StoreError(f"the Dask workers failed: {_line(error)}") from error
        for answer in answers.values():
            if answer is not None:
                raise answer

    def _has_client(self) -> bool:
        try:
            self._distributed.get_client()
        except ValueError:
            return False
        return True

    def outcomes(
        self, tasks: Sequence[Task], tick: Tick | None = None
    ) -> Generator[Outcome, None, None]:
        """Yield the outcomes as they arrive. After closing, no worker writes to the store."""
        if not tasks:
            return
        luggage = packed(tasks[0].jobs)
        with self._connected() as client, _admitted(client, tasks[0].uri) as run:
            # The extractors are a task of their own, not scattered data: the scheduler can make it
            # again if the worker that has it is lost, and sends it to each worker once.
            jobs = client.submit(Luggage, *luggage, pure=False)
            futures = client.map(
                do_in_guest,
                # Extractors go once to each worker, not with each task. New texts are read from the
                # store.
                [replace(task, jobs=(), fresh=_checked_texts(task), earlier={}) for task in tasks],
                luggage=jobs,
                run=run,
                rowen=version("rowen"),
                pure=False,
            )
            progress = _Progress(tick)
            client.subscribe_topic(topic_of(run), progress.hear)
            try:
                yield from self._collect(client, futures, progress)
            finally:
                with suppress(Exception):  # a scheduler that is gone has forgotten them anyway
                    client.unsubscribe_topic(topic_of(run))
                with suppress(Exception):  # as above
                    client.cancel([*futures, jobs])

    def _collect(self, client: Any, futures: list[Any], progress: "_Progress") -> Iterator[Outcome]:
        waiting = set(futures)
        seen = looked = time.monotonic()
        while waiting:
            try:
                with client.as_current():  # `wait` has no parameter for the client
                    finished, waiting = self._distributed.wait(
                        waiting, timeout=_LISTENING_SECONDS, return_when="FIRST_COMPLETED"
                    )
            except TimeoutError:
                progress.report()
                if time.monotonic() - looked < CLUSTER_SECONDS / 10:
                    continue
                looked = time.monotonic()
                if _workers(client):
                    seen = time.monotonic()
                elif time.monotonic() - seen > CLUSTER_SECONDS:
                    raise StoreError("all workers of the Dask cluster are gone") from None
                continue
            except self._distributed.CancelledError as error:
                raise _lost(error) from error
            for future in finished:
                outcome = self._outcome(future)
                progress.forget(outcome.partition)
                yield outcome
                # The scheduler holds the outcome until then, for all partitions together.
                future.release()

    def _outcome(self, future: Any) -> Outcome:
        try:
            answer: Outcome | Exception = future.result()
        except self._distributed.KilledWorker as error:
            raise StoreError(
                "workers of the Dask cluster died several times in one partition. Extractors run "
                "in separate processes and can't be the cause: is there enough memory?"
            ) from error
        except self._distributed.CancelledError as error:
            raise _lost(error) from error
        except Exception as error:
            raise StoreError(
                f"the Dask workers failed: {_line(error)}; the scheduler and all "
                "workers need the same versions of Python, Dask and Rowen as this machine"
            ) from error
        if isinstance(answer, Exception):
            raise answer
        return answer

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        if self.client is not None and not isinstance(self.client, str):
            yield self.client
        elif self.client is not None:
            with self._open(self.client) as client:
                yield client
        else:
            try:
                current = self._distributed.get_client()
            except ValueError:
                current = None
            if current is not None:
                yield current
                return
            with (
                self._distributed.LocalCluster(
                    n_workers=self.jobs, threads_per_worker=1, dashboard_address="127.0.0.1:0"
                ) as cluster,
                self._distributed.Client(cluster, set_as_default=False) as client,
            ):
                yield client

    def _open(self, address: str) -> Any:
        try:
            return self._distributed.Client(address, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise StoreError(
                f"can't reach a Dask scheduler at {address!r}: {_line(error)}"
            ) from error


class _Progress:
    """How many pages are finished in partitions that have no outcome yet."""

    def __init__(self, tick: Tick | None) -> None:
        self._tick = tick
        self._pages: dict[int, int] = {}
        self._over: set[int] = set()

    def hear(self, event: tuple[float, dict[str, int]]) -> None:
        """Take an event of a worker. It comes in a thread of Dask's, perhaps after the outcome."""
        self._pages[event[1]["partition"]] = event[1]["pages"]

    def forget(self, partition: int) -> None:
        """Leave out a partition whose outcome, which counts all of its pages, has arrived."""
        self._over.add(partition)

    def report(self) -> None:
        """Call the tick of the run."""
        if self._tick is not None:
            events = self._pages.copy().items()  # another thread adds to it
            self._tick(sum(pages for partition, pages in events if partition not in self._over))


@contextmanager
def _admitted(client: Any, store: str) -> Iterator[str]:
    """The name of a run that alone may write to a store from this cluster, until the block ends."""
    _wait_for_workers(client)
    run = token_hex(8)
    client.run(admit, store, run)
    try:
        yield run
    finally:
        with suppress(Exception):  # the next run admits itself on workers that can't be reached now
            client.run(admit, store, "", on_error="ignore")


def _wait_for_workers(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
    except TimeoutError:
        raise StoreError(
            f"the Dask scheduler has no worker, and none joined within {CLUSTER_SECONDS:g} seconds"
        ) from None


def _checked_texts(task: Task) -> dict[int, str]:
    """Texts in memory of pages to check, up to the limit. Sending them is cheaper than reading."""
    sent: dict[int, str] = {}
    room = _SENT_CHARACTERS
    for sample in task.checks.values():
        for row in (*sample.rows.tolist(), *sample.parts.tolist()):
            text = task.fresh.get(row)
            if text is not None and row not in sent and len(text) <= room:
                sent[row] = text
                room -= len(text)
    return sent


def _workers(client: Any) -> int:
    try:
        return len(client.nthreads())
    except OSError as error:
        raise _lost(error) from error


def _lost(error: BaseException) -> StoreError:
    return StoreError(f"the Dask scheduler was lost: {_line(error)}")


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0]
