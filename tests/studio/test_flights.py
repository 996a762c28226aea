"""Learning that is under way: shared by windows, stopped, superseded, and what stays then."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from rowen.model.errors import LimitError
from rowen.studio import flights
from rowen.studio.flights import Flights, Key
from rowen.workers import Stopped

KEY = Key("shop", "propose", 3)
PAGES = {"a.html": {"records": [{"title": [1, 2]}]}}
GOOD = {"wrapper": {}, "explanation": {}, "pages": PAGES, "conflict": None}


def in_a_loop(work):
    """The result of a coroutine; in a thread, because Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


async def good(_handle):
    return GOOD


async def endless(handle):
    while not handle.is_stopped:  # noqa: ASYNC110  # a handle is stopped from any thread
        await asyncio.sleep(0)
    raise Stopped


async def started(flying, key, call=endless):
    task = asyncio.create_task(flying.proposed(key, call))
    await asyncio.sleep(0)
    return task


def test_windows_that_ask_for_the_same_share_one_call():
    calls = []

    async def call(handle):
        calls.append(handle)
        await asyncio.sleep(0)
        return GOOD

    async def run():
        flying = Flights()
        return await asyncio.gather(*(flying.proposed(KEY, call) for _ in range(3)))

    assert in_a_loop(run()) == [GOOD] * 3
    assert len(calls) == 1


def test_a_person_can_stop_it_and_the_last_proposals_stay():
    async def run():
        flying = Flights()
        await flying.proposed(KEY, good)
        task = await started(flying, KEY._replace(revision=4))
        assert flying.stop("another") == 0
        assert flying.stop("shop") == 1
        return await task

    answer = in_a_loop(run())
    assert answer["stopped"]
    assert answer["stale"]
    assert answer["pages"] == PAGES


@pytest.mark.parametrize("seconds", [-1.0, float("inf")])
def test_only_what_takes_long_is_stopped_by_the_next_change(monkeypatch, seconds):
    monkeypatch.setattr(flights, "SUPERSEDED_SECONDS", seconds)

    async def run():
        flying = Flights()
        task = await started(flying, KEY)
        assert flying.supersede("shop", KEY.revision) == 0  # it is for this revision
        stopped = flying.supersede("shop", KEY.revision + 1)
        flying.stop("shop")
        await task
        return stopped

    assert in_a_loop(run()) == (seconds < 0)


def test_a_contradiction_and_a_failure_leave_the_last_proposals():
    async def contradiction(_handle):
        return {"wrapper": None, "explanation": None, "pages": {}, "conflict": {"reason": "no"}}

    async def failure(_handle):
        raise LimitError("shop", "took too long")

    async def run():
        flying = Flights()
        await flying.proposed(KEY, good)
        return [await flying.proposed(KEY, call) for call in (contradiction, failure)]

    for answer in in_a_loop(run()):
        assert answer["pages"] == PAGES
        assert answer["stale"]
    assert answer["failure"].endswith("took too long")
