"""Invented contents: names, titles, dates, prices, sentences."""

from random import Random

GIVEN = [
    "Ada",
    "Bo",
    "Carla",
    "Dmitri",
    "Eve",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Kaya",
    "Leo",
    "Mina",
    "Noor",
    "Omar",
    "Pia",
]
FAMILY = [
    "Abel",
    "Brandt",
    "Castillo",
    "Duval",
    "Eriksen",
    "Fontaine",
    "Gallo",
    "Hansen",
    "Ito",
    "Jansen",
    "Kovacs",
    "Lindqvist",
    "Moreau",
    "Novak",
    "O'Brien",
    "Petrov",
    "Quist",
    "Rossi",
    "Sato",
    "Turner",
]
PLACES = [
    "Aarhus",
    "Basel",
    "Cork",
    "Delft",
    "Essen",
    "Faro",
    "Ghent",
    "Haifa",
    "Izmir",
    "Jena",
    "Kyiv",
    "Lund",
    "New Ross",
    "Porto",
    "San Remo",
]
NOUNS = [
    "harbour",
    "garden",
    "engine",
    "winter",
    "letter",
    "signal",
    "mirror",
    "island",
    "bridge",
    "market",
    "window",
    "river",
    "forest",
    "lantern",
    "orchard",
    "station",
    "museum",
    "archive",
    "kitchen",
    "valley",
]
QUALITIES = [
    "old",
    "silent",
    "northern",
    "broken",
    "golden",
    "public",
    "hidden",
    "narrow",
    "quiet",
    "modern",
    "double",
    "late",
]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def person(chance: Random) -> str:
    """A name, here and there with an initial or two family names."""
    given, family = chance.choice(GIVEN), chance.choice(FAMILY)
    if chance.random() < 0.15:
        family += "-" + chance.choice(FAMILY)
    middle = f" {chance.choice('ABDEJKLM')}." if chance.random() < 0.2 else ""
    return f"{given}{middle} {family}"


def title(chance: Random) -> str:
    """A few words, here and there with a number or a sign."""
    words = [chance.choice(QUALITIES), chance.choice(NOUNS)]
    if chance.random() < 0.5:
        words = ["The", *words]
    if chance.random() < 0.4:
        words += ["of", "the", chance.choice(NOUNS)]
    text = " ".join(words)
    text = text[0].upper() + text[1:]
    if chance.random() < 0.15:
        text += f", part {chance.randint(1, 9)}"
    if chance.random() < 0.08:
        text += "?"
    return text


def sentence(chance: Random) -> str:
    """One sentence."""
    words = [chance.choice(QUALITIES + NOUNS) for _ in range(chance.randint(5, 16))]
    return " ".join(words).capitalize() + "."


def day(chance: Random) -> tuple[int, int, int]:
    """Year, month and day."""
    return chance.randint(2015, 2026), chance.randint(1, 12), chance.randint(1, 28)


def date(chance: Random) -> str:
    """As 3 May 2024."""
    year, month, number = day(chance)
    return f"{number} {MONTHS[month - 1]} {year}"


def short_date(chance: Random) -> str:
    """As 05/03/2024."""
    year, month, number = day(chance)
    return f"{month:02}/{number:02}/{year}"


def iso_date(chance: Random) -> str:
    """As 2024-05-03."""
    year, month, number = day(chance)
    return f"{year}-{month:02}-{number:02}"


def clock(chance: Random) -> str:
    """As 9:05."""
    return f"{chance.randint(6, 22)}:{chance.choice((0, 5, 15, 30, 45)):02}"


def price(chance: Random) -> str:
    """As 1,249.00."""
    return f"{chance.choice((chance.randint(3, 99), chance.randint(100, 2400))):,}.{chance.choice(('00', '50', '99'))}"


def slug(text: str) -> str:
    """For a link."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def page(head: str, body: str, *, title: str = "A site") -> str:
    """A whole page: navigation above, a footer below."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>body {{ font: 15px sans-serif }}</style>{head}</head>\n<body>\n"
        '<header class="top"><a href="/" class="logo">A site</a><ul class="nav">'
        '<li><a href="/news">News</a></li><li><a href="/about">About us</a></li>'
        '<li><a href="/contact">Contact</a></li></ul></header>\n'
        f"{body}\n"
        '<footer><p>Printed on recycled pixels. <a href="/imprint">Imprint</a></p>'
        "<p>&copy; 2026 A site</p></footer>\n</body></html>\n"
    )
