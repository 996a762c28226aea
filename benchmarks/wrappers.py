"""Wrapper induction on the shared labelled sites: quality by class, examples needed, speed.

In the spirit of chapter 7 of the thesis. Needs the shared data; spans are compared exactly.
"""

import json
import random
import tarfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.measure import Table
from benchmarks.shared import DATA
from rowen import Example, LabelError, NoConsistentWrapper, Page, Wrapper, learn

LISTS = ("court_opinions", "procyclingstats", "pacer_attachments")
CLASSES = ("auto", "token", "m-hlrt", "m-lr", "hlrt", "lr")
THESIS = ("lr", "hlrt", "oclr", "hoclrt")

Label = list[dict[str, Any]]
Site = list[tuple[Page, Label]]


def sites(collection: str) -> Iterator[tuple[str, Site]]:
    """The labelled pages of each site, in the order of the label files."""
    texts: dict[str, str] = {}
    labels: dict[str, str] = {}
    with tarfile.open(DATA / "wrappers" / f"{collection}.tar.xz") as tar:
        for member in tar:
            if member.isfile() and (file := tar.extractfile(member)) is not None:
                kept = labels if member.name.endswith("labels.jsonl") else texts
                kept[member.name] = file.read().decode("utf-8", "replace")
    for name, lines in sorted(labels.items()):
        folder = name.removesuffix("labels.jsonl")
        site = []
        for line in lines.splitlines():
            label = json.loads(line)
            if label.get("quality") != "partial" and label["spans"]:
                page = Page(texts[folder + label["page"]], id=label["page"])
                site.append((page, label["spans"]))
        if site:
            yield folder.strip("/"), site


class Score(NamedTuple):
    """Values and records, of one site."""

    right: int = 0
    found: int = 0
    wanted: int = 0
    whole: int = 0
    records: int = 0

    @property
    def f1(self) -> float:
        """Of the values."""
        return 2 * self.right / max(self.found + self.wanted, 1)

    def plus(self, other: "Score") -> "Score":
        """Both together."""
        return Score(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def values_of(record: Mapping[str, Any]) -> frozenset[tuple[str, int, int]]:
    """A label's or an extracted record's values."""
    return frozenset(
        (name, *span)
        for name, spans in record.items()
        for span in ([] if spans is None else [spans] if isinstance(spans[0], int) else spans)
    )


def score(wrapper: Wrapper | None, page: Page, label: Label, known: Label = ()) -> Score:  # type: ignore[assignment]
    """What a wrapper finds on a page beyond what was marked on it."""
    skip = frozenset[Any]().union(*map(values_of, known))
    found = [] if wrapper is None else [values_of(one.spans) for one in wrapper.extract(page)]
    wanted = [values_of(record) for record in label if record not in known]
    all_found = frozenset[Any]().union(*found) - skip
    all_wanted = frozenset[Any]().union(*wanted) - skip
    return Score(
        len(all_found & all_wanted),
        len(all_found),
        len(all_wanted),
        sum(record in found for record in wanted),
        len(wanted),
    )


def try_learn(examples: Callable[[], list[Example]], name: str) -> Wrapper | None:
    """A wrapper, or None where there is none or a label is refused."""
    try:
        return learn(examples(), name)
    except (NoConsistentWrapper, LabelError):
        return None


def detail(site: Site, name: str) -> Score | None:
    """Two pages marked, the others tried."""
    wrapper = try_learn(lambda: [Example(*one) for one in site[:2]], name)
    total = Score()
    for page, label in site[2:]:
        total = total.plus(score(wrapper, page, label))
    return total


def listed(site: Site, name: str) -> Score | None:
    """Three pages marked, the others tried."""
    if len(site) < 4:
        return None
    wrapper = try_learn(lambda: [Example(*one) for one in site[:3]], name)
    total = Score()
    for page, label in site[3:]:
        total = total.plus(score(wrapper, page, label))
    return total


def partial(site: Site, name: str) -> Score | None:
    """The first three records of one page marked, the others looked for."""
    for page, label in site:
        if len(label) > 4:
            known = label[:3]
            wrapper = try_learn(lambda: [Example(page, known, partial=True)], name)  # noqa: B023
            return score(wrapper, page, label, known)
    return None


def quality() -> Table:
    """Mean over sites of the values' F1, and of the records that are right in every field."""
    table = Table("wrappers: F1 of values / records right", ("kind", "sites", *CLASSES))
    kinds: tuple[tuple[str, Sequence[str], Callable[[Site, str], Score | None]], ...] = (
        ("detail pages, 2 marked", ("swde",), detail),
        ("lists, 3 pages marked", LISTS, listed),
        ("one page, 3 records marked", LISTS, partial),
    )
    for kind, collections, trial in kinds:
        scores = defaultdict(list)
        for collection in collections:
            for _, site in sites(collection):
                for name in CLASSES:
                    if (found := trial(site, name)) is not None:
                        scores[name].append(found)
        cells = []
        for name in CLASSES:
            f1 = sum(one.f1 for one in scores[name]) / len(scores[name])
            whole = sum(one.whole / max(one.records, 1) for one in scores[name]) / len(scores[name])
            cells.append(f"{f1:.3f} / {whole:.3f}")
        table.add(kind, str(len(scores["auto"])), *cells)
    return table


def examples_needed() -> Table:
    """Pages marked until a wrapper is perfect on the site's others, where it ever is (fig. 7.4).

    Only fields that each record has exactly once count: the thesis' classes know no others.
    """
    table = Table("wrappers: examples needed", ("class", "sites", "wrapped", "mean pages"))
    needed: dict[str, list[int]] = {name: [] for name in THESIS}
    count = 0
    for collection in ("swde", *LISTS):
        for _, site in sites(collection):
            plain = _plain(site)
            if len(plain) < 4:
                continue
            count += 1
            for name in THESIS:
                for marked in range(1, min(len(plain) - 1, 6)):
                    wrapper = try_learn(lambda: [Example(*one) for one in plain[:marked]], name)  # noqa: B023
                    if wrapper is None:
                        break
                    if all(score(wrapper, *one).whole == len(one[1]) for one in plain[marked:]):
                        needed[name].append(marked)
                        break
    for name, pages in needed.items():
        mean = sum(pages) / len(pages) if pages else float("nan")
        table.add(name, str(count), str(len(pages)), f"{mean:.2f}")
    return table


def _plain(site: Site) -> Site:
    names = set.intersection(
        *(
            {name for name, spans in record.items() if spans and isinstance(spans[0], int)}
            for _, label in site
            for record in label
        )
    )
    return [
        (page, [{name: record[name] for name in names} for record in label])
        for page, label in site
        if names
    ]


def made_up(size: int, chance: random.Random) -> Example:
    """A page of that many characters with 20 records of 6 fields."""
    filler = " ".join("".join(chance.choices("abcdefgh", k=5)) for _ in range(size // 6 - 350))
    text = f"<html><p>{filler}</p><table>"
    records = []
    for _ in range(20):
        record = {}
        text += "<tr>"
        for field in range(6):
            value = "".join(chance.choices("xyz", k=6))
            text += f'<td class="f{field}"><b>'
            record[f"f{field}"] = (len(text), len(text) + 6)
            text += f"{value}</b></td>\n"
        text += "</tr>\n"
        records.append(record)
    return Example(Page(text + "</table></html>"), records)


def learning_time() -> Table:
    """Ten pages of 20 records of 6 fields (fig. 7.6), and how time grows with the pages."""
    table = Table("wrappers: seconds to learn 10 pages", ("class", "25 KB", "200 KB", "growth / 8"))
    chance = random.Random(0)
    samples = {size: [made_up(size, chance) for _ in range(10)] for size in (25_000, 200_000)}
    for name in (*THESIS, "m-lr", "m-hlrt", "token"):
        seconds = {}
        for size, examples in samples.items():
            best = float("inf")
            for _ in range(3):
                start = time.perf_counter()
                learn(examples, name)
                best = min(best, time.perf_counter() - start)
            seconds[size] = best
        small, large = seconds.values()
        table.add(name, f"{small:.3f}", f"{large:.3f}", f"{large / small / 8:.2f}")
    return table


def speed() -> Table:
    """Extraction over real pages, wrapper by wrapper, a core."""
    table = Table("wrappers: extraction over the shared pages", ("class", "pages", "MB/s"))
    for name in ("lr", "hlrt", "token"):
        read = took = 0.0
        count = 0
        for collection in ("swde", *LISTS):
            for _, site in sites(collection):
                wrapper = try_learn(lambda: [Example(*one) for one in site[:1]], name)  # noqa: B023
                if wrapper is None:
                    continue
                start = time.process_time()
                for page, _ in site:
                    wrapper.extract(page)
                took += time.process_time() - start
                read += sum(len(page.text) for page, _ in site) / 1e6
                count += len(site)
        table.add(name, str(count), f"{read / took:.0f}")
    return table


def run() -> str:
    """All tables."""
    if not (DATA / "wrappers").exists():
        return "### wrappers\n\nThe shared data is not there."
    tables = (quality, examples_needed, learning_time, speed)
    return "\n\n".join(str(table()) for table in tables)


if __name__ == "__main__":
    print(run())
