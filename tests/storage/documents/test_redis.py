"""Redis as the service sees it: asked while it answers, passed over while it does not."""

import builtins

import pytest

from rowen.model.errors import UsageError
from rowen.storage.documents import redis as guarded
from rowen.storage.documents.redis import REDIS_REST_SECONDS, SharedRedis


@pytest.fixture
def clock(monkeypatch):
    """The clock of what rests: a list with the time."""
    now = [1000.0]
    monkeypatch.setattr(guarded, "monotonic", lambda: now[0])
    return now


def get(shared, questions=None):
    def question(redis):
        if questions is not None:
            questions.append(1)
        return redis.get("a")

    return shared.ask(question, otherwise="gone")


def test_a_killed_redis_is_left_alone_for_a_while(valkey, shared, clock):
    assert get(shared) is None
    valkey.kill()
    assert get(shared) == "gone"
    assert shared.failures == 1
    questions = []
    assert get(shared, questions) == "gone"
    assert not questions
    clock[0] += REDIS_REST_SECONDS
    assert get(shared, questions) == "gone"
    assert questions
    valkey.restart()
    clock[0] += REDIS_REST_SECONDS
    assert get(shared) is None
    assert get(shared) is None
    assert shared.answers()
    assert shared.failures == 2


def test_a_paused_redis_is_waited_for_once(valkey, shared, clock):
    valkey.client().set("a", "1")
    assert get(shared) == b"1"
    valkey.pause()
    assert get(shared) == "gone"
    assert not shared.answers()
    valkey.resume()
    clock[0] += REDIS_REST_SECONDS
    assert get(shared) == b"1"


def test_while_one_finds_out_whether_redis_is_back_others_go_on(valkey, shared, clock):
    valkey.kill()
    get(shared)
    valkey.restart()
    clock[0] += REDIS_REST_SECONDS

    def question(redis):
        assert get(shared) == "gone"
        return redis.get("a")

    assert shared.ask(question, otherwise="gone") is None
    assert get(shared) is None


def test_a_restart_between_two_questions_is_not_felt(valkey, shared):
    valkey.client().set("a", "1")
    assert get(shared) == b"1"
    valkey.kill()
    valkey.restart()
    assert get(shared) is None
    assert shared.failures == 0


def test_a_refusal_does_not_keep_others_from_asking(valkey, shared):
    valkey.client().lpush("a", "x")
    assert get(shared) == "gone"
    assert shared.failures == 1
    assert shared.answers()


def test_a_password_is_not_shown():
    address = SharedRedis("redis://me:secret@host:7000/3").address
    assert address == "redis://host:7000/3"


def test_no_address_is_reported():
    with pytest.raises(UsageError, match="--redis: Redis URL must"):
        SharedRedis("localhost:6379")


def test_a_missing_package_is_reported(monkeypatch):
    real_import = builtins.__import__

    def refuse(name, *others, **more):
        if name == "redis":
            raise ModuleNotFoundError(name=name)
        return real_import(name, *others, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(UsageError, match=r"rowen\[redis\]"):
        SharedRedis("redis://localhost")
