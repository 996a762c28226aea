"""What fifty nights take on the disk, beside git, and how fast a past snapshot is read.

1,000 made-up pages of about 15 KB with 100 records each; every night 5% of them are edited in one
line. The same nights without differences, in turn with them, say what these cost. Git packs the
nights with `git gc --aggressive`.
"""

import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from benchmarks.measure import Table
from benchmarks.recycle.corpora import workspace
from benchmarks.recycle.trial import Effort
from rowen import Page, Pattern, Store
from rowen.recycling import intake
from rowen.storage.snapshots.pages import PagesWriter

PAGES = 1000
NIGHTS = 50
EDITED = 0.05
LINES = 100

_PRICES = Pattern(r"<b class=price>(?P<price>[\d.]+)</b>", name="prices")


def run(_effort: Effort) -> str:
    """The table."""
    folder = workspace() / "storage"
    store, whole = Store(folder / "store"), Store(folder / "whole")
    spent = spent_whole = 0.0
    # In turn, because machines are noisy.
    for pages in nights():
        spent += _night(store, pages)
        with (
            patch.object(PagesWriter, "_base_of", lambda _self, _key: (-1, None)),
            patch.object(intake, "_bases", lambda *_: []),
        ):
            spent_whole += _night(whole, pages)
    first = sum(len(page.text) for page in store.pages(0))
    about = f"{NIGHTS} nights, {PAGES:,} pages ({first / 1e6:.1f} MB), {EDITED:.0%} edited"
    table = Table(about, ("", "MB", "MB/s of a past snapshot", "CPU s a night"))
    table.add("git", f"{_git(folder / 'git') / 1e6:.2f}", "", "")
    sizes = _sizes(folder / "store")
    total = f"{sum(sizes.values()) / 1e6:.2f}"
    table.add("store", total, f"{_speed(store):.0f}", f"{spent / NIGHTS:.3f}")
    whole_size = f"{sum(_sizes(folder / 'whole').values()) / 1e6:.2f}"
    table.add("without differences", whole_size, "", f"{spent_whole / NIGHTS:.3f}")
    for kind, size in sorted(sizes.items()):
        table.add(f"of it {kind}", f"{size / 1e6:.2f}", "", "")
    return str(table)


def _night(store: Store, pages: dict[str, str]) -> float:
    """A run, in CPU seconds."""
    begin = time.process_time()
    store.run([_PRICES], [Page(text, id=page) for page, text in pages.items()], jobs=1)
    return time.process_time() - begin


def nights() -> Iterator[dict[str, str]]:
    """The pages of each night, by id."""
    chance = random.Random(0)
    words = [
        "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9)))
        for _ in range(4000)
    ]
    common = [1 / rank for rank in range(1, len(words) + 1)]

    def line() -> str:
        said = " ".join(chance.choices(words, common, k=14))
        return (
            f"<li><a href='/{chance.randint(0, 99999)}'>{said}</a> <b class=price>"
            f"{chance.randint(100, 99999) / 100}</b></li>"
        )

    pages = {f"shop/{number:04}.html": [line() for _ in range(LINES)] for number in range(PAGES)}
    for night in range(NIGHTS):
        if night:
            for page in chance.sample(sorted(pages), int(PAGES * EDITED)):
                pages[page][chance.randrange(LINES)] = line()
        yield {page: "\n".join(lines) for page, lines in pages.items()}


def _git(folder: Path) -> int:
    """The bytes of a packed repository with a commit per night."""
    folder.mkdir(parents=True)

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e", *words],
            cwd=folder,
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    for pages in nights():
        for page, text in pages.items():
            path = folder / page
            path.parent.mkdir(exist_ok=True)
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
        git("add", "-A")
        git("commit", "-qm", "night")
    git("gc", "-q", "--aggressive", "--prune=now")
    return sum(file.stat().st_size for file in (folder / ".git").rglob("*") if file.is_file())


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes by kind of file."""
    sizes: dict[str, int] = {}
    for file in folder.rglob("*"):
        if file.is_file():
            kind = "texts" if "texts" in file.parts else file.name.partition("-")[0]
            sizes[kind] = sizes.get(kind, 0) + file.stat().st_size
    return sizes


def _speed(store: Store) -> float:
    """Megabytes of text per second of processor time, of a snapshot in the middle and the last."""
    read = 0
    begin = time.process_time()
    for number in (NIGHTS // 2, NIGHTS - 1):
        read += sum(len(page.text) for page in store.pages(number))
    return read / 1e6 / (time.process_time() - begin)
