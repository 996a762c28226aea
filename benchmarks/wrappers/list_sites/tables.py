"""Layouts of tables: groups, two tables, stripes, several rows per record, calendars."""

from random import Random

from benchmarks.wrappers.list_sites import words as w
from benchmarks.wrappers.list_sites.writing import Row, Rows


def fixtures(chance: Random, rows: Rows) -> str:
    """Rows in groups with a header row over all columns; games to come have no score."""
    lines = ["<tr><th>Time</th><th>Home</th><th>Score</th><th>Away</th></tr>"]
    for _ in range(chance.randint(3, 4)):
        lines.append(f'<tr><th colspan="4">{w.date(chance)}</th></tr>')
        for _ in range(chance.randint(2, 5)):
            row = rows.record()
            score = (
                row("score", f"{chance.randint(0, 5)}:{chance.randint(0, 5)}")
                if chance.random() < 0.7
                else "-:-"
            )
            lines.append(
                f"<tr><td>{row('time', w.clock(chance))}</td><td>{row('home', chance.choice(w.PLACES) + ' FC')}</td>"
                f"<td><b>{score}</b></td><td>{row('away', 'SV ' + chance.choice(w.PLACES))}</td></tr>"
            )
    return w.page("", f'<table class="games">{"".join(lines)}</table>')


def departures(chance: Random, rows: Rows) -> str:
    """Two tables of the same columns; only the second is wanted, and only its id says so."""

    def line(row: Row | None) -> str:
        def value(name: str, text: str) -> str:
            return text if row is None else row(name, text)

        late = (
            f'<span class="late">{value("delay", f"+{chance.randint(5, 55)}")}</span>'
            if chance.random() < 0.4
            else ""
        )
        return (
            f"<tr><td>{value('time', w.clock(chance))} {late}</td><td>{value('train', f'RE {chance.randint(1, 99)}')}</td>"
            f"<td>{value('to', chance.choice(w.PLACES))}</td><td>{value('track', str(chance.randint(1, 12)))}</td></tr>"
        )

    head = "<thead><tr><th>Time</th><th>Train</th><th>Place</th><th>Track</th></tr></thead>"
    arrivals = "".join(line(None) for _ in range(chance.randint(5, 9)))
    leaving = "".join(line(rows.record()) for _ in range(chance.randint(7, 12)))
    return w.page(
        "",
        f'<h2>Arrivals</h2><table id="arr">{head}<tbody>{arrivals}</tbody></table>'
        f'<h2>Departures</h2><table id="dep">{head}<tbody>{leaving}</tbody></table>',
    )


def rates(chance: Random, rows: Rows) -> str:
    """Two tables without names; the one that is not wanted has other columns."""
    banks = "".join(
        f"<tr><td>{w.title(chance)}</td><td>{w.short_date(chance)}</td></tr>" for _ in range(6)
    )
    lines = []
    for _ in range(chance.randint(8, 14)):
        row = rows.record()
        change = chance.uniform(-2, 2)
        lines.append(
            f"<tr><td>{row('code', ''.join(chance.sample('ABCDEFGHJKLM', 3)))}</td><td>{row('name', w.title(chance))}</td>"
            f'<td align="right">{row("rate", f"{chance.uniform(0.1, 200):.4f}")}</td><td><font color="{"green" if change > 0 else "red"}">'
            f"{row('change', f'{change:+.2f}%')}</font></td></tr>"
        )
    return w.page(
        "",
        f"<table><tr><td>News</td><td>Date</td></tr>{banks}</table><br><table><tr><td><b>Code</b></td><td><b>Currency</b></td><td><b>Rate</b></td><td><b>Change</b></td></tr>{''.join(lines)}</table>",
    )


def stripes(chance: Random, rows: Rows) -> str:
    """Rows of alternating classes, the leader in a class of its own, totals at the end."""
    lines = []
    for number in range(chance.randint(9, 18)):
        row = rows.record()
        kind = "leader" if not number else ("odd", "even")[number % 2]
        club = (
            f'<td class="c">{row("club", w.title(chance))}</td>'
            if chance.random() < 0.8
            else '<td class="c"></td>'
        )
        lines.append(
            f'<tr class="{kind}" bgcolor="#{"eeffee" if number % 2 else "ffffff"}"><td>{row("rank", str(number + 1))}.</td>'
            f'<td><a href="/r/{number}">{row("name", w.person(chance))}</a></td>{club}<td class="p">{row("points", str(chance.randint(1, 999)))}</td></tr>'
        )
    lines.append('<tr class="total"><td></td><td>Total</td><td></td><td class="p">9999</td></tr>')
    return w.page("", f'<table class="standings"><tbody>{"".join(lines)}</tbody></table>')


def stories(chance: Random, rows: Rows) -> str:
    """Three rows per record: title, facts, a gap; advertised ones have no facts."""
    lines = []
    for number in range(chance.randint(9, 16)):
        row = rows.record()
        facts = f"{chance.randint(1, 23)} hours ago"
        if chance.random() < 0.85:
            facts = (
                f'<span class="score">{row("points", str(chance.randint(2, 900)))} points</span> by <a class="user">{row("author", w.person(chance))}</a> '
                f'<span class="age"><a>{facts}</a></span> | <a>{row("comments", str(chance.randint(2, 300)))} comments</a>'
            )
        else:
            facts = f'<span class="age"><a>{facts}</a></span>'
        site = (
            f' <span class="site">({w.slug(w.title(chance))}.example)</span>'
            if chance.random() < 0.8
            else ""
        )
        lines.append(
            f'<tr class="thing"><td class="rank">{number + 1}.</td><td class="title"><a href="/i/{number}">{row("title", w.title(chance))}</a>{site}</td></tr>'
            f'<tr><td></td><td class="sub">{facts}</td></tr><tr class="gap" style="height:5px"></tr>'
        )
    return w.page(
        "",
        f'<table><tr><td><table class="items">{"".join(lines)}<tr><td></td><td class="title"><a href="?p=2">More</a></td></tr></table></td></tr></table>',
    )


def episodes(chance: Random, rows: Rows) -> str:
    """A row of facts, and a row over all columns with a summary for some."""
    lines = [
        '<tr><th scope="col">No.</th><th scope="col">Title</th><th scope="col">Written by</th><th scope="col">Shown</th></tr>'
    ]
    for number in range(chance.randint(7, 12)):
        row = rows.record()
        lines.append(
            f'<tr class="ep"><th scope="row">{row("number", str(number + 1))}</th><td>"<b>{row("title", w.title(chance))}</b>"</td>'
            f"<td>{row('writer', w.person(chance))}</td><td>{row('shown', w.date(chance))}<sup>[{number + 3}]</sup></td></tr>"
        )
        if chance.random() < 0.7:
            lines.append(
                f'<tr class="child"><td colspan="4"><div>{row("summary", w.sentence(chance))}</div></td></tr>'
            )
    box = "<table class=box><tr><th>Country</th><td>Norway</td></tr><tr><th>Seasons</th><td>4</td></tr></table>"
    return w.page("", f'{box}<table class="wiki">{"".join(lines)}</table>')


def month(chance: Random, rows: Rows) -> str:
    """A calendar: days without, with one and with several events."""
    weeks = []
    number = 0
    for _ in range(5):
        cells = []
        for _ in range(7):
            number += 1
            events = []
            for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
                row = rows.record()
                room = (
                    f" <small>{row('room', f'Room {chance.randint(1, 30)}')}</small>"
                    if chance.random() < 0.6
                    else ""
                )
                events.append(
                    f'<div class="e"><b>{row("time", w.clock(chance))}</b> {row("event", w.title(chance))}{room}</div>'
                )
            cells.append(f'<td class="day"><span class="n">{number}</span>{"".join(events)}</td>')
        weeks.append(f"<tr>{''.join(cells)}</tr>")
    head = "".join(f"<th>{name}</th>" for name in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"))
    return w.page("", f'<table class="cal"><tr>{head}</tr>{"".join(weeks)}</table>')


def medals(chance: Random, rows: Rows) -> str:
    """A ranking with flags; who did not finish has no time and no rank."""
    lines = ["<tr><td>Rank</td><td>Name</td><td>Team</td><td>Time</td></tr>"]
    count = chance.randint(10, 18)
    for number in range(count):
        row = rows.record()
        finished = number < count - 3
        rank = row("rank", str(number + 1)) if finished else "DNF"
        time = (
            row("time", f"{chance.randint(1, 5)}:{chance.randint(10, 59)}:{chance.randint(10, 59)}")
            if finished
            else ""
        )
        lines.append(
            f'<tr><td>{rank}</td><td><img src="/f.gif" alt="{row("country", "".join(chance.sample("ABDEFIN", 3)))}"> '
            f'<a href="rider/{number}"><span class="up">{row("name", w.person(chance))}</span></a></td>'
            f"<td>{row('team', w.title(chance))}</td><td>{time}</td></tr>"
        )
    side = "".join(
        f'<tr><td>{i}</td><td><a href="x">{w.person(chance)}</a></td><td>{chance.randint(10, 90)}</td></tr>'
        for i in range(1, 6)
    )
    return w.page(
        "",
        f'<div class="main"><table>{"".join(lines)}</table></div><div class="side"><table>{side}</table></div>',
    )


def docket(chance: Random, rows: Rows) -> str:
    """Old markup in capitals, without end tags; some cases have two numbers."""
    lines = [
        "<TR BGCOLOR=navy><TD><FONT COLOR=white>Number<TD><FONT COLOR=white>Case<TD><FONT COLOR=white>Filed"
    ]
    for _ in range(chance.randint(8, 20)):
        row = rows.record()
        number = f"{chance.randint(10, 26)}-{chance.randint(100, 9999)}"
        judge = (
            f"<BR><SMALL>Judge {row('judge', chance.choice(w.FAMILY))}</SMALL>"
            if chance.random() < 0.6
            else ""
        )
        lines.append(
            f'<TR VALIGN=top><TD><A HREF="op/{number}.pdf">{row("number", number)}</A><TD><FONT SIZE=2>'
            f"{row('case', chance.choice(w.FAMILY) + ' v. ' + chance.choice(w.FAMILY))}</FONT>{judge}<TD>{row('filed', w.short_date(chance))}"
        )
    text = "\n".join(lines)
    return f'<HTML><HEAD><TITLE>Opinions</TITLE></HEAD><BODY BGCOLOR=white><CENTER><H1>Opinions</H1></CENTER><P>Opinions of this term.<TABLE BORDER=1>{text}</TABLE><HR><A HREF="/">Home</A></BODY></HTML>'


def yellow(chance: Random, rows: Rows) -> str:
    """A small table per record, its rows in any order, labels before the values."""
    tables = []
    for _ in range(chance.randint(6, 11)):
        row = rows.record()
        facts = [
            ("Phone", row("phone", f"0{chance.randint(20, 99)} {chance.randint(100000, 999999)}"))
        ]
        if chance.random() < 0.6:
            facts.append(("Fax", f"0{chance.randint(20, 99)} {chance.randint(100000, 999999)}"))
        if chance.random() < 0.7:
            facts.append(("Open", row("open", f"{w.clock(chance)} - {w.clock(chance)}")))
        facts.append(("Town", row("town", chance.choice(w.PLACES))))
        chance.shuffle(facts)
        lines = "".join(f"<tr><td>{label}:</td><td>{value}</td></tr>" for label, value in facts)
        tables.append(
            f'<table><tr><td colspan="2"><b>{row("name", w.title(chance))}</b></td></tr>{lines}</table><hr>'
        )
    return w.page("", f'<div id="hits">{"".join(tables)}</div>')


def timetable(chance: Random, rows: Rows) -> str:
    """Row headers; hours that are merged over two columns."""
    lines = ["<tr><td></td><th>First</th><th>Last</th><th>Every</th></tr>"]
    for number in range(chance.randint(8, 14)):
        row = rows.record()
        if chance.random() < 0.2:
            cells = f'<td colspan="2">on request</td><td>{row("every", f"{chance.randint(5, 60)} min")}</td>'
        else:
            cells = f"<td>{row('first', w.clock(chance))}</td><td>{row('last', w.clock(chance))}</td><td>{row('every', f'{chance.randint(5, 60)} min')}</td>"
        lines.append(f'<tr><th scope="row">{row("line", f"Line {number + 1}")}</th>{cells}</tr>')
    return w.page("", f'<table class="t">{"".join(lines)}</table><p>Times without warranty.</p>')
