"""`python -m benchmarks.no_papers`: documents that are no papers, and how many references they get.

All of them are made up and printed by Chromium: none has a reference. A digest of its name holds
about half of them out.
"""

import argparse
import random
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from benchmarks.measure import Table
from benchmarks.printing import printed

_PEOPLE = ("Ada Smith", "B. Doe", "Clara Roe", "Daniel Low", "Eva Brandt", "F. Rossi", "Grace Wu")
_THINGS = ("water supply", "school roof", "night bus", "market hall", "river path", "town archive")
_STYLE = "body{font:10.5pt serif} td,th{border:.5pt solid;padding:2pt 6pt} table{border-spacing:0}"


def _table(rows: list[tuple[str, ...]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{body}</table>"


def _prose(draw: random.Random, count: int) -> str:
    sentences = (
        "The council discussed the {thing} in {year}.",
        "{person} asked for a report on the {thing}.",
        "In {year}, {person} and {other} had the {thing} repaired.",
        "Nothing was decided about the {thing}, and the matter was postponed.",
        "Costs rose from 1,{n} to 2,{n} between {year} and {later}.",
    )  # fmt: skip
    return " ".join(
        draw.choice(sentences).format(
            thing=draw.choice(_THINGS), person=draw.choice(_PEOPLE), other=draw.choice(_PEOPLE),
            year=draw.randint(1950, 2010), later=draw.randint(2011, 2022), n=draw.randint(100, 999),
        )
        for _ in range(count)
    )  # fmt: skip


def _tax_form(draw: random.Random) -> str:
    fields = (
        "First name and initial",
        "Last name",
        "Home address",
        "Authors, artists: see page 12",
    )
    rows = [(f"{n}", draw.choice(fields), "", f"{draw.randint(0, 9999)}") for n in range(1, 45)]
    return f"<h1>Form 1099-X 2019 Individual Income Tax Return</h1>{_table(rows)}"


def _contents(draw: random.Random) -> str:
    rows = "".join(
        f"<p>{n}.{k} {draw.choice(_PEOPLE)}: The {draw.choice(_THINGS)}, "
        f"{draw.randint(1900, 2020)} {'. ' * 30}{20 * n + 3 * k}</p>"
        for n in range(1, 9)
        for k in range(1, 7)
    )
    return f"<h1>Yearbook of the Town</h1><h2>Contents</h2>{rows}"


def _index(draw: random.Random) -> str:
    lines = sorted(
        f"<p>{draw.choice(_PEOPLE).split()[-1]}, {draw.choice('ABCDEF')}., {draw.randint(1, 90)}, "
        f"{draw.randint(100, 300)}&ndash;{draw.randint(301, 310)}</p>"
        for _ in range(120)
    )
    return f"<style>main{{columns:2}}</style><h1>Index</h1><main>{''.join(lines)}</main>"


def _minutes(draw: random.Random) -> str:
    items = "".join(
        f"<p>{n}. {draw.choice(_PEOPLE)}, {draw.choice(_PEOPLE)}: {_prose(draw, 3)}</p>"
        for n in range(1, 20)
    )
    return f"<h1>Minutes of the meeting of 12 May 2014</h1><p>Present: all</p>{items}"


def _chronicle(draw: random.Random) -> str:
    years = sorted(draw.sample(range(1820, 2020), 40))
    lines = "".join(f"<p>{year} {_prose(draw, 1)}</p>" for year in years)
    return f"<h1>A chronicle of the parish</h1>{lines}"


def _invoice(draw: random.Random) -> str:
    rows = [
        (f"{n}", f"{draw.choice(_THINGS)}, pp. {n}-{n + 9}", "2 pcs", f"{draw.randint(10, 900)}.00")
        for n in range(1, 30)
    ]
    return f"<h1>Invoice 2018/443</h1><p>Date: 3 March 2018</p>{_table(rows)}"


def _law(draw: random.Random) -> str:
    paragraphs = "".join(
        f"<p>({n}) {_prose(draw, 2)} The Act of {draw.randint(1950, 2015)} (No. {n}) applies, vol. "
        f"{draw.randint(1, 60)} p. {draw.randint(1, 900)}.</p>"
        for n in range(1, 30)
    )
    return f"<h1>Law on waters of 12 June 1998</h1><h2>Part 1</h2>{paragraphs}"


def _schedule(draw: random.Random) -> str:
    rows = [
        (
            f"{8 + n // 4}:{15 * (n % 4):02}",
            draw.choice(_PEOPLE),
            f"The {draw.choice(_THINGS)}: news",
        )
        for n in range(40)
    ]
    return f"<h1>Programme of the meeting, 3&ndash;5 June 2017</h1>{_table(rows)}"


def _letter(draw: random.Random) -> str:
    parts = "".join(f"<p>{_prose(draw, 6)}</p>" for _ in range(8))
    return f"<p>Westmark, 12 May 1998</p><h2>Dear Ms Roe,</h2>{parts}<p>Yours, {_PEOPLE[0]}</p>"


def _manual(draw: random.Random) -> str:
    parts = "".join(
        f"<h2>{n} The {draw.choice(_THINGS)}</h2><ol>"
        + "".join(f"<li>{_prose(draw, 1)}</li>" for _ in range(6)) + "</ol>"
        for n in range(1, 9)
    )  # fmt: skip
    return f"<h1>Manual of the pump P-2010, edition 4</h1>{parts}"


def _members(draw: random.Random) -> str:
    lines = "".join(
        f"<p>[{n}] {draw.choice(_PEOPLE)}, {draw.choice(_PEOPLE)}, joined in "
        f"{draw.randint(1960, 2020)}, {draw.choice(_THINGS)}</p>"
        for n in range(1, 60)
    )
    return f"<h1>Members of the society</h1>{lines}"


def _news(draw: random.Random) -> str:
    parts = "".join(f"<h2>{_prose(draw, 1)}</h2><p>{_prose(draw, 9)}</p>" for _ in range(9))
    return f"<style>main{{columns:3}}</style><h1>Town News</h1><main>{parts}</main>"


def _report(draw: random.Random) -> str:
    notes = "".join(f"<p><sup>{n}</sup> {_prose(draw, 1)}</p>" for n in range(1, 25))
    body = "".join(f"<h2>{n}. Year {2000 + n}</h2><p>{_prose(draw, 12)}</p>" for n in range(1, 9))
    return f"<h1>Annual report</h1>{body}<h2>Notes</h2><small>{notes}</small>"


def _resume(draw: random.Random) -> str:
    jobs = "".join(
        f"<p>{year}&ndash;{year + 3}: {draw.choice(_THINGS)}, Town of Westmark, no. {year % 9}</p>"
        for year in range(1980, 2019, 3)
    )
    return f"<h1>Curriculum vitae</h1><h2>{_PEOPLE[2]}</h2>{jobs}<p>References: on request</p>"


KINDS: dict[str, Callable[[random.Random], str]] = {
    "tax form": _tax_form, "contents": _contents, "index": _index, "minutes": _minutes,
    "chronicle": _chronicle, "invoice": _invoice, "law": _law, "schedule": _schedule,
    "letter": _letter, "manual": _manual, "members": _members, "news": _news, "report": _report,
    "resume": _resume,
}  # fmt: skip


def held_out(kind: str) -> bool:
    """Whether a kind's errors must not be looked at."""
    return sha256(kind.encode()).digest()[0] % 2 == 1


def run(*, half: bool | None = None, errors: bool = False, folder: Path | None = None) -> str:
    """The references that came out, and whether a warning says that it is no paper."""
    from rowen import read_paper

    table = Table("papers: documents that are none", ("document", "references", "warned"))
    for kind, make in KINDS.items():
        if half is not None and held_out(kind) != half:
            continue
        style, body = _STYLE, make(random.Random(kind))  # the same each time
        kept = folder / f"{kind}.pdf" if folder else None
        if kept and kept.exists():
            content = kept.read_bytes()
        else:
            content = printed(f"<!doctype html><meta charset='utf-8'><style>{style}</style>{body}")
            if kept:
                kept.write_bytes(content)
        paper = read_paper(content)
        warned = any("looks like" in warning for warning in paper.warnings)
        mark = "*" if held_out(kind) else ""
        table.add(f"{kind}{mark}", str(len(paper.citations)), "yes" if warned else "no")
        if errors and not held_out(kind):
            for citation in paper.citations[:5]:
                print(kind, citation.is_reference, citation.confidence, citation.raw[:150])
    return f"{table}\n\n* held out"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--errors", action="store_true", help="also references of developed kinds")
    parser.add_argument("--keep", type=Path, help="a folder in which the PDFs are kept")
    chosen = parser.parse_args()
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
    print(run(errors=chosen.errors, folder=chosen.keep))


if __name__ == "__main__":
    main()
