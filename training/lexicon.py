"""Collects names: `python -m training.lexicon`.

Words of people's and places' names go to `lexicon.tsv`, whole names of journals, publishers and
places to `phrases.tsv`.
"""

import re
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from rowen.citations.phrases import LONGEST, words_of
from training.data import SHARED, rows

MODELS = Path(__file__).parents[1] / "src" / "rowen" / "crf" / "models"
LEXICON, PHRASES = MODELS / "lexicon.tsv", MODELS / "phrases.tsv"
STRINGS = ("refs/train.jsonl.xz", "refs/silver_pdf.jsonl.xz")
FIELDS = {"container": "journal", "publisher": "publisher", "location": "place"}
DOCUMENTS = 3  # that use a name: in training, a string's own document must not be what tells it
KINDS = {"forename": "g", "surname": "f", "settlement": "p", "region": "p", "country": "c"}
SHARE = 0.2  # of a word's uses: what is rarer is chance


def named() -> Iterator[tuple[str, str]]:
    """The kind and the text of each annotated name."""
    with tarfile.open(SHARED / "headers" / "grobid_aux_tei.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is None or not re.match(r"(?:\./)?(?:name|affiliation-address)/", member.name):
                continue
            try:
                tree = ET.fromstring(file.read())  # noqa: S314  # the shared data is trusted
            except ET.ParseError:
                continue  # a few files are not well-formed
            for element in tree.iter():
                kind = KINDS.get(str(element.tag).rpartition("}")[2])
                if kind:
                    yield kind, "".join(element.itertext())


def phrases(strings: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Names that several documents' annotated strings have as one field, and hardly as another."""
    documents: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in strings:
        for field, kind in FIELDS.items():
            words = words_of(row["fields"].get(field, ""))
            if 0 < len(words) <= LONGEST and len("".join(words)) > 2:
                documents[" ".join(words)][kind].add(row["doc"])
    names = {}
    for name, kinds in sorted(documents.items()):
        kind = max(sorted(kinds), key=lambda kind: len(kinds[kind]))
        if len(kinds[kind]) >= max(DOCUMENTS, 0.7 * sum(map(len, kinds.values()))):
            names[name] = kind
    return names


def main() -> None:
    """Write each word and each name with its kinds."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for kind, text in named():
        for word in re.findall(r"[^\W\d_]{3,}", text.lower()):
            counts[word][kind] += 1
    lines = []
    for word, kinds in sorted(counts.items()):
        usual = "".join(
            sorted(kind for kind, count in kinds.items() if count >= SHARE * kinds.total())
        )
        lines.append(f"{word}\t{usual}\n")
    LEXICON.write_text("".join(lines), "utf-8")
    print(f"{LEXICON}: {len(lines):,} words")
    names = phrases(row for file in STRINGS for row in rows(file))
    PHRASES.write_text("".join(f"{name}\t{kind}\n" for name, kind in names.items()), "utf-8")
    print(f"{PHRASES}: {len(names):,} names")


if __name__ == "__main__":
    main()
