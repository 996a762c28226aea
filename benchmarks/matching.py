"""Citations matched with works offline: `rowen match` on journals that its weights have not seen.

python -m benchmarks.matching

The citations are the strings cut from the shared PDFs whose reference has a DOI, parsed by Rowen,
with DOIs removed. The works are all references of the gold and the papers themselves, as libraries
write them (`training.matching.as_in_libraries`: other case, markup, missing pages), and for each
one that is easily confused with it. Half of the works are taken out: a citation of these is right
without a match. The last table measures speed and memory on made-up works.
"""

import random
import resource
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measure import Table
from benchmarks.shared import DATA
from rowen.matching.match import match_citations

MADE_WORKS = 1_000_000
GROUP = 50_000
_TYPES = pa.schema(
    {
        "id": pa.string(),
        "doi": pa.string(),
        "title": pa.list_(pa.string()),
        "subtitle": pa.list_(pa.string()),
        "author": pa.list_(pa.struct({"given": pa.string(), "family": pa.string()})),
        "issued": pa.struct({"date-parts": pa.list_(pa.list_(pa.int64()))}),
        "container-title": pa.list_(pa.string()),
        "volume": pa.string(),
        "page": pa.string(),
    }
)


def _is_out(work: str) -> bool:
    return sha256(f"out {work}".encode()).digest()[0] % 2 == 0


def quality() -> Table:
    """Precision and recall at several thresholds, on the journals that were not trained on."""
    from training.matching import as_in_libraries, cases, is_training, siblings, works

    table = Table(
        "match: citations of unseen journals",
        ("works as", "least confidence", "matched", "right", "wrong", "precision", "recall"),
    )
    known = works()
    present = {name: row for name, row in known.items() if not _is_out(name)}
    held = [case for case in cases() if not is_training(case.journal)]
    for shown in ("the publisher has them", "libraries write them"):
        chance = random.Random(7)
        rows = [
            as_in_libraries(row, chance) if shown.startswith("libraries") else row
            for row in present.values()
        ]
        rows += siblings(known, seed=8)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "works.parquet"
            pq.write_table(pa.Table.from_pylist(rows, schema=_TYPES), path)
            found = list(match_citations([case.citation for case in held], path, least=0.0))
        here = sum(case.work in present for case in held)
        for least in (0.5, 0.8, 0.95):
            kept = [
                (case, match)
                for case, (_, match) in zip(held, found, strict=True)
                if match is not None and match.confidence >= least
            ]
            right = sum(case.work == match.id for case, match in kept)
            table.add(
                shown, f"{least}", f"{len(kept)} of {len(held)} ({here} are there)", f"{right}",
                f"{len(kept) - right}", f"{right / max(len(kept), 1):.3f}", f"{right / here:.3f}",
            )  # fmt: skip
    return table


def _made(count: int) -> Iterator[dict[str, Any]]:
    """Works with titles of words drawn as in language: a few often, most rarely."""
    chance = random.Random(3)
    words = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "e", "io", "u") for c in
             ("ra", "ren", "tion", "lis", "mo", "ka", "sen", "dor", "vit", "ny")]  # fmt: skip
    for number in range(count):
        title = " ".join(words[int(len(words) * chance.random() ** 2)] for _ in range(9))
        yield {
            "id": f"W{number}",
            "doi": f"10.9999/{number}",
            "title": [title],
            "author": [{"given": "A.", "family": words[number % 97].title()}],
            "issued": {"date-parts": [[1980 + number % 45]]},
        }


def speed(count: int = MADE_WORKS) -> Table:
    """Works per second and memory, for a thousand citations."""
    table = Table(
        "match: 1,000 citations against made-up works",
        ("works", "seconds", "works a second", "right", "memory at the end"),
    )
    with tempfile.TemporaryDirectory() as folder:
        path, rows, wishes = Path(folder) / "works.parquet", [], []
        with pq.ParquetWriter(path, _TYPES) as file:
            for number, row in enumerate(_made(count)):
                rows.append(row)
                if number % (count // 1_000) == 0:
                    wishes.append({
                        "title": row["title"][0], "year": str(row["issued"]["date-parts"][0][0]),
                        "authors": [{"given": "", "family": row["author"][0]["family"]}],
                        "id": row["id"],
                    })  # fmt: skip
                if len(rows) == GROUP:
                    file.write_table(pa.Table.from_pylist(rows, schema=_TYPES))
                    rows = []
        start = time.process_time()
        right = sum(
            match is not None and match.id == wish["id"]
            for wish, match in match_citations(wishes, path)
        )
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    table.add(
        f"{count:,}", f"{seconds:.1f}", f"{count / seconds:,.0f}",
        f"{right:,} of {len(wishes):,}", f"{peak} MB",
    )  # fmt: skip
    return table


def run() -> str:
    """All tables."""
    tables = [quality()] if DATA.is_dir() else []
    return "\n\n".join(map(str, [*tables, speed()]))


if __name__ == "__main__":
    print(run())
