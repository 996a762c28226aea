"""`python -m benchmarks.papers`: references and papers by the shared scorers; peers; speed.

The model of citations that ships has learned from `refs/train` and `refs/silver_pdf`, never from
`refs/dev`. That of zones has learned from all shared papers: how it does on others is measured by
`python -m training.scores`, which holds some out.
"""

import json
import lzma
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks.citing import markers
from benchmarks.languages import languages
from benchmarks.measure import Table
from benchmarks.papers_peers import given_fields, peers, published, scorer
from benchmarks.shared import DATA

if TYPE_CHECKING:
    from rowen.crf.tagger import Model

SCHOLAR = DATA / "scholar"


def field_scores(
    rows: Sequence[dict[str, Any]], *, model: "Model | None" = None
) -> Iterator[tuple[str, int, float, float]]:
    """For each source of annotated strings: how many, the score of fields, strings all right."""
    from rowen.citations.parser import parse_citation
    from rowen.crf.tagger import load_model

    reffields = scorer()
    pairs = defaultdict(list)
    model = model or load_model("citations")
    citations = [parse_citation(row["raw"], model) for row in rows]
    for row, citation in zip(rows, citations, strict=True):
        pairs[row["source"]].append((row["source"], row["fields"], given_fields(citation)))
    for source, own in sorted(pairs.items()):
        counts, whole = reffields.score(own)
        hits = [sum(count[i] for count in counts.values()) for i in range(3)]
        yield source, len(own), reffields.prf(hits)[2], whole


def references() -> Table:
    """Fields of reference strings, by the source that annotated them."""
    from rowen import parse_citations

    with lzma.open(SCHOLAR / "refs" / "dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    parse_citations([rows[0]["raw"]])  # the model is loaded
    start = time.process_time()
    parse_citations(row["raw"] for row in rows)
    seconds = time.process_time() - start
    table = Table(
        f"papers: reference strings (soft), {len(rows) / seconds:,.0f} per CPU second",
        ("source", "strings", "F1", "strings all right"),
    )
    scores = list(field_scores(rows))
    for source, count, score, whole in scores:
        table.add(source, str(count), f"{score:.3f}", f"{whole:.3f}")
    table.add("mean", "", f"{sum(score for _, _, score, _ in scores) / len(scores):.3f}", "")
    return table


def speed() -> Table:
    """Papers per CPU second, all stages, and the memory of a process that does nothing else."""
    paths = [str(path) for path in sorted(SCHOLAR.glob("pdf/*/*.pdf"))]
    process = subprocess.run(
        [sys.executable, "-c", _TIMING, *paths], check=True, capture_output=True, text=True
    )
    took, pages, peak = json.loads(process.stdout)
    took.sort()
    table = Table(
        "papers: the shared papers, all stages",
        ("papers", "pages", "per CPU second", "half within", "99% within", "longest", "peak MB"),
    )
    table.add(
        str(len(paths)), str(pages), f"{len(paths) / sum(took):.1f}",
        *(f"{took[int(share * (len(took) - 1))]:.2f} s" for share in (0.5, 0.99, 1)), str(peak),
    )  # fmt: skip
    return table


_TIMING = """
import json, re, sys, time
from pathlib import Path
from rowen.papers.paper import read_closely
took, pages = [], 0
read_closely(sys.argv[1])
for path in sys.argv[1:]:
    start = time.process_time()
    pages += len(read_closely(path).layout.pages)
    took.append(time.process_time() - start)
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())  # not its parent's
print(json.dumps([took, pages, int(peak.group(1)) // 1024]))
"""


def start() -> Table:
    """How long the first answer takes."""
    table = Table("papers: start", ("what", "seconds"))
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "rowen", "cite"], input=b"Knuth, D. 1984. Title. Journal 1, 2-3.",
        check=True, capture_output=True,
    )  # fmt: skip
    table.add("rowen cite, one string", f"{time.perf_counter() - begin:.2f}")
    return table


def run() -> str:
    """The tables."""
    if not SCHOLAR.exists():
        return "### papers\n\nThe shared data was not found."
    return "\n\n".join(
        str(table()) for table in (references, peers, languages, markers, speed, start, published)
    )


if __name__ == "__main__":
    print(run())
