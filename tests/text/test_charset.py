"""Bytes to text: the precedence of what tells a charset, round trips, and hostile input."""

import os
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rowen.model import DocumentError, Page
from rowen.text.charset import decode, read_page

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. "
GREEK = "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. "

# label, Python's codec, characters that both know
CHARSETS = [
    ("utf-8", "utf-8", "aé漢я€😀"),
    ("iso-8859-1", "cp1252", "aé€ß“”"),
    ("windows-1250", "cp1250", "ažščř"),
    ("windows-1251", "cp1251", "aяжЮё"),
    ("windows-1253", "cp1253", "aωψΞ"),
    ("windows-1254", "cp1254", "aşğİ"),
    ("windows-1255", "cp1255", "aאבג"),
    ("windows-1256", "cp1256", "aبتث"),
    ("windows-874", "cp874", "aกขค"),
    ("iso-8859-2", "iso8859-2", "ažšč"),
    ("iso-8859-5", "iso8859-5", "aяжЮ"),
    ("iso-8859-15", "iso8859-15", "aé€Œ"),
    ("koi8-r", "koi8-r", "aяжЮ"),
    ("koi8-u", "koi8-u", "aяїє"),
    ("macintosh", "mac-roman", "aéß"),
    ("gb2312", "gb18030", "a汉字€"),
    ("gb18030", "gb18030", "a汉字😀"),
    ("big5", "big5", "a漢字"),
    ("shift_jis", "cp932", "aあ漢カ"),
    ("euc-jp", "euc-jp", "aあ漢カ"),
    ("iso-2022-jp", "iso2022_jp", "aあ漢"),
    ("euc-kr", "cp949", "a한글"),
]


@st.composite
def encoded(draw):
    label, codec, alphabet = draw(st.sampled_from(CHARSETS))
    text = draw(st.text(alphabet + " \r\n", min_size=1, max_size=60))
    return label, codec, text


@given(encoded())
def test_a_charset_in_the_http_header_gives_the_text_back(case):
    label, codec, text = case
    assert decode(text.encode(codec), http_charset=label.upper()).text == text


@given(encoded(), st.sampled_from(["<meta charset={}>", "<META charset = '{}' />"]))
def test_a_charset_in_a_meta_gives_the_text_back(case, meta):
    label, codec, text = case
    page = f"<!DOCTYPE html><title>{text}</title>{meta.format(label)}<p>{text}"
    assert decode(page.encode(codec)).text == page


@given(encoded())
def test_a_charset_in_a_pragma_gives_the_text_back(case):
    label, codec, text = case
    pragma = f'<meta content="text/html; charset={label}" http-equiv=Content-Type>'
    page = f"<html><head>{pragma}</head>{text}"
    assert decode(page.encode(codec)).text == page


@given(encoded())
def test_a_charset_in_an_xml_declaration_gives_the_text_back(case):
    label, codec, text = case
    page = f"<?xml version='1.0' encoding='{label}'?>\n<html>{text}</html>"
    assert decode(page.encode(codec)).text == page


@given(st.text(), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]))
def test_a_byte_order_mark_decides_and_is_no_part_of_the_text(text, codec):
    if codec == "utf-16-le" and text.startswith("\x00"):
        text = "a" + text  # would read as the mark of UTF-32
    found = decode(("\ufeff" + text).encode(codec), http_charset="koi8-r")
    assert (found.text, found.evidence, found.broken) == (text, "bom", 0)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_undeclared_utf_8_gives_the_text_back(text):
    data = text.encode()
    if not data.startswith((b"%PDF-", b"\xef\xbb\xbf")) and "<" not in text:
        assert decode(data).text == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_charsets_are_detected_without_a_mark(codec):
    page = f"<html><p>{RUSSIAN}</p>\r\n</html>"
    found = decode(page.encode(codec))
    assert (found.text, found.evidence) == (page, "content")


@pytest.mark.parametrize(
    ("codec", "text", "charset"),
    [
        ("cp1251", RUSSIAN * 3, "windows-1251"),
        ("cp1253", GREEK * 3, "windows-1253"),
        ("cp932", "これは日本語の文章です。漢字とかなが混ざっています。" * 3, "shift_jis"),
        ("euc-kr", "이것은 한국어 문장입니다. 문자 집합을 알아내야 합니다. " * 3, "euc-kr"),
        ("iso2022_jp", "これは日本語の文章です。", "iso-2022-jp"),
        ("cp1252", "Ein schöner Tag für Müßiggänger: naïve façades. " * 3, "windows-1252"),
    ],
)
def test_undeclared_legacy_charsets_are_detected(codec, text, charset):
    found = decode(text.encode(codec))
    assert (found.text, found.charset, found.evidence) == (text, charset, "content")


def test_detection_looks_at_the_first_foreign_bytes_of_a_long_page():
    text = "a" * 300_000 + RUSSIAN * 3
    assert decode(text.encode("cp1251")).text == text


def page_in_koi8(meta):
    return f"<html>{meta}<p>{RUSSIAN}</p></html>"


def test_the_mark_goes_before_the_http_header():
    data = b"\xef\xbb\xbf" + "é".encode()
    assert decode(data, http_charset="windows-1251").text == "é"


def test_the_http_header_goes_before_the_meta():
    page = page_in_koi8("<meta charset=windows-1251>")
    found = decode(page.encode("koi8-r"), http_charset="koi8-r")
    assert (found.text, found.charset, found.evidence) == (page, "koi8-r", "http")


def test_the_meta_goes_before_the_content():
    page = page_in_koi8("<meta charset=koi8-r>")
    found = decode(page.encode("koi8-r"))
    assert (found.text, found.charset, found.evidence) == (page, "koi8-r", "meta")
    declared_latin = b"<meta charset=latin1>" + "é".encode()
    assert decode(declared_latin).text == "<meta charset=latin1>Ã©"


def test_a_meta_far_down_counts():
    page = f"<html><script>{'x' * 5000}</script><meta charset=koi8-r>{RUSSIAN}"
    assert decode(page.encode("koi8-r")).text == page


def test_a_meta_in_a_comment_does_not_count():
    page = page_in_koi8("<!-- <meta charset=greek> --><!--><meta charset=koi8-r>")
    assert decode(page.encode("koi8-r")).text == page


@pytest.mark.parametrize("meta", ["<meta name=charset content='x; charset=greek'>", "<metadata>"])
def test_what_only_looks_like_a_declaration_does_not_count(meta):
    page = f"<html>{meta}<p>é"
    assert decode(page.encode()).text == page


def test_a_meta_shown_in_prose_does_not_count():
    text = "# Charsets: a leçon\n\nWrite `<meta charset=shift_jis>` on your page.\n"
    assert decode(text.encode()).text == text


def test_a_meta_that_says_utf_16_means_utf_8():
    page = "<meta charset=utf-16><p>é"
    assert decode(page.encode()).text == page


def test_ascii_that_claims_utf_16_in_its_header_is_ascii():
    assert decode(b"<p>hello", http_charset="utf-16").text == "<p>hello"


def test_utf_16_in_the_http_header_counts_without_a_mark():
    found = decode("дом и сад".encode("utf-16-be"), http_charset="UTF-16BE")
    assert (found.text, found.evidence) == ("дом и сад", "http")


@pytest.mark.parametrize("label", ["none", "", "utf_8;", "x" * 5000, "hz-gb-2312", "utf-7", "\xe9"])
def test_an_unknown_label_is_passed_over(label):
    page = page_in_koi8("<meta charset=koi8-r>")
    assert decode(page.encode("koi8-r"), http_charset=label).text == page


def test_a_wrong_utf_8_declaration_gives_way_to_the_meta():
    page = page_in_koi8("<meta charset=koi8-r>")
    found = decode(page.encode("koi8-r"), http_charset="utf-8")
    assert (found.text, found.evidence) == (page, "meta")


def test_a_wrong_utf_8_declaration_gives_way_to_detection():
    page = "<meta charset=utf-8><p>" + RUSSIAN * 3
    found = decode(page.encode("cp1251"))
    assert (found.text, found.charset, found.evidence) == (page, "windows-1251", "content")


def test_a_wrong_legacy_declaration_gives_way_to_valid_utf_8():
    page = "<meta charset=euc-jp><p>12 € for a naïve façade"
    assert decode(page.encode()).text == page


def test_one_broken_byte_does_not_turn_utf_8_into_something_else():
    data = (RUSSIAN + "?" + RUSSIAN).encode().replace(b"?", b"\xd0")
    for charset in (None, "utf-8"):
        found = decode(data, http_charset=charset)
        assert found.text == RUSSIAN + "\ufffd" + RUSSIAN
        assert (found.charset, found.broken) == ("utf-8", 1)


def test_a_declared_legacy_page_cut_in_a_character_keeps_its_charset():
    page = f"<meta charset=gbk>{'汉字编码的网页' * 10}"
    found = decode(page.encode("gbk")[:-1])
    assert found.text == page[:-1] + "\ufffd"
    assert (found.charset, found.evidence, found.broken) == ("gbk", "meta", 1)


def test_newlines_stay_as_they_are():
    assert decode(b"a\r\nb\rc\n\xc3\xa9").text == "a\r\nb\rc\né"


def test_stray_control_characters_are_text():
    text = "a\x00b" + "é" * 200
    assert decode(text.encode()).text == text
    terminal = "\x1b[31mred\x1b[0m"
    assert decode(terminal.encode()).text == terminal


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"%PDF-1.7\n1 0 obj", "a PDF"),
        (b"junk\x00\xff%PDF-1.7\n\xe2\xe3\x00\x01\x02", "a PDF"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a PNG"),
        (b"GIF89a\x01\x00\x01\x00\x80\x00", "a GIF"),
        (b"PK\x03\x04\x14\x00", "a ZIP"),
        (b"\x1f\x8b\x08\x00abc", "gzip"),
        (b"\x7fELF\x02\x01\x01", "a program"),
        (b"MZ\x90\x00\x03\x00\x00\x00\x04\x00", "a program"),
        (b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00", "a film"),
        (bytes(range(256)) * 20, "binary data"),
    ],
)
def test_binary_data_is_refused_by_its_name(data, name):
    with pytest.raises(DocumentError, match=f"^x: is .*{name}.*, not a page of text or HTML$"):
        decode(data, "x")


@pytest.mark.parametrize("text", ["GIF89a is a format.", "BMW", "MZ", "RIFF: a story", "Rar!"])
def test_prose_that_begins_like_a_format_is_text(text):
    assert decode(text.encode()).text == text


def test_a_page_above_the_limit_is_refused():
    assert read_page(b"12345", "x", limit=5) == Page("12345", "x")
    with pytest.raises(DocumentError, match="x: is larger than the limit of 5 bytes"):
        read_page(b"123456", "x", limit=5)


def test_an_empty_page_is_a_page():
    assert read_page(b"", "x") == Page("", "x")


@given(st.binary(), st.none() | st.text(max_size=10) | st.sampled_from([c[0] for c in CHARSETS]))
@example(b"\xff\xfe\x00", None)
@example(b"\xff\xfe\x00\x00\x01", None)
@example(b"\x00\x00\xfe\xff\xff", None)
@example(b"\x1b$B\xff", "iso-2022-jp")
def test_random_bytes_are_text_or_a_document_error(data, charset):
    try:
        found = decode(data, "x", http_charset=charset)
    except DocumentError:
        return
    found.text.encode()  # no halves of surrogate pairs
    assert found.broken <= found.text.count("\ufffd")


FRAGMENTS = [b"<!--", b"-->", b"<meta ", b"charset=", b"koi8-r", b'"', b"'", b">", b"\xe9", b" "]


@given(st.lists(st.sampled_from([*FRAGMENTS, b"<?xml ", b" encoding=", b"http-equiv=", b"<"])))
def test_broken_declarations_never_fail(parts):
    decode(b"<" + b"".join(parts) + b"\xe9")


@pytest.mark.parametrize(
    "part", [b"<!--", b"<meta ", b"<meta a='", b'<meta a="b" ', b"<meta a", b"<meta\n \n", b"="]
)
def test_hostile_declarations_take_linear_time(part):
    data = b"<" + part * (100_000 // len(part)) + b"\xe9"
    assert decode(data, http_charset=None).text


def test_plain_utf_8_pages_do_not_load_the_detector():
    code = (
        "import sys; from rowen.text.charset import decode\n"
        "decode('<meta charset=utf-8>é'.encode()); decode(b'<meta charset=latin1>\\xe9')\n"
        "assert 'turbohtml' not in sys.modules"
    )
    paths = os.pathsep.join(filter(None, sys.path))
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": paths})
