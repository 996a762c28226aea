"""Made-up first pages of papers, for the model of people: `front_page(number)`.

The annotated fronts are mostly those of journals. Conferences, preprints and repositories set
authors in other ways: in columns of name, affiliation and address; with affiliations at the foot
of the page; with grades and degrees; above the title. Each page draws one of these ways, its
marks, its type and what stands around the authors, by chance.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence

from rowen.crf.tagger import Model
from rowen.papers.people.front import front_of
from rowen.papers.people.tokens import Token, tokens_of
from rowen.papers.zones import zones_of
from training.drawing import OTHER, Align, Run, Sheet, Type, height_of
from training.front_content import Content, Person, Place, words

_SEPARATORS = (", ", ", ", ", ", "; ", " · ", " • ", "   ", " and ", " & ", " | ")
_LAST = (" and ", " and ", ", and ", " & ", ", ", ", & ", " und ", " et ", " y ")
_BODY_LINES = 9  # of a column: enough to show that it is the body
_LONGEST = 14  # people on a page, but for a few pages with many more


def front_page(number: int, model: Model | None = None) -> tuple[list[Token], list[str]]:
    """The tokens of a made-up front with their labels; equal numbers make equal pages."""
    front = _Front(random.Random(number))  # noqa: S311  # nothing secret: the same each time
    front.draw()
    layout = front.sheet.layout()
    tokens = tokens_of(front_of(zones_of(layout, model=model)))
    return tokens, _labels(tokens, front.sheet)


def _labels(tokens: Sequence[Token], sheet: Sheet) -> list[str]:
    """The labels of tokens: that of each token's first letter; the first of a kind begins it."""
    labels: list[str] = []
    before = OTHER
    at, line = 0, -1
    for token in tokens:
        if token.chunk is None:
            message = "tokens of made-up pages have chunks"
            raise TypeError(message)
        if token.line != line:
            at, line = token.chunk.start, token.line
        at = max(token.chunk.line.text.find(token.text[:1], at), at)
        own = sheet.label_at(token.chunk.line, at)
        at += len(token.text)
        kind = "email" if "@" in token.text and len(token.text) > 1 else own[0]
        started = kind in {"name", "affiliation"} and own != before
        if started and not token.text[0].isalnum() and kind == "affiliation":
            kind, started, own = "other", False, before
        labels.append(f"{kind} start" if started else kind)
        # An address or a mark between two parts of one affiliation ends it.
        before = own if kind in {"name", "affiliation", "other"} else OTHER
    return labels


class _Front:
    """A page in the making, with the style of its names, marks and types."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        paper = chance.choice(((595.0, 842.0), (612.0, 792.0), (439.0, 666.0)))
        self.sheet = Sheet(*paper)
        self.content = Content(chance)
        margin = chance.uniform(0.07, 0.16) * paper[0]
        self.left, self.width = margin, paper[0] - 2 * margin
        self.y = paper[1] - chance.uniform(30, 70)
        self.align: Align = chance.choice(("left", "centre", "centre"))
        self.body = Type(chance.uniform(8.5, 11.5))
        self.columns = chance.choice((1, 2, 2))
        self.people = self.content.people(_count_of_people(chance))
        count = chance.choice((1, 1, 2, 2, 3, 4, 6))
        self.places = [self.content.place() for _ in range(count)]
        self.spell = _spelling(chance, self.people)
        self.foot: list[list[Run]] = []  # paragraphs for the foot of the first column
        self.comma = chance.choice((",", ",", ", ", "", " "))  # between two marks of a name
        self.bracket = chance.choice((" ", "", " (", " ["))  # before marks that are not raised
        self.count = 0

    def likely(self, share: float) -> bool:
        return self.chance.random() < share

    def number(self) -> int:
        """A number that no other run has."""
        self.count += 1
        return self.count

    # The page from top to bottom.

    def draw(self) -> None:
        """Draw all of the page."""
        chance = self.chance
        self._head()
        if self.likely(0.18):
            self._side()
        above = self.likely(0.06)
        if above:
            self._people()
            self.y -= chance.uniform(4, 20)
        self._paragraph([Run(self.content.title())], self._title_type())
        self.y -= chance.uniform(4, 24)
        if not above:
            self._people()
        if self.likely(0.12):
            style = Type(self.body.size + self.chance.uniform(-1, 2), align=self.align)
            self._paragraph([Run(self.content.pick("words", "dates"))], style)
        self.y -= chance.uniform(6, 26)
        self._below()

    def _title_type(self) -> Type:
        size = self.body.size + self.chance.uniform(2, 13)
        return Type(size, bold=self.likely(0.5), align=self.align)

    def _paragraph(self, runs: Sequence[Run], style: Type) -> None:
        self.y = self.sheet.paragraph(runs, self.left, self.y, self.width, style)

    def _head(self) -> None:
        """A running head, the journal, the kind of article; names there are no authors."""
        small = Type(self.body.size - 1.5, italic=self.likely(0.4), align=self.align)
        if self.likely(0.5):
            family = self.people[0].family
            names = self.chance.choice((f"{family} et al.", f"{family} / ", ""))
            journal = self.content.pick("words", "journals")
            year = self.chance.randint(1995, 2024)
            self._paragraph([Run(f"{names} {journal} {year}, {year % 90}:{year % 7}")], small)
        if self.likely(0.25):
            kind = self.content.pick("words", "kinds")
            self._paragraph([Run(kind)], Type(small.size + 2, bold=self.likely(0.5)))
        self.y -= self.chance.uniform(5, 35)

    def _side(self) -> None:
        """A narrow column with editors, dates and an address beside all the others."""
        wide = 0.24 * self.width
        style = Type(self.body.size - 2, leading=1.15)
        y = self.y - self.chance.uniform(0, 200)
        for _ in range(self.chance.randint(2, 5)):
            y = self.sheet.paragraph(self._aside(), self.left, y, wide, style) - style.size
        self.left += wide + 14
        self.width -= wide + 14

    def _aside(self) -> list[Run]:
        content = self.content
        draw = self.chance.random()
        if draw < 0.45:
            person = content.person()
            name = f"{person.given_name} {person.family}"
            place = content.place()
            country = place.address[-1] if place.address else "UK"
            text = (
                f"{content.pick('words', 'editors')}\n{name},\n{place.organisations[-1]}, {country}"
            )
            return [Run(text)]
        if draw < 0.7:
            return self._contact()
        return [Run(content.pick("words", "notes"))]

    def _contact(self) -> list[Run]:
        person = self.chance.choice(self.people)
        introduction = self.content.pick("words", "contacts")
        name = f"\n{person.given_name} {person.family}\n" if self.likely(0.5) else " "
        return [Run(f"{introduction}{name}"), Run(self._mail(person), ("email", self.number()))]

    def _mail(self, person: Person) -> str:
        host = self.chance.choice(("example.edu", "uni.org", "ex.ac.uk", "cs.uni.de", "gmail.com"))
        return f"{person.local}@{host}"

    def _below(self) -> None:
        """Notes, abstract, keywords, body and the foot of the page."""
        content, chance = self.content, self.chance
        if self.likely(0.3):
            self._paragraph([Run(content.pick("words", "notes"))], Type(self.body.size - 1))
            self.y -= 8
        if self.likely(0.25):
            self._paragraph(self._contact(), Type(self.body.size - 1))
            self.y -= 8
        if self.likely(0.85):
            heading = content.pick("words", "abstracts")
            alone = self.likely(0.5)
            bold = self.likely(0.6)
            runs = [Run(heading + ("\n" if alone else " "), bold=bold)]
            runs.append(Run(content.prose(chance.randint(300, 1200))))
            self._paragraph(
                runs, Type(self.body.size - chance.choice((0, 1)), italic=self.likely(0.1))
            )
            self.y -= 8
            if self.likely(0.5):
                terms = ", ".join(content.title().split()[:5])
                runs = [Run(f"{content.pick('words', 'keywords')} {terms}")]
                self._paragraph(runs, Type(self.body.size - 1))
                self.y -= 8
        self._columns()

    def _columns(self) -> None:
        gutter = 18.0
        wide = (self.width - (self.columns - 1) * gutter) / self.columns
        bottom = 50.0 + self._set_foot(wide)
        heading = Run(self.content.pick("words", "headings") + "\n", bold=True, scale=1.1)
        for column in range(self.columns):
            top, style = self.y, self.body
            lower = bottom if column == 0 else 50.0
            room = int((top - lower) / (style.leading * style.size))
            lines = max(min(room, _BODY_LINES), 1)
            text = Run(self.content.prose(int(lines * wide / (0.5 * style.size))))
            runs = [heading, text] if column == 0 else [text]
            x = self.left + column * (wide + gutter)
            self.sheet.paragraph(runs, x, top, wide, style)

    def _set_foot(self, wide: float) -> float:
        """Set the paragraphs of the foot above the margin; the result is their height."""
        if self.likely(0.2):
            self.foot.append([Run(self.content.pick("words", "notes"))])
        if not self.foot:
            return 0.0
        style = Type(self.body.size - 1.5)
        runs = [run for paragraph in self.foot for run in (*paragraph, Run("\n"))]
        height = height_of(runs, wide, style)
        self.sheet.paragraph(runs, self.left, 50.0 + height, wide, style)
        return height + 10

    # The ways to set authors and affiliations.

    def _people(self) -> None:
        ways: tuple[tuple[Callable[[], None], int], ...] = (
            (self._listed, 9), (self._stacked, 3), (self._grid, 5), (self._graded, 2),
            (self._capital_lines, 2), (self._inverted, 1), (self._plain_list, 2), (self._thanks, 2),
            (self._mails_beside, 1),
        )  # fmt: skip
        chosen = self.chance.choices([way for way, _ in ways], [share for _, share in ways])
        chosen[0]()

    def _name(self, person: Person, *, bold: bool = False, scale: float = 1.0) -> Run:
        return Run(self.spell(person), ("name", self.number()), bold=bold, scale=scale)

    def _place(self, text: str, *, italic: bool = False) -> Run:
        return Run(text, ("affiliation", self.number()), italic=italic)

    def _names_type(self) -> Type:
        size = self.body.size + self.chance.uniform(-0.5, 3)
        return Type(size, bold=self.likely(0.25), italic=self.likely(0.08), align=self.align)

    def _places_type(self) -> Type:
        size = self.body.size - self.chance.uniform(-0.5, 2)
        return Type(size, italic=self.likely(0.35), align=self.align)

    def _listed(self) -> None:
        """Names in a list with marks; affiliations with these marks below, or at the foot."""
        signs = self._signs()
        raised = self.likely(0.85)
        owners = [self.content.sample(self.places, 1, 2) for _ in self.people]
        single = len(self.places) == 1 and self.likely(0.5)
        separators = self.chance.choice(_SEPARATORS), self.chance.choice(_LAST)
        runs: list[Run] = [Run("By ")] if self.likely(0.03) else []
        degrees = self.likely(0.12)
        icons = self.likely(0.2)
        orcids = self.likely(0.06)
        star = self.chance.randrange(len(self.people)) if self.likely(0.5) else -1
        for i, person in enumerate(self.people):
            if i:
                runs.append(Run(separators[i == len(self.people) - 1]))
            runs.append(self._name(person))
            if degrees and self.likely(0.8):
                runs.append(Run(f", {self.content.pick('words', 'degrees')}"))
            icon = self.content.pick("words", "icons") if icons else ""
            runs += [Run(icon, raised=self.likely(0.5))] if icon and self.likely(0.5) else []
            marks = [] if single else [signs[k] for k in owners[i]]
            runs += self._marked([*marks, *(["*"] if i == star else [])], raised=raised)
            if orcids and self.likely(0.8):
                digits = "−".join(f"{self.chance.randrange(10000):04}" for _ in range(4))
                runs.append(Run(f"[{digits}]", raised=raised))
            runs += [Run(f" {icon}")] if icon and self.likely(0.3) else []
        self._paragraph(runs, self._names_type())
        self.y -= self.chance.uniform(0, 12)
        self._marked_places([] if single else signs, raised=raised and self.likely(0.8))

    def _signs(self) -> list[str]:
        names = ("numbers", "numbers", "numbers", "letters", "signs")
        listed = self.chance.choice(names)
        return words("marks", listed)

    def _marked(self, marks: Sequence[str], *, raised: bool) -> Iterator[Run]:
        """The marks after a name."""
        if not marks:
            return
        label = ("mark", self.number())
        comma = self.comma
        before = "" if raised else self.bracket
        after = {" (": ")", " [": "]"}.get(before, "")
        if before:
            yield Run(before)
        for i, mark in enumerate(marks):
            if i and comma:
                yield Run(comma, label, raised=raised)
            yield Run(mark, label, raised=raised)
        if after:
            yield Run(after)

    def _marked_places(self, signs: Sequence[str], *, raised: bool) -> None:
        """Affiliations with their marks: one per line, in one paragraph, or at the foot."""
        run_on = self.likely(0.25)
        paragraphs: list[list[Run]] = []
        dot = "" if raised else self.chance.choice(("", ".", ")", ":"))
        spaced = self.likely(0.5)
        mails = self.likely(0.15)
        for i, place in enumerate(self.places):
            runs: list[Run] = []
            if signs:
                runs.append(Run(signs[i], ("mark", self.number()), raised=raised))
                runs.append(Run(dot + (" " if spaced or not raised else "")))
            runs.append(self._place(self._written(place)))
            if mails:
                person = self.chance.choice(self.people)
                runs += [Run(", "), Run(self._mail(person), ("email", self.number()))]
            if self.likely(0.2):
                runs.append(Run("."))
            paragraphs.append(runs)
        if self.likely(0.15):
            self._as_notes(paragraphs)
            return
        if run_on:
            joint = self.chance.choice(("; ", ", ", " ", ", and ", "  "))
            joined = [run for runs in paragraphs for run in (*runs, Run(joint))][:-1]
            paragraphs = [joined]
        style = self._places_type()
        for runs in paragraphs:
            self._paragraph(runs, style)

    def _as_notes(self, paragraphs: Sequence[list[Run]]) -> None:
        """Affiliations at the foot, perhaps between other notes."""
        if self.likely(0.3):
            self.foot.append([Run("*", raised=True), Run("Equal contribution ")])
        self.foot += paragraphs
        if self.likely(0.3):
            person = self.people[0]
            name = f"{person.given_name} {person.family}"
            mail = Run(self._mail(person), ("email", self.number()))
            self.foot.append([Run(f". Correspondence to: {name} <"), mail, Run(">.")])
            if self.likely(0.5):  # all of it in one paragraph
                self.foot = [[run for note in self.foot for run in (*note, Run(" "))]]

    def _written(self, place: Place) -> str:
        joint = ", " if self.likely(0.93) else " "
        return joint.join(place.parts)

    def _plain_list(self) -> None:
        """Names in a list or one per line, and one affiliation for all, or none."""
        joint = "\n" if self.likely(0.4) else ", "
        runs = []
        for i, person in enumerate(self.people):
            runs += [Run(joint)] if i else []
            runs.append(self._name(person))
        self._paragraph(runs, self._names_type())
        self.y -= self.chance.uniform(0, 10)
        if self.likely(0.8):
            style = self._places_type()
            place = self.places[0]
            joint = "\n" if self.likely(0.5) else ", "
            self._paragraph([self._place(joint.join(place.parts))], style)
            if self.likely(0.6):
                host = "{" + ", ".join(person.local for person in self.people[:5]) + "}@example.org"
                self._paragraph([Run(host, ("email", self.number()))], style)

    def _stacked(self) -> None:
        """Groups of names, each with its affiliation below, and perhaps addresses."""
        names, places = self._names_type(), self._places_type()
        remaining = list(self.people)
        label = self.chance.choice(("", "", "", "E-mail: ", "e-mail: ", "Email: "))
        mails = self.likely(0.4)
        apart = self.likely(0.5)
        while remaining:
            size = self.chance.choice((1, 1, 1, 2, 3))
            group, remaining = remaining[:size], remaining[size:]
            runs: list[Run] = []
            for i, person in enumerate(group):
                runs += [Run(" and " if i == len(group) - 1 else ", ")] if i else []
                runs.append(self._name(person))
            if self.likely(0.1):
                runs += self._marked(["*"], raised=True)
            self._paragraph(runs, names)
            place = self.content.place()
            joint = "\n" if apart and len(place.parts) < 5 else ", "
            self._paragraph([self._place(joint.join(place.parts))], places)
            if mails:
                for person in group:
                    mail = Run(self._mail(person), ("email", self.number()))
                    self._paragraph([Run(label), mail], places)
            self.y -= self.chance.uniform(0, 14)

    def _grid(self) -> None:
        """Columns of name, affiliation and address; several rows of them."""
        people = self.people[:9]
        across = min(self.chance.choice((2, 2, 3, 3, 4)), max(len(people), 2))
        wide = self.width / across
        names = Type(self.body.size + self.chance.uniform(-0.5, 2), bold=self.likely(0.3),
                     align=self.chance.choice(("centre", "centre", "centre", "left")))  # fmt: skip
        places = Type(min(names.size, self.body.size), align=names.align)
        mails, italics = self.likely(0.75), self.likely(0.4)
        ordinals = self.likely(0.1)
        shared = [self.content.place() for _ in range(self.chance.choice((1, 2, 9)))]
        for first in range(0, len(people), across):
            row = people[first : first + across]
            indent = (self.width - wide * len(row)) / 2 if names.align == "centre" else 0.0
            lowest = self.y
            for column, person in enumerate(row):
                x = self.left + indent + column * wide
                ordinal = (
                    [Run(f"{first + column + 1}"), Run("th ", raised=True)] if ordinals else []
                )
                y = self.sheet.paragraph(
                    [*ordinal, self._name(person)], x, self.y, wide - 12, names
                )
                place = self.chance.choice(shared)
                y = self.sheet.paragraph(self._cell(place, italic=italics), x, y, wide - 12, places)
                if mails:
                    mail = Run(self._mail(person), ("email", self.number()))
                    y = self.sheet.paragraph([mail], x, y, wide - 12, places)
                lowest = min(lowest, y)
            self.y = lowest - self.chance.uniform(4, 14)

    def _cell(self, place: Place, *, italic: bool) -> list[Run]:
        """An affiliation over several lines: organisations, then the address."""
        number = self.number()
        lines = [*place.organisations[:3], ", ".join(place.address[-3:])]
        label = ("affiliation", number)
        return [
            Run(line + "\n", label, italic=italic and k < len(place.organisations))
            for k, line in enumerate(lines)
            if line
        ]

    def _graded(self) -> None:
        """Names with grades of a society; affiliations in sentences at the foot."""
        runs: list[Run] = []
        for i, person in enumerate(self.people):
            runs += [Run(", and " if i == len(self.people) - 1 else ", ")] if i else []
            runs.append(self._name(person))
            if self.likely(0.6):
                grade = self.content.pick("words", "grades")
                runs.append(Run(f", {grade}", italic=self.likely(0.8)))
            if self.likely(0.3):
                runs += self._marked([str(i + 1)], raised=True)
        self._paragraph(runs, self._names_type())
        full = self.likely(0.3)
        bullet = "• " if self.likely(0.2) else ""

        def _shown(person: Person) -> str:
            return person.given_name if full else f"{person.given_name[:1]}."

        article = self.chance.choice(("the ", "the ", ""))
        for group in _groups(self.chance, self.people):
            short = " and ".join(f"{_shown(person)} {person.family}" for person in group)
            verb = "is" if len(group) == 1 else "are"
            place = self._place(self.content.place().text)
            mail = Run(self._mail(group[0]), ("email", self.number()))
            self.foot.append(
                [
                    Run(f"{bullet}{short} {verb} with {article}"),
                    place,
                    Run(" (e-mail: "),
                    mail,
                    Run(")."),
                ]
            )

    def _thanks(self) -> None:
        """Names far apart with signs; each sign's note at the foot has the affiliation."""
        signs = self._signs()
        people = self.people[:6]
        runs: list[Run] = []
        for i, person in enumerate(people):
            runs += [Run("     ")] if i else []
            runs.append(self._name(person))
            runs += self._marked([signs[i]], raised=True)
            mark = Run(signs[i], ("mark", self.number()), raised=True)
            mail = Run(self._mail(person), ("email", self.number()))
            place = self._place(self._written(self.content.place()))
            note = [mark, place, Run(". "), *([mail, Run(".")] if self.likely(0.6) else [])]
            self.foot.append(note)
        self._paragraph(runs, self._names_type())

    def _mails_beside(self) -> None:
        """Each name with the address at the right margin, the affiliation below."""
        names, places = Type(self.body.size + 1), Type(self.body.size, italic=self.likely(0.7))
        for person in self.people[:7]:
            top = self.y
            mail = Run(self._mail(person), ("email", self.number()), scale=0.9)
            right = Type(names.size, align="right")
            self.sheet.paragraph([mail], self.left, top, self.width, right)
            self._paragraph([self._name(person)], names)
            if self.likely(0.85):
                self._paragraph([self._place(self._written(self.content.place()))], places)
        if self.likely(0.5):
            self.y -= 6
            first, second = self.content.person(), self.content.person()
            editors = f"{first.given_name} {first.family} and {second.given_name} {second.family}"
            self._paragraph([Run(f"Editors: {editors}")], Type(self.body.size))

    def _capital_lines(self) -> None:
        """`ADA LOVELACE, University of London, UK`: each author's line, the name in capitals."""
        style = Type(self.body.size + 1, align="left")
        for person in self.people:
            name = Run(f"{person.given_name} {person.family}".upper(), ("name", self.number()))
            place = self.content.place()
            short = ", ".join((*place.organisations[-1:], *place.address[-1:]))
            self._paragraph([name, Run(", "), self._place(short)], style)
        listed = [Run("Authors' addresses: ")]
        places = self.likely(0.7)
        for person in self.people if self.likely(0.6) else []:
            mail = Run(self._mail(person), ("email", self.number()))
            address = [self._place(self.content.place().text), Run(", ")] if places else []
            listed += [Run(f"{person.given_name} {person.family}, "), *address, mail, Run("; ")]
        self.foot += [listed] if len(listed) > 1 else []

    def _inverted(self) -> None:
        """A repository's list: `Lovelace, Ada; Hopper, Grace`."""
        introduction = self.chance.choice(("", "", "Author(s): ", "Authors: ", "Author: "))
        runs = [Run(introduction)]
        joint = self.chance.choice(("; ", "\n", " ; ", " and "))
        for i, person in enumerate(self.people):
            runs += [Run(joint)] if i else []
            runs.append(Run(f"{person.family}, {person.given_name}", ("name", self.number())))
        self._paragraph(runs, self._names_type())
        if self.likely(0.3):
            self._paragraph([self._place(self.places[0].text)], self._places_type())


def _count_of_people(chance: random.Random) -> int:
    if chance.random() < 0.02:
        return chance.randint(20, 60)
    return min(1 + int(chance.expovariate(0.3)), _LONGEST)


def _groups(chance: random.Random, people: Sequence[Person]) -> Iterator[Sequence[Person]]:
    """People in groups of one to three."""
    start = 0
    while start < len(people):
        size = chance.choice((1, 1, 2, 3))
        yield people[start : start + size]
        start += size


def _spelling(chance: random.Random, people: Sequence[Person]) -> Callable[[Person], str]:
    """How a page spells names."""
    spellings: list[tuple[Callable[[Person], str], int]] = [
        (lambda person: f"{person.given_name} {person.family}", 14),
        (lambda person: f"{person.given_name} {person.family.upper()}", 2),
        (lambda person: f"{person.given_name} {person.family}".upper(), 2),
        (lambda person: f"{_initials(person)} {person.family}", 3),
        (lambda person: f"{person.family} {person.given_name}", 1),
        (lambda person: f"{person.family.upper()} {person.given_name}", 1),
        (
            lambda person: f"{person.family} {_initials(person).replace('.', '').replace(' ', '')}",
            1,
        ),
    ]
    if not people[0].latin:
        spellings = spellings[:1]
        if not people[0].family.isascii() and len(people[0].family) == 1:
            return lambda person: f"{person.family}{person.given_name}"
    forms = [spelling for spelling, _ in spellings]
    return chance.choices(forms, [share for _, share in spellings])[0]


def _initials(person: Person) -> str:
    words = re.findall(r"[^\W\d_]+", person.given_name)
    return " ".join(f"{word[0]}." for word in words)
