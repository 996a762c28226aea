"""Sites of restaurants: addresses with cities that pages share, cuisines in any number."""

from random import Random

from benchmarks.wrappers.detail_sites.page import (
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

KINDS = "Grill Kitchen Bistro Cafe House Tavern Cantina Trattoria Diner".split()
CUISINES = (
    "Italian French Mexican Thai American Seafood Vegetarian Steakhouse Japanese Pizza".split()
)


def _name(chance: Random) -> str:
    owner = person(chance).split()[chance.randrange(2)]
    return f"{owner}{chance.choice((chr(39) + 's', ''))} {chance.choice(KINDS)}"


def _cuisines(chance: Random) -> list[str]:
    return chance.sample(CUISINES, chance.choice((1, 1, 1, 2, 3)))


def diner(chance: Random) -> str:
    """An address block, cuisine links, nearby places with the markup of the main one."""
    name, (town, state, zip_code) = _name(chance), city(chance)
    cuisines = ", ".join(
        f'<a href="/c/{each.lower()}">{mark("cuisine", each)}</a>' for each in _cuisines(chance)
    )
    nearby = "".join(
        f'<div class="biz"><a class="n" href="/r/{chance.randint(1, 999)}">{_name(chance)}</a>'
        f'<p class="adr">{street(chance)}<br>{town}, {state} {zip_code}</p></div>'
        for _ in range(chance.randint(1, 4))
    )
    telephone = maybe(chance, 0.8, f'<p class="tel">{mark("phone", phone(chance))}</p>')
    return f"""<html><head><title>{name} - {town} | Diner Finder</title></head><body>
<div id="top"><a href="/">Home</a> &gt; <a href="/{state}">{state}</a> &gt; <a href="/{town}">{town}</a></div>
{maybe(chance, 0.4, advert(chance))}
<div class="biz main"><h1>{mark("name", name)}</h1>
<p class="adr">{mark("address", street(chance))}<br>{town}, {state} {zip_code}</p>
{telephone}
<p>Cuisine: {cuisines}</p></div>
<div class="text"><p>{sentences(chance, 2)}</p>{maybe(chance, 0.5, f"<p>{sentences(chance, 1)}</p>")}</div>
<h3>Nearby</h3>{nearby}
<div id="foot">&copy; Diner Finder</div></body></html>"""


def tables(chance: Random) -> str:
    """A table of labels and values, rows in any order, some missing, no classes at all."""
    name, (town, _, zip_code) = _name(chance), city(chance)
    rows = [
        f"<tr><td><b>Address</b></td><td>{mark('address', street(chance))}</td></tr>",
        f"<tr><td><b>City</b></td><td>{town}</td></tr>",
        f"<tr><td><b>Zip</b></td><td>{zip_code}</td></tr>",
        f"<tr><td><b>Food</b></td><td>{mark('cuisine', chance.choice(CUISINES))}</td></tr>",
    ]
    optional = [
        f"<tr><td><b>Telephone</b></td><td>{mark('phone', phone(chance))}</td></tr>",
        f"<tr><td><b>Parking</b></td><td>{chance.choice(('Street', 'Valet'))}</td></tr>",
        f"<tr><td><b>Dress code</b></td><td>{chance.choice(('Casual', 'Smart'))}</td></tr>",
    ]
    chosen = [row for row in optional if chance.random() < 0.75]
    return f"""<HTML><HEAD><TITLE>Guide: {name}</TITLE></HEAD><BODY>
<table width=100%><tr><td><a href="/">Guide</a></td><td><a href="/new">New</a></td></tr></table>
<table><tr><td><font size=5>{mark("name", name)}</font></td></tr>
<tr><td>{maybe(chance, 0.5, f"<img src=/p/{chance.randint(1, 99)}.jpg><br>")}{sentences(chance, 1)}</td></tr></table>
<table border=0>
{shuffled(chance, rows + chosen)}
</table>
<table><tr><td><b>Readers say</b></td></tr><tr><td>{sentences(chance, 2)}</td></tr></table>
</BODY></HTML>"""


def cityguide(chance: Random) -> str:
    """Unlabelled header lines, the telephone number inside a sentence, shifting adverts."""
    name, (town, state, zip_code) = _name(chance), city(chance)
    return f"""<!doctype html><html><head><title>{name}, {town} restaurants</title></head><body>
<ul class="crumbs"><li><a href="/us">USA</a></li><li><a href="/us/{state}">{state}</a></li><li>{town}</li></ul>
{maybe(chance, 0.5, advert(chance))}
<div class="head"><h1>{mark("name", name)}</h1>{maybe(chance, 0.3, "<em>Editor's pick</em>")}
<div>{mark("address", street(chance))}</div><div>{town}, {state} {zip_code}</div></div>
{maybe(chance, 0.4, advert(chance))}
<p>{sentences(chance, 2)}</p>
<p>Call {mark("phone", phone(chance))} for reservations{maybe(chance, 0.5, " or larger parties")}.</p>
<p>{mark("cuisine", chance.choice(CUISINES))} food in {town}.</p>
<div class="more"><h2>More in {town}</h2><ul>
{"".join(f"<li><a href=/r/{chance.randint(1, 99)}>{_name(chance)}</a></li>" for _ in range(3))}
</ul></div></body></html>"""


def hashed(chance: Random) -> str:
    """Hashed classes and div soup; the related places are cards with the markup of the main one."""

    def card(name: str, address: str, telephone: str, cuisines: str) -> str:
        rating = maybe(
            chance, 0.6, f'<div class="css-9k1p"><span>{chance.randint(10, 50) / 10}</span></div>'
        )
        return (
            f'<div class="css-1ab2"><div class="css-77fd"><span class="css-k2s">{name}</span></div>{rating}'
            f'<div class="css-3p0"><span>{cuisines}</span></div>'
            f'<div class="css-3p0"><svg></svg><span>{address}</span></div>{telephone}</div>'
        )

    main = card(
        mark("name", _name(chance)),
        mark("address", f"{street(chance)}, {city(chance)[0]}"),
        maybe(
            chance,
            0.7,
            f'<div class="css-3p0"><a href="tel:">{mark("phone", phone(chance))}</a></div>',
        ),
        " &middot; ".join(mark("cuisine", each) for each in _cuisines(chance)[:1]),
    )
    others = [
        card(_name(chance), f"{street(chance)}, {city(chance)[0]}", "", chance.choice(CUISINES))
        for _ in range(3)
    ]
    return f"""<!doctype html><html><head><title>Tablely</title><style>.css-1ab2{{}}</style></head><body>
<header class="css-0a"><a class="css-l" href="/">Tablely</a></header><main class="css-m">
{main}{maybe(chance, 0.5, f'<div class="css-pr">{sentences(chance, 1)}</div>')}
<section class="css-rel"><h2 class="css-h">You may also like</h2>{"".join(others)}</section></main></body></html>"""


SITES: dict[str, Writer] = {
    "diner": diner,
    "tables": tables,
    "cityguide": cityguide,
    "hashed": hashed,
}
