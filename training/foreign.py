"""Reference strings in other languages, from templates and words in `languages.toml`.

A template is a text with fields in braces, and with alternatives:

    {author} ({date})<: |, >{title}. In: {container} {volume}, S. {pages}.
    Müller, H. und Weber, K. (1987), Bildung. In: Merkur 41, S. 12-31.

Part of the strings cite works that annotated strings cite, in the style of the language.
"""

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowen.citations.citation import Name
from training.synthesis import Strip, Work

WORDS = Path(__file__).with_name("languages.toml")
_PIECE = re.compile(r"\{(\w+)\}|<([^<>]*)>")
_KINDS = ("articles", "articles", "chapters", "monographs")
_SCHEMES = ("http://", "https://")
_LABELS = ("", "", "", "", "[{n}] ", "{n}. ", "({n}) ", "[{n}]")
_REAL = 0.3  # of the strings cite a work that an annotated string cites
_LATIN = frozenset({"de", "fr", "es", "pt", "it"})


@dataclass(frozen=True, slots=True)
class Language:
    """The templates and the words of a language."""

    code: str
    table: Mapping[str, Any]

    def words(self, name: str) -> list[str]:
        """The entries of a list that is written as one text."""
        return [word.strip() for word in self.table.get(name, "").split(" / ") if word.strip()]


def languages(path: Path = WORDS) -> list[Language]:
    """The languages of a file."""
    tables = tomllib.loads(path.read_text("utf-8"))
    return [Language(code, table) for code, table in tables.items()]


def foreign(
    known: Sequence[Language], works: Sequence[Work], count: int, seed: int = 7
) -> Iterator[dict[str, Any]]:
    """Strings in languages drawn by chance, as rows of the annotated ones."""
    draw = random.Random(seed)  # noqa: S311  # nothing secret: the same each time
    for _ in range(count):
        yield Writer(draw, draw.choice(known), works).row()


class Writer:
    """Writes one string."""

    def __init__(self, draw: random.Random, language: Language, works: Sequence[Work]) -> None:
        self.draw, self.language = draw, language
        self.strip = Strip()
        self.form = draw.choice(language.table["names"])
        self.between, self.last = draw.choice(language.table["joins"])
        latin = language.code in _LATIN
        cites = bool(works) and latin and draw.random() < _REAL
        self.work = draw.choice(works) if cites else None
        self.whole = "containers"
        self.values = self._values()

    def row(self) -> dict[str, Any]:
        """The string in the form of the annotated ones."""
        kind = self.draw.choice(_KINDS)
        self.whole = "books" if kind == "chapters" else "containers"
        pieces = self.draw.choice(self.language.table[kind])
        self.strip.plain(self.draw.choice(_LABELS).replace("{n}", str(self.draw.randint(1, 99))))
        self._write(pieces)
        row = self.strip.row()
        fields = {
            label: row["raw"][start:end]
            for (start, end), label in zip(row["spans"], row["labels"], strict=True)
        }
        return {**row, "fields": fields, "source": self.language.code, "doc": self.language.code}

    def _write(self, text: str) -> None:
        at = 0
        for piece in _PIECE.finditer(text):
            self.strip.plain(text[at : piece.start()])
            at = piece.end()
            if piece.group(1):
                self._field(piece.group(1))
            else:
                self._write(self.draw.choice(piece.group(2).split("|")))
        self.strip.plain(text[at:])

    def _field(self, name: str) -> None:
        if name == "n":
            self.strip.plain(str(self.draw.randint(1, 28)))
        elif name == "month":
            self.strip.plain(self.draw.choice(self.language.words("months")))
        else:
            self.strip.field(self.values[name](), name)

    def _values(self) -> dict[str, Callable[[], str]]:
        draw, words, work = self.draw, self.language.words, self.work
        first = draw.randint(1, 800)
        year = work.year if work else str(draw.randint(1955, 2024))
        dash = draw.choice(("-", "-", "–", "–", "—" if self.language.code == "ru" else "-"))
        pages = draw.choice(
            (f"{first}{dash}{first + draw.randint(1, 40)}",) * 8
            + (f"{first}", f"e{first}", f"S{first % 90 + 1}{dash}S{first % 90 + 9}")
        )
        issue = draw.randint(1, 12)
        issues = (str(issue),) * 8 + (f"{issue}{draw.choice('-/–')}{issue + 1}", f"{issue}")
        publisher = draw.choice(words("publishers"))
        return {
            "author": lambda: self._people(work.authors if work else None),
            "editor": lambda: self._people(None),
            "title": lambda: work.title if work else self._title(),
            "container": self._container,
            "date": lambda: year,
            "volume": lambda: str(draw.randint(1, 120)),
            "issue": lambda: draw.choice(issues),
            "pages": lambda: pages,
            "publisher": lambda: publisher,
            "location": lambda: draw.choice(words("places")),
            "institution": lambda: draw.choice(words("institutions")),
            "note": lambda: draw.choice(words("notes")),
            "edition": lambda: draw.choice(words("editions")),
            "url": lambda: f"{draw.choice(_SCHEMES)}www.{_host(draw)}/{draw.randint(1, 9999)}",
        }  # fmt: skip

    def _container(self) -> str:
        if self.whole == "books" and self.draw.random() < 0.5:
            return self._title()  # a book in which there are chapters has a title like any other
        if self.work and self.work.container and self.work.volume and self.whole != "books":
            return self.work.container
        return self.draw.choice(self.language.words(self.whole))

    def _title(self) -> str:
        subjects = self.language.words("subjects")
        title = self.draw.choice(self.language.words("titles"))
        drawn = {
            "a": self.draw.choice(subjects),
            "b": self._inner(self.draw.choice(subjects)),
            "c": self.draw.choice(self.language.words("genitives") or subjects),
            "d": self.draw.choice(self.language.words("locatives") or subjects),
        }
        written = title.format(**drawn)
        return written[0].upper() + written[1:]

    def _inner(self, subject: str) -> str:
        """A subject inside a title: in lower case, but German has capitals."""
        return subject if self.language.code == "de" else subject[0].lower() + subject[1:]

    def _people(self, people: Sequence[Name] | None) -> str:
        draw, words = self.draw, self.language.words
        if people is None:
            people = [
                Name(draw.choice(words("given")), draw.choice(words("family")))
                for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 4)))
            ]
        written = [self._name(name) for name in people[:8]]
        if len(written) > 2 and draw.random() < 0.15:
            return written[0] + draw.choice(self.language.table["others"])
        if len(written) == 1:
            return written[0]
        return f"{self.between.join(written[:-1])}{self.last}{written[-1]}"

    def _name(self, name: Name) -> str:
        letters = [part[0] for part in re.split(r"[\s.-]+", name.given) if part]
        space = self.draw.choice((" ", ""))
        return self.form.format(
            family=name.family,
            FAMILY=name.family.upper(),
            given=name.given,
            initials=space.join(f"{letter}." for letter in letters),
        )


def _host(draw: random.Random) -> str:
    return "".join(draw.choices("abcdeilmnorstu", k=6)) + draw.choice((".de", ".fr", ".org", ".es"))
