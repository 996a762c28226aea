"""Whatever work does in a sandbox, the one who asked gets a result or an error."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from misdeeds import DIES_AT_START, HANGS_AT_START, MISDEEDS

from rowen.model.errors import DocumentError, LimitError
from rowen.workers import Handle, Pool, Stopped, TemplateError, process
from rowen.workers.template import Template

MEMORY = 256 << 20


def sandbox(*, processes=1, seconds=60.0):
    return Pool(MISDEEDS, processes=processes, seconds=seconds, memory=MEMORY)


def state_of(pid):
    """The letter of a process's state (R, S, T, Z, ...), and the id of its parent."""
    state, parent = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(") ")[2].split()[:2]
    return state, int(parent)


def wait_for(pid, state):
    while state_of(pid)[0] != state:
        time.sleep(0.01)


def test_work_is_done_in_another_process_which_is_kept():
    with sandbox() as box:
        first = box.call("work", name="a")
        assert first != os.getpid()
        assert box.call("work", name="b") == first


def test_a_call_that_hangs_can_be_stopped_and_the_next_one_is_done():
    with sandbox() as box, ThreadPoolExecutor(1) as threads:
        first = box.call("work", name="a")
        handle = Handle()
        call = threads.submit(box.call, "hang", name="b", handle=handle)
        handle.stop()
        with pytest.raises(Stopped):
            call.result()
        assert box.call("work", name="c") != first


def test_a_call_that_was_stopped_before_it_began_is_not_done():
    handle = Handle()
    handle.stop()
    with sandbox() as box:
        with pytest.raises(Stopped):
            box.call("hang", name="a", handle=handle)
        box.call("work", name="b")


def test_stopping_a_call_that_is_done_leaves_its_process_to_others():
    handle = Handle()
    with sandbox() as box:
        first = box.call("work", name="a", handle=handle)
        handle.stop()
        assert box.call("work", name="b") == first


def test_a_process_of_one_tenant_does_nothing_for_another():
    with sandbox(processes=2) as box:
        first = box.call("work", name="a", tenant="one")
        other = box.call("work", name="a", tenant="two")
        assert first != other
        assert box.call("work", name="a", tenant="one") == first
        third = box.call("work", name="a", tenant="three")  # in place of the one of "two"
        assert third not in {first, other}
        assert box.call("work", name="a", tenant="two") not in {first, other, third}


def test_tenants_together_have_no_more_processes_than_there_are():
    with sandbox(processes=2) as box, ThreadPoolExecutor(6) as threads:
        calls = [
            (str(i % 5), threads.submit(box.call, "work", name="a", tenant=str(i % 5)))
            for i in range(30)
        ]
        owners = {}
        for tenant, call in calls:
            assert owners.setdefault(call.result(), tenant) == tenant
        assert len(box._all) <= 2


def test_a_template_that_ended_is_replaced():
    with sandbox() as box:
        box.call("work", name="a")
        box._template.process.kill()
        box._template.process.wait()
        assert box.call("work", name="b", tenant="another")
        assert box.call("work", name="c")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_template_that_does_not_answer_is_replaced():
    with sandbox(processes=2) as box:
        box.call("work", name="a")
        stuck = box._template
        stuck._control.settimeout(0.1)
        os.kill(stuck.process.pid, signal.SIGSTOP)
        wait_for(stuck.process.pid, "T")
        assert box.call("work", name="b", tenant="another")
        assert stuck.process.returncode == -signal.SIGKILL
        assert box.call("work", name="c")  # its worker ended with its template


@pytest.mark.parametrize("deed", ["crash", "leave"])
def test_a_crash_is_an_error_and_the_next_is_done(deed):
    with sandbox() as box:
        with pytest.raises(LimitError, match="a.pdf: reading it crashed the process") as told:
            box.call(deed, name="a.pdf")
        assert (told.value.page, told.value.exit_code) == ("a.pdf", 4)
        assert box.call("work", name="b")


def test_a_crash_that_comes_of_earlier_work_is_tried_again():
    with sandbox() as box:
        first = box.call("work", name="a")
        assert box.call("crash-later", name="b") != first


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_worker_killed_between_two_tasks_costs_the_next_one_nothing():
    with sandbox() as box:
        first = box.call("work", name="a")
        os.kill(first, signal.SIGKILL)
        wait_for(first, "Z")
        assert box.call("work", name="b") != first


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_late_answer_of_the_template_is_not_taken_for_the_next_one():
    template = Template(MISDEEDS, MEMORY)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        try:
            first = template.copy(theirs, plugins=False)
            os.kill(template.process.pid, signal.SIGSTOP)
            wait_for(template.process.pid, "T")
            template._control.settimeout(0.1)
            template.reap(first)  # nobody answers in time
            template._control.settimeout(60)
            os.kill(template.process.pid, signal.SIGCONT)
            second = template.copy(theirs, plugins=False)
            assert state_of(second)[1] == template.process.pid
            assert not Path(f"/proc/{first}").exists()  # the late command was obeyed
        finally:
            template.end()


def test_a_worker_that_dies_before_it_is_ready_is_an_error_and_the_next_is_done():
    with Pool(DIES_AT_START, processes=1, seconds=60, memory=MEMORY) as box:
        with pytest.raises(LimitError, match="crashed the process"):
            box.call("work", name="a", plugins=True)
        assert box.call("work", name="b")


def test_a_worker_that_does_not_get_ready_is_given_up_and_no_document_is_blamed(monkeypatch):
    with Pool(HANGS_AT_START, processes=1, seconds=60, memory=MEMORY) as box:
        monkeypatch.setattr(process, "PROCESS_START_SECONDS", 0.3)
        with pytest.raises(TemplateError, match="did not start in time"):
            box.call("work", name="a", plugins=True)
        monkeypatch.undo()
        assert not box._all
        assert box.call("work", name="b")


def test_a_parent_without_free_descriptors_starts_no_worker_until_it_has_some():
    with sandbox() as box:
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        free = os.dup(0)
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, limits[1]))
        try:
            with pytest.raises(TemplateError, match="no worker can be started: .*open files"):
                box.call("work", name="a")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        assert box.call("work", name="b")


def test_time_is_limited():
    with sandbox(seconds=0.3) as box:
        with pytest.raises(LimitError, match="longer than 0 seconds"):
            box.call("hang", name="a")
        assert box.call("work", name="b")


def test_work_may_be_allowed_more_time():
    with sandbox(seconds=0.3) as box:
        assert box.call("longer 1", name="a")


def test_work_may_ask_the_one_who_waits_for_it():
    with sandbox() as box:
        assert box.call("ask 3", name="a", reply=lambda number: 10 * number) == [0, 10, 20]
        assert box.call("ask 1", name="a") == [None]
        with pytest.raises(ZeroDivisionError):  # of the one who waits; the process is replaced
            box.call("ask 1", name="a", reply=lambda number: 1 / number)
        assert box.call("work", name="b")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_memory_is_limited():
    with sandbox() as box:
        first = box.call("hog 100", name="a")
        assert box.call("hog 100", name="b") == first
        with pytest.raises(LimitError, match="more than 256 MB of memory"):
            box.call("hog 300", name="c")
        assert box.call("hog 100", name="d")


def test_errors_of_the_work_are_raised_as_they_were():
    with sandbox() as box:
        with pytest.raises(DocumentError, match="a.pdf: is refused"):
            box.call("refuse a.pdf", name="a.pdf")
        with pytest.raises(RuntimeError, match="ValueError: of ours") as told:
            box.call("fail of ours", name="a.pdf")
        assert "misdeeds.py" in told.value.__notes__[0]


def test_a_failure_stops_no_other_and_the_order_is_kept():
    deeds = ["work", "crash", "work", "refuse x", "hang", "fail y", *["work"] * 6]
    with sandbox(processes=2, seconds=2.0) as box:
        found = list(box.each((str(i), deed, None) for i, deed in enumerate(deeds)))
    assert [name for name, _ in found] == [str(i) for i in range(len(deeds))]
    kinds = [type(result) for _, result in found]
    assert kinds[:6] == [int, LimitError, int, DocumentError, LimitError, RuntimeError]
    assert set(kinds[6:]) == {int}


def test_threads_share_the_processes():
    with sandbox(processes=2) as box, ThreadPoolExecutor(6) as threads:
        pids = set(threads.map(lambda i: box.call("work", name=str(i)), range(24)))
    assert len(pids) <= 2


def test_after_a_stop_it_yields_what_was_finished():
    deeds = ["work", "hang", "work", "work"]
    with sandbox(processes=2) as box:
        results = box.each((str(i), deed, None) for i, deed in enumerate(deeds))
        names = [next(results)[0]]
        time.sleep(3)  # the other process finishes what comes after the task that hangs
        box.stop()
        names += [name for name, _ in results]
    assert names == ["0", "2", "3"]


def test_an_abandoned_iteration_ends_the_work():
    with sandbox() as box:
        for _ in box.each([("a", "work", None), ("b", "hang", None)]):
            break


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_narrower_limits_of_the_parent_hold():
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "import resource\nfrom misdeeds import MISDEEDS\n"
        "from rowen.workers import Pool\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (600, 600))\n"
        "with Pool(MISDEEDS, processes=1, seconds=60, memory=1 << 40) as box:\n"
        "    print(box.call('longer 0', name='a'))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert int(ran.stdout)


def gone(pid):
    """Whether a process is no more, or only its entry is."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text("ascii")
    except FileNotFoundError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_processes_end_with_the_one_that_started_them():
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "import os\nfrom misdeeds import MISDEEDS\nfrom rowen.workers import Pool\n"
        "box = Pool(MISDEEDS, processes=1, seconds=60, memory=1 << 30)\n"
        "print(box.call('work', name='a'), flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    pid = int(ran.stdout)
    until = time.monotonic() + 30
    while not gone(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert gone(pid)
