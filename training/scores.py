"""Scores of papers from journals and templates that were held out: `python -m training.scores`.

The models of zones and of people are trained once a fold without the fold's papers. That of
citations is the one that ships: strings of these very papers are among what it learned from
(`refs/silver_pdf`), so that the citations' figures flatter it. With `--citations` it is trained
once a fold as well, without the fold's strings and those of papers whose journal isn't known.
"""

import argparse
import json
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from rowen.citations.parser import parse_citation
from rowen.crf.tagger import Model, load_model, unpack_model
from rowen.papers.paper import Paper, examine
from rowen.papers.zones import zones_of
from training import citations
from training.data import SHARED, rows, scorer
from training.people import ITERATIONS as PEOPLE
from training.people import annotated, fitted, made_up, printed
from training.zones import ITERATIONS, group_of, papers, trained

FOLDS = 3


def prediction(identifier: str, paper: Paper) -> dict[str, Any]:
    """A paper as the scorer wants it."""
    document = paper.to_dict()
    references = [
        {**citation, "first_page": (citation["pages"] or "").partition("-")[0] or None}
        for citation in document["citations"]
    ]
    affiliations = {text: None for author in paper.authors for text in author.affiliations}
    return {
        "id": identifier,
        "title": paper.title,
        "abstract": paper.abstract,
        "keywords": list(paper.keywords),
        "doi": paper.doi,
        "authors": document["authors"],
        "affiliations": list(affiliations),
        "references": references,
        "section_titles": [section.heading for section in paper.body if section.heading],
        "body_text": " ".join(section.text for section in paper.body),
    }


def citations_model(fold: frozenset[str]) -> Model:
    """A model of citations that has seen no string of a fold's papers."""
    groups = {
        gold["id"]: group_of(gold)
        for path in (SHARED / "pdf" / "gold").glob("*.json")
        for gold in [json.loads(path.read_text("utf-8"))]
    }
    silver = {row["doc"] for row in rows(citations.SILVER)}
    without = {doc for doc in silver if groups.get(doc) is None or groups[doc] in fold}
    return unpack_model(citations.trained(citations.FILES, without=frozenset(without)))


def predict(fold: frozenset[str], folder: Path, iterations: int, cited: Model) -> None:
    """Write what models that have not seen a fold make of its papers."""
    model = unpack_model(trained(fold, iterations=iterations))
    people = unpack_model(fitted([*annotated(PEOPLE), *made_up(), *printed(fold)], PEOPLE, {}))
    for gold, layout in papers():
        if group_of(gold) in fold:
            paper = examine(layout, zones_of(layout, model=model), people=people).paper
            strings = [citation.raw for citation in paper.citations]
            parsed = tuple(parse_citation(string, cited) for string in strings)
            written = json.dumps(prediction(gold["id"], replace(paper, citations=parsed)))
            (folder / f"{gold['id']}.json").write_text(written, "utf-8")


def mended_gold(folder: Path) -> Path:
    """A copy of the gold files without the fields that `gold_faults.toml` lists."""
    faults = tomllib.loads(Path(__file__).with_name("gold_faults.toml").read_text("utf-8"))
    for path in (SHARED / "pdf" / "gold").glob("*.json"):
        gold = json.loads(path.read_text("utf-8"))
        gold |= dict.fromkeys(faults.get(path.stem, {}))
        (folder / path.name).write_text(json.dumps(gold), "utf-8")
    return folder


def report(folder: Path) -> None:
    """The scores, source by source, with the gold's faults and without."""
    with tempfile.TemporaryDirectory() as name:
        _report(folder, SHARED / "pdf" / "gold")
        print("without the gold's faults:")
        _report(folder, mended_gold(Path(name)))


def _report(folder: Path, gold: Path) -> None:
    score = scorer("score_docs")
    identifiers = {path.stem for path in folder.iterdir()}
    for source in ("pmc", "jose", "juliacon", "pmlr_v9", "pmlr_v115"):
        parts = []
        for mode in ("soft", "lev"):
            header, cited, body, counts, _, papers_read = score.run(
                str(gold), str(folder), mode, source, identifiers, fp_strict=True
            )
            parts += [f"{name} {mode} {header.prf(name)[2]:.3f}" for name in header.d]
            fields = [name for name in cited.d if name not in {"doi", "publisher"}]
            hits = [sum(cited.d[name][i] for name in fields) for i in range(3)]
            if hits[0]:
                parts.append(
                    f"citations {mode} {2 * hits[0] / (2 * hits[0] + hits[1] + hits[2]):.3f}"
                )
        parts += [f"{name} {body.prf(name)[2]:.3f}" for name in body.d]
        if counts["gold"]:
            f1 = 2 * counts["matched"] / (counts["gold"] + counts["pred"])
            parts.append(f"segmentation {f1:.3f}")
        print(f"{source} ({papers_read} papers): {'; '.join(parts)}", flush=True)


def main() -> None:
    """Train and score fold by fold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--citations", action="store_true", help="train those fold by fold, too")
    parser.add_argument("--keep", type=Path, help="a folder for what was predicted")
    options = parser.parse_args()
    groups = sorted({group_of(gold) for gold, _ in papers()})
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(FOLDS):
            fold = frozenset(groups[number::FOLDS])
            cited = citations_model(fold) if options.citations else load_model("citations")
            predict(fold, folder, options.iterations, cited)
        report(folder)


if __name__ == "__main__":
    main()
