"""No bytes of a worker crash or steer the process that waits for it, or make it wait."""

import gc
import os
import resource
import sys
import time
from pathlib import Path

import pytest
from taken_over import ANSWERS, TAKEN_OVER

from rowen.model.errors import InputError, LimitError
from rowen.workers import Pool

SECONDS = 1.0
UNDERSTOOD = {"nothing", "odd attribute"}
"""One is late, and one is an error whose attribute nobody knows."""


@pytest.fixture(scope="module")
def box():
    with Pool(TAKEN_OVER, processes=1, seconds=SECONDS, memory=1 << 30) as opened:
        yield opened


def descriptors():
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("name", sorted(ANSWERS.keys() - UNDERSTOOD))
def test_an_answer_that_is_none_costs_the_document_an_error_and_nothing_else(box, name, tmp_path):
    before, start = peak(), time.monotonic()
    with pytest.raises(LimitError, match="an invalid message"):
        box.call((name, str(tmp_path / "ran")), name="a", reply=lambda _: None)
    assert time.monotonic() - start < 20 * SECONDS
    assert not (tmp_path / "ran").exists()
    assert peak() - before < 64 << 20
    assert box.call(("good", "next"), name="b") == {"a": b"next"}


def test_an_error_has_only_the_attributes_of_its_class(box):
    with pytest.raises(LimitError):
        box.call(("odd attribute", ""), name="a")
    assert InputError.exit_code == 4


@pytest.mark.parametrize("name", ["nothing", "half", "dribble"])
def test_an_answer_that_does_not_come_to_its_end_is_late(box, name):
    start = time.monotonic()
    with pytest.raises(LimitError, match="longer than 1 seconds"):
        box.call((name, ""), name="a")
    assert SECONDS <= time.monotonic() - start < 20 * SECONDS


def test_a_worker_that_closes_its_socket_is_gone(box):
    with pytest.raises(LimitError, match="crashed the process"):
        box.call(("close", ""), name="a")


@pytest.mark.parametrize("name", ["endless", "endless messages", "announced and endless", "drops"])
def test_what_never_ends_is_ended_and_not_kept(box, name):
    before = peak()
    with pytest.raises(LimitError):
        box.call((name, ""), name="a", reply=lambda _: None)
    assert peak() - before < 512 << 20  # twice what one message may have


def test_an_answer_too_many_is_not_the_next_documents(box):
    assert box.call(("twice", ""), name="a") == {"a": b"first"}
    with pytest.raises(LimitError, match="an invalid message"):
        box.call(("good", "second"), name="b")
    assert box.call(("good", "third"), name="c") == {"a": b"third"}


def test_nothing_is_left_open(box):
    box.call(("good", "a"), name="a")
    before = descriptors()
    for name in ("pickle", "close", "half"):
        with pytest.raises(LimitError):
            box.call((name, "/nowhere"), name="a", file=b"document")
        box.call(("good", "a"), name="a", file=b"document")
    assert descriptors() == before


def test_a_document_that_is_no_file_is_refused(box, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "nowhere"):
        with pytest.raises(InputError, match="not a file"):
            box.call(("good", "a"), name="a", file=path)
