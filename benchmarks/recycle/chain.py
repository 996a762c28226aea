"""A chain of three steps against the same three as one extractor (Delex, in spirit).

Sections of a page, then the sentences of each, then the work of a model on each sentence. As one
function its locality is the whole page, which is what its author would have to declare: sections
have no bound. The chain reuses the records of each step. Both give the same records, which is
checked for every night. A run also reads, compares and stores pages, whatever is extracted: so the
faster the work, the less there is to save. It is tried at two paces, on every fourth page.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from zlib import crc32

from benchmarks.measure import Table
from benchmarks.recycle.corpora import snapshots, workspace
from benchmarks.recycle.trial import Effort
from rowen import Chain, Pattern, Store, WholePage, extractor
from rowen.extractors.base import Extractor
from rowen.sources import open_source

_SECTION = r"(?ms)^#+ (?P<section>.*?)(?=^#|\Z)"
_SENTENCE = r"(?P<sentence>[^.!?<>]{20,}[.!?])"
_WORD = re.compile(r"[A-Z][a-z]{2,20}\d?")


_PACES = {"50 digests": 50, "500 digests": 500}
"""The work on 64 characters: about 5 and 0.5 million characters a second."""
_PACE = {"digests": 50}


def _work(text: str) -> Iterator[tuple[int, int]]:
    digests = _PACE["digests"]
    for start in range(0, len(text), 64):
        data = text[start : start + 64].encode("utf-8", "replace")
        for _ in range(digests * len(data) // 64):
            data = blake2b(data).digest()
    for found in _WORD.finditer(text):
        yield found.span()


@extractor(name="model", locality=WholePage(), version="1")
def model(text: str) -> Iterator[dict[str, tuple[int, int]]]:
    """What stands for a model: it sees all of its text."""
    for span in _work(text):
        yield {"word": span}


@extractor(name="one", locality=WholePage(), version="1")
def one(text: str) -> Iterator[dict[str, tuple[int, int]]]:
    """The three steps as one function."""
    for section in re.finditer(_SECTION, text):
        for sentence in re.finditer(_SENTENCE, section["section"]):
            begin = section.start("section") + sentence.start()
            for start, end in _work(sentence["sentence"]):
                yield {"word": (begin + start, begin + end)}


def _chain() -> Extractor:
    sections = Pattern(_SECTION, name="sections")
    sentences = Chain(Pattern(_SENTENCE, name="sentences"), sections, "section")
    return Chain(model, sentences, "sentence", name="chain")


def _cpu() -> float:
    return sum(
        used.ru_utime + used.ru_stime for used in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
    )


def run(effort: Effort) -> str:
    """A row for each way and pace; nights after the first one count."""
    table = Table(
        "recycle: a chain of three steps, k8s, CPU seconds of whole runs",
        ("work", "way", "seconds", "of scratch", "match, extract, copy", "extracted", "other"),
    )
    nights = snapshots("k8s")[: max(effort.slow, 3)]
    for pace, digests in _PACES.items():
        _PACE["digests"] = digests
        for row in _rows(pace, nights):
            table.add(*row)
    return str(table)


def _rows(pace: str, nights: tuple[Path, ...]) -> Iterator[tuple[str, ...]]:
    ways = {"scratch": (one, True), "one extractor": (one, False), "chain": (_chain(), False)}
    spent, extracted, records = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0), {}
    work = dict.fromkeys(ways, 0.0)
    for way, (own, scratch) in ways.items():
        store = Store(workspace() / f"chain-{pace}-{way}")
        for number, folder in enumerate(nights):
            begin = _cpu()
            pages = [page for page in open_source(folder) if crc32(page.id.encode()) % 4 == 0]
            report = store.run([own], pages, jobs=1, scratch=scratch)
            if number:
                spent[way] += _cpu() - begin
                work[way] += sum(report.seconds[step] for step in ("match", "extract", "copy"))
                extracted[way] += report.tallies[own.name].extracted_characters
            records[way, number] = {
                (page.id, tuple(record.spans["word"]))
                for page, found in store.each(own.name)
                for record in found
            }
    for way in ways:
        other = sum(
            len(records[way, number] ^ records["scratch", number]) for number in range(len(nights))
        )
        yield (
            pace,
            way,
            f"{spent[way]:.2f}",
            f"{spent['scratch'] / spent[way]:.1f}x",
            f"{work[way]:.2f}",
            f"{extracted[way]:,}",
            str(other),
        )
