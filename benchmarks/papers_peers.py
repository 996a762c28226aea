"""Other programs that parse references and papers: one that can be run, and published figures.

refextract is not part of an extra, for its licence is the GPL: `pip install refextract`. It looks
for what leads to a work (authors, journal, volume, page, year, DOI) rather than for all fields, so
that both are scored on these fields, too; it takes minutes. AnyStyle is a gem, and gems could not
be fetched where the results were made.
"""

import json
import logging
import lzma
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.measure import Table
from benchmarks.optional import optional
from benchmarks.shared import DATA

if TYPE_CHECKING:
    from rowen.citations.citation import Citation

SCHOLAR = DATA / "scholar"

Fields = dict[str, str]
Parser = Callable[[Sequence[str]], list[Fields]]

_KEYS = {
    "author": "author", "title": "title", "journal_title": "container", "journal_volume": "volume",
    "journal_issue": "issue", "journal_page": "pages", "year": "date", "doi": "doi", "url": "url",
    "publisher": "publisher",
}  # fmt: skip
_LEADING = ("author", "container", "volume", "pages", "date", "doi", "url")


def strings() -> list[dict[str, Any]]:
    """The annotated reference strings of `refs/dev`."""
    with lzma.open(SCHOLAR / "refs" / "dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def scorer() -> Any:
    """The shared one of reference strings."""
    if str(SCHOLAR) not in sys.path:
        sys.path.insert(0, str(SCHOLAR))
    return import_module("reffields")


def given_fields(citation: "Citation") -> Fields:
    """The fields of a citation as the scorer wants them."""
    texts = {
        name: [citation.raw[start:end] for start, end in spans]
        for name, spans in citation.spans.items()
    }
    return {
        name: " ".join(own)
        if name in {"author", "editor"}
        else max(own, key=len)
        if name in {"title", "container"}
        else own[0]
        for name, own in texts.items()
    }


def parse(raws: Sequence[str]) -> list[dict[str, str]]:
    """The fields of reference strings as the scorer wants them."""
    from rowen import parse_citations

    return [given_fields(citation) for citation in parse_citations(raws)]


def refextract(raws: Sequence[str]) -> list[Fields]:
    """The fields that it finds; where it takes a string for several references, those of all."""
    logging.disable(logging.CRITICAL)
    extract = import_module("refextract").extract_references_from_string
    return [_merged(extract(raw)) for raw in raws]


def _merged(references: Sequence[dict[str, list[str]]]) -> Fields:
    fields: Fields = {}
    for reference in references:
        for key, name in _KEYS.items():
            for value in reference.get(key, ()):
                if name == "author" and name in fields:
                    fields[name] += f", {value}"
                fields.setdefault(name, value.removeprefix("doi:"))
    return fields


def peers() -> Table:
    """The mean over sources of micro-F1, of all fields and of those that lead to a work."""
    rows, reffields = strings(), scorer()
    table = Table(
        "papers: reference strings, beside others (soft F1, mean over sources)",
        ("parser", "all fields", ", ".join(_LEADING), "strings per CPU second"),
    )
    parsers: dict[str, Parser] = {"rowen": parse}
    if optional("refextract") is not None:
        parsers["refextract"] = refextract
    for name, parser in parsers.items():
        start = time.process_time()
        parsed = parser([row["raw"] for row in rows])
        seconds = time.process_time() - start
        pairs = defaultdict(list)
        for row, fields in zip(rows, parsed, strict=True):
            pairs[row["source"]].append((row["source"], row["fields"], fields))
        counts = [reffields.score(own)[0] for own in pairs.values()]
        scores = [
            sum(_f1(count, names, reffields) for count in counts) / len(counts)
            for names in (tuple(counts[0]), _LEADING)
        ]
        table.add(name, *(f"{score:.3f}" for score in scores), f"{len(rows) / seconds:,.0f}")
    return table


def _f1(counts: dict[str, list[int]], names: Sequence[str], reffields: Any) -> float:
    hits = [sum(counts[name][i] for name in names) for i in range(3)]
    return float(reffields.prf(hits)[2])


def published() -> Table:
    """What others report of themselves and of each other, on other documents than ours."""
    table = Table(
        "papers: published figures, all on other documents than ours",
        ("program", "measure", "score", "source"),
    )
    grobid = "GROBID's documentation, Benchmarking-pmc.md, version 0.8.2, 1,943 papers of PMC"
    parsers = "Tkaczyk et al., arXiv 1802.01168 (2018), references of chemistry, out of the box"
    for row in (
        ("GROBID", "title, soft F1 (with metadata looked up)", ".925", grobid),
        ("GROBID", "list of authors, soft F1 (looked up)", ".907", grobid),
        ("GROBID", "abstract, Levenshtein F1 (looked up)", ".886", grobid),
        ("GROBID", "citations, all fields, soft F1", ".857", grobid),
        ("GROBID", "citations in the body and their references, F1", ".752", grobid),
        ("GROBID", "seconds per paper, CRFs only, on 4 CPUs", ".24", grobid),
        ("GROBID", "reference strings, F1", ".89", parsers),
        ("CERMINE", "reference strings, F1", ".83", parsers),
        ("ParsCit", "reference strings, F1", ".75", parsers),
        (
            "CERMINE",
            "all metadata, mean F1",
            ".775",
            "Tkaczyk et al., IJDAR 18 (2015), its abstract",
        ),
    ):
        table.add(*row)
    return table
