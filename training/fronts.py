"""Labelled tokens of papers' fronts, from what GROBID's authors annotated by hand.

The older headers that the shared data has beside these (`seymore_headers`) made scores no better.
"""

import re
import tarfile
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from rowen.papers.people.tokens import Token, words_of
from training.data import SHARED, rows

Labelled = tuple[list[Token], list[str]]

_KINDS = {
    "forename": "name", "middlename": "name", "surname": "name", "marker": "mark",
    "email": "email", "affiliation": "affiliation",
}  # fmt: skip
_DROPPED = frozenset({"title", "abstract", "keyword", "intro"})
_MARK = re.compile(r"\d{1,2}|[*†‡§¶#∗⋆]|[a-z]$")


class Front:
    """Tokens and labels, put together piece by piece."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.labels: list[str] = []
        self.line = 0

    def add(self, text: str, label: str) -> None:
        """Text with one label; its line ends part lines."""
        for i, line in enumerate(text.split("\n")):
            self.line += i > 0
            for k, (word, spaced) in enumerate(words_of(line)):
                before = spaced if k or i else bool(re.match(r"\s", text)) or not self.tokens
                self.tokens.append(Token(word, 0, self.line, before))
                self.labels.append("email" if "@" in word and len(word) > 1 else label)


def annotated_names() -> Iterator[Labelled]:
    """The people of headers, name by name."""
    return _annotated(r"(?:\./)?name/header/")


def annotated_affiliations() -> Iterator[Labelled]:
    """The affiliations of headers, with their marks."""
    return _annotated(r"(?:\./)?affiliation-address/")


def _annotated(path: str) -> Iterator[Labelled]:
    with tarfile.open(SHARED / "headers" / "grobid_aux_tei.tar.xz") as archive:
        for member in sorted(archive.getmembers(), key=lambda entry: entry.name):
            file = archive.extractfile(member)
            if file is None or not re.match(path, member.name):
                continue
            try:
                tree = ET.fromstring(file.read())  # noqa: S314  # the shared data is trusted
            except ET.ParseError:
                continue  # a few files are not well-formed
            for author in tree.iter():
                if _tag(author) == "author":
                    front = Front()
                    _walk(front, author, "other")
                    if front.tokens:
                        yield front.tokens, begun(front.tokens, front.labels)


def _tag(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _walk(front: Front, element: ET.Element, label: str) -> None:
    if element.text:
        front.add(re.sub(r"\s+", " ", element.text), label)
    for child in element:
        if _tag(child) == "lb":
            front.add("\n", label)
        else:
            _walk(front, child, _KINDS.get(_tag(child), label))
        if child.tail:
            front.add(re.sub(r"\s+", " ", child.tail), label)
    if _tag(element) in {"affiliation", "persName"}:
        front.labels.append("end")
        front.tokens.append(Token("", 0, front.line, spaced=False))


def begun(tokens: list[Token], labels: Sequence[str]) -> list[str]:
    """Labels that tell where a name and an affiliation begin.

    Tokens without a text only say where one ends; they are taken out of `tokens`.
    """
    started: list[str] = []
    remaining: list[Token] = []
    inside = ""
    for token, label in zip(tokens, labels, strict=True):
        if not token.text:
            inside = ""
            continue
        own = label
        if label == "affiliation":
            own, inside = _affiliation(token, inside)
        elif label == "name":
            if inside == "name":
                _rejoin(remaining, started)
            else:
                own, inside = "name start", "name"
        elif label == "mark":
            inside = inside if inside == "name" else ""
        started.append(own)
        remaining.append(token)
    tokens[:] = remaining
    return started


def _affiliation(token: Token, inside: str) -> tuple[str, str]:
    """The label of a token of an affiliation, and what the next one is inside of."""
    if inside == "affiliation":
        return "affiliation", inside
    if not token.text[0].isalnum():
        return "other", inside
    if _MARK.match(token.text) and len(token.text) < 3:
        return "mark", inside
    return "affiliation start", "affiliation"


def _rejoin(tokens: Sequence[Token], labels: list[str]) -> None:
    """Signs between two parts of a name are part of it: `Smith, John`, `J. Smith`."""
    k = len(labels)
    while k and labels[k - 1] == "other" and not tokens[k - 1].text[0].isalnum():
        k -= 1
    if (
        k
        and labels[k - 1].startswith("name")
        and all(tokens[i].text in {".", ","} for i in range(k, len(labels)))
    ):
        labels[k:] = ["name"] * (len(labels) - k)


def headers() -> Iterator[Labelled]:
    """Annotated headers without title and abstract; `author` is not yet taken apart."""
    for row in rows("headers/grobid_headers.jsonl.xz"):
        front = Front()
        before = ""
        for text, label in row["segments"]:
            if label in _DROPPED:
                front.line += 1
                before = ""
                continue
            if label == "affiliation" and before in {"affiliation", "address"}:
                front.tokens.append(Token("", 0, front.line, spaced=False))
                front.labels.append("end")
            kind = "affiliation" if label in {"affiliation", "address"} else label
            front.add(text, kind if kind in {"affiliation", "author", "email"} else "other")
            before = label
        if "author" in front.labels:
            yield front.tokens, begun(front.tokens, front.labels)
