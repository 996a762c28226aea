"""Install a wheel as a stranger would, and use it: python deploy/try_wheel.py WHEEL.

The packages that the core needs are fetched first, so that installing them needs no network; then
the wheel is installed into a fresh virtual environment in which no compiler can be found. Fails if
that takes too long, if it becomes too large, or if a smoke test fails.
"""  # noqa: INP001  # a script

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

SECONDS = 20.0
"""An installation from a local index takes no longer; on a shared machine, of its processors."""

MEGABYTES = 100
"""All packages together are no larger, without the caches that Python writes."""

PACKAGES = 6
"""The core needs no more packages beside Rowen, what they need included."""

PAGE = "<ul><li><b>{}</b> {} EUR</li><li><b>{}</b> {} EUR</li></ul>"
REFERENCE = "Knuth, D. E. (1984). Literate programming. The Computer Journal 27(2), 97-111.\n"


def main(wheel: Path) -> None:
    """Fetch, install, measure, use."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:",
            "--dest", str(place / "index"), str(wheel))  # fmt: skip
        venv.create(place / "env", with_pip=True)
        python = place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        before = size_of(place / "env")
        # Nothing but the environment's own programs: a source distribution could not be compiled.
        alone = {**os.environ, "PATH": str(python.parent), "CC": "false", "CXX": "false"}
        started, used = time.perf_counter(), processor_seconds()
        run(str(python), "-m", "pip", "install", "--quiet", "--no-index", "--find-links",
            str(place / "index"), str(wheel), env=alone)  # fmt: skip
        elapsed, used = time.perf_counter() - started, processor_seconds() - used
        megabytes = (size_of(place / "env") - before) / 1e6
        listed = run(str(python), "-m", "pip", "list", "--format=json", env=alone)
        ours = {"pip", "rowen", "setuptools", "wheel"}
        names = {one["name"] for one in json.loads(listed)} - ours
        print(
            f"{wheel.name}: installed in {elapsed:.1f} s ({used:.1f} s of a processor), "
            f"{megabytes:.0f} MB, {len(names)} packages beside it"
        )
        use(python.parent / "rowen", place, alone)
        if (
            min(elapsed, used or elapsed) > SECONDS
            or megabytes > MEGABYTES
            or len(names) > PACKAGES
        ):
            sys.exit("the wheel takes longer, or is larger, than promised")


def use(rowen: Path, place: Path, env: dict[str, str]) -> None:
    """Learn, extract and cite."""
    (place / "one.html").write_text(PAGE.format("Congo", 5, "Egypt", 7))
    (place / "two.html").write_text(PAGE.format("Peru", 51, "Chad", 3))
    records = [{"name": "Congo", "price": "5"}, {"name": "Egypt", "price": "7"}]
    label = {"page": "one.html", "records": records}
    (place / "labels.jsonl").write_text(json.dumps(label) + "\n")
    (place / "references.txt").write_text(REFERENCE)

    def call(*arguments: str) -> str:
        return run(str(rowen), *arguments, env=env, cwd=place)

    call("learn", "one.html", "--labels", "labels.jsonl", "-o", "wrapper.json")
    lines = call("extract", "wrapper.json", "two.html").splitlines()
    values = [json.loads(line)["values"] for line in lines]
    if values != [{"name": "Peru", "price": "51"}, {"name": "Chad", "price": "3"}]:
        sys.exit(f"extract gave {values}")
    title = json.loads(call("cite", "references.txt"))["title"]
    if title != "Literate programming":
        sys.exit(f"cite gave {title!r}")
    print("learn, extract and cite work")


def processor_seconds() -> float:
    """The time that the programs took which were run; 0 where the system doesn't say."""
    times = os.times()
    return times.children_user + times.children_system


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder, without Python's caches."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return sum(path.stat().st_size for path in files)


def run(*command: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """What a command prints; ends this script where it fails."""
    done = subprocess.run(  # noqa: S603  # our own commands
        command, env=env, cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
