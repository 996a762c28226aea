"""Layouts of running text: definition lists, headings, lines, threads, plain text."""

from random import Random

from benchmarks.wrappers.list_sites import words as w
from benchmarks.wrappers.list_sites.writing import Rows


def thread(chance: Random, rows: Rows) -> str:
    """Posts with quotes of other posts and signatures."""
    posts = []
    for number in range(chance.randint(6, 12)):
        row = rows.record()
        quote = (
            f'<blockquote><cite><a href="#p1">{w.person(chance)}</a> wrote:</cite>{w.sentence(chance)}</blockquote>'
            if chance.random() < 0.4
            else ""
        )
        sign = f'<div class="sig">{w.title(chance)}</div>' if chance.random() < 0.5 else ""
        edited = f'<span class="ed">Edited {w.date(chance)}</span>' if chance.random() < 0.3 else ""
        posts.append(
            f'<div class="post" id="p{number}"><div class="who"><a href="/u/{number}">{row("author", w.person(chance))}</a>'
            f'<span>Posts: {row("posts", str(chance.randint(1, 4000)))}</span></div><div class="what"><span class="when">{row("date", w.date(chance))}, {w.clock(chance)}</span>{edited}'
            f'<div class="text">{quote}<p>{row("text", w.sentence(chance))}</p></div>{sign}</div></div>'
        )
    return w.page("", f'<div class="thread">{"".join(posts)}</div>')


def glossary(chance: Random, rows: Rows) -> str:
    """A definition list; some terms have notes as well, another list stands above."""
    entries = []
    for _ in range(chance.randint(8, 16)):
        row = rows.record()
        note = f'<dd class="note">See also {w.title(chance)}</dd>' if chance.random() < 0.3 else ""
        entries.append(
            f"<dt>{row('term', w.title(chance))}</dt><dd>{row('meaning', w.sentence(chance))}</dd>{note}"
        )
    return w.page(
        "",
        f'<dl class="about"><dt>Editor</dt><dd>{w.person(chance)}</dd><dt>Since</dt><dd>1998</dd></dl><dl class="terms">{"".join(entries)}</dl>',
    )


def outline(chance: Random, rows: Rows) -> str:
    """Nested lists: groups are not wanted, their items are."""
    groups = []
    for _ in range(chance.randint(3, 5)):
        items = []
        for _ in range(chance.randint(2, 6)):
            row = rows.record()
            count = (
                f" ({row('count', str(chance.randint(1, 400)))})" if chance.random() < 0.8 else ""
            )
            items.append(
                f'<li><a href="/t/{chance.randint(1, 99)}">{row("topic", w.title(chance))}</a>{count}</li>'
            )
        groups.append(f'<li><a href="/g">{w.title(chance)}</a><ul>{"".join(items)}</ul></li>')
    return w.page("", f'<ul class="tree">{"".join(groups)}</ul>')


def notices(chance: Random, rows: Rows) -> str:
    """Headings with paragraphs after them, one to four; all are siblings."""
    parts = ["<h1>Notices</h1><p>All notices of this year.</p>"]
    for _ in range(chance.randint(6, 10)):
        row = rows.record()
        by = f" by {row('author', w.person(chance))}" if chance.random() < 0.7 else ""
        parts.append(
            f"<h3>{row('title', w.title(chance))}</h3>\n<p><i>{row('date', w.date(chance))}</i>{by}</p>\n"
        )
        parts.extend(
            f"<p>{w.sentence(chance)} {w.sentence(chance)}</p>\n"
            for _ in range(chance.randint(1, 3))
        )
    return w.page("", f'<div class="content">{"".join(parts)}</div>')


def lines(chance: Random, rows: Rows) -> str:
    """Lines in one cell of a table, with nothing but <br> between them."""
    items = []
    for number in range(chance.randint(8, 14)):
        row = rows.record()
        year = f" ({row('year', str(chance.randint(1950, 2026)))})" if chance.random() < 0.8 else ""
        items.append(
            f"{number + 1}. <b>{row('name', w.person(chance))}</b>, {row('town', chance.choice(w.PLACES))}{year}<br>\n"
        )
    return w.page(
        "",
        f'<table><tr><td class="menu"><a href="a">A</a><br><a href="b">B</a><br></td><td class="body">{"".join(items)}</td></tr></table>',
    )


def results_text(chance: Random, rows: Rows) -> str:
    """Plain text in <pre>: columns by spaces."""
    items = [
        "  Pl  Name                       Club            Time\n",
        "  --  -------------------------  --------------  -------\n",
    ]
    for number in range(chance.randint(9, 16)):
        row = rows.record()
        name, club = w.person(chance), chance.choice(w.PLACES)
        items.append(
            f"  {row('place', str(number + 1))}{' ' * (4 - len(str(number + 1)))}{row('name', name)}{' ' * (27 - len(name))}"
            f"{row('club', club)}{' ' * (16 - len(club))}{row('time', f'{chance.randint(1, 9)}:{chance.randint(10, 59)}.{chance.randint(1, 9)}')}\n"
        )
    return w.page("", f"<h2>Results</h2><pre>\n{''.join(items)}</pre>")


def links(chance: Random, rows: Rows) -> str:
    """A list of links in the middle, and lists of the same tags at both sides."""

    def side(count: int) -> str:
        return "".join(
            f'<li><a href="/s/{n}">{w.title(chance)}</a> ({chance.randint(1950, 2026)})</li>'
            for n in range(count)
        )

    items = []
    for number in range(chance.randint(8, 15)):
        row = rows.record()
        items.append(
            f'<li><a href="/m/{number}">{row("title", w.title(chance))}</a> ({row("year", str(chance.randint(1950, 2026)))})</li>'
        )
    return w.page(
        "",
        f'<div id="left"><ul>{side(5)}</ul></div><div id="content"><h1>All works</h1><ul>{"".join(items)}</ul></div><div id="right"><ul>{side(7)}</ul></div>',
    )


def comments(chance: Random, rows: Rows) -> str:
    """Comments with answers inside them, which are records as well."""

    def comment(depth: int) -> str:
        row = rows.record()
        head = f'<p class="head"><b>{row("author", w.person(chance))}</b> <time>{row("date", w.iso_date(chance))}</time></p>'
        text = f'<p class="body">{row("text", w.sentence(chance))}</p>'
        inner = "".join(
            comment(depth + 1) for _ in range(chance.choice((0, 0, 1, 2)) if depth < 2 else 0)
        )
        return f"<li>{head}{text}{f'<ul>{inner}</ul>' if inner else ''}</li>"

    return w.page(
        "", f'<ul class="comments">{"".join(comment(0) for _ in range(chance.randint(6, 9)))}</ul>'
    )


def references(chance: Random, rows: Rows) -> str:
    """Paragraphs with an author, a year in brackets and a title; some have a journal."""
    items = []
    for _ in range(chance.randint(8, 14)):
        row = rows.record()
        journal = (
            f". <i>{row('journal', 'Journal of ' + w.title(chance))}</i> {chance.randint(1, 40)}, {chance.randint(1, 90)}-{chance.randint(91, 190)}"
            if chance.random() < 0.7
            else ""
        )
        items.append(
            f'<p class="ref">{row("author", w.person(chance))} ({row("year", str(chance.randint(1970, 2026)))}): {row("title", w.title(chance))}{journal}.</p>\n'
        )
    return w.page(
        "",
        f'<p>These works were used.</p>{"".join(items)}<p class="end">Last changed: {w.date(chance)}</p>',
    )


def minutes(chance: Random, rows: Rows) -> str:
    """Lists under headings for each year; the lists are records of one kind."""
    years = []
    for number in range(chance.randint(2, 4)):
        items = []
        for _ in range(chance.randint(2, 6)):
            row = rows.record()
            files = (
                f'<a href="m{chance.randint(1, 99)}.pdf">Minutes</a>'
                if chance.random() < 0.6
                else ""
            )
            items.append(
                f'<li><span>{row("date", w.date(chance))}</span>: {row("topic", w.title(chance))} <a href="{row("agenda", f"/a/{chance.randint(100, 999)}.pdf")}">Agenda</a> {files}</li>'
            )
        years.append(f"<h2>{2026 - number}</h2><ul>{''.join(items)}</ul>")
    return w.page(
        "",
        f'<div class="box"><h2>Contact</h2><ul><li><span>Mail</span>: office at site</li></ul></div><div class="years">{"".join(years)}</div>',
    )


def directory(chance: Random, rows: Rows) -> str:
    """Blocks with labelled lines: label in bold, value after it, lines ended by <br>."""
    blocks = []
    for _ in range(chance.randint(6, 11)):
        row = rows.record()
        facts = [f"<b>Chair:</b> {row('chair', w.person(chance))}<br>"]
        if chance.random() < 0.6:
            facts.append(f"<b>Founded:</b> {row('founded', str(chance.randint(1850, 2020)))}<br>")
        facts.append(f"<b>Members:</b> {row('members', str(chance.randint(10, 900)))}<br>")
        if chance.random() < 0.5:
            facts.insert(0, f"<b>Motto:</b> {w.title(chance)}<br>")
        blocks.append(
            f'<div class="club"><h4>{row("club", w.title(chance))}</h4>{"".join(facts)}</div>'
        )
    return w.page(
        "",
        f'<div class="intro"><h4>About</h4><b>Clubs:</b> {len(blocks)}<br></div>{"".join(blocks)}',
    )


def features(chance: Random, rows: Rows) -> str:
    """News: a large first item of another shape, which counts, then a list of teasers."""
    row = rows.record()
    lead = f'<div class="lead"><img src="l.jpg"><h1><a href="/n/0">{row("title", w.title(chance))}</a></h1><p class="by">{row("author", w.person(chance))}</p><p>{w.sentence(chance)}</p></div>'
    items = []
    for number in range(chance.randint(7, 12)):
        row = rows.record()
        author = (
            f'<span class="by">{row("author", w.person(chance))}</span>'
            if chance.random() < 0.7
            else ""
        )
        items.append(
            f'<div class="teaser"><h2><a href="/n/{number}">{row("title", w.title(chance))}</a></h2>{author}<p>{w.sentence(chance)}</p></div>'
        )
        if number == 3:
            items.append(
                f'<div class="teaser promo"><h2>Subscribe</h2><p>{w.sentence(chance)}</p></div>'
            )
    return w.page(
        "",
        f'{lead}<div class="stream">{"".join(items)}</div><div class="most"><ol>{"".join(f"<li>{w.title(chance)}</li>" for _ in range(5))}</ol></div>',
    )
