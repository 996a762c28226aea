"""Trains the model of the parts of affiliations: `python -m training.places`.

GROBID's annotated affiliations are the data. `--score` trains without every third document, and
scores the parts of the affiliations there.
"""

import argparse
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from rowen.crf.tagger import Model, unpack_model
from rowen.papers.people.features import TEMPLATES, feature_rows
from rowen.papers.people.places import Place, parse_place, tokens_of_place
from training.crf import train
from training.data import SHARED, digest_of
from training.front_content import tag_of, trees

MODEL = Path(__file__).parents[1] / "src" / "rowen" / "crf" / "models" / "places.model"
ITERATIONS = 60
_LABELS = {
    "settlement": "settlement", "region": "region", "country": "country", "postCode": "post code",
    "addrLine": "line", "postBox": "line",
}  # fmt: skip
_ORGANISATIONS = frozenset({"department", "institution", "laboratory"})
_SPACES = re.compile(r"\s+")
Annotated = list[tuple[str, str]]
"""Texts in order, each with its label."""


def affiliations() -> Iterator[tuple[int, Annotated]]:
    """The annotated affiliations, each with the number of its document."""
    for number, tree in enumerate(trees(r"(?:\./)?affiliation-address/")):
        for element in tree.iter():
            if tag_of(element) == "affiliation":
                pieces = [
                    (_SPACES.sub(" ", text), label) for text, label in _pieces(element, "other")
                ]
                if any(label != "other" for _, label in pieces):
                    yield number, pieces


def _pieces(element: ET.Element, label: str) -> Iterator[tuple[str, str]]:
    yield element.text or "", label
    for child in element:
        name = tag_of(child)
        own = _LABELS.get(name, label)
        if name == "orgName":
            kind = child.get("type") or ""
            own = kind if kind in _ORGANISATIONS else "institution"
        if name != "marker":
            yield from _pieces(child, own)
        yield child.tail or "", label


def labelled(pieces: Annotated) -> tuple[str, list[str]]:
    """The text of an affiliation, and the labels of its tokens."""
    text, kinds, begins = "", [], []
    for part, label in pieces:
        kinds += [label] * len(part)
        begins += [i == 0 for i in range(len(part))]
        text += part
    labels, at, before = [], 0, "other"
    for token in tokens_of_place(text):
        at = max(text.find(token.text[0], at), at)
        own = kinds[at]
        started = own != "other" and (own != before or begins[at])
        labels.append(f"{own} start" if started else own)
        before, at = own, at + len(token.text)
    return text, labels


def fitted(data: Iterable[Annotated], record: dict[str, Any]) -> bytes:
    """A model of annotated affiliations."""
    sequences = []
    for pieces in data:
        text, labels = labelled(pieces)
        if labels:
            sequences.append((feature_rows(tokens_of_place(text)), labels))
    return train(
        sequences, TEMPLATES, iterations=ITERATIONS, c1=0.3, c2=0.05, seen=2, record=record
    )


def score(data: Iterable[Annotated], model: Model) -> dict[str, float]:
    """The F1 of each kind of part, by letters and digits only."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pieces in data:
        text, _ = labelled(pieces)
        read = _parts(parse_place(text, model=model))
        gold: defaultdict[str, list[str]] = defaultdict(list)
        for part, label in pieces:
            if _plain(part) and label != "other":
                gold[label].append(_plain(part))
        for kind in {*gold, *read}:
            hits = Counter(gold[kind]) & Counter(read.get(kind, []))
            counts[kind]["hits"] += hits.total()
            counts[kind]["all"] += len(gold[kind]) + len(read.get(kind, []))
    return {kind: 2 * own["hits"] / own["all"] for kind, own in sorted(counts.items())}


def _parts(place: Place) -> dict[str, list[str]]:
    single = {
        "post code": place.post_code, "settlement": place.settlement, "region": place.region,
        "country": place.country,
    }  # fmt: skip
    several = {
        "laboratory": place.laboratories, "department": place.departments,
        "institution": place.institutions, "line": place.lines,
    }  # fmt: skip
    read = {kind: [_plain(part) for part in parts] for kind, parts in several.items()}
    return read | {kind: [_plain(part)] for kind, part in single.items() if part}


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def main() -> None:
    """Train on all annotated affiliations, or score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--score", action="store_true", help="score on every third document")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    started = time.monotonic()
    data = list(affiliations())
    if options.score:
        seen = [pieces for number, pieces in data if number % 3]
        unseen = [pieces for number, pieces in data if not number % 3]
        for kind, value in score(unseen, unpack_model(fitted(seen, {}))).items():
            print(f"{kind:12} F1 {value:.3f}")
        return
    record = {"data": {"headers": digest_of(SHARED / "headers")}}
    model = fitted((pieces for _, pieces in data), record)
    options.output.write_bytes(model)
    print(f"{options.output}: {len(model):,} bytes, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
