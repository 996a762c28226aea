"""Layouts of cards: search results, shops, boards, galleries."""

from random import Random

from benchmarks.wrappers.list_sites import words as w
from benchmarks.wrappers.list_sites.writing import Rows


def results(chance: Random, rows: Rows) -> str:
    """Search results with advertisements of nearly the same shape between them."""
    parts = []
    for number in range(chance.randint(8, 14)):
        if number in (0, 4, 9):
            ad = w.title(chance)
            parts.append(
                f'<div class="hit ad"><span class="flag">Ad</span><h3><a href="/go?{w.slug(ad)}">'
                f"{ad}</a></h3><p>{w.sentence(chance)}</p></div>"
            )
        row, name = rows.record(), w.title(chance)
        host = f"www.{w.slug(name)}.example"
        date = (
            f'<span class="f">{row("date", w.date(chance))} — </span>'
            if chance.random() < 0.7
            else ""
        )
        parts.append(
            f'<div class="hit"><h3><a href="https://{host}/">{row("title", name)}</a></h3>'
            f"<cite>{row('site', host)} › <span>{chance.choice(w.NOUNS)}</span></cite>"
            f"<p>{date}{w.sentence(chance)} <b>{chance.choice(w.NOUNS)}</b> {w.sentence(chance)}</p></div>"
        )
    related = "".join(
        f'<div class="rel"><a href="?q={i}">{w.title(chance)}</a></div>' for i in range(5)
    )
    return w.page("", f'<main id="results">{"".join(parts)}</main><aside>{related}</aside>')


def shop(chance: Random, rows: Rows) -> str:
    """Products in rows of three; some are reduced, some have no rating."""
    cards = []
    for _ in range(chance.randint(7, 12)):
        row, name = rows.record(), w.title(chance)
        new = f"€{row('price', w.price(chance))}"
        cost = (
            f"<del>€{w.price(chance)}</del> <ins>{new}</ins>"
            if chance.random() < 0.4
            else f"<span>{new}</span>"
        )
        rating = (
            f'<span class="stars" aria-label="stars">{row("rating", f"{chance.uniform(2, 5):.1f}")}</span>'
            f" ({chance.randint(1, 300)})"
            if chance.random() < 0.7
            else ""
        )
        badge = '<em class="badge">New</em>' if chance.random() < 0.3 else ""
        cards.append(
            f'<div class="col"><div class="product">{badge}<a href="/p/{w.slug(name)}"><img src="/i/{w.slug(name)}.jpg" alt=""></a>'
            f'<h4>{row("name", name)}</h4><p class="cost">{cost}</p>{rating}<button>Add</button></div></div>'
        )
    grid = "".join(
        f'<div class="row">{"".join(cards[at : at + 3])}</div>\n' for at in range(0, len(cards), 3)
    )
    recent = "".join(
        f'<div class="product small"><h4>{w.title(chance)}</h4><span>€{w.price(chance)}</span></div>'
        for _ in range(3)
    )
    return w.page(
        "",
        f'<div class="grid">{grid}</div><section class="recent"><h3>Seen by you</h3>{recent}</section>',
    )


def board(chance: Random, rows: Rows) -> str:
    """Jobs whose facts are list items: a missing one moves the others."""
    cards = []
    for _ in range(chance.randint(7, 15)):
        row = rows.record()
        facts = [f'<li class="place">{row("place", chance.choice(w.PLACES))}</li>']
        if chance.random() < 0.6:
            facts.insert(0, f'<li class="type">{chance.choice(("Full-time", "Part-time"))}</li>')
        if chance.random() < 0.6:
            facts.append(
                f'<li class="pay">{row("pay", f"{chance.randint(30, 90)}k–{chance.randint(91, 120)}k")}</li>'
            )
        cards.append(
            f'<article><header><h2><a href="/job/{chance.randint(1000, 9999)}">{row("job", w.title(chance))}</a></h2>'
            f"<div>{row('company', chance.choice(w.FAMILY) + ' ' + chance.choice(('Ltd', 'GmbH', 'AB', 'SA')))}</div></header>"
            f'<ul class="facts">{"".join(facts)}</ul><time>{chance.randint(2, 29)} days ago</time></article>'
        )
        if chance.random() < 0.15:
            cards.append(
                '<article class="alert"><h2>Get jobs by mail</h2><div>Every morning</div></article>'
            )
    return w.page("", f'<div class="list">{"".join(cards)}</div>')


def auction(chance: Random, rows: Rows) -> str:
    """Elements without meaning in their names, and a first card in a frame of its own."""

    def card(*, featured: bool) -> str:
        row = rows.record()
        sold = chance.random() < 0.3
        bid = (
            '<div class="x9s"><b>Unsold</b></div>'
            if sold
            else (
                f'<div class="x9s"><b>{row("bid", "£" + w.price(chance))}</b><i>{chance.randint(1, 40)} bids</i></div>'
            )
        )
        inner = (
            f'<div class="x1q"><a href="/lot/{chance.randint(100, 999)}"><img src="l.png"></a></div><div class="x2d">'
            f'<div class="x77">Lot {row("lot", str(chance.randint(100, 999)))}</div>'
            f'<div class="x5t">{row("title", w.title(chance))}</div>{bid}</div>'
        )
        return f'<div class="k0{" k0-big" if featured else ""}">{inner}</div>'

    first = f'<div class="z4">{card(featured=True)}</div>'
    rest = "".join(card(featured=False) for _ in range(chance.randint(8, 14)))
    return w.page("", f'<div class="q8">{first}<div class="z5">{rest}</div></div>')


def staff(chance: Random, rows: Rows) -> str:
    """Two people per row of a layout table; the last cell may be empty."""
    cells = []
    for _ in range(chance.randint(7, 12)):
        row, name = rows.record(), w.person(chance)
        phone = (
            f"Phone {row('phone', f'555-{chance.randint(1000, 9999)}')}<br>"
            if chance.random() < 0.7
            else ""
        )
        cells.append(
            f'<td width="50%"><img src="{w.slug(name)}.jpg" align="left"><b>{row("name", name)}</b><br>'
            f'<i>{row("role", w.title(chance))}</i><br>{phone}<a href="mailto:{w.slug(name)}@site.example">E-mail</a></td>'
        )
    if len(cells) % 2:
        cells.append("<td>&nbsp;</td>")
    lines = "".join(f"<tr>{cells[at]}{cells[at + 1]}</tr>\n" for at in range(0, len(cells), 2))
    return w.page(
        "",
        f'<h1>Our staff</h1><table border="0">{lines}</table><table><tr><td><b>Office</b><br>Room 4</td></tr></table>',
    )


def media(chance: Random, rows: Rows) -> str:
    """Videos, with the values in attributes and an overlay of live ones."""
    cards = []
    for _ in range(chance.randint(8, 14)):
        row, name = rows.record(), w.title(chance)
        live = chance.random() < 0.25
        length = (
            '<span class="live">LIVE</span>'
            if live
            else f'<span class="len">{row("length", f"{chance.randint(1, 59)}:{chance.randint(10, 59)}")}</span>'
        )
        cards.append(
            f'<li data-id="{row("id", "v" + str(chance.randint(10000, 99999)))}"><a class="thumb" href="/w/{w.slug(name)}" title="{row("title", name)}">'
            f'<img src="/t/{w.slug(name)}.webp">{length}</a><div><a href="/c/{w.slug(name)}">{row("channel", w.person(chance))}</a>'
            f"<span>{chance.randint(1, 900)}K views</span></div></li>"
        )
    return w.page(
        "",
        f'<ul class="nav2"><li><a href="/t">Trending</a></li><li><a href="/m">Music</a></li></ul><ol class="grid">{"".join(cards)}</ol>',
    )
