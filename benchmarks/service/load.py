"""`python -m benchmarks.service.load URL SECONDS PATH [fresh]`: ask for an answer without a pause.

As little as possible is done here, so that it is the service that is measured: answers are counted
and thrown away. Fresh requests differ in what they accept, so that the service has their answers
in its store but not in its memory.
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import count, repeat
from urllib.parse import urlsplit

CONNECTIONS = 8


async def connect(host: str, port: int, requests: Iterator[bytes], end: float) -> list[float]:
    """How long each answer took on one connection."""
    reader, writer = await asyncio.open_connection(host, port)
    times = []
    for request in requests:
        begin = time.perf_counter()
        if begin > end:
            break
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        if not head.startswith(b"http/1.1 200"):
            raise SystemExit(head.decode())
        _, _, rest = head.partition(b"\r\ncontent-length:")
        await reader.readexactly(int(rest.partition(b"\r\n")[0]))
        times.append(time.perf_counter() - begin)
    writer.close()
    return times


async def ask(url: str, seconds: float, path: str, *, fresh: bool) -> dict[str, float]:
    """How many answers came, in which time, and how long each took."""
    place = urlsplit(url)
    assert place.hostname is not None
    assert place.port is not None
    plain = f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\n"
    requests: Iterator[bytes]
    if fresh:
        requests = (f"{plain}Accept: */*;q=0.{n:09d}1\r\n\r\n".encode() for n in count())
    else:
        requests = repeat(f"{plain}Accept: */*\r\n\r\n".encode())
    begin = time.perf_counter()
    found = await asyncio.gather(
        *(
            connect(place.hostname, place.port, requests, begin + seconds)
            for _ in range(CONNECTIONS)
        )
    )
    times = sorted(one for times in found for one in times)
    return {
        "answers": len(times),
        "seconds": time.perf_counter() - begin,
        "median": statistics.median(times),
        "p99": times[len(times) * 99 // 100],
    }


if __name__ == "__main__":
    import uvloop

    print(
        json.dumps(
            uvloop.run(ask(sys.argv[1], float(sys.argv[2]), sys.argv[3], fresh=len(sys.argv) > 4))
        )
    )
