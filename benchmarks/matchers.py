"""Matchers on pages that changed between snapshots, beside other ways to compare texts."""

import difflib
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measure import Table
from benchmarks.optional import optional, told
from benchmarks.shared import snapshots
from rowen.recycling.match import match_regions

LEAST = 100
CHARACTERS = 12_000_000
"""How much of a corpus' changed pages is compared, in both versions together."""
SMALL = 6_000
"""difflib's time grows with the square: it only gets the pages up to so many characters."""
SCALES = (0.25, 0.5, 1, 2, 4)

Pair = tuple[str, str]


def changed_pages(corpus: str) -> list[Pair]:
    """Old and new text of a sample of the pages that changed from one snapshot to the next."""
    pairs = []
    before: dict[str, str] = {}
    for after in snapshots(corpus):
        pairs += [
            (before[name], text)
            for name, text in after.items()
            if name in before and before[name] != text
        ]
        before = after
    random.Random(0).shuffle(pairs)
    total = 0
    for count, pair in enumerate(pairs):
        total += characters([pair])
        if total > CHARACTERS:
            return pairs[:count]
    return pairs


def characters(pairs: list[Pair]) -> int:
    """The characters of old and new pages."""
    return sum(len(old) + len(new) for old, new in pairs)


def reusable(matcher: str, pairs: list[Pair]) -> int:
    """How many windows of the least length begin in a region: what can be skipped."""
    total = 0
    for old, new in pairs:
        starts = np.zeros(len(new) + 2, np.int64)
        for start, _, length in match_regions(old, new, matcher, LEAST).tolist():
            starts[start] += 1
            starts[start + length - LEAST + 1] -= 1
        total += int((np.cumsum(starts) > 0).sum())
    return total


def by_difflib(old: str, new: str) -> None:
    """Character by character."""
    difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()


def by_rapidfuzz(old: str, new: str) -> None:
    """Insertions and deletions, character by character."""
    optional("rapidfuzz.distance").Indel.opcodes(old, new)


def encoded(text: str) -> bytes:
    """As it is in files."""
    return text.encode("utf-8", "surrogatepass")


def by_divsufsort(old: str, new: str) -> None:
    """A suffix array of both pages and the lengths that neighbours in it share: what every matcher
    by suffix arrays begins with, before it looks for a region.
    """
    divsufsort = optional("pydivsufsort")
    both = encoded(old + new)
    divsufsort.kasai(both, divsufsort.divsufsort(both))


def by_program(command: list[str], folder: Path, pairs: list[Pair]) -> float:
    """Seconds of one process a pair, the files written before."""
    seconds = 0.0
    for old, new in pairs:
        for name, text in (("old", old), ("new", new)):
            (folder / name).write_bytes(encoded(text))
        start = time.perf_counter()
        subprocess.run([*command, "old", "new"], cwd=folder, capture_output=True, check=False)
        seconds += time.perf_counter() - start
    return seconds


def seconds_of(match: Callable[[str, str], object], pairs: list[Pair], rounds: int) -> float:
    """The least processor time for all pairs: machines are shared, and no way has threads."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for old, new in pairs:
            match(old, new)
        best = min(best, time.process_time() - start)
    return best


def compare(corpus: str) -> Table | None:
    """A table of speeds, all on the same pages but where it says small."""
    pairs = changed_pages(corpus)
    if not pairs:
        return None
    small = [pair for pair in pairs if max(map(len, pair)) <= SMALL][:8]
    if not small:
        cut = [(old[:SMALL], new[:SMALL]) for old, new in pairs]
        small = [(old, new) for old, new in cut if old != new][:8]
    size, small_size = characters(pairs) / 1e6, characters(small) / 1e6
    wanted = reusable("suffix", pairs)
    ways = {name: partial(_by_rowen, name) for name in ("suffix", "anchor", "line")}
    speeds = {name: size / seconds_of(way, pairs, 3) for name, way in ways.items()}
    smalls = {name: small_size / seconds_of(way, small, 3) for name, way in ways.items()}
    shares = {name: reusable(name, pairs) / wanted for name in ways}
    table = Table(
        f"matchers: {corpus}, {len(pairs)} changed pages, {size:.1f} million characters, "
        f"regions of {LEAST} or more",
        ("way", "M characters/s", "times suffix", "small pages", "of what suffix finds"),
    )
    for name, speed in speeds.items():
        table.add(
            name,
            f"{speed:.1f}",
            f"{speed / speeds['suffix']:.1f}",
            f"{smalls[name]:.1f}",
            f"{shares[name]:.4%}",
        )
    with tempfile.TemporaryDirectory() as folder:
        for command in (["diff"], ["git", "diff", "--no-index"]):
            speed = size / by_program(command, Path(folder), pairs)
            name = f"{' '.join(command)}, a process a page"
            table.add(name, f"{speed:.1f}", f"{speed / speeds['suffix']:.1f}", "", "")
    if optional("pydivsufsort") is not None:
        speed = size / seconds_of(by_divsufsort, pairs, 1)
        name = "pydivsufsort, suffix array and shared lengths alone"
        table.add(name, f"{speed:.1f}", f"{speed / speeds['suffix']:.1f}", "", "")
    else:
        table.add(told("pydivsufsort"), "", "", "", "")
    others: dict[str, Callable[[str, str], object]] = {"difflib, characters": by_difflib}
    if optional("rapidfuzz") is not None:
        others["rapidfuzz, characters"] = by_rapidfuzz
    else:
        table.add(told("rapidfuzz"), "", "", "", "")
    for name, way in others.items():
        speed = small_size / seconds_of(way, small, 1)
        ratio = f"anchor is {smalls['anchor'] / speed:.0f} times as fast"
        table.add(name, "", "", f"{speed:.3f}; {ratio}", "")
    return table


def _by_rowen(matcher: str, old: str, new: str) -> object:
    return match_regions(old, new, matcher, LEAST)


def scale() -> Table:
    """How `suffix` grows with the page: real text, cut, with one edit in the middle."""
    pages = [
        text for corpus in ("ota_html", "k8s") for text in next(snapshots(corpus), {}).values()
    ]
    text = "".join(pages)
    table = Table("matchers: suffix on larger pages", ("M characters", "seconds", "times the half"))
    before = None
    for size in SCALES:
        half = int(size * 5e5)
        old = text[: 2 * half]
        new = old[:half] + "?" + old[half + 100 :]
        if len(old) < 2 * half:
            break
        took = seconds_of(partial(_by_rowen, "suffix"), [(old, new)], 5)
        table.add(f"{size}", f"{took:.3f}", f"{took / before:.2f}" if before else "")
        before = took
    return table


def tables() -> Iterator[Table]:
    """One after the other, as each is done."""
    for corpus in ("k8s", "ota_html"):
        if (table := compare(corpus)) is not None:
            yield table
    yield scale()


def run() -> str:
    """All tables; where the shared data is not there, they are empty or missing."""
    return "\n\n".join(map(str, tables()))


if __name__ == "__main__":
    for one in tables():
        print(one, end="\n\n", flush=True)
