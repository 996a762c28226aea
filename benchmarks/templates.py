"""`python -m benchmarks.templates`: papers of known content in the layouts of many publishers.

The documents are made by `tests/papers/farm/build.py`. A digest of its name holds about half of
them out: errors are looked at, and rules and models are changed, only for the developed half.

A header is right if title, authors in order, affiliations, abstract and keywords all are.
References are found if at least nine of ten stand in some citation; cut is the F1 of citations that
hold exactly one; fields is the share of right values among those that are printed.
"""

import argparse
import difflib
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import Table

FARM = Path(__file__).parent.parent / "tests" / "papers" / "farm" / "documents"
HEADER = ("title", "authors", "affiliations", "abstract", "keywords")
_ALIKE = 0.8
"""The similarity of affiliations that count as equal, as in the shared scorer."""
_ABSTRACT = 0.97
"""The similarity of abstracts that count as equal: a formula may be written in another way."""
_NUMBER = re.compile(r"^(?:[IVX]+\.|[A-Z]\.|(?:Chapter|Appendix)\s+\w+[.:]?|[\d.]+)\s+")
_ENDS = re.compile(
    r"^(?:acknowled|abstract|summary|keywords|references|bibliography|appendi|literatur"
    r"|remerciements|agradecimientos|agradecimentos|ringraziamenti|danksagung)",
    re.IGNORECASE,
)
"""Headings that are not scored: some templates print them, some don't."""


@dataclass
class Score:
    """How one document was read; shares are from 0 to 1."""

    name: str
    shares: dict[str, float] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    @property
    def header(self) -> bool:
        """Whether all fields of the header are right."""
        return all(self.shares[name] == 1 for name in HEADER)

    @property
    def found(self) -> bool:
        """Whether nearly all references are in some citation."""
        return self.shares["found"] >= 0.9


def held_out(name: str) -> bool:
    """Whether errors of this document must not be looked at.

    >>> held_out("llncs")
    False
    """
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def names(*, held: bool | None = None) -> list[str]:
    """The documents; only those held out, or only the others."""
    every = sorted(path.stem for path in FARM.glob("*.pdf"))
    return [name for name in every if held is None or held_out(name) == held]


def score(name: str) -> Score:
    """Read one document and compare it with its gold."""
    from rowen import RowenError, read_paper

    gold = json.loads((FARM / f"{name}.json").read_text(encoding="utf-8"))
    try:
        paper = read_paper(FARM / f"{name}.pdf").to_dict()
    except RowenError as error:
        paper = {"authors": [], "citations": [], "body": [], "keywords": []}
        result = _compared(name, gold, paper)
        result.errors.insert(0, f"not read: {error}")
        return result
    return _compared(name, gold, paper)


def _compared(name: str, gold: dict[str, Any], paper: dict[str, Any]) -> Score:
    result = Score(name)
    note = result.errors.append
    shares = result.shares
    shares["title"] = float(_norm(gold["title"]) == _norm(paper.get("title")))
    if not shares["title"]:
        note(f"title: {gold['title']!r} read as {paper.get('title')!r}")
    authors = [_norm(person["given"] + person["family"]) for person in gold["authors"]]
    read = [_norm(person["given"] + person["family"]) for person in paper["authors"]]
    shares["authors"] = 1.0 if authors == read else min(0.99, _f1(authors, read))
    families = [_norm(person["family"]) for person in gold["authors"]]
    shares["families"] = _f1(families, [_norm(person["family"]) for person in paper["authors"]])
    if authors != read or shares["families"] < 1:
        note(f"authors: {_people(gold['authors'])} read as {_people(paper['authors'])}")
    _affiliations(gold, paper, result)
    likeness = _likeness(_norm(gold["abstract"]), _norm(paper.get("abstract")))
    shares["abstract"] = float(likeness >= _ABSTRACT)
    if likeness < _ABSTRACT:
        read_text = _ends(paper.get("abstract"))
        note(f"abstract ({likeness:.2f}): {_ends(gold['abstract'])} read as {read_text}")
    _lists("keywords", gold["keywords"], paper.get("keywords") or [], result)
    headings = [
        heading for section in paper["body"] if (heading := _unnumbered(section.get("heading")))
        if not _ENDS.match(heading) and _norm(heading) != _norm(gold.get("appendix"))
    ]  # fmt: skip
    _lists("headings", gold["section_titles"], headings, result)
    _references(gold["references"], paper["citations"], result)
    return result


def _affiliations(gold: dict[str, Any], paper: dict[str, Any], result: Score) -> None:
    printed = list(dict.fromkeys(gold["affiliations"]))
    read = list(
        dict.fromkeys(text for person in paper["authors"] for text in person["affiliations"])
    )
    rest, hits = list(read), 0
    for text in printed:
        match = next((other for other in rest if _alike(text, other)), None)
        if match is not None:
            rest.remove(match)
            hits += 1
    result.shares["affiliations"] = _harmonic(hits, len(printed), len(read))
    linked = sum(
        _same_places(person["affiliations"], other["affiliations"])
        for person, other in zip(gold["authors"], paper["authors"], strict=False)
    )
    result.shares["linked"] = linked / len(gold["authors"])
    if result.shares["affiliations"] < 1:
        result.errors.append(f"affiliations: {printed} read as {read}")
    elif result.shares["linked"] < 1:
        result.errors.append(f"linked: {[person['affiliations'] for person in paper['authors']]}")


def _same_places(printed: Sequence[str], read: Sequence[str]) -> bool:
    return len(printed) == len(read) and all(
        any(_alike(text, other) for other in read) for text in printed
    )


def _lists(kind: str, printed: Sequence[str], read: Sequence[str], result: Score) -> None:
    result.shares[kind] = _f1(list(map(_norm, printed)), list(map(_norm, read)))
    if result.shares[kind] < 1:
        lost = [text for text in printed if _norm(text) not in set(map(_norm, read))]
        more = [text for text in read if _norm(text) not in set(map(_norm, printed))]
        result.errors.append(f"{kind}: lost {lost}, too many {[text[:80] for text in more]}")


def _references(
    printed: Sequence[dict[str, Any]], read: Sequence[dict[str, Any]], result: Score
) -> None:
    raws = [_norm(citation["raw"]) for citation in read]
    holds = [
        [index for index, reference in enumerate(printed) if _stands_in(reference, raw)]
        for raw in raws
    ]
    alone = {own[0]: position for position, own in enumerate(holds) if len(own) == 1}
    found = {index for own in holds for index in own}
    result.shares["found"] = len(found) / len(printed)
    result.shares["cut"] = _harmonic(len(alone), len(printed), len(read))
    if result.shares["cut"] < 1:
        strange = [read[i]["raw"][:90] for i, own in enumerate(holds) if len(own) != 1][:4]
        result.errors.append(
            f"references: {len(printed)} printed, {len(read)} read, {len(alone)} cut; {strange}"
        )
    right = total = 0
    for index, reference in enumerate(printed):
        citation = read[alone[index]] if index in alone else None
        for name, value in _values(reference):
            total += 1
            given = None if citation is None else _given(citation, name)
            if given == value:
                right += 1
            elif citation is not None:
                result.errors.append(
                    f"field {name}: {value!r} read as {given!r} in {citation['raw']!r}"
                )
    result.shares["fields"] = right / total


def _stands_in(reference: dict[str, Any], raw: str) -> bool:
    if reference["title"]:
        return _norm(reference["title"]) in raw
    marks = [reference["authors"][0]["family"], reference["year"]]
    marks += [reference[name] for name in ("volume", "first_page", "publisher") if reference[name]]
    return all(_norm(mark) in raw for mark in marks)


def _values(reference: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The printed fields of a reference, in a form that can be compared."""
    if reference["authors"]:
        yield "authors", [_norm(person["family"]) for person in reference["authors"]]
    for name in ("title", "container", "volume", "issue", "first_page", "publisher", "year", "doi"):
        if reference[name]:
            yield name, _norm(reference[name])


def _given(citation: dict[str, Any], name: str) -> Any:
    if name == "authors":
        return [_norm(person["family"]) for person in citation["authors"]]
    if name == "first_page":
        return _norm(re.split(r"[-–—‐−]", citation["pages"] or "")[0])
    return _norm(citation[name])


def _norm(text: str | None) -> str:
    letters = unicodedata.normalize("NFKD", (text or "").lower().translate(_LETTERS))
    return "".join(letter for letter in letters if letter.isalnum())


_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "ı": "i", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe"}
)


def _unnumbered(heading: str | None) -> str:
    return _NUMBER.sub("", heading or "").rstrip(". ")


def _likeness(text: str, other: str) -> float:
    if text == other:
        return 1.0
    return difflib.SequenceMatcher(None, text, other, autojunk=False).ratio()


def _alike(text: str, other: str) -> bool:
    return _likeness(_norm(text), _norm(other)) >= _ALIKE


def _f1(printed: list[str], read: list[str]) -> float:
    rest = list(read)
    for text in printed:
        if text in rest:
            rest.remove(text)
    return _harmonic(len(read) - len(rest), len(printed), len(read))


def _harmonic(hits: int, printed: int, read: int) -> float:
    """The F1; 1 if there is nothing to find, and nothing was read."""
    return 2 * hits / (printed + read) if printed + read else 1.0


def _people(people: Iterable[dict[str, Any]]) -> str:
    return "; ".join(f"{person['given']} | {person['family']}" for person in people)


def _ends(text: str | None) -> str:
    text = text or ""
    return repr(text if len(text) < 120 else f"{text[:60]} … {text[-60:]}")


COLUMNS = (*HEADER, "families", "linked", "headings", "found", "cut", "fields")


def table_of(scores: Sequence[Score], title: str) -> Table:
    """A row per document, and the means."""
    table = Table(title, ("template", *COLUMNS, "header"))
    for result in scores:
        mark = "*" if held_out(result.name) else ""
        cells = (_share(result.shares[name]) for name in COLUMNS)
        table.add(result.name + mark, *cells, "yes" if result.header else "no")
    means = (sum(s.shares[name] for s in scores) / len(scores) for name in COLUMNS)
    headers = sum(result.header for result in scores)
    table.add("mean", *(f"{mean:.3f}" for mean in means), f"{headers} of {len(scores)}")
    return table


def _share(value: float) -> str:
    return "1" if value == 1 else f"{value:.2f}".lstrip("0") if value else "0"


def summary(scores: Sequence[Score]) -> str:
    """One line: headers that are right, and lists of references that were found."""
    headers = sum(result.header for result in scores)
    found = sum(result.found for result in scores)
    return f"headers right {headers} of {len(scores)}, references found {found} of {len(scores)}"


def run() -> str:
    """The table of all documents."""
    scores = [score(name) for name in names()]
    return f"{table_of(scores, 'templates: documents held out are marked *')}\n\n{summary(scores)}"


def main() -> None:
    """Print the table, and the errors of the developed half."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these documents")
    half = parser.add_mutually_exclusive_group()
    half.add_argument(
        "--developed", action="store_true", help="only documents that may be looked at"
    )
    half.add_argument("--held-out", action="store_true", help="only documents that are held out")
    parser.add_argument(
        "--errors", action="store_true", help="also print what is wrong (developed)"
    )
    chosen = parser.parse_args()
    held = True if chosen.held_out else False if chosen.developed else None
    wanted = chosen.names or names(held=held)
    scores = [score(name) for name in wanted]
    print(table_of(scores, "templates: documents held out are marked *"))
    for part, own in (
        ("developed", [result for result in scores if not held_out(result.name)]),
        ("held out", [result for result in scores if held_out(result.name)]),
    ):
        if own:
            print(f"{part}: {summary(own)}")
    if chosen.errors:
        for result in scores:
            if not held_out(result.name) and result.errors:
                print(f"\n{result.name}")
                print("\n".join(f"  {error}" for error in result.errors))


if __name__ == "__main__":
    main()
