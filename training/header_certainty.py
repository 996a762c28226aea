"""How sure the fields of headers are: `python -m training.header_certainty` fits the curves.

The papers are the shared PDFs and the farm of templates. A digest of its name puts each of them in
one half: the curves are fitted on one, and the table that is printed is of the other.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.templates import FARM, _alike, _likeness, _norm
from numpy.typing import NDArray

from rowen.papers import header
from rowen.papers.header import evidence_for, header_certainty
from rowen.papers.paper import examine
from rowen.papers.zones import zones_of
from rowen.pdf import read_layout
from training.data import SHARED

CURVES = Path(__file__).parents[1] / "src" / "rowen" / "papers" / "certainty.toml"
_PULL = 0.5  # towards flat curves: there are few papers
_ALIKE = 0.95  # the similarity of abstracts that count as right
_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.001)

Row = tuple[tuple[float, ...], bool]


def held_out(name: str) -> bool:
    """Whether a paper is in the half that nothing is fitted on."""
    return hashlib.sha256(f"certainty {name}".encode()).digest()[0] % 2 == 1


def documents() -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Names, PDFs and gold."""
    for path in sorted(FARM.glob("*.json")):
        yield path.stem, path.with_suffix(".pdf"), json.loads(path.read_text("utf-8"))
    for path in sorted((SHARED / "pdf" / "gold").glob("*.json")):
        pdf = next((SHARED / "pdf").glob(f"*/{path.stem}.pdf"), None)
        if pdf is not None:
            yield path.stem, pdf, json.loads(path.read_text("utf-8"))


def judged(gold: dict[str, Any], paper: dict[str, Any]) -> dict[str, bool]:
    """For each field that the gold has whether it is right."""
    places = list(dict.fromkeys(t for author in paper["authors"] for t in author["affiliations"]))
    own = gold.get("affiliations") or []
    right = {
        "title": _norm(gold.get("title")) == _norm(paper["title"]),
        "authors": [_norm(author["family"]) for author in gold.get("authors") or []]
        == [_norm(author["family"]) for author in paper["authors"]],
        "affiliations": len(own) == len(places)
        and all(any(_alike(text, other) for other in places) for text in own),
        "abstract": _likeness(_norm(gold.get("abstract")), _norm(paper["abstract"])) >= _ALIKE,
        "keywords": sorted(map(_norm, gold.get("keywords") or []))
        == sorted(map(_norm, paper["keywords"])),
    }
    return {name: value for name, value in right.items() if gold.get(name)}


def gathered() -> dict[bool, dict[str, list[Row]]]:
    """For both halves and each field: its evidence, and whether it is right."""
    halves: dict[bool, dict[str, list[Row]]] = {False: defaultdict(list), True: defaultdict(list)}
    for name, pdf, gold in documents():
        layout = read_layout(pdf)
        zones = zones_of(layout)
        paper = examine(layout, zones).paper
        evidence = evidence_for(
            zones, title=paper.title, authors=paper.authors, abstract=paper.abstract,
            keywords=paper.keywords,
        )  # fmt: skip
        for field, right in judged(gold, paper.to_dict()).items():
            if field in evidence:
                halves[held_out(name)][field].append((evidence[field], right))
    return halves


def fitted(rows: Sequence[Row]) -> NDArray[np.float64]:
    """The weights of a logistic curve, by Newton's method."""
    features = np.array([(1.0, *values) for values, _ in rows])
    right = np.array([float(value) for _, value in rows])
    weights = np.zeros(features.shape[1])
    pull = np.full(features.shape[1], _PULL)
    pull[0] = _PULL / 10
    for _ in range(50):
        shares = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (right - shares) - pull * weights
        curve = (features.T * (shares * (1 - shares))) @ features + np.diag(pull)
        weights += np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Fit on one half, and print how sure fields of the other are and how many are right."""
    halves = gathered()
    curves = {name: fitted(rows) for name, rows in sorted(halves[False].items())}
    lines = [f"{name} = [{', '.join(f'{w:.3f}' for w in own)}]" for name, own in curves.items()]
    head = "# How sure header fields are: offset and weights of the evidence in header.py.\n"
    made = "# Written by `python -m training.header_certainty`.\n\n[curves]\n"
    CURVES.write_text(head + made + "\n".join(lines) + "\n", "utf-8")
    header._curves.cache_clear()  # noqa: SLF001  # what was just written counts
    pairs = [
        (header_certainty({name: values})[name], right)
        for name, rows in halves[True].items()
        for values, right in rows
    ]
    error = 0.0
    for low, high in pairwise(_EDGES):
        own = [(sure, right) for sure, right in pairs if low <= sure < high]
        if own:
            mean, share = (sum(part) / len(own) for part in zip(*own, strict=True))
            error += abs(mean - share) * len(own) / len(pairs)
            print(f"{low:.2f}-{high:.2f}: {len(own):4} fields, mean {mean:.3f}, right {share:.3f}")
    print(f"mean error {error:.3f} over {len(pairs)} fields")
    for name, rows in sorted(halves[True].items()):
        print(
            f"{name}: {len(rows)} fields, right {sum(right for _, right in rows) / len(rows):.3f}"
        )


if __name__ == "__main__":
    main()
