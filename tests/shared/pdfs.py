"""Small PDFs, written by hand: text at given places."""

import hashlib
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
        objects.append(stream(content))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % len(objects)
        )
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(b"%d 0 R" % kid for kid in kids),
        len(kids),
    )
    return written(objects)


def written(objects: Sequence[bytes], *, trailer: bytes = b"") -> bytes:
    """A file of objects, numbered from 1, the first of which is the catalogue."""
    file = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    file += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        trailer,
        table,
    )
    return bytes(file)


def stream(content: bytes, extra: bytes = b"") -> bytes:
    """The object of a stream."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), extra, content)


def one_page(
    content: bytes, *, font: bytes = b"", more: Sequence[bytes] = (), box: bytes = b"0 0 612 792",
    extra: bytes = b"",
) -> bytes:  # fmt: skip
    """A PDF of one page with this content; `more` are objects from number 6 on."""
    plain = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents 4 0 R /Resources "
            b"<< /Font << /F1 5 0 R >> >> >>" % box,
            stream(content, extra),
            font or plain,
            *more,
        ]
    )


def wide(lines: Iterable[tuple[float, float, float, str]], *, mapped: bool = True) -> bytes:
    """A page in a font of all of Unicode's first plane, an em each; `mapped` tells its meaning."""
    texts = list(lines)
    content = b"\n".join(
        b"BT /F1 %g Tf %g %g Td <%s> Tj ET" % (size, left, baseline, _coded(text))
        for left, baseline, size, text in texts
    )
    letters = sorted({letter for *_, text in texts for letter in text})
    pairs = b"\n".join(b"<%s> <%s>" % (_coded(letter), _coded(letter)) for letter in letters)
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def "
        b"1 begincodespacerange <0000> <ffff> endcodespacerange\n%d beginbfchar\n%s\nendbfchar "
        b"endcmap end end" % (len(letters), pairs)
    )
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Wide /Encoding /Identity-H "
        b"/DescendantFonts [6 0 R] %s >>" % (b"/ToUnicode 8 0 R" if mapped else b"")
    )
    descendant = (
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Wide /DW 600 /FontDescriptor 7 0 R "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
    )
    descriptor = (
        b"<< /Type /FontDescriptor /FontName /Wide /Flags 4 /FontBBox [0 -200 1000 800] "
        b"/ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>"
    )
    return one_page(content, font=font, more=[descendant, descriptor, stream(cmap)])


def _coded(text: str) -> bytes:
    return text.encode("utf-16-be").hex().encode()


def encrypted(text: str, *, password: bytes) -> bytes:
    """A page of text, encrypted by the standard's first handler (RC4 with 40 bits)."""
    owner = _rc4(hashlib.md5(_padded(b"owner")).digest()[:5], _padded(password))
    rights, identity = -4 & 0xFFFFFFFF, b"0123456789abcdef"
    seed = _padded(password) + owner + rights.to_bytes(4, "little") + identity
    key = hashlib.md5(seed).digest()[:5]
    content = b"BT /F1 12 Tf 72 700 Td (%s) Tj ET" % _escaped(text)
    own = hashlib.md5(key + (4).to_bytes(3, "little") + b"\0\0").digest()[:10]
    plain = one_page(content).replace(content, _rc4(own, content))
    lock = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (
        owner.hex().encode(),
        _rc4(key, _PADDING).hex().encode(),
    )
    identity = identity.hex().encode()
    return plain.replace(
        b"/Root 1 0 R", b"/Root 1 0 R /Encrypt %s /ID [<%s> <%s>]" % (lock, identity, identity)
    )


_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def _padded(password: bytes) -> bytes:
    return (password + _PADDING)[:32]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    output = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        output.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(output)


def _escaped(text: str) -> bytes:
    raw = text.encode("cp1252")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
