"""Rates: as many as may come, and no more, whenever they come."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.model.errors import UsageError
from rowen.service import rates
from rowen.service.rates import Bucket, Buckets, Rate


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture(scope="module", autouse=True)
def clock():
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock()
        patch.setattr(rates, "monotonic", clock)
        yield clock


@given(
    requests=st.integers(1, 20),
    pauses=st.lists(st.integers(0, 64).map(lambda n: n / 8), max_size=100),
)
def test_in_no_span_of_time_come_more_than_may(clock, requests, pauses):
    rate = Rate(requests, 8.0)
    bucket = Bucket(rate)
    passed = []
    for pause in pauses:
        clock.now += pause
        if not bucket.take():
            passed.append(clock.now)
    for first, start in enumerate(passed):
        for last, end in enumerate(passed[first:], start=first):
            assert last - first + 1 <= requests * (1 + (end - start) / rate.seconds) + 1e-6


@given(requests=st.integers(1, 1000), seconds=st.sampled_from([1.0, 60.0, 3600.0]))
def test_a_client_that_waits_for_retry_after_is_served(clock, requests, seconds):
    bucket = Bucket(Rate(requests, seconds))
    assert [bucket.take() for _ in range(requests)] == [0.0] * requests
    clock.now += ceil(bucket.take())
    assert bucket.take() == 0


def test_those_who_came_long_ago_are_forgotten_first():
    buckets, rate = Buckets(most=2), Rate(1, 3600.0)
    assert buckets.take("a", rate) == 0
    assert buckets.take("b", rate) == 0
    assert buckets.take("a", rate) > 0
    assert buckets.take("c", rate) == 0  # in place of b
    assert buckets.take("a", rate) > 0
    assert buckets.take("b", rate) == 0
    assert buckets.take("b", Rate(2, 3600.0)) == 0  # another rate: another bucket


@pytest.mark.parametrize("text", ["10/s", "600/min", "5000/h"])
def test_a_rate_is_written_as_it_is_read(text):
    assert str(Rate.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "10", "0/s", "-1/s", "1.5/s", "10/d", "10/s ", "1" * 20 + "/s"]
)
def test_what_is_no_rate(text):
    with pytest.raises(UsageError):
        Rate.parse(text)
