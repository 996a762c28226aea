"""Binary formats, recognized by their first bytes, so that an error can say what a file is."""

import re

SURE = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"\x7fELF",
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"SQLite format 3\x00",
    b"\x00asm",
)
"""First bytes that no text has. Other formats may begin like prose: `GIF89a`, `BM`, `MZ`."""

_FORMATS = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b\x08", "compressed with gzip"),
    (b"BZh", "compressed with bzip2"),
    (b"\xfd7zXZ\x00", "compressed with xz"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"RIFF", "a sound, a film or a WebP image"),
    (b"OggS", "a sound or a film"),
    (b"ID3", "a sound"),
    (b"wOF", "a font"),
    (b"\x00\x01\x00\x00", "a font"),
    (b"OTTO", "a font"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x00asm", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet table"),
)
_FILM = re.compile(rb"....ftyp", re.DOTALL)

_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\f\r\x1b"))
_SAMPLE = 4096
_TOLERATED = 50
"""Text may have one control character in this many; programs and images have one in ten or more."""


def is_noise(data: bytes) -> bool:
    """Whether data has too many control characters to be text in a charset that extends ASCII."""
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls * _TOLERATED > len(sample)


def refusal(data: bytes) -> str:
    """Say why binary data is not a page; the sentence continues the page's name."""
    for prefix, name in _FORMATS:
        if data.startswith(prefix):
            return f"is {name}, not a page of text or HTML"
    if _FILM.match(data):
        return "is a film, a sound or an AVIF image, not a page of text or HTML"
    # PDF readers accept the header anywhere in the first 1024 bytes, so such files are common.
    if b"%PDF-" in data[:1024]:
        return "is a PDF, not a page of text or HTML"
    return "is binary data, not a page of text or HTML"
