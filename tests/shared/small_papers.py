"""Small papers as PDF, each with a title, authors, an abstract and references of its own."""

import io
import random
import textwrap
import zipfile

from pdfs import pdf

_WORDS = """amber birch cedar delta ember frost grain harbor island jasper kernel lantern meadow
nectar orchid pepper quartz ribbon saddle timber umber velvet willow yonder zephyr"""
WORDS = tuple(_WORDS.split())


_OTHERS = (
    "D. E. Knuth. Literate programming. The Computer Journal, 27, 97-111, 1984.",
    "A. M. Turing. Computing machinery and intelligence. Mind, 59, 433-460, 1950.",
    "G. M. Hopper. The education of a computer. Proceedings of the ACM, 243-249, 1952.",
)


def title_of(number):
    first, second = WORDS[number % 25], WORDS[number // 25 % 25]
    return f"The {first} and {second} method for reading documents number {number}"


def paper(number, *, cites=()):
    """A paper of one page; `cites` are the numbers of others."""
    first, second = textwrap.wrap(title_of(number), 48)
    lines = [
        (100, 720, 17, first),
        (100, 700, 17, second),
        (220, 670, 11, f"Ada {WORDS[number % 25].title()} and Alan {WORDS[number % 7].title()}"),
        (220, 655, 9, "University of Reading"),
        (100, 620, 10, "Abstract"),
        (100, 606, 10, f"We study the {WORDS[number % 25]} of documents and find it useful."),
        (100, 570, 12, "1 Introduction"),
    ]
    own = random.Random(number)
    lines += [(100, 552 - 12 * row, 10, " ".join(own.choices(WORDS, k=8))) for row in range(12)]
    lines.append((100, 380, 12, "References"))
    texts = [
        f"A. {WORDS[other % 25].title()}. {title_of(other)}. Journal of Reading, 1, 2001."
        for other in cites
    ]
    for row, text in enumerate([*texts, *_OTHERS], start=1):
        lines.append((100, 374 - 12 * row, 9, f"[{row}] {text}"))
    return pdf([lines], bold=frozenset({first, second, "Abstract"}))


def archive(files):
    """A zip archive of files by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(name, content)
    return buffer.getvalue()
