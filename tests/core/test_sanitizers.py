"""The kernels in C++ under sanitizers: kept inputs and mutations of them, compared with references.

`make fuzz` runs more of the same, and `tests/fuzz/CMakeLists.txt` says how libFuzzer does.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUZZ = ROOT / "tests" / "fuzz"
NAMES = sorted(
    name
    for path in (FUZZ / "targets").glob("*.cpp")
    for name in re.findall(r"FUZZ_TARGET\((\w+)\)", path.read_text("utf-8"))
)
MUTATIONS = 1000 if "ROWEN_EXPLORE" not in os.environ else 1_000_000


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory):
    """The program with all targets, built with whatever C++ compiler there is."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    cmake = shutil.which("cmake", path=tools)
    if cmake is None:
        pytest.skip("CMake is not there")
    folder = ROOT / "build" / "fuzz"  # what did not change is not built again
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = tmp_path_factory.mktemp("fuzz")
    ninja = ["-G", "Ninja"] if shutil.which("ninja", path=tools) else []
    environment = {**os.environ, "PATH": tools}
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process of the tests may be at it
        for command in (
            [cmake, "-S", str(FUZZ), "-B", str(folder), *ninja],
            [cmake, "--build", str(folder), "--parallel", str(os.cpu_count())],
        ):
            ran = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
            assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    return folder / "rowen-fuzz"


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_agrees_with_its_reference_and_touches_no_other_memory(fuzzer, name, tmp_path):
    ran = subprocess.run(
        [fuzzer, FUZZ / "corpus", name, str(MUTATIONS)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert f"{MUTATIONS} mutations" in ran.stdout


def test_every_kernel_is_a_target_with_kept_inputs():
    core = ROOT / "src" / "rowen" / "_core"
    text = "".join(path.read_text("utf-8") for path in (FUZZ / "targets").glob("*.cpp"))
    kernels = {path.stem for path in core.glob("*.cpp") if not path.stem.endswith("_module")}
    for kernel in kernels - {"native"}:
        name = "match" if kernel.startswith("match") else kernel
        assert f'#include "{name}.hpp"' in text, kernel
    for name in NAMES:
        assert list((FUZZ / "corpus" / name).iterdir()), name
