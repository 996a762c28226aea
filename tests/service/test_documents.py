"""What a document is, and what it says to a reader."""

import pytest

from rowen.model.errors import DocumentError
from rowen.service.uploads import clean_name
from rowen.service.visible import visible_text
from rowen.text.sniffing import media_type_of


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.7\n...", "application/pdf"),
        (b"rubbish\r\n\r\n%PDF-1.4\n\xe2\xe3\xcf\xd3", "application/pdf"),
        (b"A text about %PDF-1.4", "text/plain"),
        (b"<p>About %PDF-1.4</p>", "text/html"),
        (b"<!DOCTYPE html>", "text/html"),
        (b"\xef\xbb\xbf<html>", "text/html"),
        ("<html>".encode("utf-16"), "text/html"),
        (b"plain", "text/plain"),
        ("日本語".encode(), "text/plain"),
        ("日本語".encode()[:-1], "text/plain"),
    ],
)
def test_document_types_are_detected_by_their_beginning(head, kind):
    assert media_type_of(head) == kind


@pytest.mark.parametrize("head", [b"PK\x03\x04", b"\x7fELF\x02\x01", bytes(range(256))])
def test_what_is_no_document_is_refused(head):
    with pytest.raises(DocumentError):
        media_type_of(head)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<p>b", "a\nb\n"),
        ("<p>a <b>b</b>\n c</p>", "a b c\n"),
        ("<style>p{}</style><script>x</script>seen<!-- not -->", "seen\n"),
        ("&lt;b&gt; &amp;amp;", "<b> &amp;\n"),
        ("a<br>b<td>c", "a\nb\nc\n"),
        ("a\0b", "a\ufffdb\n"),
        ("", ""),
        ("<", "<\n"),
    ],
)
def test_a_reader_sees_text(html, text):
    assert visible_text(html) == text


@pytest.mark.parametrize(
    ("name", "clean"),
    [(b"a/b.pdf", "b.pdf"), (b"a\r\nb", "a\ufffd\ufffdb"), (b"\xff", "\ufffd"), (b"", "")],
)
def test_names_are_cleaned(name, clean):
    assert clean_name(name) == clean
