"""Reference strings in styles that the annotated ones show rarely, from the works that those cite.

Each string draws its own style: what comes in which order, between which signs, with which words.
Its work is a real one; what the work's own string leaves out (a publisher, a place, editors) comes
from others. The same rows give the same strings.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rowen.citations.citation import Name
from rowen.citations.names import parse_names

_MEETING = re.compile(r"\b(?:proc|conf|symp|workshop|meeting|congress|colloq)", re.IGNORECASE)
_PRESS = re.compile(r"press|verlag|publi|edit", re.IGNORECASE)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_SCHOOLS = ("Department of Computer Science", "Dept. of Computer Science", "Computer Science Dept.")


@dataclass(frozen=True, slots=True)
class Work:
    """What a string tells of; the texts as they stood there."""

    authors: tuple[Name, ...]
    title: str
    year: str
    container: str
    volume: str
    issue: str
    pages: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Stock:
    """Works, and what is drawn on where a work lacks something."""

    works: list[Work]
    people: list[tuple[Name, ...]]
    meetings: list[str]
    books: list[str]
    publishers: list[str]
    places: list[str]
    schools: list[str]
    given: dict[str, list[str]]
    """Given names by their first letter."""


class Strip:
    """A string under way, with the places of its fields."""

    def __init__(self) -> None:
        self.raw = ""
        self.spans: list[tuple[int, int]] = []
        self.labels: list[str] = []

    def plain(self, text: str) -> "Strip":
        """Add what belongs to no field; a dot is not doubled."""
        if text.startswith(".") and self.raw.endswith((".", "?", "!")):
            text = text[1:]
        self.raw += text
        return self

    def field(self, text: str, label: str) -> "Strip":
        """Add a field."""
        self.spans.append((len(self.raw), len(self.raw) + len(text)))
        self.labels.append(label)
        self.raw += text
        return self

    def row(self) -> dict[str, Any]:
        """The string in the form of the annotated ones."""
        return {"raw": self.raw, "spans": self.spans, "labels": self.labels}


def stock_of(rows: Sequence[dict[str, Any]]) -> Stock:
    """What annotated strings cite."""
    stock = Stock([], [], [], [], [], [], [], {})
    for row in rows:
        fields = row["fields"]
        authors = _people(fields.get("author", ""))
        container, title = fields.get("container", ""), fields.get("title", "")
        ends = re.findall(r"\d+", fields.get("pages", ""))
        year = re.search(r"(?:1[89]|20)\d\d", fields.get("date", ""))
        if authors and year and 3 <= len(title.split()) <= 30 and len(ends) == 2:
            stock.works.append(
                Work(
                    authors, title.strip("\"“”«».,' "), year.group(), container,
                    fields.get("volume", ""), fields.get("issue", ""), (ends[0], ends[1]),
                )
            )  # fmt: skip
        for name in authors:
            first = name.given.split()[0]
            if first.isalpha() and len(first) > 2 and first[1:].islower():
                stock.given.setdefault(first[0], []).append(first)
        if editors := _people(fields.get("editor", "")):
            stock.people.append(editors)
        if container and "volume" not in fields and len(container.split()) > 2:
            (stock.meetings if _MEETING.search(container) else stock.books).append(container)
        if publisher := fields.get("publisher", ""):
            school = re.search(r"[Uu]niv|Institut", publisher) and not _PRESS.search(publisher)
            (stock.schools if school else stock.publishers).append(publisher)
        if place := fields.get("location", ""):
            stock.places.append(place)
    return stock


def _people(text: str) -> tuple[Name, ...]:
    names = parse_names(text)
    whole = all(
        name.given and name.family and re.fullmatch(r"[^\W\d_][^\d_()]*", str(name))
        for name in names
    )
    return names if whole else ()


def synthetic(stock: Stock, count: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Strings in styles drawn by chance, as rows of the annotated ones."""
    draw = random.Random(seed)  # noqa: S311  # nothing secret: the same each time
    for _ in range(count):
        yield Style(draw, stock).string(draw.choice(stock.works))


class Style:
    """One way to write references, drawn by chance."""

    def __init__(self, draw: random.Random, stock: Stock) -> None:
        pick = draw.choice
        self.draw, self.stock = draw, stock
        self.inverted = pick(("no", "no", "all", "all", "first"))
        self.given = pick(("full", "dots", "dots", "spaced", "bare"))
        self.capitals = draw.random() < 0.08
        between = ("; ", "; ", " and ") if self.inverted == "all" else ("; ", " and ", " - ", " – ")
        self.between = pick((", ",) * 4 + between)
        self.last = pick(
            (" and ",) * 4 + (", and ", ", and ", " & ", ", & ", ", ", ", ", "; ", " und ", " et ")
        )
        self.sign = pick((". ", ". ", ". ", ", ", ", ", ": ", "; ", " "))
        self.quotes = pick(("",) * 5 + ('""', "“”", "“”", "«»", "‘’"))
        self.dash = pick(("-", "-", "–", "–", "--", " - "))
        self.pages = pick(("pp. ", "pp. ", "pages ", "pages ", "p. ", "pp ", "S. ", "", ""))
        self.early_date = draw.random() < 0.4
        self.date_in = pick((("(", ")"), ("(", ")"), ("", ""), ("[", "]")))
        self.sparse = draw.random() < 0.06  # hardly any punctuation
        self.german = self.pages == "S. "

    def chance(self, share: float) -> bool:
        """True in that share of cases."""
        return self.draw.random() < share

    def string(self, work: Work) -> dict[str, Any]:
        """A work written in this style, as one of the kinds that there are."""
        strip = Strip()
        self._label(strip, work)
        edited, late_authors = self.chance(0.06), self.chance(0.05)
        if edited:
            self._editors(strip, before=True)
            strip.raw = strip.raw.rstrip(", :")
            late_authors = False
        elif not late_authors:
            self._authors(strip, work)
        if self.early_date:
            opening, closing = self.date_in
            strip.plain(" " + opening if strip.raw.strip() else opening)
            strip.field(work.year + self.draw.choice(("", "", "", "a")), "date")
            strip.plain(closing + self.draw.choice((". ", ". ", " ", ": ", ", ")))
        elif not late_authors:
            strip.plain(self.sign)
        self._title(strip, work)
        if late_authors:
            self._authors(strip, work)
            strip.plain(self.sign)
        kinds = [
            self._meeting,
            self._meeting,
            self._chapter,
            self._book,
            self._thesis,
            self._report,
        ]
        if work.container and work.volume:
            kinds += [self._article] * 3
        (self._book if edited else self.draw.choice(kinds))(strip, work)
        strip.plain(self.draw.choice((".", ".", ".", "", ";")))
        return strip.row()

    def _label(self, strip: Strip, work: Work) -> None:
        family = work.authors[0].family
        form = self.draw.choice(("", "", "", "[{n}] ", "{n}. ", "({n}) ", "[{key}] ", "[{name}] "))
        keys = "".join(name.family[0] for name in work.authors[:3]) + work.year[2:]
        strip.plain(
            form.format(n=self.draw.randint(1, 120), key=keys, name=f"{family}, {work.year}")
        )

    def name(self, name: Name, *, first: bool) -> str:
        """A name as this style has it."""
        parts = re.split(r"[\s.]+", name.given.strip(". "))
        if self.given == "full":
            if len(parts[0]) == 1 and parts[0] in self.stock.given:
                parts[0] = self.draw.choice(self.stock.given[parts[0]])
            given_name = " ".join(part if len(part) > 1 else f"{part}." for part in parts)
        else:
            letters = [part[0] for part in parts if part]
            given_name = {
                "dots": "".join(f"{letter}." for letter in letters),
                "spaced": " ".join(f"{letter}." for letter in letters),
                "bare": "".join(letters),
            }[self.given]
        family = name.family.upper() if self.capitals else name.family
        if self.inverted == "all" or (self.inverted == "first" and first):
            return f"{family} {given_name}" if self.given == "bare" else f"{family}, {given_name}"
        return f"{given_name} {family}"

    def names(self, people: Sequence[Name]) -> str:
        """A list of names as this style has it."""
        written = [self.name(name, first=i == 0) for i, name in enumerate(people)]
        if len(written) > 2 and self.chance(0.08):
            return f"{written[0]}{self.draw.choice((' et al.', ', et al.', ' and others'))}"
        if len(written) == 1:
            return written[0]
        return f"{self.between.join(written[:-1])}{self.last}{written[-1]}"

    def _authors(self, strip: Strip, work: Work) -> None:
        written = self.names(work.authors)
        strip.field(written.removesuffix(".") if self.sign == ". " else written, "author")
        if self.sign == ". " and written.endswith("."):
            strip.plain(".")

    def _title(self, strip: Strip, work: Work) -> None:
        title = work.title
        if self.chance(0.15):
            title = title.title()
        elif self.chance(0.1):
            title = title[0] + title[1:].lower()
        opening, closing = self.quotes[:1], self.quotes[1:]
        strip.plain(opening).field(title, "title")
        if not closing:
            strip.plain(" " if self.sparse else self.draw.choice((". ", ". ", ". ", ", ", "; ")))
        else:
            strip.plain(
                self.draw.choice((f",{closing} ", f".{closing} ", f"{closing}, ", f"{closing}. "))
            )

    def _sep(self) -> str:
        return " " if self.sparse else self.draw.choice((", ", ", ", ", ", ". ", "; "))

    def _late_date(self, strip: Strip, work: Work) -> None:
        if self.early_date:
            return
        written = work.year
        month = self.draw.choice(_MONTHS)
        if self.chance(0.3):
            written = f"{self.draw.choice((month, month[:3] + '.', month[:3]))} {work.year}"
        elif self.chance(0.1):
            day = self.draw.randint(1, 26)
            written = f"{month} {day}-{day + self.draw.randint(1, 4)}, {work.year}"
        if self.chance(0.25):
            strip.plain(" (").field(written, "date").plain(")")
        else:
            strip.plain(self._sep()).field(written, "date")

    def _span(self, strip: Strip, work: Work, before: str) -> None:
        """The pages, with what stands before them."""
        strip.plain(before + self.pages).field(self._page_range(work), "pages")

    def _page_range(self, work: Work) -> str:
        """First and last page; sometimes with letters, or the number of an article."""
        first, last = work.pages
        match self.draw.randrange(20):
            case 0:
                letter = self.draw.choice("eSALRW")
                return f"{letter}{first}{self.dash}{letter}{last}"
            case 1:
                return f"e{first}{self.dash}{last}"
            case 2:
                return f"{self.draw.choice(('e', 'e', 'E', 'L', 'R', ''))}{first}{last[:2]}"
            case _:
                return f"{first}{self.dash}{last}"

    def _issue(self, work: Work) -> str:
        """The issue; sometimes two, or a supplement."""
        issue = work.issue or str(self.draw.randint(1, 12))
        if not issue.isdecimal() or not self.chance(0.12):
            return issue
        after = str(int(issue) + 1)
        return self.draw.choice(
            (f"{issue}-{after}", f"{issue}–{after}", f"{issue}/{after}", f"{issue} & {after}",
             f"Suppl {issue}", f"Suppl. {issue}", f"{issue} Suppl", f"{issue} Pt 2")
        )  # fmt: skip

    def _article(self, strip: Strip, work: Work) -> None:
        strip.plain("In: " if self.german and self.chance(0.4) else "")
        strip.field(work.container, "container")
        pages_follow = not self.chance(0.1)
        middle = not self.early_date and self.chance(0.3)
        if middle:
            self._late_date(strip, work)
        issue = self._issue(work)
        match self.draw.randrange(7):
            case 0:
                strip.plain(self.draw.choice((", ", " "))).field(work.volume, "volume")
                strip.plain(self.draw.choice(("(", " ("))).field(issue, "issue").plain(")")
                self._span_short(
                    strip, work, self.draw.choice((":", ": ", ", ")), show=pages_follow
                )
            case 1:
                strip.plain(
                    self.draw.choice((", vol. ", ", Vol. ", " vol. ", ", volume ", ", Bd. "))
                )
                strip.field(work.volume, "volume")
                strip.plain(self.draw.choice((", no. ", ", No. ", ", number ", " no ", ", Nr. ")))
                strip.field(issue, "issue")
                self._span_short(strip, work, ", ", show=pages_follow)
            case 2 | 3:
                strip.plain(self.draw.choice((", ", " "))).field(work.volume, "volume")
                self._span_short(
                    strip, work, self.draw.choice((":", ": ", ", ")), show=pages_follow
                )
            case 4:
                strip.plain(self.draw.choice((", vol. ", ", Vol. ", " v. ", ", volume ")))
                strip.field(work.volume, "volume")
                self._span_short(strip, work, ", ", show=pages_follow)
            case 5:
                strip.plain(self.draw.choice((", ", " ", " Jg. "))).field(work.volume, "volume")
                strip.plain(self.draw.choice(("/", ", H. ", ", Heft ", ".", ", "))).field(
                    issue, "issue"
                )
                self._span_short(strip, work, ", ", show=pages_follow)
            case _:
                strip.plain(self.draw.choice((" v. ", ", v. "))).field(work.volume, "volume")
                strip.plain(self.draw.choice((", n. ", " n. "))).field(issue, "issue")
                self._span_short(strip, work, ", ", show=pages_follow)
        if not middle:
            self._late_date(strip, work)

    def _span_short(self, strip: Strip, work: Work, before: str, *, show: bool) -> None:
        if show:
            if before.startswith(":"):
                strip.plain(before).field(self._page_range(work), "pages")
            else:
                self._span(strip, work, before)

    def _editors(self, strip: Strip, *, before: bool) -> None:
        people = self.draw.choice(self.stock.people)
        if before:
            strip.field(self.names(people), "editor")
            strip.plain(
                self.draw.choice((" (Hrsg.): ", " (Hg.), ", " (Hrsg.), "))
                if self.german
                else self.draw.choice(
                    (
                        ", editors, ",
                        ", editor, ",
                        " (Eds.), ",
                        " (eds.), ",
                        ", eds., ",
                        " (Ed.), ",
                        " (eds) ",
                    )
                )
            )
        else:
            strip.plain(
                self.draw.choice((", edited by ", ", ed. ", ", eds. ", " (ed. ", ". Edited by "))
            )
            bracket = strip.raw.endswith("(ed. ")
            strip.field(self.names(people), "editor").plain(")" if bracket else "")

    def _imprint(self, strip: Strip, *, publisher: float, place: float) -> None:
        """Publisher and place, in either order, or one of them."""
        maker = self.draw.choice(self.stock.publishers) if self.chance(publisher) else ""
        town = self.draw.choice(self.stock.places) if self.chance(place) else ""
        if maker and town:
            match self.draw.randrange(4):
                case 0 | 1:
                    strip.field(town, "location").plain(self.draw.choice((": ", ": ", ", ", " : ")))
                    strip.field(maker, "publisher")
                case 2:
                    strip.field(maker, "publisher").plain(
                        self.draw.choice((", ", ", ", ": ", ". "))
                    )
                    strip.field(town, "location")
                case _:
                    strip.field(maker, "publisher").plain(" (").field(town, "location").plain(")")
        elif maker:
            strip.field(maker, "publisher")
        else:
            strip.field(town or self.draw.choice(self.stock.places), "location")

    def _meeting(self, strip: Strip, work: Work) -> None:
        strip.plain(self.draw.choice(("In ", "In ", "in ", "In: ", "", "Presented at ")))
        before = self.chance(0.15)
        if before:
            self._editors(strip, before=True)
        strip.field(self.draw.choice(self.stock.meetings), "container")
        if not before and self.chance(0.1):
            self._editors(strip, before=False)
        if self.chance(0.15):
            strip.plain(self.draw.choice((", volume ", ", vol. ", ", Vol. ")))
            strip.field(str(self.draw.randint(1, 2000)), "volume")
        order = self.draw.randrange(3)
        if order == 0 and self.chance(0.8):
            self._span(strip, work, self._sep())
        if self.chance(0.75):
            strip.plain(self._sep())
            self._imprint(strip, publisher=0.45, place=0.6)
        if order == 1:
            self._span(strip, work, self._sep())
        self._late_date(strip, work)
        if order == 2 and self.chance(0.8):
            self._span(strip, work, self._sep())
        elif self.chance(0.1):
            strip.plain(". ").field(self.draw.choice(self.stock.publishers), "publisher")

    def _chapter(self, strip: Strip, work: Work) -> None:
        strip.plain("In: " if self.german else self.draw.choice(("In ", "In: ", "in ", "in: ", "")))
        before = self.chance(0.5)
        if before:
            self._editors(strip, before=True)
        strip.field(self.draw.choice(self.stock.books), "container")
        if not before and self.chance(0.4):
            self._editors(strip, before=False)
        first = self.chance(0.4)
        if first:
            opening, closing = self.draw.choice(((" (", ")"), (", ", "")))
            self._span(strip, work, opening)
            strip.plain(closing)
        strip.plain(self._sep())
        self._imprint(strip, publisher=0.85, place=0.75)
        self._late_date(strip, work)
        if not first and self.chance(0.8):
            self._span(strip, work, self._sep())

    def _book(self, strip: Strip, work: Work) -> None:
        if self.chance(0.15):
            number = self.draw.choice(("2nd", "second", "3rd", "2.", "Third", "revised"))
            word = "Auflage" if self.german else self.draw.choice(("ed.", "edition", "edn."))
            strip.plain("(").field(f"{number} {word}", "edition").plain("). ")
        self._imprint(strip, publisher=0.9, place=0.7)
        self._late_date(strip, work)
        if self.chance(0.1):
            strip.plain(", ").field(str(self.draw.randint(80, 700)), "pages").plain(" p.")

    def _institution(self, strip: Strip) -> None:
        school = self.draw.choice(self.stock.schools)
        if self.chance(0.3):
            school = f"{self.draw.choice(_SCHOOLS)}, {school}"
        strip.field(school, "institution")
        if self.chance(0.4):
            strip.plain(", ").field(self.draw.choice(self.stock.places), "location")

    def _thesis(self, strip: Strip, work: Work) -> None:
        strip.field(
            self.draw.choice(
                ("PhD thesis", "Ph.D. thesis", "PhD dissertation", "Ph.D. Dissertation",
                 "Master's thesis", "Doctoral dissertation", "Dissertation", "M.Sc. thesis")
            ),
            "note",
        ).plain(", ")  # fmt: skip
        self._institution(strip)
        self._late_date(strip, work)

    def _report(self, strip: Strip, work: Work) -> None:
        kind = self.draw.choice(
            ("Technical Report", "Tech. Rep.", "Technical report", "Working Paper", "Report",
             "Research Report", "Tech Report No.", "Memo")
        )  # fmt: skip
        letters = "".join(self.draw.choices("ABCDEIMRST", k=self.draw.randint(2, 4)))
        number = self.draw.choice(
            (
                f"{letters}-{work.year[2:]}-{self.draw.randint(1, 99)}",
                f"{letters}-TR-{self.draw.randint(1, 999)}",
                f"{self.draw.randint(1, 2000)}",
            )
        )
        strip.field(f"{kind} {number}" if self.chance(0.8) else kind, "note").plain(", ")
        self._institution(strip)
        self._late_date(strip, work)


def distorted(row: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """A string as bad PDFs give it: spaces lost, or before punctuation, or words broken."""
    raw = row["raw"]
    kind = draw.randrange(4)
    pieces: list[str] = []
    moved = [0]
    place = 0
    for at, letter in enumerate(raw):
        piece = letter
        if letter == " " and kind in {0, 3} and draw.random() < 0.12:
            piece = ""
        elif letter in ",.:;" and kind in {1, 3} and draw.random() < 0.3:
            piece = f" {letter}"
        elif letter == " " and kind == 3 and raw[at - 1 : at] in {",", "."} and draw.random() < 0.5:
            piece = ""
        elif kind == 2 and letter.islower() and raw[at - 2 : at].islower() and draw.random() < 0.01:
            piece = f"- {letter}"
        pieces.append(piece)
        place += len(piece)
        moved.append(place)
    return {
        "raw": "".join(pieces),
        "spans": [(moved[start], moved[end]) for start, end in row["spans"]],
        "labels": row["labels"],
    }
