"""People, affiliations and texts for made-up fronts, from annotated headers and some lists."""

import random
import re
import tarfile
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from training.data import SHARED, rows

_LIST = tomllib.loads(Path(__file__).with_name("front_words.toml").read_text("utf-8"))
_SPACES = re.compile(r"\s+")
_ORGANISATIONS = frozenset({"orgName"})


def words(group: str, name: str) -> list[str]:
    """A list of `front_words.toml`: parted at bars, or at spaces where there are none."""
    text = _LIST[group][name].strip()
    return [entry.strip() for entry in (text.split("|") if "|" in text else text.split())]


@dataclass(frozen=True, slots=True)
class Person:
    """A made-up person."""

    given_name: str
    family: str
    latin: bool = True

    @property
    def local(self) -> str:
        """What an e-mail address of this person has before its sign."""
        letters = unicodedata.normalize("NFKD", f"{self.given_name[:1]}.{self.family}").lower()
        return re.sub(r"[^a-z.]", "", letters).strip(".") or "author"


@dataclass(frozen=True, slots=True)
class Place:
    """An affiliation: organisations from the smallest on, and the parts of the address."""

    organisations: tuple[str, ...]
    address: tuple[str, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts in order."""
        return self.organisations + self.address

    @property
    def text(self) -> str:
        """All parts as one text."""
        return ", ".join(self.parts)


def trees(path: str) -> Iterator[ET.Element]:
    """GROBID's annotated files below a path, those that are well-formed."""
    with tarfile.open(SHARED / "headers" / "grobid_aux_tei.tar.xz") as archive:
        for member in sorted(archive.getmembers(), key=lambda entry: entry.name):
            file = archive.extractfile(member) if re.match(path, member.name) else None
            if file is None:
                continue
            try:
                yield ET.fromstring(file.read())  # noqa: S314  # the shared data is trusted
            except ET.ParseError:
                continue  # a few files are not well-formed


def tag_of(element: ET.Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _text(element: ET.Element) -> str:
    return _SPACES.sub(" ", "".join(element.itertext())).strip(" ,;.")


@cache
def _annotated_people() -> list[Person]:
    people = []
    for tree in trees(r"(?:\./)?name/header/"):
        for element in tree.iter():
            if tag_of(element) != "persName":
                continue
            parts = {tag_of(child): _text(child) for child in element}
            first, middle, family = (
                parts.get(name, "") for name in ("forename", "middlename", "surname")
            )
            if first and family and len(family) > 1:
                people.append(Person(f"{first} {middle}".strip(), family))
    return people


@cache
def _annotated_places() -> list[Place]:
    places: list[Place] = []
    for tree in trees(r"(?:\./)?affiliation-address/"):
        for element in tree.iter():
            if tag_of(element) == "affiliation":
                places += _places(element)
    return [place for place in places if 8 < len(place.text) < 250]


def _places(element: ET.Element) -> Iterator[Place]:
    """An annotated affiliation may be several: organisations after an address begin the next."""
    organisations: list[str] = []
    address: list[str] = []
    for part in element.iter():
        if tag_of(part) in _ORGANISATIONS:
            if address and organisations:
                yield Place(tuple(organisations), tuple(address))
                organisations, address = [], []
            organisations.append(_text(part))
        elif tag_of(part) in {"settlement", "region", "country", "postCode", "addrLine"}:
            address.append(_text(part))
    if organisations:
        yield Place(tuple(organisations), tuple(address))


@cache
def _texts() -> tuple[list[str], list[str]]:
    """Titles and abstracts."""
    titles, abstracts = [], []
    for row in rows("headers/grobid_headers.jsonl.xz"):
        for text, label in row["segments"]:
            plain = _SPACES.sub(" ", text).strip()
            if label == "title" and 20 < len(plain) < 160:
                titles.append(plain)
            elif label == "abstract" and len(plain) > 300:
                abstracts.append(plain)
    return titles, abstracts


class Content:
    """Draws contents by chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def pick(self, group: str, name: str) -> str:
        """An entry of a list."""
        return self.chance.choice(words(group, name))

    def title(self) -> str:
        """A title of a paper."""
        return self.chance.choice(_texts()[0])

    def prose(self, length: int) -> str:
        """Running text of about a length."""
        text = ""
        while len(text) < length:
            text += self.chance.choice(_texts()[1]) + " "
        return text[:length].rpartition(" ")[0]

    def person(self) -> Person:
        """Most people are annotated ones with another's family name; some of other languages."""
        draw = self.chance.random()
        if draw < 0.72:
            people = _annotated_people()
            first = self.chance.choice(people)
            return Person(first.given_name, self._with_particle(self.chance.choice(people).family))
        if draw < 0.84:
            given_name = self.pick("names", "chinese_given")
            return Person(given_name, self.pick("names", "chinese_family"))
        count = self.chance.choice((1, 1, 2))
        given_names = [self.pick("names", "iberian_given") for _ in range(count)]
        families = [self.pick("names", "iberian_family") for _ in range(2)]
        return Person(" ".join(given_names), self.chance.choice((" ", "-", " ")).join(families))

    def foreign(self) -> Person:
        """A person whose name is not in Latin letters."""
        script = self.chance.choice(("slavic", "han"))
        if script == "han":
            name = self.pick("names", "han_names")
            return Person(name[1:], name[0], latin=False)
        given_name = self.pick("names", f"{script}_given")
        if script == "slavic" and self.chance.random() < 0.5:
            given_name = f"{given_name[0]}. {self.pick('names', 'slavic_given')[0]}."
        return Person(given_name, self.pick("names", f"{script}_family"), latin=False)

    def _with_particle(self, family: str) -> str:
        if self.chance.random() > 0.06:
            return family
        return f"{self.pick('names', 'particles')} {family}"

    def place(self) -> Place:
        """An affiliation."""
        return self.chance.choice(_annotated_places())

    def people(self, count: int) -> list[Person]:
        """Some people; rarely all with names in other letters than Latin ones."""
        draw = self.foreign if self.chance.random() < 0.04 else self.person
        return [draw() for _ in range(count)]

    def sample(self, values: Sequence[Place], least: int, most: int) -> list[int]:
        """Some indexes of places, in order."""
        count = min(self.chance.randint(least, most), len(values))
        return sorted(self.chance.sample(range(len(values)), count))
