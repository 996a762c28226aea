"""Sites of universities, homes and events: definition lists, prose, two layouts in one site."""

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
    shuffled,
    street,
)

TYPES = ("Public", "Private", "Private not-for-profit", "Public, 4-year", "Community college")


def _university(chance: Random) -> str:
    return chance.choice(
        (
            f"{chance.choice(LAST)} University",
            f"{chance.choice(LAST)} College",
            f"University of {chance.choice(LAST)}",
        )
    )


def _site_of(name: str) -> str:
    return f"www.{name.split(maxsplit=1)[0].lower() if 'of' not in name else name.rsplit(maxsplit=1)[-1].lower()}.edu"


def definitions(chance: Random) -> str:
    """A definition list with missing terms; the web address is a link's text."""
    name = _university(chance)
    rows = [
        f"<dt>Type</dt><dd>{mark('type', chance.choice(TYPES))}</dd>",
        f"<dt>Website</dt><dd><a href='http://{_site_of(name)}'>{mark('website', _site_of(name))}</a></dd>",
    ]
    if chance.random() < 0.7:
        rows.insert(chance.randrange(2), f"<dt>Founded</dt><dd>{chance.randint(1800, 1990)}</dd>")
    if chance.random() < 0.8:
        rows.append(f"<dt>Phone</dt><dd>{mark('phone', phone(chance))}</dd>")
    if chance.random() < 0.6:
        rows.append(f"<dt>Students</dt><dd>{chance.randint(500, 40000):,}</dd>")
    return f"""<!doctype html><html><head><title>{name} - Campus Atlas</title></head><body>
<nav><a href="/">Campus Atlas</a> <a href="/search">Search</a></nav>
<article><header><h1>{mark("name", name)}</h1><p>{city(chance)[0]}</p></header>
<dl class="facts">{"".join(rows)}</dl><p>{sentences(chance, 2)}</p></article>
<aside><h4>Similar</h4><dl class="facts"><dt>{_university(chance)}</dt><dd>{chance.choice(TYPES)}</dd></dl></aside>
</body></html>"""


def profile(chance: Random) -> str:
    """Two layouts in one site: old pages are tables, new pages are sections."""
    name = _university(chance)
    if chance.random() < 0.5:
        return f"""<html><head><title>{name} Profile</title></head><body><center><h2>{mark("name", name)}</h2></center>
<table class="info"><tr><th>School type:</th><td>{mark("type", chance.choice(TYPES))}</td></tr>
{maybe(chance, 0.6, f"<tr><th>Setting:</th><td>{chance.choice(('Urban', 'Rural'))}</td></tr>")}
<tr><th>Main telephone:</th><td>{mark("phone", phone(chance))}</td></tr>
<tr><th>Web:</th><td>{mark("website", _site_of(name))}</td></tr></table>
<p>{sentences(chance, 2)}</p></body></html>"""
    return f"""<!doctype html><html><head><title>{name} | profile</title></head><body>
<div class="hero"><img src="/h/{chance.randint(1, 99)}.jpg" alt="{name}"><div class="hero-title"><span>{mark("name", name)}</span></div></div>
{maybe(chance, 0.4, advert(chance))}
<section class="glance"><ul><li><strong>Kind</strong><span>{mark("type", chance.choice(TYPES))}</span></li>
<li><strong>Call</strong><span>{mark("phone", phone(chance))}</span></li>
<li><strong>Visit</strong><span><a href="http://{_site_of(name)}/">{mark("website", _site_of(name))}</a></span></li></ul></section>
<section><p>{sentences(chance, 3)}</p></section></body></html>"""


def prose(chance: Random) -> str:
    """Values in bold inside sentences, contact data in a footer of lines."""
    name, (town, state, zip_code) = _university(chance), city(chance)
    return f"""<html><head><title>About {name}</title></head><body><div id="main">
<h1>{mark("name", name)}</h1>
<p>{maybe(chance, 0.4, "Once a <b>seminary</b>, ")}{name} is a <b>{mark("type", chance.choice(TYPES).lower())}</b> school in <b>{town}</b> with about {chance.randint(1, 30)},000 students.</p>
<p>{sentences(chance, 2)}</p>{maybe(chance, 0.5, f"<blockquote>{sentences(chance, 1)}</blockquote>")}
<h3>Contact</h3><p>{name}<br>{street(chance)}<br>{town}, {state} {zip_code}<br>Tel: {mark("phone", phone(chance))}<br>
{maybe(chance, 0.5, f"Fax: {phone(chance)}<br>")}Web: <a href="#">{mark("website", _site_of(name))}</a></p>
</div><div id="footer"><a href="/">All schools</a> <a href="/{state}">Schools in {state}</a></div></body></html>"""


def homes(chance: Random) -> str:
    """Beds and baths as an icon list, an optional former price, agents beside the offer."""
    town, state, zip_code = city(chance)
    price = f"${chance.randint(120, 990)},{chance.choice(('000', '500', '900'))}"
    facts = [
        f"<li><i class='i-bed'></i> {mark('beds', str(chance.randint(1, 6)))} beds</li>",
        f"<li><i class='i-bath'></i> {mark('baths', str(chance.randint(1, 4)))} baths</li>",
        maybe(chance, 0.7, f"<li><i class='i-size'></i> {chance.randint(600, 4000):,} sqft</li>"),
    ]
    facts = facts[::-1] if chance.random() < 0.3 else facts
    was = maybe(chance, 0.4, f"<span class='was'>$1,{chance.randint(100, 900)},000</span>")
    return f"""<!doctype html><html><head><title>Home for sale in {town}</title></head><body>
<div class="bar"><a>Buy</a><a>Rent</a></div>
{maybe(chance, 0.3, "<div class='flag'>Open house</div>")}
<div class="listing"><div class="gallery"><img src="/{chance.randint(1, 999)}.jpg"></div>
<h1><span>{mark("address", street(chance))}</span>, <span>{town}, {state} {zip_code}</span></h1>
<div class="price">{was}<span>{mark("price", price)}</span></div>
<ul class="facts">{"".join(facts)}</ul>
<p>{sentences(chance, 3)}</p>
<div class="agent">Listed by <a href="/a/{chance.randint(1, 99)}">{mark("agent", person(chance))}</a>{maybe(chance, 0.5, ", " + chance.choice(LAST) + " Realty")}</div></div>
<div class="similar"><div class="price"><span>${chance.randint(100, 900)},000</span></div><ul class="facts"><li><i class='i-bed'></i> 3 beds</li></ul></div>
</body></html>"""


def events(chance: Random) -> str:
    """Label and value in one text, rows in any order, a venue with or without a link."""
    venue = f"{chance.choice(LAST)} {chance.choice(('Hall', 'Theater', 'Arena'))}"
    shown = mark("venue", venue)
    rows = [
        f"<p class='line'>Date: {mark('date', f'{chance.randint(1, 28)} May 2026')}</p>",
        f"<p class='line'>Venue: {f'<a href=/v/{venue[0]}>{shown}</a>' if chance.random() < 0.7 else shown}</p>",
        f"<p class='line'>Doors: {chance.randint(5, 8)} pm</p>",
    ]
    tickets = f"<p class='line'>Tickets: from {mark('price', f'${chance.randint(8, 90)}')} at the door</p>"
    if chance.random() < 0.75:
        rows.append(tickets)
    return f"""<!doctype html><html><head><title>What's on</title></head><body><div class="wrap">
<h2>What's on</h2><h3>{mark("title", f"{person(chance)} {chance.choice(('Trio', 'Quartet', 'and Friends', 'live'))}")}</h3>
{shuffled(chance, rows)}
{maybe(chance, 0.4, advert(chance))}<div class="about"><p>{sentences(chance, 2)}</p></div>
<h4>Next week</h4><p class='line'>{person(chance)}, {chance.randint(1, 28)} June 2026</p></div></body></html>"""


SITES: dict[str, Writer] = {
    "definitions": definitions,
    "profile": profile,
    "prose": prose,
    "homes": homes,
    "events": events,
}
