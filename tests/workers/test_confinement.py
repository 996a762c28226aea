"""A process that reads documents can do nothing else, whatever runs in it."""

import subprocess
import sys
from errno import EACCES, ENOSYS, EPERM

import pytest
from temptations import TEMPT, TEMPTATIONS, tempt

from rowen.workers import Pool

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines processes")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "old").write_text("old")
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.fixture(scope="module")
def box():
    with Pool(TEMPT, processes=2, seconds=60.0, memory=1 << 30) as opened:
        yield opened


@pytest.mark.parametrize("plugins", [False, True], ids=["alone", "with plugins"])
@pytest.mark.parametrize("name", TEMPTATIONS)
def test_what_is_not_computing_is_refused(box, folder, name, plugins):
    found = box.call((name, str(folder)), name=name, file=b"its own", plugins=plugins)
    assert found in {EPERM, ENOSYS, EACCES}
    assert sorted(path.name for path in folder.iterdir()) == ["empty", "old"]
    assert (folder / "old").read_text() == "old"


@pytest.mark.parametrize("name", ["write", "read", "list", "listen", "rename", "signal", "environ"])
def test_this_process_could_do_it(folder, name):
    assert tempt((name, str(folder)), None) is None


def test_readiness_shows_the_confinement_in_force(box):
    with Pool(TEMPT, processes=1, seconds=60.0, memory=1 << 30) as opened:
        assert opened.confinement is None
    box.call(("read", "/"), name="a")
    assert (box.confinement.seccomp, box.confinement.memory) == (True, True)


def test_where_the_system_refuses_the_limits_stand():
    code = (
        "from rowen import _core\n_core.confine(False)\n"  # then nothing can be asked for again
        "import resource\nfrom rowen.workers import confinement\n"
        "confinement._limit_memory = lambda most: False\n"
        "print(confinement.confine(1 << 30), resource.getrlimit(resource.RLIMIT_FSIZE)[1],"
        " resource.getrlimit(resource.RLIMIT_NPROC)[1])\n"
    )
    code = "import resource, rowen.workers.confinement\n" + code
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "Confinement(seccomp=False, landlock=0, memory=False) 0 0\n"
