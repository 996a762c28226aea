"""Small PDFs, written by hand: text at given places."""

from collections.abc import Iterable, Sequence

Text = tuple[float, float, float, str]
"""Left, baseline, size and the text itself."""


def pdf(pages: Iterable[Sequence[Text]], *, bold: frozenset[str] = frozenset()) -> bytes:
    """A PDF of pages of 612 by 792 points, set in Helvetica; texts in `bold` in its bold face."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    for name in (b"Helvetica", b"Helvetica-Bold"):
        kind = b"/Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding"
        objects.append(b"<< %s /BaseFont /%s >>" % (kind, name))
    kids = []
    for texts in pages:
        content = b"\n".join(
            b"BT /F%d %g Tf %g %g Td (%s) Tj ET"
            % (2 if text in bold else 1, size, left, baseline, _escaped(text))
            for left, baseline, size, text in texts
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % len(objects)
        )
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(b"%d 0 R" % kid for kid in kids),
        len(kids),
    )
    written = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    written += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
    )
    return written


def _escaped(text: str) -> bytes:
    raw = text.encode("cp1252")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
