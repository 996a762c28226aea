"""A process that reads documents can do nothing else, whatever runs in it."""

import subprocess
import sys
from errno import ENOSYS, EPERM

import pytest
from temptations import TEMPTATIONS, read_along, tempt

from rowen.documents.sandbox import Sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines processes")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "old").write_text("old")
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.fixture(scope="module")
def box():
    with Sandbox(tempt, processes=1, seconds=60.0, memory=1 << 30) as opened:
        yield opened


@pytest.mark.parametrize("name", TEMPTATIONS)
def test_what_is_not_reading_is_refused(box, folder, name):
    assert box.call((name, str(folder)), name=name) in {EPERM, ENOSYS}
    assert box.confined is True
    assert sorted(path.name for path in folder.iterdir()) == ["empty", "old"]
    assert (folder / "old").read_text() == "old"


@pytest.mark.parametrize("name", ["write", "listen", "rename", "signal"])
def test_this_process_could_do_it(folder, name):
    assert tempt((name, str(folder)), None) is None


def test_reading_goes_on(folder):
    with Sandbox(read_along, processes=1, seconds=60.0, memory=1 << 30) as opened:
        assert opened.confined is None
        assert opened.call(str(folder), name="a") == ("old", ["empty", "old"], True)
        assert opened.confined is True


def test_where_the_system_refuses_the_limits_stand():
    code = (
        "from rowen import _core\n_core.confine()\n"  # after it nothing can be asked for again
        "import resource\nfrom rowen.documents.confinement import confine\n"
        "print(confine(), resource.getrlimit(resource.RLIMIT_FSIZE)[1],"
        " resource.getrlimit(resource.RLIMIT_NPROC)[1])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "False 0 0\n"
