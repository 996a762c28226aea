"""A chain of three steps against the same three as one extractor (Delex, in spirit).

Sections of a page, then the sentences of each, then the work of a model on each sentence. As one
function its locality is the whole page, which is what its author would have to declare: sections
have no bound. The chain reuses the records of each step. Both give the same records, which is
checked for every night.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from benchmarks.measure import Table
from benchmarks.recycle.corpora import snapshots, workspace
from benchmarks.recycle.tasks import MIDDLING
from benchmarks.recycle.trial import Effort
from rowen import Chain, Pattern, Store, WholePage, extractor
from rowen.extractors.base import Extractor

_SECTION = r"(?ms)^#+ (?P<section>.*?)(?=^#|\Z)"
_SENTENCE = r"(?P<sentence>[^.!?<>]{20,}[.!?])"
_WORD = re.compile(r"[A-Z][a-z]{2,20}\d?")


def _work(text: str) -> Iterator[tuple[int, int]]:
    for start in range(0, len(text), 64):
        data = text[start : start + 64].encode("utf-8", "replace")
        for _ in range(MIDDLING * len(data) // 64):
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
    """A row for each way; nights after the first one count."""
    table = Table(
        "recycle: a chain of three steps, k8s, CPU seconds of whole runs",
        ("way", "seconds", "of scratch", "characters extracted", "other records"),
    )
    nights = snapshots("k8s")[: max(effort.slow, 3)]
    ways = {"scratch": (one, True), "one extractor": (one, False), "chain": (_chain(), False)}
    spent, extracted, records = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0), {}
    for way, (own, scratch) in ways.items():
        store = Store(workspace() / f"chain-{way}")
        for number, folder in enumerate(nights):
            begin = _cpu()
            report = store.run([own], folder, jobs=1, scratch=scratch)
            if number:
                spent[way] += _cpu() - begin
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
        table.add(
            way,
            f"{spent[way]:.2f}",
            f"{spent['scratch'] / spent[way]:.1f}x",
            f"{extracted[way]:,}",
            str(other),
        )
    return str(table)
