"""The Dask engine: partitions as tasks of a cluster's scheduler."""

import os
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.metadata import version
from io import BytesIO
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from rowen.engines.base import Tick
from rowen.engines.guest import admit, do_apart, topic_of
from rowen.engines.partition import Job, Outcome, Task
from rowen.extractors.function import Function
from rowen.limits import CLUSTER_SECONDS
from rowen.model.errors import ExtractorError, StoreError, UsageError

if TYPE_CHECKING:
    from distributed import Client


_LISTENING_SECONDS = 0.5
"""How often progress is passed on while no partition ends."""


class Dask:
    """The workers of a Dask cluster, which must all reach the store's place.

    `client` is a `distributed.Client`, or the address of a scheduler; without one, the client that
    is current is taken, or as many workers as `jobs` says are started on this machine for the run.
    The scheduler gives the partitions of workers that it lost to others.
    """

    def __init__(self, client: "Client | str | None" = None, *, jobs: int | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise UsageError("the dask engine needs `pip install rowen[dask]`") from None
        self._distributed: Any = distributed
        self.client = client
        self.jobs = jobs or os.cpu_count() or 1

    def outcomes(
        self, tasks: Sequence[Task], tick: Tick | None = None
    ) -> Generator[Outcome, None, None]:
        """The outcomes as they come; closed, no worker writes to the store any more."""
        if not tasks:
            return
        parcels = [_parcel(job) for job in tasks[0].jobs]
        with self._connected() as client, _admitted(client, tasks[0].uri) as run:
            # A task of its own, and not data that is scattered: the scheduler can make it anew when
            # the worker is lost that has it, and sends it once to each worker.
            jobs = client.submit(list, parcels, pure=False)
            futures = client.map(
                do_apart,
                [replace(task, jobs=(), fresh={}) for task in tasks],
                parcels=jobs,
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
        seen = asked = time.monotonic()
        while waiting:
            try:
                with client.as_current():  # `wait` knows no other way to be told
                    done, waiting = self._distributed.wait(
                        waiting, timeout=_LISTENING_SECONDS, return_when="FIRST_COMPLETED"
                    )
            except TimeoutError:
                progress.tell()
                if time.monotonic() - asked < CLUSTER_SECONDS / 10:
                    continue
                asked = time.monotonic()
                if _workers(client):
                    seen = time.monotonic()
                elif time.monotonic() - seen > CLUSTER_SECONDS:
                    raise StoreError("Dask's workers are gone, and no others came") from None
                continue
            except self._distributed.CancelledError as error:
                raise _lost(error) from error
            for future in done:
                outcome = self._outcome(future)
                progress.forget(outcome.partition)
                yield outcome
                future.release()

    def _outcome(self, future: Any) -> Outcome:
        try:
            answer: Outcome | Exception = future.result()
        except self._distributed.KilledWorker as error:
            raise StoreError(
                "Dask's workers died again and again at a partition, and not by an extractor, "
                "which runs in a process of its own: is there enough memory?"
            ) from error
        except self._distributed.CancelledError as error:
            raise _lost(error) from error
        except Exception as error:
            raise StoreError(
                f"Dask's workers can't do the work: {_line(error)}; the scheduler and all workers "
                f"need Python, Dask and Rowen in the versions that are here"
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
    """How far the partitions are that have no outcome yet, as their workers tell it."""

    def __init__(self, tick: Tick | None) -> None:
        self._tick = tick
        self._pages: dict[int, int] = {}
        self._over: set[int] = set()

    def hear(self, event: tuple[float, dict[str, int]]) -> None:
        """A worker's word; it comes in a thread of Dask's, perhaps after the outcome."""
        self._pages[event[1]["partition"]] = event[1]["pages"]

    def forget(self, partition: int) -> None:
        """Its outcome is there, which counts all of its pages."""
        self._over.add(partition)

    def tell(self) -> None:
        """Pass it on."""
        if self._tick is not None:
            told = self._pages.copy().items()
            self._tick(sum(pages for partition, pages in told if partition not in self._over))


@contextmanager
def _admitted(client: Any, store: str) -> Iterator[str]:
    """The name of a run that alone may write to a store from this cluster, until it ends."""
    try:
        client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
    except TimeoutError:
        raise StoreError(
            f"the Dask scheduler has no worker, and none came in {CLUSTER_SECONDS:g} seconds"
        ) from None
    run = token_hex(8)
    client.run(admit, store, run)
    try:
        yield run
    finally:
        with suppress(Exception):  # workers that can't be reached are told by the next run
            client.run(admit, store, "", on_error="ignore")


def _parcel(job: Job) -> bytes:
    """A job as it travels; what is defined in a script or a notebook comes along."""
    import cloudpickle

    class Parcels(cloudpickle.Pickler):  # type: ignore[misc]  # untyped
        """Functions go as they are, and not by name: workers need not have their module."""

        def reducer_override(self, given: object) -> Any:
            if isinstance(given, Function):
                return given.as_parts()
            return super().reducer_override(given)

    stream = BytesIO()
    try:
        Parcels(stream).dump(job)
        parcel = stream.getvalue()
    except Exception as error:
        raise ExtractorError(
            f"extractor {job.name!r} can't be sent to Dask's workers: {_line(error)}"
        ) from error
    return parcel


def _workers(client: Any) -> int:
    try:
        return len(client.nthreads())
    except OSError as error:
        raise _lost(error) from error


def _lost(error: BaseException) -> StoreError:
    return StoreError(f"the Dask scheduler was lost: {_line(error)}")


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0]
