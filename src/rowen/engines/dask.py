"""The Dask engine: partitions as tasks of a cluster's scheduler."""

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from rowen.engines.partition import Outcome, Task, work
from rowen.model.errors import StoreError, UsageError

if TYPE_CHECKING:
    from distributed import Client


class Dask:
    """The workers of a Dask cluster, which must all reach the store's place.

    `client` is a `distributed.Client`, or the address of a scheduler; without one, the client that
    is current is taken, or workers on this machine are started for the run.
    """

    def __init__(self, client: "Client | str | None" = None, *, jobs: int | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise UsageError("the dask engine needs `pip install rowen[dask]`") from None
        self._distributed: Any = distributed
        self.client = client
        self.jobs = jobs or 2

    def outcomes(self, tasks: Sequence[Task]) -> Generator[Outcome, None, None]:
        """The outcomes as they come; the scheduler gives lost tasks to other workers."""
        client, own = self._open()
        try:
            futures = client.map(work, tasks, pure=False, retries=1)
            for future in self._distributed.as_completed(futures):
                try:
                    yield future.result()
                except self._distributed.KilledWorker as error:
                    raise StoreError(
                        f"Dask's workers died again and again: {str(error).splitlines()[0]}"
                    ) from error
        finally:
            if own:
                client.close()

    def _open(self) -> "tuple[Any, bool]":
        if self.client is not None and not isinstance(self.client, str):
            return self.client, False
        if self.client is None:
            try:
                return self._distributed.get_client(), False
            except ValueError:
                local = self._distributed.LocalCluster(n_workers=self.jobs, threads_per_worker=1)
                return self._distributed.Client(local), True
        return self._distributed.Client(self.client), True
