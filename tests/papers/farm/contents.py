"""What a paper of the farm says: people, places, sections and works, drawn from `content/` by name.

The name of a template is the seed, so that a template always gets the same content. Sentences keep
marks in braces, `{cite:k1,k2}`, `{figure}`, `{table}` and `{note:text}`, which each kind of source
writes in its own way.
"""

import random
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LABELS = ("Figure", "Table", "The supplement")
PARTS = {
    "d": "department",
    "i": "institution",
    "s": "street",
    "p": "postcode",
    "c": "city",
    "l": "country",
}


@dataclass(frozen=True)
class Place:
    number: int
    department: str
    institution: str
    street: str
    postcode: str
    city: str
    country: str
    domain: str
    text: str = ""
    """The affiliation as this template prints it."""


@dataclass(frozen=True)
class Person:
    given: str
    family: str
    places: tuple[Place, ...] = ()
    email: str = ""

    @property
    def name(self) -> str:
        return f"{self.given} {self.family}".strip()

    @property
    def marks(self) -> str:
        return ",".join(str(place.number) for place in self.places)

    @property
    def initials(self) -> str:
        return " ".join(
            "-".join(part[0] + "." for part in word.split("-") if part)
            for word in self.given.split()
        )


@dataclass(frozen=True)
class Work:
    key: str
    kind: str
    authors: tuple[Person, ...]
    title: str
    year: str
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    doi: str = ""


@dataclass
class Section:
    title: str
    level: int
    paragraphs: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    """`figure`, `table` or `formula`, after the first paragraph."""


@dataclass
class Content:
    name: str
    title: str
    people: list[Person]
    places: list[Place]
    abstract: str
    keywords: list[str]
    sections: list[Section]
    works: list[Work]
    language: str = "en"
    figure: str = ""
    table: str = ""
    cells: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    acknowledgements: str = ""
    appendix: str = ""
    doi: str = ""
    summary: list[tuple[str, str]] = field(default_factory=list)
    """The parts of the abstract with their labels; one part without a label as a rule."""


@cache
def _data(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / "content" / f"{name}.toml").read_text(encoding="utf-8"))


def content_of(name: str, spec: dict[str, Any]) -> Content:
    """The content of a template, by its entry in `templates.toml`."""
    draw = random.Random(name)
    language = spec.get("language", "en")
    topic = _data("topics")[spec["topic"]] if language == "en" else _data(language)
    prose = _data("prose") if language == "en" else topic
    folk = _data("people") if language == "en" else topic
    places = _places(draw, folk["places"], spec)
    parts = spec.get("parts", ["figure", "table", "formula", "note", "thanks"])
    works = _works(draw, topic, prose, spec, language)
    summary = _summary(topic["abstract"][: spec.get("abstract", 5)], spec, language)
    content = Content(
        name=name,
        title=topic["titles"][spec.get("title", 0)],
        people=_people(draw, folk["names"], places, spec),
        places=places,
        abstract=" ".join(f"{label} {text}".strip() for label, text in summary),
        summary=summary,
        keywords=topic["keywords"][: spec.get("keywords", 4)],
        sections=[],
        works=works,
        language=language,
        figure=topic["captions"][draw.randrange(2)] if "figure" in parts else "",
        table=topic["captions"][2 + draw.randrange(2)] if "table" in parts else "",
        cells=_cells(draw, topic["terms"]) if "table" in parts else [],
        notes=[draw.choice(prose["footnotes"])] if "note" in parts else [],
        acknowledgements=_joined(draw.sample(prose["acknowledgements"], 2), language)
        if "thanks" in parts
        else "",
        appendix=draw.choice(topic["headings"]) if "appendix" in parts else "",
        doi=spec.get("doi", ""),
    )
    content.sections = _sections(draw, topic, prose, content, spec, language, "formula" in parts)
    return content


def _joined(sentences: list[str], language: str) -> str:
    return ("" if language in {"zh", "ja"} else " ").join(sentences)


def _summary(sentences: list[str], spec: dict[str, Any], language: str) -> list[tuple[str, str]]:
    labels = spec.get("structured", [""])
    share = -(-len(sentences) // len(labels))
    return [
        (label, _joined(sentences[index * share : (index + 1) * share], language))
        for index, label in enumerate(labels)
    ]


def _places(draw: random.Random, data: list[list[str]], spec: dict[str, Any]) -> list[Place]:
    count = max(number for own in spec["where"] for number in own)
    order = [PARTS[letter] for letter in spec.get("affiliation", "dicl")]
    between = spec.get("between", ", ")
    places = []
    for number, row in enumerate(draw.sample(data, count), start=1):
        place = Place(number, *row)
        text = between.join(filter(None, (getattr(place, part) for part in order)))
        places.append(Place(number, *row, text=text))
    return places


def _people(
    draw: random.Random, names: list[list[str]], places: list[Place], spec: dict[str, Any]
) -> list[Person]:
    mails = spec.get("mails", "first")
    people = []
    for index, ((given, family), where) in enumerate(
        zip(draw.sample(names, len(spec["where"])), spec["where"], strict=True)
    ):
        own = tuple(places[number - 1] for number in where)
        mailed = own and (mails == "all" or (mails == "first" and index == 0))
        email = f"{_plain(given)[:1]}.{_plain(family)}@{own[0].domain}" if mailed else ""
        people.append(Person(given, family, own, email))
    return people


def _plain(text: str) -> str:
    import unicodedata

    letters = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(letter for letter in letters if letter.isascii() and letter.isalpha()) or "info"


_LETTERS = str.maketrans({"ø": "o", "ł": "l", "ı": "i", "đ": "d", "þ": "th", "ß": "ss", "æ": "ae"})


def _works(
    draw: random.Random,
    topic: dict[str, Any],
    prose: dict[str, Any],
    spec: dict[str, Any],
    language: str,
) -> list[Work]:
    if language != "en":
        return [
            Work(**{**row, "authors": tuple(Person(*name) for name in row["authors"])})
            for row in topic["works"]
        ]
    names = _data("people")["names"]
    works = []
    titles = draw.sample(prose["works"], min(len(prose["works"]), spec.get("works", 10)))
    for index, frame in enumerate(titles):
        first, second = draw.sample(topic["terms"], 2)
        count = draw.choice([1, 2, 2, 3, 3, 4, 5])
        authors = tuple(Person(*name) for name in draw.sample(names, count))
        first_page = draw.randrange(1, 900)
        kind = draw.choice(["article", "article", "article", "inproceedings", "book"])
        container = draw.choice(
            [venue for venue in topic["venues"] if venue.startswith("Proc") == (kind != "article")]
            or [
                venue.replace("Journal of", "Proceedings of the Conference on")
                for venue in topic["venues"]
            ]
        )
        year = str(draw.randrange(1988, 2024))
        common = {"key": f"w{index}", "kind": kind, "authors": authors, "year": year}
        pages = f"{first_page}–{first_page + draw.randrange(6, 24)}"
        publisher, city = draw.choice(prose["publishers"])
        if kind == "book":
            title = draw.choice(prose["books"]).format(a=_capital(first), b=_capital(second))
            works.append(Work(**common, title=title, publisher=publisher, place=city))
            continue
        title = frame.format(a=first, b=second)
        title = title[0].upper() + title[1:]
        if kind == "inproceedings":
            works.append(Work(**common, title=title, container=container, pages=pages))
            continue
        volume, issue = str(draw.randrange(3, 90)), str(draw.randrange(1, 13))
        doi = f"10.{draw.randrange(5200, 5299)}/{container.split()[-1].lower()}.{year}.{first_page}"
        works.append(
            Work(
                **common, title=title, container=container, volume=volume, issue=issue, pages=pages,
                doi=doi if draw.random() < spec.get("dois", 0.3) else "",
            )
        )  # fmt: skip
    seen: set[str] = set()
    return [work for work in works if not (work.title in seen or seen.add(work.title))]


def _capital(text: str) -> str:
    return " ".join(word[0].upper() + word[1:] for word in text.split())


def _cells(draw: random.Random, terms: list[str]) -> list[list[str]]:
    rows = [["", "2011", "2015", "2019"]]
    rows += [
        [term, *(f"{draw.uniform(0, 90):.1f}" for _ in range(3))] for term in draw.sample(terms, 4)
    ]
    return rows


_NAMES = {
    "first": ["Introduction"],
    "second": ["Related Work", "Background", ""],
    "third": ["Methods", "Materials and Methods", "Method", "Our Approach"],
    "fourth": ["Results", "Experiments", "Evaluation"],
    "last": [
        ["Discussion", "Conclusions"],
        ["Discussion"],
        ["Conclusion"],
        ["Discussion and Outlook"],
    ],
}


def _sections(
    draw: random.Random,
    topic: dict[str, Any],
    prose: dict[str, Any],
    content: Content,
    spec: dict[str, Any],
    language: str,
    formula: bool,  # noqa: FBT001  # what `parts` says
) -> list[Section]:
    names = topic.get("sections", _NAMES) if language != "en" else _NAMES
    subheadings = list(topic["headings"])
    sections = [Section(names["first"][0], 1)]
    if second := draw.choice(names["second"]):
        sections.append(Section(second, 1))
    subs = spec.get("subsections", True)
    for title, own in (
        (draw.choice(names["third"]), subheadings[:3]),
        (draw.choice(names["fourth"]), subheadings[3:5]),
    ):
        sections.append(Section(title, 1))
        sections += [Section(heading, 2) for heading in own if subs]
    sections += [Section(title, 1) for title in draw.choice(names["last"])]
    long = spec.get("length", 1)
    keys = [work.key for work in content.works]
    queue = list(keys)
    for section in sections:
        wanted = 1 if section.level == 2 else 1 + long
        if section.title in {"Methods", "Results"} and subs and draw.random() < 0.4:
            continue  # a heading right above a subheading
        for _ in range(wanted):
            section.paragraphs.append(
                _paragraph(draw, topic["terms"], prose["sentences"], keys, queue, language)
            )
    filled = [section for section in sections if section.paragraphs]
    if queue:
        filled[0].paragraphs[0] += _cited(queue, language)
    if content.notes:
        filled[0].paragraphs[0] += f"{{note:{content.notes[0]}}}"
    for block, wish in (("table", content.table), ("figure", content.figure), ("formula", formula)):
        if wish:
            draw.choice(filled[1:-1]).blocks.append(block)
    return sections


def _cited(queue: list[str], language: str) -> str:
    keys, queue[:] = ",".join(queue), []
    return f"{'' if language in {'zh', 'ja'} else ' '}{{cite:{keys}}}"


def _paragraph(
    draw: random.Random,
    terms: list[str],
    sentences: list[str],
    keys: list[str],
    queue: list[str],
    language: str,
) -> str:
    parts = []
    for frame in draw.sample(sentences, draw.randrange(3, 6)):
        first, second = draw.sample(terms, 2)
        own = [queue.pop(0) if queue else draw.choice(keys) for _ in range(draw.choice([1, 1, 2]))]
        cite = ",".join(dict.fromkeys(own))
        text = (
            frame.replace("{cite}", f"{{cite:{cite}}}").replace("{a}", first).replace("{b}", second)
        )
        if "{cite:" not in text:
            queue[:0] = [key for key in own if key not in queue]
        parts.append(text if text[0] == "{" else text[0].upper() + text[1:])
    return _joined(parts, language)
