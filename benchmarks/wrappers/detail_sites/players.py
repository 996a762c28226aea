"""Sites of players: several values in one text, lists without labels, tables of statistics."""

from random import Random

from benchmarks.wrappers.detail_sites.page import (
    Writer,
    advert,
    mark,
    maybe,
    person,
    sentences,
    shuffled,
)

TEAMS = (
    "Boston Celtics",
    "Utah Jazz",
    "Miami Heat",
    "Chicago Bulls",
    "Boston Celtics",
    "Free Agent",
)
POSITIONS = ("Guard", "Forward", "Center", "Guard-Forward")


def _height(chance: Random) -> str:
    return f"{chance.randint(5, 7)}-{chance.randint(0, 11)}"


def _weight(chance: Random) -> str:
    return str(chance.randint(170, 290))


def _statistics(chance: Random) -> str:
    rows = "".join(
        f"<tr><td>20{year:02}</td><td>{chance.choice(TEAMS[:4])}</td><td>{chance.randint(1, 82)}</td><td>{chance.randint(0, 300) / 10}</td></tr>"
        for year in range(chance.randint(3, 8), 10)
    )
    return f"<table class='stats'><tr><th>Year</th><th>Team</th><th>G</th><th>PPG</th></tr>{rows}</table>"


def vitals(chance: Random) -> str:
    """All vitals in one text with bars between them; the title repeats name and team."""
    name, team = person(chance), chance.choice(TEAMS)
    born = maybe(
        chance,
        0.6,
        f" | Born: {chance.randint(1, 12)}/{chance.randint(1, 28)}/198{chance.randint(0, 9)}",
    )
    return f"""<html><head><title>{name} - {team} - Hoopbase</title></head><body>
<div class="nav"><a href="/">Home</a> | <a href="/players">Players</a></div>
<h1>{mark("name", name)}</h1><h2><a href="/t/{team[:3]}">{mark("team", team)}</a></h2>
<div class="vitals">#{chance.randint(0, 55)} {chance.choice(POSITIONS)}<br>Height: {mark("height", _height(chance))} | Weight: {mark("weight", _weight(chance))} lbs{born}</div>
{maybe(chance, 0.4, advert(chance))}<h3>Career</h3>{_statistics(chance)}</body></html>"""


def roster(chance: Random) -> str:
    """Cells of labels and values beside each other, optional rows, teammates with the same cells."""
    rows = [
        f"<tr><td class=l>Team</td><td class=v>{mark('team', chance.choice(TEAMS))}</td></tr>",
        maybe(
            chance,
            0.4,
            f"<tr><td class=l>Nickname</td><td class=v>{person(chance).split()[1]}</td></tr>",
        ),
        f"<tr><td class=l>Ht</td><td class=v>{mark('height', _height(chance))}</td></tr>",
        maybe(
            chance,
            0.9,
            f"<tr><td class=l>Wt</td><td class=v>{mark('weight', _weight(chance) + ' lb')}</td></tr>",
        ),
        maybe(chance, 0.7, "<tr><td class=l>College</td><td class=v>State</td></tr>"),
    ]
    mates = "".join(
        f"<table><tr><td class=l>Team mate</td><td class=v>{person(chance)}</td></tr><tr><td class=l>Ht</td><td class=v>{_height(chance)}</td></tr></table>"
        for _ in range(chance.randint(0, 2))
    )
    return f"""<html><head><title>Rosters</title></head><body><table><tr><td class=big>{mark("name", person(chance))}</td></tr></table>
<table class=bio>{"".join(rows)}</table>{_statistics(chance)}{mates}</body></html>"""


def bare_list(chance: Random) -> str:
    """List items without labels; an optional item comes first."""
    return f"""<!doctype html><html><head><title>Player page</title></head><body><div class="player">
<p class="player-name">{mark("name", person(chance))}</p>
<ul class="meta">{maybe(chance, 0.4, "<li>Captain</li>")}<li>{chance.choice(POSITIONS)}</li><li>{mark("team", chance.choice(TEAMS))}</li>
<li>{mark("height", _height(chance))}</li><li>{mark("weight", _weight(chance) + " lbs")}</li></ul>
<div class="bio"><p>{sentences(chance, 2)}</p></div></div>
<div class="related"><p class="player-name">{person(chance)}</p><ul class="meta"><li>{chance.choice(POSITIONS)}</li></ul></div></body></html>"""


def cards(chance: Random) -> str:
    """Attributes in a grid of divs in any order; no class names the attribute."""
    cells = [
        f'<div class="cell"><div class="cell-v">{mark("height", _height(chance))}</div><div class="cell-k">Height</div></div>',
        f'<div class="cell"><div class="cell-v">{mark("weight", _weight(chance))}</div><div class="cell-k">Weight (lb)</div></div>',
        f'<div class="cell"><div class="cell-v">{chance.randint(19, 39)}</div><div class="cell-k">Age</div></div>',
        f'<div class="cell"><div class="cell-v">{chance.randint(1, 15)}</div><div class="cell-k">Seasons</div></div>',
    ]
    return f"""<!doctype html><html><head><title>Court side</title></head><body><header><a href="/">Court side</a></header>
<main><div class="title"><h1>{mark("name", person(chance))}</h1><a class="chip" href="/team">{mark("team", chance.choice(TEAMS))}</a>{maybe(chance, 0.4, '<a class="chip" href="/x">Injured</a>')}</div>
<div class="grid">{shuffled(chance, cells)}</div><p>{sentences(chance, 2)}</p></main></body></html>"""


SITES: dict[str, Writer] = {
    "vitals": vitals,
    "roster": roster,
    "bare_list": bare_list,
    "cards": cards,
}
