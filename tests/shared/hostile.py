"""Documents that were made to do harm."""

import zlib

from pdfs import one_page, stream, written

MEGABYTE = 1 << 20
WORDS = b"BT /F1 12 Tf 72 700 Td (Some words.) Tj ET"


def deflated_zeros(size):
    """A zlib stream of so many zeros, made without compressing all of them."""
    unit = 16 * MEGABYTE
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(unit)) + packer.flush(zlib.Z_FULL_FLUSH)
    count = size // unit
    check = (count * unit % 65521) << 16 | 1  # Adler-32 of zeros
    return b"\x78\xda" + piece * count + b"\x03\x00" + check.to_bytes(4, "big")


def bomb():
    """Two gigabytes of a page's content in some kilobytes."""
    packed = deflated_zeros(2048 * MEGABYTE)
    twice = zlib.compress(packed, 9)
    return one_page(twice, extra=b"/Filter [/FlateDecode /FlateDecode]")


def text_bomb():
    """A page that shows the same words for ever."""
    shown = b"BT /F1 1 Tf 10 10 Td (word word word word word) Tj ET\n"
    packed = zlib.compress(shown * 2_000_000, 9)
    return one_page(packed, extra=b"/Filter /FlateDecode")


def form_bomb():
    """Forms that draw forms, ten each and twelve deep: a million million in three kilobytes."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources %s >>"
        % b"<< /XObject << /X 5 0 R >> >>",
        stream(b"/X Do " * 10),
    ]
    for depth in range(12):
        inner = b"/Resources << /XObject << /X %d 0 R >> >>" % (len(objects) + 2)
        kind = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792]"
        objects.append(stream(b"/X Do " * 10, kind + (inner if depth < 11 else b"")))
    return written(objects)


def many_pages(count):
    """So many pages."""
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 5 + count))
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 3 0 R >> >> >>"
    )
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            stream(b"BT /F1 12 Tf 72 700 Td (A page of many.) Tj ET"),
            *[page] * count,
        ]
    )


def deep_tree(depth):
    """A page below so many nodes."""
    nodes = [
        b"<< /Type /Pages /Kids [%d 0 R] /Count 1 /Parent %d 0 R >>" % (number + 3, number + 1)
        for number in range(depth)
    ]
    page = b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] /Contents %d 0 R >>" % (
        depth + 1,
        depth + 3,
    )
    return written([b"<< /Type /Catalog /Pages 2 0 R >>", *nodes, page, stream(b"BT (deep) Tj ET")])


def round_tree():
    """Nodes of a page tree that are below each other."""
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 1000000 /Parent 3 0 R >>",
            b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 /Parent 2 0 R >>",
        ]
    )


def deep_arrays(depth):
    """An array in an array, and so on."""
    return one_page(WORDS).replace(
        b"/Type /Page ", b"/Type /Page /Deep %s%s " % (b"[" * depth, b"]" * depth)
    )


def deep_outlines(depth):
    """A chapter in a chapter, and so on; the last is the first again."""
    page = one_page(WORDS)
    entries = b"".join(
        b"%d 0 obj\n<< /Title (a) /Parent %d 0 R /First %d 0 R /Last %d 0 R /Next %d 0 R >>\n"
        b"endobj\n" % (10 + i, 9 + i, 11 + i, 11 + i, 10 + i // 2)
        for i in range(depth)
    )
    return page.replace(b"/Pages 2 0 R", b"/Pages 2 0 R /Outlines 10 0 R").replace(
        b"xref\n", entries + b"xref\n", 1
    )


def laughs():
    """Entities of entities, a billion when all are written out."""
    entities = b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
    return b'<!DOCTYPE html [<!ENTITY a "ha">%s]><html>&j; said he</html>' % entities
