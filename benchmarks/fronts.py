"""`python -m benchmarks.fronts`: made-up first pages in layouts of many publishers.

Each page of `front_layouts/` is printed by Chromium with several sets of people. Nothing is trained
on them. A digest of a layout's name holds about half of them out: errors are shown for the others
only, and they have people of their own.

A list is complete if it has all authors in order; families are right if all are also divided right.
"""

import argparse
import hashlib
import random
import shutil
import subprocess
import tempfile
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from benchmarks.measure import Table
from benchmarks.templates import _ABSTRACT, _alike, _likeness, _norm

LAYOUTS = Path(__file__).parent / "front_layouts"
VARIANTS = 3
"""Pages per layout, each with other people."""
_LETTERS = "abcdefgh"
_SIGNS = "†‡§¶#"
COLUMNS = (
    "title",
    "complete",
    "families",
    "affiliations",
    "linked",
    "mails",
    "abstract",
    "keywords",
)


@dataclass
class Person:
    """An author as the layouts print it."""

    given: str
    family: str
    places: list[int]
    email: str
    orcid: str
    degree: str

    @property
    def name(self) -> str:
        """The whole name."""
        return f"{self.given} {self.family}"

    @property
    def initials(self) -> str:
        """`J. P.`, as citations have it."""
        words = self.given.replace(".", " ").split()
        return " ".join(
            "-".join(f"{part[0].upper()}." for part in word.split("-")) for word in words
        )

    @property
    def letters(self) -> str:
        """`JP`, as medical journals cite."""
        return self.initials.replace(".", "").replace(" ", "").replace("-", "")


def held_out(layout: str) -> bool:
    """Whether errors of this layout must not be looked at."""
    return hashlib.sha256(f"front {layout}".encode()).digest()[0] % 2 == 1


def layouts() -> list[str]:
    """The names of all layouts."""
    return sorted(path.stem for path in LAYOUTS.glob("*.html") if not path.stem.startswith("_"))


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.lower().replace("ø", "o").replace("ł", "l"))
    return "".join(letter for letter in letters if letter.isascii() and letter.isalpha())


def content_of(layout: str, variant: int) -> dict[str, Any]:
    """What a page says: always the same for a layout and a number."""
    words = tomllib.loads((LAYOUTS / "words.toml").read_text("utf-8"))
    chance = random.Random(f"{layout} {variant}")  # not secret
    topic = chance.choice(words["topics"])
    count = chance.choice((1, 2, 3, 3, 4, 5, 6, 8))
    places = chance.sample(words["places"], min(count, chance.choice((1, 2, 2, 3))))
    people = []
    crowd = words["people_held_out" if held_out(layout) else "people"]
    for i, (given, family) in enumerate(chance.sample(crowd, count)):
        own = [i] if i < len(places) else [chance.randrange(len(places))]
        if len(places) > 1 and chance.random() < 0.2:
            own = sorted({*own, chance.randrange(len(places))})
        own_mail = chance.choice((
            f"{_plain(given)[:1]}{_plain(family)}", f"{_plain(given.split()[0])}.{_plain(family)}",
            f"{_plain(family)}", f"{_plain(given)[:1]}.{_plain(family)}",
        ))  # fmt: skip
        digits = [chance.randrange(1000, 9999) for _ in range(2)]
        orcid = f"0000-0002-{digits[0]}-{digits[1]}"
        degree = chance.choice(("MD", "PhD", "MSc", "MD, PhD", "BSc"))
        people.append(
            Person(given, family, own, f"{own_mail}@{places[own[0]]['host']}", orcid, degree)
        )
    # Affiliations are numbered in the order in which the authors need them.
    order = list(dict.fromkeys(place for person in people for place in person.places))
    for person in people:
        person.places = sorted(order.index(place) for place in person.places)
    body = words["body"] * 3
    chance.shuffle(body)
    return {
        "title": topic["title"],
        "abstract": topic["abstract"],
        "keywords": topic["keywords"],
        "people": people,
        "places": [places[i]["name"] for i in order],
        "letters": _LETTERS,
        "signs": _SIGNS,
        "journal": topic["journal"],
        "short": topic["short"],
        "year": 2010 + chance.randrange(13),
        "volume": chance.randrange(3, 90),
        "number": chance.randrange(1, 12),
        "page": chance.randrange(3, 900),
        "doi": f"10.5555/{_plain(topic['short'])}.{chance.randrange(10000, 99999)}",
        "paragraphs": [" ".join(body[i : i + 5]) for i in range(0, 60, 5)],
        "strangers": chance.sample(words["strangers"], 2),
    }


def print_pages(folder: Path, names: Sequence[str]) -> None:
    """Write NAME-NUMBER.pdf for all layouts and their variants."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(LAYOUTS), undefined=jinja2.StrictUndefined, autoescape=True,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("chromium is not installed")
    for name in names:
        for variant in range(VARIANTS):
            stem = folder / f"{name}-{variant}"
            html = environment.get_template(f"{name}.html").render(content_of(name, variant))
            stem.with_suffix(".html").write_text(html, "utf-8")
            subprocess.run(
                [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                 f"--print-to-pdf={stem}.pdf", stem.with_suffix(".html").as_uri()],
                capture_output=True, timeout=60, check=True,
            )  # fmt: skip


def score(
    pdf: Path, gold: dict[str, Any], *, words: Sequence[str] = COLUMNS
) -> tuple[dict[str, float], list[str]]:
    """How one page was read, and what is wrong."""
    from rowen import read_paper

    paper = read_paper(pdf)
    people: list[Person] = gold["people"]
    names = [_norm(person.name) for person in people]
    read = [_norm(f"{author.given} {author.family}") for author in paper.authors]
    families = [_norm(author.family) for author in paper.authors]
    places = list(dict.fromkeys(text for author in paper.authors for text in author.affiliations))
    linked = [
        len(author.affiliations) == len(person.places)
        and all(
            any(_alike(gold["places"][i], text) for text in author.affiliations)
            for i in person.places
        )
        for person, author in zip(people, paper.authors, strict=False)
    ]
    mails = {author.email.lower() for author in paper.authors if author.email}
    shares = {
        "title": float(_norm(paper.title) == _norm(gold["title"])),
        "complete": float(names == read),
        "families": float(families == [_norm(person.family) for person in people]),
        "affiliations": float(
            len(places) == len(gold["places"])
            and all(any(_alike(place, text) for text in places) for place in gold["places"])
        ),
        "linked": float(names == read and all(linked)),
        "mails": float(mails <= {person.email for person in people}),
        "abstract": float(_likeness(_norm(gold["abstract"]), _norm(paper.abstract)) >= _ABSTRACT),
        "keywords": float(
            not paper.keywords
            or list(map(_norm, paper.keywords)) == list(map(_norm, gold["keywords"]))
        ),
    }
    shown = {
        "title": (gold["title"], paper.title),
        "complete": ([p.name for p in people], [f"{a.given} {a.family}" for a in paper.authors]),
        "families": ([p.family for p in people], [a.family for a in paper.authors]),
        "affiliations": (gold["places"], places),
        "linked": ([p.places for p in people], [a.affiliations for a in paper.authors]),
        "mails": ([p.email for p in people], sorted(mails)),
        "abstract": (
            gold["abstract"][:50],
            f"{(paper.abstract or '')[:70]} ... {(paper.abstract or '')[-70:]}",
        ),
        "keywords": (gold["keywords"], paper.keywords),
    }
    errors = [
        f"{column}: {shown[column][0]} read as {shown[column][1]}"
        for column in words
        if shares[column] < 1
    ]
    return shares, errors


def main() -> None:
    """Print a row per layout and the means of both halves; errors of the developed half."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="LAYOUT", help="only these layouts")
    parser.add_argument(
        "--errors", action="store_true", help="also print what is wrong (developed)"
    )
    parser.add_argument(
        "--keep", type=Path, help="a folder for the pages; printed ones are read again"
    )
    options = parser.parse_args()
    wanted = options.names or layouts()
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        print_pages(folder, [own for own in wanted if not (folder / f"{own}-0.pdf").exists()])
        _report(folder, wanted, errors=options.errors)


def _report(folder: Path, wanted: Sequence[str], *, errors: bool) -> None:
    table = Table("fronts: layouts held out are marked *", ("layout", *COLUMNS))
    halves: dict[bool, list[dict[str, float]]] = {False: [], True: []}
    wrong = []
    for layout in wanted:
        scores = []
        for variant in range(VARIANTS):
            shares, own = score(folder / f"{layout}-{variant}.pdf", content_of(layout, variant))
            scores.append(shares)
            if own and not held_out(layout):
                wrong.append("\n  ".join([f"{layout}-{variant}", *own]))
        halves[held_out(layout)] += scores
        table.add(layout + "*" * held_out(layout), *_means(scores))
    for held, title in ((False, "mean, developed"), (True, "mean, held out")):
        if halves[held]:
            table.add(f"{title} ({len(halves[held])})", *_means(halves[held]))
    print(table)
    if errors:
        print("\n".join(wrong))


def _means(scores: Sequence[dict[str, float]]) -> list[str]:
    return [f"{sum(own[column] for own in scores) / len(scores):.2f}" for column in COLUMNS]


if __name__ == "__main__":
    main()
