"""Collects names of people and places: `python -m training.lexicon`."""

import re
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from training.data import SHARED

LEXICON = Path(__file__).parents[1] / "src" / "rowen" / "scholar" / "models" / "lexicon.tsv"
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


def main() -> None:
    """Write each word with its kinds."""
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


if __name__ == "__main__":
    main()
