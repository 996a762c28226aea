"""The weights by which citations are matched with works: `python -m training.matching`.

The citations are the strings cut from the shared PDFs, parsed by Rowen, without the DOI that some
print. The works are what the publishers' JATS say of the same references, written as Crossref
writes them, and the papers themselves. Half of the journals train the weights. The others are left
for `python -m benchmarks.matching`.
"""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import rowen
from rowen.matching.evidence import EVIDENCE, evidence_for
from rowen.matching.index import Index
from rowen.matching.titles import words_of
from rowen.matching.wanted import Wanted
from rowen.matching.work import work_of
from training.data import SHARED, rows

TARGET = Path(__file__).parents[1] / "src" / "rowen" / "matching" / "weights.toml"
_DOI = re.compile(r"\s*(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)?10\.\d{4,9}/\S+", re.IGNORECASE)
_EITHER = {"always", "no title", "no authors", "title is a part"}
_AGAINST = {"short title", "another kind", "other author", "other year", "other volume",
            "other page", "other container"}  # fmt: skip
_STEPS, _RATE, _DECAY = 20_000, 1.0, 3e-4

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A citation and the id of the work that it names."""

    citation: rowen.Citation
    work: str
    journal: str


def works() -> dict[str, Row]:
    """The works by id, with the columns of Crossref's dump; each once."""
    found: dict[str, Row] = {}
    for gold in _golds():
        for reference in gold.get("references") or []:
            row = _row(reference)
            known = found.setdefault(_identity(reference), row)
            known.update({name: value for name, value in row.items() if value and not known[name]})
        found.setdefault(_identity(gold), _row(gold))
    for name, row in found.items():
        row["id"] = name
    return found


def cases() -> Iterator[Case]:
    """The strings of the shared PDFs whose reference has a DOI, each with its work."""
    by_title: dict[tuple[str, str], Mapping[str, Any]] = {}
    journals = {}
    for gold in _golds():
        journals[gold["id"]] = gold.get("journal") or gold["source"]
        for reference in gold.get("references") or []:
            by_title[gold["id"], _plain(reference.get("title"))] = reference
        linked = []
    for row in rows("refs/silver_pdf.jsonl.xz"):
        reference = by_title.get((row["doc"], _plain(row["fields"].get("title"))))
        if reference is not None and reference.get("doi") and row["fields"].get("title"):
            linked.append((row, reference))
    strings = [_DOI.sub("", row["raw"]) for row, _ in linked]
    parsed = rowen.parse_citations(strings)
    for (row, reference), citation in zip(linked, parsed, strict=True):
        yield Case(replace(citation, doi=None), _identity(reference), journals[row["doc"]])


def is_training(journal: str) -> bool:
    """Whether the weights may learn from a journal; the others are left for the benchmark."""
    return sha256(journal.encode()).digest()[0] % 2 == 0


def siblings(known: Mapping[str, Row], seed: int = 1) -> Iterator[Row]:
    """Works that are easily confused with those: corrections, sequels, others by the authors."""
    chance = random.Random(seed)  # noqa: S311  # made-up works
    ids = list(known)
    for name, row in known.items():
        title = row["title"][0] if row["title"] else ""
        if not title:
            continue
        other = known[chance.choice(ids)]
        kind = chance.random()
        if kind < 0.4:
            made = {**row, "title": [f"Correction to: {title}"]}
        elif kind < 0.8:
            made = {**row, "title": [f"{title}. Part II"], "volume": str(chance.randrange(1, 99))}
        else:
            made = {**row, "title": other["title"] or [title]}
        made["page"] = str(chance.randrange(1, 9_999)) if chance.random() < 0.7 else None
        doi = f"10.9999/{sha256(name.encode()).hexdigest()[:12]}"
        yield {**made, "id": f"{name}#sibling", "doi": doi}


def as_in_libraries(row: Row, chance: random.Random) -> Row:
    """A work as libraries have it: other case, markup, subtitles apart, online a year before."""
    title, *_ = row["title"] or [""]
    changed = dict(row)
    kind = chance.random()
    if kind < 0.15:
        changed["title"] = [title.title()]
    elif kind < 0.25:
        changed["title"] = [re.sub(r"\b(\w{6,})\b", r"<i>\1</i>", title, count=1)]
    elif kind < 0.4 and ": " in title:
        main, _, rest = title.partition(": ")
        changed["title"], changed["subtitle"] = [main], [rest]
    elif kind < 0.45:
        changed["title"] = [title.replace("-", "\u2010").upper()]
    elif kind < 0.55 and len(words := title.split()) > 5:  # misread, or a word more
        at = chance.randrange(len(words))
        words[at] = words[at][1:] if chance.random() < 0.7 else f"{words[at]} {words[at][:4]}"
        changed["title"] = [" ".join(words)]
    if chance.random() < 0.1 and (parts := (row["issued"] or {}).get("date-parts")):
        changed["issued"] = {"date-parts": [[parts[0][0] - 1]]}
    for column, lacking in (("author", 0.05), ("volume", 0.2), ("page", 0.3)):
        if chance.random() < lacking:
            changed[column] = None
    return changed


def _golds() -> Iterator[dict[str, Any]]:
    for path in sorted((SHARED / "pdf" / "gold").glob("*.json")):
        yield json.loads(path.read_text("utf-8"))


def _row(reference: Mapping[str, Any]) -> Row:
    year = re.search(r"\d{4}", str(reference.get("year") or ""))
    return {
        "id": "",
        "doi": reference.get("doi"),
        "title": [reference["title"]] if reference.get("title") else [],
        "subtitle": [],
        "author": [
            {"given": person.get("given"), "family": person.get("family")}
            for person in reference.get("authors") or []
        ],
        "issued": {"date-parts": [[int(year[0])]]} if year else None,
        "container-title": [reference["container"]] if reference.get("container") else [],
        "volume": reference.get("volume"),
        "page": reference.get("first_page"),
    }


def _identity(reference: Mapping[str, Any]) -> str:
    if reference.get("doi"):
        return str(reference["doi"]).lower()
    return f"{_plain(reference.get('title'))} {reference.get('year')} {reference.get('first_page')}"


def _plain(title: object) -> str:
    return " ".join(words_of(str(title or "")))


def _pairs() -> tuple[np.ndarray, np.ndarray]:
    """The evidence of all candidates of the training journals' citations, and which are right."""
    chance = random.Random(2)  # noqa: S311  # made-up faults
    known = works()
    dump = [as_in_libraries(row, chance) for row in known.values()] + list(siblings(known))
    own = [case for case in cases() if is_training(case.journal)]
    wanted = [Wanted.of(case.citation) for case in own]
    index = Index(wanted)
    evidence, right = [], []
    per_work: dict[str, int] = defaultdict(int)
    for row in dump:
        for number in index.find(row):
            evidence.append(evidence_for(wanted[number], work_of(row)))
            right.append(float(own[number].work == row["id"]))
            per_work[row["id"]] += 1
    print(f"{len(own)} citations, {len(dump)} works, {len(right)} pairs, {int(sum(right))} right")
    return np.array(evidence), np.array(right)


def main() -> None:
    """Fit the weights by gradient descent and write them."""
    evidence, right = _pairs()
    weights = np.zeros(len(EVIDENCE))
    signs = np.array([0 if name in _EITHER else -1 if name in _AGAINST else 1 for name in EVIDENCE])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-evidence @ weights))
        weights -= _RATE * (evidence.T @ (chances - right) / len(right) + _DECAY * weights)
        # A few hundred citations say little of rare evidence: it keeps the sign that it must have.
        weights = np.where(signs * weights < 0, 0.0, weights)
    lines_ = "".join(
        f'"{name}" = {weight:.4f}\n' for name, weight in zip(EVIDENCE, weights, strict=True)
    )
    head = "# Written by `python -m training.matching`: log odds by which evidence is weighed.\n"
    TARGET.write_text(f"{head}[weights]\n{lines_}", "utf-8")
    print(lines_)


if __name__ == "__main__":
    main()
