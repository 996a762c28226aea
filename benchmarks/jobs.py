"""The jobs that `benchmarks.compare` measures in two trees by turns.

A job is a generator: it prepares its data, and then does its work once for every step and yields
the processor seconds that this took. It uses only what both trees have, and its own data never
depends on the tree. `python -m benchmarks.jobs NAME` does the job once for each line that it reads.
"""

import contextlib
import io
import json
import lzma
import random
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks import shared

ROUND_PAGES = 2_000
PAPERS = 40
DIGESTS = 120
"""For every 64 characters, in the slow extractor: some 0.5 million characters a second. A fixed
number, so that both trees do the same work."""

Rounds = Iterator[float]


def used() -> float:
    """Processor seconds of this process and of the children that it waited for."""
    return sum(
        one.ru_utime + one.ru_stime
        for one in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def rounds(work: Callable[[], object], *, times: int = 1) -> Rounds:
    """The seconds of each round of some work."""
    while True:
        before = used()
        for _ in range(times):
            work()
        yield used() - before


def start(*arguments: str) -> Rounds:
    """A new interpreter."""
    command = [sys.executable, *arguments]
    call = partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
    return rounds(call, times=8)


def decode() -> Rounds:
    """Bytes of pages to texts."""
    from rowen.text.charset import decode as read

    pages = [text.encode() for text in shared.pages("wrappers/swde.tar.xz")]
    return rounds(lambda: [read(page) for page in pages], times=10)


def html(name: str) -> Rounds:
    """Tokens or trees of pages."""
    from rowen.text.html_tokens import tokenize
    from rowen.text.tree import parse

    work: Callable[[str], object] = {"tokens": tokenize, "tree": parse}[name]
    texts = shared.pages("wrappers/swde.tar.xz", every=8)
    return rounds(lambda: [work(text) for text in texts], times=40 if name == "tokens" else 2)


def command() -> Rounds:
    """`rowen extract` with a pattern over many small pages."""
    from benchmarks.extract import PATTERN, extract, make_pages

    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        pages = folder / "pages"
        pages.mkdir()
        make_pages(pages, ROUND_PAGES)
        rules = folder / "rules.toml"
        rules.write_text(f"[extractor]\nname = 'rooms'\nkind = 'pattern'\npattern = '{PATTERN}'\n")
        yield from rounds(lambda: extract(rules, pages, folder / "out.jsonl"), times=2)


def pattern() -> Rounds:
    """Names, in pages of documentation; every value is read."""
    from benchmarks.recycle.tasks import NAME
    from rowen import Page, Pattern

    pages = [Page(text, name) for name, text in next(shared.snapshots("k8s")).items()]
    names = Pattern(NAME)
    return rounds(lambda: [one.values for page in pages for one in names.extract(page)])


def dictionary(name: str) -> Rounds:
    """100,000 entries: built, and looked for in a megabyte."""
    from benchmarks.dictionary import ENTRIES, words
    from rowen import Dictionary

    chance = random.Random(0)
    entries = words(ENTRIES, chance)
    if name == "build":
        return rounds(lambda: Dictionary(entries).extract("a"))
    others = words(150_000, chance)
    text = " ".join(chance.choice(entries) if chance.random() < 0.1 else word for word in others)
    built = Dictionary(entries, fold_case=name == "folded")
    return rounds(lambda: built.extract(text), times=4)


def relation() -> Rounds:
    """Names beside versions."""
    from benchmarks.recycle.tasks import NAME
    from rowen import Page, Pattern, Relation

    pages = [Page(text, name) for name, text in next(shared.snapshots("k8s")).items()]
    related = Relation(
        {"name": Pattern(NAME), "version": Pattern(r"v(?P<version>\d\.\d{1,2})")}, distance=100
    )
    return rounds(lambda: [one.values for page in pages for one in related.extract(page)])


def wrapper(kind: str) -> Rounds:
    """Extraction by a wrapper of each site's first page."""
    from benchmarks.wrappers.sites import DETAIL, LISTS, sites
    from benchmarks.wrappers.trial import try_learn

    learned = [
        (found, [page for page, _ in site.pages])
        for site in sites(*DETAIL, *LISTS)
        if (found := try_learn(site.pages[:1], kind)) is not None
    ]

    def extract() -> None:
        for found, pages in learned:
            for page in pages:
                for record in found.extract(page):
                    _ = record.values

    return rounds(extract, times=1 if kind == "auto" else 3)


def learning(kind: str) -> Rounds:
    """Each eighth site's first two pages."""
    from benchmarks.wrappers.sites import DETAIL, LISTS, sites
    from benchmarks.wrappers.trial import try_learn

    chosen = sites(*DETAIL, *LISTS)[::8]
    return rounds(lambda: [try_learn(site.pages[:2], kind) for site in chosen])


def matcher(corpus: str, name: str) -> Rounds:
    """Regions of pages that changed."""
    from benchmarks.matchers import changed_pages
    from rowen.recycling.match import match_regions

    pairs = changed_pages(corpus)
    return rounds(lambda: [match_regions(old, new, name, 100) for old, new in pairs])


def recycle(corpus: str, pace: str) -> Rounds:
    """The runs over all snapshots but the first; few of them for the slow extractor."""
    from benchmarks.recycle.tasks import CHEAP, CONTEXT, SCOPE, working
    from rowen import Store, Window

    cheap = pace == "cheap"
    task = CHEAP.extractor if cheap else working(DIGESTS, Window(SCOPE, CONTEXT), "slow")
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        with tarfile.open(shared.DATA / "evolving" / f"{corpus}.tar.xz") as tar:
            tar.extractall(folder / "pages", filter="data")
        days = sorted((folder / "pages").iterdir())[: None if cheap else 4]
        Store(folder / "first").run([task], days[0], jobs=1)
        place = folder / "store"
        while True:
            shutil.copytree(folder / "first", place)
            before = used()
            for day in days[1:]:
                Store(place).run([task], day, jobs=1)
            yield used() - before
            shutil.rmtree(place)


def papers() -> Rounds:
    """All stages of some of the shared papers."""
    from benchmarks.service.papers import some
    from rowen.papers.paper import read_closely

    paths = [str(path) for path in some(PAPERS)]
    return rounds(lambda: [read_closely(path) for path in paths])


def strings() -> Rounds:
    """Reference strings."""
    from rowen import parse_citations

    with lzma.open(shared.DATA / "scholar/refs/dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        raw = [json.loads(line)["raw"] for line in lines]
    return rounds(lambda: list(parse_citations(raw)))


def uploads() -> Rounds:
    """New documents to a service: what is read again each round has other bytes."""
    from benchmarks.service.serving import Served

    with Served("--no-near") as served:
        for number in range(1_000):
            texts = [f"{number} {n}\n{'A line of a text.' * 500}".encode() for n in range(200)]
            before = served.seconds()
            for text in texts:
                served.client.submit(text)
            yield served.seconds() - before


def first_answers() -> Rounds:
    """Papers that a service has not seen, with all it does by default; a new service each round."""
    from benchmarks.service.papers import some
    from benchmarks.service.serving import Served

    contents = [path.read_bytes() for path in some(10)]
    while True:
        with Served() as served:
            before = served.seconds()
            for content in contents:
                served.client.header(served.client.submit(content))
            seconds = served.seconds() - before
        yield seconds


def kept(*fresh: str) -> Rounds:
    """So many kept answers of a service, from its memory or from its store."""
    from benchmarks.service.papers import some
    from benchmarks.service.serving import Served, seconds_of

    with Served() as served:
        paper = served.client.submit(some(1)[0])
        served.client.header(paper)
        ask = [served.url, "2", f"/{paper.id}/header", *fresh]
        while True:
            before = seconds_of(served.pid)
            load = [sys.executable, "-m", "benchmarks.service.load", *ask]
            told = json.loads(subprocess.run(load, capture_output=True, check=True).stdout)
            yield (seconds_of(served.pid) - before) / told["answers"] * 1_000


JOBS: Mapping[str, Callable[[], Rounds]] = {
    "import rowen": partial(start, "-c", "import rowen"),
    "rowen --version": partial(start, "-m", "rowen", "--version"),
    "rowen --help": partial(start, "-m", "rowen", "--help"),
    "decode": decode,
    "html tokens": partial(html, "tokens"),
    "html tree": partial(html, "tree"),
    "rowen extract": command,
    "pattern": pattern,
    "relation": relation,
    **{f"dictionary, {one}": partial(dictionary, one) for one in ("build", "plain", "folded")},
    **{f"wrapper, {one}": partial(wrapper, one) for one in ("lr", "hlrt", "token", "auto")},
    **{f"learning, {one}": partial(learning, one) for one in ("lr", "hlrt", "token", "auto")},
    **{
        f"matcher, {corpus}, {one}": partial(matcher, corpus, one)
        for corpus in ("k8s", "ota_html")
        for one in ("line", "anchor", "suffix")
    },
    **{
        f"recycle, {corpus}, {pace}": partial(recycle, corpus, pace)
        for corpus in ("k8s", "ota_html")
        for pace in ("cheap", "slow")
    },
    "papers": papers,
    "reference strings": strings,
    "service, uploads": uploads,
    "service, first answers": first_answers,
    "service, kept in memory": kept,
    "service, kept in the store": partial(kept, "fresh"),
}


def main(arguments: Sequence[str]) -> None:
    """Do a job once for each line that is read; what else it prints goes nowhere."""
    answers = sys.stdout
    with contextlib.redirect_stdout(io.StringIO()):
        job = JOBS[arguments[0]]()
        for _ in sys.stdin:
            print(next(job), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
