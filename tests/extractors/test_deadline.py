"""The time that patterns are promised to take at most is kept by the clock on the wall."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from rowen import ExtractionError, Pattern, Relation
from rowen.extractors.deadline import patterns_within
from rowen.extractors.pattern import GLANCE_PAUSE

SLOW = "(?P<a>(?:a|a)+)b"
EVIL = [
    ("(?P<a>(?:a|a)+)b", "a" * 5000),
    ("(?P<x>(x+x+)+y)", "x" * 5000),
    (r"(?P<q>(?:\w|\d|_)*)!(?<=(?:\w\w?)*!)\1#", "1" * 3000 + "!"),
    (r"(?P<b>(a*)*\2b)", "a" * 3000),
    (r"(?i)(?P<s>(?:ß|ss|s)+)t", "sS" * 3000),
    (r"(?P<f>(?:abc|bca|cab){e<=4}){20}zz", "abcacb" * 500),
    (r"(?r)(?P<r>b(?:a|a)+)", "a" * 5000),
]


def seconds_of(work):
    start = time.monotonic()
    with pytest.raises(ExtractionError, match="its pattern backtracks"):
        work()
    return time.monotonic() - start


@pytest.mark.parametrize(("pattern", "text"), EVIL)
def test_a_pattern_that_backtracks_is_stopped_in_time(pattern, text):
    start = time.monotonic()
    with suppress(ExtractionError):  # or the engine sees at once that nothing matches
        Pattern(pattern, seconds=0.4).extract(text)
    assert time.monotonic() - start < 5


def slow_part():
    """A text on which one try takes about a tenth of a second and fails, then a match follows."""
    for length in range(8, 40):
        text = "a" * length
        start = time.monotonic()
        Pattern(SLOW, seconds=60).extract(f"{text}c")
        if time.monotonic() - start > 0.05:
            return f"{text}cab "
    raise AssertionError


def test_many_slow_matches_have_the_time_of_one():
    text = slow_part() * 100
    assert seconds_of(lambda: Pattern(SLOW, seconds=0.5).extract(text)) < 5


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="shares a processor on purpose")
def test_a_busy_machine_gives_no_more_time():
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cpus)})
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(9)]
    try:
        assert seconds_of(lambda: Pattern(SLOW, seconds=0.8).extract("a" * 5000)) < 5
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
        os.sched_setaffinity(0, cpus)


def test_pages_have_their_records_whether_or_not_a_page_before_was_slow():
    quick = "xab " * 200
    pattern = Pattern(SLOW, seconds=0.3)
    expected = pattern.extract(quick)
    assert len(expected) == 200
    seconds_of(lambda: pattern.extract("a" * 5000))
    assert all(pattern.extract(quick) == expected for _ in range(GLANCE_PAUSE + 2))
    assert seconds_of(lambda: pattern.extract("a" * 5000)) < 5


def test_all_patterns_of_an_extractor_have_it_together():
    text = slow_part() * 100
    parts = {name: Pattern(SLOW.replace("<a>", f"<{name}>"), seconds=30) for name in "abc"}
    relation = Relation(parts, distance=10)

    def work():
        with patterns_within(0.5):
            relation.extract(text)

    assert seconds_of(work) < 5


def test_other_timers_go_on():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.8)
        seconds_of(lambda: Pattern(SLOW, seconds=0.3).extract("a" * 5000))
        while not rung and time.monotonic() < start + 10:
            time.sleep(0.01)
        assert 0.7 < rung[0] - start < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_have_the_engines_own_limit():
    durations = []

    def work():
        durations.append(seconds_of(lambda: Pattern(SLOW, seconds=0.2).extract("a" * 5000)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert durations
