"""`rowen extract` over many small pages, beside a bare `re` loop over the same texts."""

import contextlib
import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Table, best_of
from rowen.cli import main
from rowen.sources import open_source

PAGES = 10_000
PATTERN = r"(?P<room>CS\s*\d{3}) at (?P<time>\d{1,2}[ap]m)"
FILLER = "<p>Meetings are announced here; topics and rooms may change at short notice.</p>\n"


def make_pages(folder: Path, count: int = PAGES) -> None:
    """Pages of 1 to 4 KB with one to four records each."""
    for number in range(count):
        records = "".join(
            f"<li>CS {100 + number % 800} at {k}pm</li>\n" for k in range(1 + number % 4)
        )
        body = FILLER * (12 + number % 36)
        (folder / f"{number:05}.html").write_text(f"<html><ul>{records}</ul>{body}</html>")


def bare_loop(folder: Path) -> int:
    """What a script would do: read the pages as we do, and search."""
    pattern = re.compile(PATTERN)
    found = 0
    for page in open_source(folder):
        for match in pattern.finditer(page.text):
            match.groupdict()
            found += 1
    return found


def bare_script(folder: Path, output: Path) -> int:
    """What a short script would do, its own reading and writing included."""
    pattern = re.compile(PATTERN)
    found = 0
    with output.open("w") as file:
        for path in sorted(folder.iterdir()):
            text = path.read_text("utf-8")
            for match in pattern.finditer(text):
                file.write(f"{path.name}\t{match['room']}\t{match['time']}\n")
                found += 1
    return found


def extract(rules: Path, folder: Path, output: Path) -> None:
    """The command, in this process."""
    with contextlib.redirect_stderr(io.StringIO()):
        assert main(["extract", str(rules), str(folder), "-o", str(output)]) == 0


def extract_process(rules: Path, folder: Path, output: Path) -> None:
    """The command as a user calls it, start of the interpreter included."""
    command = [sys.executable, "-m", "rowen", "extract", str(rules), str(folder), "-o", str(output)]
    subprocess.run(command, check=True)


def run() -> Table:
    """Best of several rounds each, interleaved; ratios to the bare loop of the same run."""
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        pages = folder / "pages"
        pages.mkdir()
        make_pages(pages)
        rules = folder / "rules.toml"
        rules.write_text(f"[extractor]\nname = 'rooms'\nkind = 'pattern'\npattern = '{PATTERN}'\n")
        output = folder / "out.jsonl"
        ways: dict[str, Callable[[], object]] = {
            "bare re loop, pages read as Rowen reads them": lambda: bare_loop(pages),
            "bare re script with its own reading and writing": lambda: bare_script(pages, output),
            "rowen extract, in process": lambda: extract(rules, pages, output),
            "rowen extract, as a new process": lambda: extract_process(rules, pages, output),
        }
        seconds = best_of(ways, rounds=9)
    base = seconds["bare re loop, pages read as Rowen reads them"]
    table = Table(f"extract: a pattern over {PAGES:,} pages", ("way", "seconds", "ratio"))
    for way, took in seconds.items():
        table.add(way, f"{took:.3f}", f"{took / base:.2f}")
    return table


if __name__ == "__main__":
    print(run())
