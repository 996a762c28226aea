"""`rowen token`: the file that it keeps, and what it prints."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from rowen.service.tokens import digest_of, read_tokens


@pytest.fixture
def token(rowen, tmp_path):
    """Runs the command on one file."""

    def run(*arguments):
        return rowen("token", *arguments, "--file", str(tmp_path / "tokens.json"))

    return run


def test_a_token_is_printed_once_and_kept_as_a_digest(token, tmp_path):
    made = token("add", "library", "--quota", "1.5GB", "--rate", "600/min", "--operator")
    assert (made.returncode, made.stderr) == (0, "")
    assert re.fullmatch(r"rowen_[\w-]{43}\n", made.stdout)
    secret = made.stdout.strip()
    file = tmp_path / "tokens.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert secret not in file.read_text()
    [kept] = read_tokens(file)
    assert kept.digest == digest_of(secret)
    assert (kept.tenant, kept.name, kept.bytes) == ("library", "library", 1_500_000_000)
    assert (str(kept.rate), kept.operator, kept.expires) == ("600/min", True, None)


def test_tokens_are_listed_and_removed_by_name(token):
    token("add", "library", "--documents", "10")
    token("add", "library")
    token("add", "press", "--name", "intake", "--expires", "2100-01-31")
    shown = token("list").stdout.splitlines()
    assert [line.partition(":")[0] for line in shown] == ["library", "library-2", "intake"]
    assert "documents 10" in shown[0]
    assert "expires 2100-01-31T00:00:00+00:00" in shown[2]
    assert token("remove", "library").returncode == 0
    left = [json.loads(line) for line in token("list", "-f", "jsonl").stdout.splitlines()]
    assert [one["name"] for one in left] == ["library-2", "intake"]
    assert "digest" not in left[0]


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [("0", 0), ("7B", 7), ("2k", 2000), ("10GB", 10**10), ("10 gb", 10**10), ("1TiB", 2**40)],
)
def test_sizes(token, tmp_path, given, bytes_):
    assert token("add", "a", "--quota", given).returncode == 0
    assert read_tokens(tmp_path / "tokens.json")[0].bytes == bytes_


def test_times_from_now(token, tmp_path):
    token("add", "a", "--expires", "90d")
    [kept] = read_tokens(tmp_path / "tokens.json")
    assert timedelta(days=89) < kept.expires - datetime.now(UTC) <= timedelta(days=90)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["add", "../x"], 2, "is not a valid tenant name"),
        (["add", "A"], 2, "is not a valid tenant name"),
        (["add", "a" * 64], 2, "is not a valid tenant name"),
        (["add", "a", "--quota", "1XB"], 2, "is not a size"),
        (["add", "a", "--rate", "0/min"], 2, "is not a rate"),
        (["add", "a", "--expires", "soon"], 2, "is not a time"),
        (["add", "a", "--name", "a\nb"], 2, "printable characters"),
        (["remove", "nobody"], 4, "no access token 'nobody'"),
        (["list"], 4, "can't read the access tokens"),
    ],
)
def test_what_is_wrong_is_reported_and_changes_nothing(token, tmp_path, arguments, code, told):
    answer = token(*arguments)
    assert answer.returncode == code
    assert told in answer.stderr
    assert list(tmp_path.glob("*tokens*")) == []


def test_a_name_is_of_one_token(token):
    token("add", "a", "--name", "b")
    again = token("add", "a", "--name", "b")
    assert again.returncode == 2
    assert "an access token 'b' exists" in again.stderr


def test_a_damaged_file_is_not_overwritten(token, tmp_path):
    (tmp_path / "tokens.json").write_text("{}")
    answer = token("add", "a")
    assert answer.returncode == 4
    assert "is damaged" in answer.stderr
    assert (tmp_path / "tokens.json").read_text() == "{}"


def test_who_could_read_the_file_can_read_it_still(token, tmp_path):
    token("add", "a")
    file = tmp_path / "tokens.json"
    file.chmod(0o660)
    token("add", "a")
    assert file.stat().st_mode & 0o777 == 0o640  # but others don't write it


def test_several_at_once_lose_nothing(tmp_path):
    file = str(tmp_path / "tokens.json")
    command = [sys.executable, "-m", "rowen", "token", "add", "a", "--file", file]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    assert len(read_tokens(tmp_path / "tokens.json")) == 4
