import json
import os
import signal
import subprocess
import sys
import time

import distributed
import pytest

WAITING = """
import os, pathlib, time
import rowen

@rowen.extractor
def waiting(text):
    pathlib.Path("busy").write_text(str(os.getpid()))
    time.sleep(600)
"""


def test_a_scheduler_is_given_by_its_address(command, folder):
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as cluster:
        (folder / "pages").mkdir()
        (folder / "a.html").rename(folder / "pages/a.html")
        given = ("rules.toml", "--snapshot", "pages", "--store", "store")
        address = ("--scheduler", cluster.scheduler_address)
        done = command("run", *given, "--engine", "dask", *address, "-f", "json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["tallies"]["rooms"]["records"] == 1
        refused = command("run", *given, *address)
        assert refused.returncode == 2
        assert "--scheduler is for --engine dask" in refused.stderr


def test_without_dask_installed_the_message_says_what_to_install(command, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = command("run", "rules.toml", "--snapshot", ".", "--store", "store", "--engine", "dask")
    assert done.returncode == 2
    assert "rowen[cluster]" in done.stderr


def ended(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def until(condition) -> None:
    last = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_its_own_workers_and_leaves_the_store_as_it_was(folder, number):
    (folder / "slow.py").write_text(WAITING)
    (folder / "pages").mkdir()
    (folder / "a.html").rename(folder / "pages/a.html")
    given = ["slow:waiting", "--snapshot", "pages", "--store", "store", "--engine", "dask"]
    with subprocess.Popen(
        [sys.executable, "-c", "from rowen.cli import run; run()", "run", *given, "--jobs", "1"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        until((folder / "busy").exists)
        until((folder / "busy").read_text)
        os.killpg(process.pid, number)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert told.splitlines()[-1] == "rowen: interrupted"
    until(lambda: ended(int((folder / "busy").read_text())))
    assert not list((folder / "store").glob("snapshots/*"))
