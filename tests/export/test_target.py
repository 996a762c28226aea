import io
import os
import resource
import signal
import stat
import subprocess
import sys
import threading

import pytest

from rowen.export.target import open_target
from rowen.model import OutputError


def names(folder):
    return [one.name for one in folder.iterdir()]


def write(destination, data=b"new"):
    target = open_target(destination)
    target.write(data)
    target.commit()


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"old")
    return path


def test_a_file_appears_only_when_committed(tmp_path):
    path = tmp_path / "records.jsonl"
    target = open_target(path)
    target.write(b"new")
    assert not path.exists()
    target.commit()
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["records.jsonl"]


def test_an_abandoned_file_leaves_the_old_one_and_nothing_else(old):
    target = open_target(str(old))
    target.write(b"new" * 100_000)
    target.abandon()
    assert old.read_bytes() == b"old"
    assert names(old.parent) == [old.name]


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_a_commit_that_fails_leaves_the_old_file_and_nothing_else(old, monkeypatch, name):
    def fail(*_):
        raise OSError(28, "No space left on device")

    target = open_target(old)
    target.write(b"new")
    monkeypatch.setattr(os, name, fail)
    with pytest.raises(
        OutputError, match=r"^can't write .*records.jsonl: no space left on device$"
    ):
        target.commit()
    assert old.read_bytes() == b"old"
    assert names(old.parent) == [old.name]


def test_a_file_that_grows_too_large_for_the_system_is_an_output_error(old):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    target = open_target(old)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OutputError, match="file too large"):
            target.write(b"x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
        target.abandon()
    assert old.read_bytes() == b"old"
    assert names(old.parent) == [old.name]


def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_replaced_file_keeps_its_permissions(old):
    old.chmod(0o600)
    write(old)
    assert old.read_bytes() == b"new"
    assert stat.S_IMODE(old.stat().st_mode) == 0o600


def test_a_symbolic_link_stays_and_its_file_is_replaced(old, tmp_path):
    link = tmp_path / "there" / "link"
    link.parent.mkdir()
    link.symlink_to(old)
    write(link)
    assert link.is_symlink()
    assert old.read_bytes() == b"new"


def test_a_symbolic_link_to_nothing_creates_the_file_that_it_names(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("later")
    write(link)
    assert link.is_symlink()
    assert (tmp_path / "later").read_bytes() == b"new"


def test_a_file_name_of_the_greatest_length_can_be_written(tmp_path):
    path = tmp_path / ("n" * 255)
    write(path)
    assert path.read_bytes() == b"new"


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"the folder .*/missing does not exist"):
        open_target(tmp_path / "missing" / "records.jsonl")


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(OutputError, match="it is a folder"):
        open_target(tmp_path)


@pytest.mark.parametrize("path", ["", "nul\0byte", "a" * 300, "file/below"])
def test_an_impossible_name_is_an_output_error(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError):
        open_target(path)
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_an_output_error(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="permission denied"):
        open_target(tmp_path / "new")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_file_without_permission_is_not_replaced(old):
    old.chmod(0o400)
    with pytest.raises(OutputError, match="not writable"):
        open_target(old)


def test_a_named_pipe_is_written_directly(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    write(path)
    reader.join()
    assert got == [b"new"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_full_device_is_an_output_error():
    with pytest.raises(OutputError, match="can't write /dev/full: no space left on device"):
        write("/dev/full")


def test_a_closed_pipe_is_left_to_the_caller():
    reading, writing = os.pipe()
    os.close(reading)
    target = open_target(f"/dev/fd/{writing}")
    try:
        with pytest.raises(BrokenPipeError):
            target.write(b"x" * 1_000_000)
    finally:
        target.abandon()
        os.close(writing)


@pytest.mark.parametrize("destination", ["None", "'/dev/stdout'", "'/proc/self/fd/1'"])
def test_standard_output_is_appended_to_where_the_shell_appends(old, destination):
    program = (
        "from rowen.export.target import open_target\n"
        "print('text', end=' ')\n"
        f"target = open_target({destination})\n"
        "target.write('é'.encode()); target.commit()\n"
    )
    with old.open("ab") as output:
        subprocess.run(
            [sys.executable, "-u", "-c", program],
            stdout=output,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C"},
        )
    assert old.read_text(encoding="utf-8") == "oldtext é"


def test_an_open_binary_file_stays_open():
    output = io.BytesIO()
    write(output)
    assert output.getvalue() == b"new"


def test_standard_output_may_be_a_stand_in(capsysbinary):
    write(None)
    assert capsysbinary.readouterr().out == b"new"
