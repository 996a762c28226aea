"""`python -m benchmarks.service.load URL SECONDS PATH ...`: ask for kept answers without a pause.

As little as possible is done here, so that it is the service that is measured: requests are made
beforehand, answers are counted and thrown away.
"""

import asyncio
import json
import statistics
import sys
import time
from itertools import cycle
from urllib.parse import urlsplit

CONNECTIONS = 8


async def connect(host: str, port: int, requests: list[bytes], end: float) -> list[float]:
    """How long each answer took on one connection."""
    reader, writer = await asyncio.open_connection(host, port)
    times = []
    for request in cycle(requests):
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


async def ask(url: str, seconds: float, paths: list[str]) -> dict[str, float]:
    """How many answers came, in which time, and how long each took."""
    place = urlsplit(url)
    assert place.hostname is not None
    assert place.port is not None
    requests = [f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode() for path in paths]
    begin = time.perf_counter()
    shifted = (requests[i * len(requests) // CONNECTIONS :] + requests for i in range(CONNECTIONS))
    found = await asyncio.gather(
        *(connect(place.hostname, place.port, own, begin + seconds) for own in shifted)
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

    print(json.dumps(uvloop.run(ask(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))))
