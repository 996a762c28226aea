"""The charset that a page declares, against the standard's prescan written out word for word."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rowen.text.charset import decode
from rowen.text.charset_declaration import declared, prescan
from rowen.text.charset_labels import encoding_named

LABELS = {
    b"koi8-r": "koi8-r",
    b"koi8": "koi8-r",
    b"greek": "iso-8859-7",
    b"utf-16": "utf-8",  # as the prescan ends it
    b"x-user-defined": "windows-1252",
    b"utf-8": "utf-8",
}
SPACE = b"\t\n\f\r "
LETTERS = bytes(range(ord("a"), ord("z") + 1)) + bytes(range(ord("A"), ord("Z") + 1))


class RanOutError(Exception):
    pass


class Bytes:
    """A position in a stream of bytes; looking past its end aborts all."""

    def __init__(self, data):
        self.data, self.position = data, 0

    def byte(self):
        if self.position >= len(self.data):
            raise RanOutError
        return self.data[self.position : self.position + 1]

    def points_at(self, wanted):
        return self.data[self.position : self.position + len(wanted)].lower() == wanted


def slow_encoding(label):
    return LABELS.get(label.strip(SPACE).lower())


def slow_attribute(at):  # noqa: C901, PLR0912  # a branch for each step of the standard
    """ "Get an attribute", step by step."""
    while at.byte() in [b"\t", b"\n", b"\f", b"\r", b" ", b"/"]:
        at.position += 1
    if at.byte() == b">":
        return None
    name = value = b""
    while True:
        byte = at.byte()
        if byte == b"=" and name:
            at.position += 1
            break
        if byte in SPACE:
            while at.byte() in SPACE:
                at.position += 1
            if at.byte() != b"=":
                return name, b""
            at.position += 1
            break
        if byte in b"/>":
            return name, b""
        name += byte.lower()
        at.position += 1
    while at.byte() in SPACE:
        at.position += 1
    if at.byte() in b"\"'":
        quote = at.byte()
        while True:
            at.position += 1
            if at.byte() == quote:
                at.position += 1
                return name, value
            value += at.byte().lower()
    if at.byte() == b">":
        return name, b""
    value += at.byte().lower()
    at.position += 1
    while True:
        if at.byte() in SPACE + b">":
            return name, value
        value += at.byte().lower()
        at.position += 1


def slow_content(value):
    """ "Extracting a character encoding from a meta element"."""
    position = 0
    while True:
        found = value.lower().find(b"charset", position)
        if found < 0:
            return None
        position = found + 7
        while value[position : position + 1] and value[position : position + 1] in SPACE:
            position += 1
        if value[position : position + 1] == b"=":
            break
    position += 1
    while value[position : position + 1] and value[position : position + 1] in SPACE:
        position += 1
    first = value[position : position + 1]
    if first in (b'"', b"'"):
        end = value.find(first, position + 1)
        return slow_encoding(value[position + 1 : end]) if end >= 0 else None
    label = b""
    while value[position : position + 1] not in (b"", b";", *(bytes([one]) for one in SPACE)):
        label += value[position : position + 1]
        position += 1
    return slow_encoding(label)


def slow_meta(at):
    """What to do with the attributes of a meta: the charset, or None."""
    names = set()
    got_pragma, need_pragma, charset = False, None, "null"
    while attribute := slow_attribute(at):
        name, value = attribute
        if name in names:
            continue
        names.add(name)
        if name == b"http-equiv" and value == b"content-type":
            got_pragma = True
        elif name == b"content":
            found = slow_content(value)
            if found and charset == "null":
                charset, need_pragma = found, True
        elif name == b"charset":
            charset, need_pragma = slow_encoding(value), False
    if need_pragma is None or (need_pragma and not got_pragma):
        return None
    return charset


def slow_prescan(data):  # noqa: C901  # as above
    """ "Prescan a byte stream to determine its encoding", as far as it looks for a meta."""
    at = Bytes(data)
    try:
        while True:
            at.byte()
            if at.points_at(b"<!--"):
                end = data.find(b"-->", at.position + 2)
                if end < 0:
                    return None
                at.position = end + 2
            elif at.points_at(b"<meta") and data[at.position + 5 : at.position + 6] in [
                *(bytes([one]) for one in SPACE),
                b"/",
            ]:
                at.position += 5
                if charset := slow_meta(at):
                    return charset
            elif at.points_at(b"<") and (
                data[at.position + 1 : at.position + 2] in [bytes([one]) for one in LETTERS]
                or (
                    at.points_at(b"</")
                    and data[at.position + 2 : at.position + 3] in [bytes([one]) for one in LETTERS]
                )
            ):
                while at.byte() not in SPACE + b">":
                    at.position += 1
                while slow_attribute(at):
                    pass
            elif at.points_at(b"<!") or at.points_at(b"</") or at.points_at(b"<?"):
                while at.byte() != b">":
                    at.position += 1
            at.position += 1
    except RanOutError:
        return None


FRAGMENTS = [
    *(b"<meta", b"<META ", b"<meta/", b"<metadata ", b"charset", b"charset=", b" charset = "),
    *(b"koi8-r", b"greek", b"nonsense", b"utf-16", b"x-user-defined", b"KOI8", b">", b"/>", b"/"),
    *(b" ", b"\n", b"\f", b"\v", b"=", b'"', b"'", b";", b"<!--", b"-->", b"<!-->", b"--", b"<!"),
    *(
        b"<?",
        b"</",
        b"<p ",
        b"</p",
        b"<p>",
        b"<script>",
        b"</script>",
        b"<title>",
        b"<",
        b"a",
        b"A",
    ),
    *(
        b" http-equiv=",
        b" HTTP-EQUIV='",
        b"content-type",
        b"Content-Type",
        b"refresh",
        b" content=",
    ),
    *(b"text/html; charset=", b' content="text/html; charset=', b"\0", b"\xe9", b"<br/", b"&#107;"),
]
CLAIMS = [
    *(b"<meta charset=koi8-r>", b"<meta charset=nonsense>", b"<meta charset='greek'>"),
    b"<meta http-equiv=content-type content='text/html; charset=koi8'>",
    b"<meta content='text/html; charset=greek' http-equiv=Content-Type>",
    b"<meta content='charset=greek'>",
]
pages = st.lists(st.sampled_from(FRAGMENTS + CLAIMS), max_size=25).map(b"".join)


@given(pages)
@example(b"<meta charset=nonsense><meta charset=koi8-r>")
@example(b"<p a='<meta charset=greek>'><meta charset=koi8-r>")
@example(b"<p a=<meta charset=greek>")
@example(b"<meta charset=nonsense http-equiv=content-type content='charset=koi8-r'>")
@example(b"<meta http-equiv=content-type content='charset=;charset=koi8-r'>")
@example(b"<meta http-equiv=content-type content='charset charset=koi8-r'>")
@example(b"<meta http-equiv=content-type content='charset=\"koi8-r'>")
@example(b"<meta charset=koi8-r")
@example(b"<meta\vcharset=koi8-r>")
def test_the_prescan_is_the_standards(data):
    assert prescan(data) == slow_prescan(data)


def koi8(before, after=""):
    return f"<!doctype html>{before}<p>Привет, мир</p>{after}".encode("koi8-r")


GREEK = "<meta charset=greek>"
KOI8 = "<meta charset=koi8-r>"


@pytest.mark.parametrize(
    "before",
    [
        f"<meta charset=nonsense>{KOI8}",
        f"<meta charset=utf-32>{KOI8}",
        f"<p title='{GREEK}'>{KOI8}",
        f'<p title="{GREEK}" class=x>{KOI8}',
        f"<p title={GREEK}{KOI8}",
        f"</p title='{GREEK}'>{KOI8}",
        f"<!--{GREEK}-->{KOI8}",
        f"<!--{GREEK}--!>-->{KOI8}",
        f"<!x '{GREEK}{KOI8}"[:-1] + ">" + KOI8,
        f"<meta http-equiv=content-type>{KOI8}",
        f"<meta http-equiv=content-type content=text/html>{KOI8}",
        f"<meta http-equiv=refresh content='0; charset=greek'>{KOI8}",
        f"<meta name=x content='{GREEK}'>{KOI8}",
        "<meta http-equiv='Content-Type' content='text/html; charset=\"koi8-r\"'>",
        "<meta charset=' koi8-r '>",
        f"{KOI8}{GREEK}",
        # what only the parser sees: after 1024 bytes
        "x" * 2000 + KOI8,
        f"{'x' * 2000}<script>'{GREEK}'</script><title>{GREEK}</title><style>{GREEK}</style>{KOI8}",
        f"{'x' * 2000}<textarea>{GREEK}</textarea><p title='{GREEK}'><!--{GREEK}-->{KOI8}",
        f"{'x' * 2000}<noscript>{KOI8}</noscript>",
        f"{'x' * 2000}<meta charset=nonsense>{KOI8}",
        f"{'x' * 995}<meta   charset=koi8-r>",  # the end of the prescan cuts it
        f"<!--{'x' * 2000}--!>{KOI8}",  # a comment to the parser, and no end of one to the prescan
        f"{'x' * 2000}<meta charset=k&#111;i8-r>",
    ],
)
def test_the_declaration_that_browsers_obey_counts(before):
    if before.startswith("x"):
        before = "<p>" + before
    data = koi8(before)
    found = decode(data)
    assert (found.charset, found.evidence) == ("koi8-r", "meta")
    assert found.text == data.decode("koi8-r")


@pytest.mark.parametrize("element", ["script", "style", "title", "textarea", "noscript"])
def test_the_prescan_knows_no_scripts_and_no_titles(element):
    # The standard's prescan reads no elements, so what it sees there counts.
    assert declared(koi8(f"<{element}>{KOI8}</{element}>")) == ("koi8-r", "meta")


@pytest.mark.parametrize(
    "before",
    [f"<p title='{KOI8}'>", f"<!--{KOI8}-->", f"<!{KOI8[:-1]}>", f"<?{KOI8[:-1]}>", KOI8[:-1], ""],
)
def test_what_is_no_declaration_declares_nothing(before):
    assert declared(koi8(before).replace(b"<p>", b"").replace(b"</p>", b"")) is None


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("<?xml version='1.0' encoding='koi8-r'?>", ("koi8-r", "xml")),
        ('<?xml encoding = "koi8-r" ?>', ("koi8-r", "xml")),
        ("<?xml encoding='utf-16'?>", ("utf-8", "xml")),
        ("<?xml encoding='nonsense'?>", None),
        ("<?xml encoding='koi8 -r'?>", None),
        ("<?xml encoding=koi8-r?>", None),
        ("<?xml encoding='koi8-r\"?>", None),
        ("<?xml xencoding x encoding='koi8-r'?>", None),
        ("<?xml version='1.0'?><p encoding='koi8-r'>", None),
        (" <?xml encoding='koi8-r'?>", None),
        (f"<?xml encoding='greek'?>{KOI8}", ("koi8-r", "meta")),
        (f"<?xml encoding='koi8-r'?>{'x' * 2000}{GREEK}", ("koi8-r", "xml")),
    ],
)
def test_an_xml_declaration_counts_where_the_prescan_finds_none(start, expected):
    assert declared((start + "<html>Привет").encode("koi8-r")) == expected


def test_a_charset_that_browsers_refuse_hides_what_comes_after_and_is_not_obeyed():
    assert declared(koi8(f"<meta charset=hz-gb-2312>{KOI8}")) == ("replacement", "meta")
    text = "<meta charset=iso-2022-kr><p>naïve café, déjà vu"
    assert decode(text.encode()).text == text


@pytest.mark.parametrize(
    ("label", "name"),
    [
        (" \tKOI8-R\n", "koi8-r"),
        ("unicode20utf8", "utf-8"),
        ("csunicode", "utf-16le"),
        ("unicodeFFFE", "utf-16be"),
        ("x-user-defined", "windows-1252"),
        ("iso-2022-cn-ext", "replacement"),
        ("utf-7", None),
        ("'utf-8'", None),
        ("\xa0utf-8", None),
        ("\x1futf-8", None),
        ("", None),
    ],
)
def test_labels_mean_what_the_encoding_standard_says(label, name):
    assert encoding_named(label) == name
