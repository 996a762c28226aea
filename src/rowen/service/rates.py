"""Rate limits: token buckets, one for each access token or address."""

import re
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from time import monotonic

from rowen.model.errors import UsageError

RATED = 10_000
"""Limit: for how many access tokens, and for how many addresses, a bucket is remembered."""


_RATE = re.compile(r"([1-9]\d{0,8})/(s|min|h)")
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `requests` in `seconds`; all of them may come at once."""

    requests: int
    seconds: float

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """600/min, 10/s or 5000/h; UsageError where it is none of them."""
        if (match := _RATE.fullmatch(text)) is None:
            raise UsageError(f"{text!r} is not a rate: write 10/s, 600/min or 5000/h")
        return cls(int(match[1]), _SECONDS[match[2]])

    def __str__(self) -> str:
        units = {seconds: unit for unit, seconds in _SECONDS.items()}
        return f"{self.requests}/{units[self.seconds]}"


class Bucket:
    """What is left of a rate, by the monotonic clock: setting the system's time has no effect."""

    __slots__ = ("_at", "_level", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._level = float(rate.requests)
        self._at = monotonic()

    def take(self) -> float:
        """Take one request: 0 where it may come, else the seconds until it may."""
        now, each = monotonic(), self.rate.seconds / self.rate.requests
        self._level = min(self.rate.requests, self._level + (now - self._at) / each)
        self._at = now
        if self._level < 1:
            return (1 - self._level) * each
        self._level -= 1
        return 0.0


class Buckets:
    """The buckets used last, up to a number."""

    def __init__(self, most: int = RATED) -> None:
        self._most = most
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, rate: Rate) -> float:
        """Take one request from the bucket of a key; a new one, or one of another rate, is full."""
        bucket = self._buckets.get(key)
        if bucket is None or bucket.rate != rate:
            bucket = self._buckets[key] = Bucket(rate)
            # The oldest is dropped. Its owner starts with a full bucket, which is harmless.
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take()
