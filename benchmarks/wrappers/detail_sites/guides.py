"""Guides and encyclopedias: two layouts in one site, nested tables, units beside values."""

from random import Random

from benchmarks.wrappers.detail_sites.page import (
    LAST,
    Writer,
    advert,
    city,
    mark,
    maybe,
    person,
    phone,
    sentences,
    street,
)
from benchmarks.wrappers.detail_sites.players import TEAMS
from benchmarks.wrappers.detail_sites.restaurants import CUISINES, KINDS


def eatery(chance: Random) -> str:
    """Two layouts: places that pay have a page with cards, the others a plain table."""
    name, (town, state, zip_code) = f"{chance.choice(LAST)} {chance.choice(KINDS)}", city(chance)
    cuisine = chance.choice(CUISINES)
    head = f"""<html><head><title>{name} | Eateries of {town}</title></head><body>
<div class="crumb"><a href="/">Eateries</a> &raquo; <a href="/{town}">{town}</a> &raquo; {name}</div>"""
    foot = "<div class='foot'><a href='/about'>About</a> <a href='/claim'>Claim</a></div></body></html>"
    if chance.random() < 0.5:
        return f"""{head}<div class="premium"><div class="photo"><img src="/1.jpg"></div>
<h1 class="title">{mark("name", name)}</h1><div class="card"><h3>Where</h3><p>{mark("address", street(chance))}</p><p>{town}, {state} {zip_code}</p></div>
<div class="card"><h3>Call</h3><p>{mark("phone", phone(chance))}</p></div>{maybe(chance, 0.5, advert(chance))}
<div class="card"><h3>Food</h3><p>{mark("cuisine", cuisine)}</p></div><div class="story"><p>{sentences(chance, 3)}</p></div></div>{foot}"""
    return f"""{head}<h1>{mark("name", name)}</h1><table class="basic"><tr><td>Address</td><td>{mark("address", street(chance))}<br>{town}, {state}</td></tr>
<tr><td>Phone</td><td>{mark("phone", phone(chance))}</td></tr><tr><td>Cuisine</td><td>{mark("cuisine", cuisine)}</td></tr></table>
<p class="note">Is this yours?</p>{maybe(chance, 0.3, advert(chance))}{foot}"""


def rated(chance: Random) -> str:
    """Scores before the data, an address over two lines, cuisines in any number."""
    name, (town, state, zip_code) = f"{person(chance)}", city(chance)
    cuisines = "".join(
        f'<li><a href="/cuisine/{each}">{mark("cuisine", each)}</a></li>'
        for each in chance.sample(CUISINES, chance.choice((1, 1, 1, 2, 3)))
    )
    scores = "".join(f"<td>{chance.randint(10, 29)}</td>" for _ in range(3))
    near = maybe(chance, 0.6, f" ({chance.choice(LAST)} Square)")
    return f"""<html><head><title>{name} - {town}</title></head><body><div id="nav"><ul><li><a href="/a">Dining</a></li><li><a href="/b">Hotels</a></li></ul></div>
<table class="scores"><tr><th>Food</th><th>Decor</th><th>Service</th></tr><tr>{scores}</tr></table>
<div id="place"><span class="fn">{mark("name", name)}</span>
<ul class="tags">{cuisines}</ul>{maybe(chance, 0.4, '<div class="award">Best of 2026</div>')}
<div class="where">{mark("address", street(chance))}<br>{town}, {state} {zip_code}{near}<br>{mark("phone", phone(chance))}</div></div>
<div class="review">"{sentences(chance, 2)}"</div>
<div class="where">Nearby: {street(chance)}</div></body></html>"""


def college_facts(chance: Random) -> str:
    """Nested tables without classes; telephone and fax in one text."""
    name, (town, state, zip_code) = f"{chance.choice(LAST)} State College", city(chance)
    fax = maybe(chance, 0.5, f"; Fax: {phone(chance)}")
    rows = f"""<tr><td width=30%><b>Address</b></td><td>{street(chance)}, {town}, {state} {zip_code}</td></tr>
<tr><td><b>Contact</b></td><td>Phone: {mark("phone", phone(chance))}{fax}</td></tr>
{maybe(chance, 0.4, f"<tr><td><b>President</b></td><td>{person(chance)}</td></tr>")}
<tr><td><b>Control</b></td><td>{mark("type", chance.choice(("Public", "Private", "For-profit")))}</td></tr>
<tr><td><b>Students</b></td><td>{mark("students", f"{chance.randint(900, 30000):,}")}{maybe(chance, 0.5, " (fall)")}</td></tr>"""
    return f"""<html><head><title>College Facts</title></head><body><table><tr><td><table><tr><td><a href="/">College Facts</a></td></tr></table></td></tr>
<tr><td><table><tr><td colspan=2><font size="+2"><b>{mark("name", name)}</b></font></td></tr>{rows}</table></td>
<td><table><tr><td><b>See also</b></td></tr><tr><td>{chance.choice(LAST)} College</td></tr></table></td></tr></table></body></html>"""


def infobox(chance: Random) -> str:
    """An encyclopedia's box: units in brackets, rows that come and go, links in some values."""
    name, team = person(chance), chance.choice(TEAMS)
    feet, inches = chance.randint(5, 7), chance.randint(0, 11)
    pounds = chance.randint(170, 280)
    shown = mark("team", team)
    rows = [
        maybe(chance, 0.5, f"<tr><th>No.</th><td>{chance.randint(0, 50)}</td></tr>"),
        f"<tr><th>Team</th><td>{f'<a href=/w/{team[0]}>{shown}</a>' if team != 'Free Agent' else shown}</td></tr>",
        f"<tr><th>Listed height</th><td>{mark('height', f'{feet} ft {inches} in')} ({feet * 30 + inches} cm)</td></tr>",
        f"<tr><th>Listed weight</th><td>{mark('weight', f'{pounds} lb')}{maybe(chance, 0.7, f' ({pounds // 2} kg)')}</td></tr>",
        maybe(
            chance, 0.6, f"<tr><th>College</th><td><a href=/w/c>{chance.choice(LAST)}</a></td></tr>"
        ),
    ]
    return f"""<!doctype html><html><head><title>{name} - Encyclopedia</title></head><body><h1>{mark("name", name)}</h1>
{maybe(chance, 0.4, '<div class="hatnote">For others see <a href=/w/x>here</a>.</div>')}<table class="infobox"><caption>{name}</caption>{"".join(rows)}</table>
<p><b>{name}</b> is a player. {sentences(chance, 2)}</p><table class="stats"><tr><th>Year</th><th>Team</th></tr><tr><td>2009</td><td>{chance.choice(TEAMS)}</td></tr></table></body></html>"""


SITES: dict[str, Writer] = {
    "eatery": eatery,
    "rated": rated,
    "college_facts": college_facts,
    "infobox": infobox,
}
