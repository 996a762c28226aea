"""Files that are broken, hostile or unusual: a clear error, or the best honest result."""

import random
import zlib
from importlib.resources import files
from pathlib import Path

import pytest
from pdfs import encrypted, one_page, pdf, stream, wide, written

import rowen
from rowen.model.errors import DocumentError, LimitError
from rowen.papers.paper import Paper
from rowen.papers.subprocess import open_readers, seconds_for

PAPERS = Path(str(files("rowen.samples"))) / "papers"
WORDS = b"BT /F1 12 Tf 72 700 Td (Some words of a text) Tj ET"


@pytest.fixture(scope="module")
def readers():
    with open_readers(1) as opened:
        yield opened


def test_an_encrypted_file_that_needs_no_password_is_read():
    paper = rowen.read_paper(encrypted("What everyone may read", password=b""))
    assert paper.text == "What everyone may read"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            encrypted("What few may read", password=b"secret"),
            "it is encrypted and needs a password",
        ),
        ((PAPERS / "jose.00050.pdf").read_bytes()[:40_000], "a PDF, but broken or cut off"),
        (b"", "it is empty"),
        (bytes(5000), "it is not a PDF"),
        (pdf([[], []]), "it has no text layer"),
        (one_page(b"q 600 0 0 700 0 0 cm /X Do Q"), "it has no text layer"),
        (wide([(72, 700, 12, "\ue000\ue001\ue002 \ue003\ue004")]), "100% of the characters"),
        (wide([(72, 700, 12, "\ufffd\ufffd\ufffd ok")]), "60% of the characters"),
    ],
    ids=["password", "cut off", "empty", "zeros", "blank", "scan", "private", "unknown"],
)
@pytest.mark.parametrize("kind", ["bytes", "file"])
def test_what_cannot_be_read_says_why(content, reason, kind, tmp_path):
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(DocumentError, match=reason):
        rowen.read_paper(content if kind == "bytes" else tmp_path / "a.pdf")


def test_a_file_that_is_not_there():
    with pytest.raises(DocumentError, match=r"nowhere\.pdf: can't open it"):
        rowen.read_paper("nowhere.pdf")


@pytest.mark.parametrize(
    ("make", "warning"),
    [
        (
            lambda: pdf([[(72, 700, 9, f"Page {i}")] for i in range(2001)]),
            "first 2,000 of 2,001 pages",
        ),
        (lambda: pdf([[(72, 700, 9, "Some words")], [], []]), "2 of 3 pages have no text"),
        (
            lambda: wide([(72, 700, 9, "Qxkw zvgjf")], mapped=False),
            "100% of the characters may be wrong",
        ),
        (
            lambda: wide([(72, 700, 9, "Some words \ue000\ue001")]),
            "18% of the characters have no meaning",
        ),
        (
            lambda: pdf([[(9, 1.9 * i, 2, "x" * 150) for i in range(400)]]),
            "50,000 characters were read",
        ),
    ],
    ids=["pages", "pictures", "unmapped", "private", "crowded"],
)
def test_what_is_read_in_part_says_so(make, warning):
    paper = rowen.read_paper(make())
    [told] = paper.warnings
    assert warning in told
    assert paper.to_dict()["warnings"] == [told]


def test_letters_without_a_map_that_read_well_are_no_reason_for_a_warning():
    assert rowen.read_paper(wide([(72, 700, 9, "Some words")], mapped=False)).warnings == ()


def test_a_paper_that_is_read_in_full_has_no_warnings():
    assert "warnings" not in rowen.read_paper(PAPERS / "jose.00050.pdf").to_dict()


@pytest.mark.parametrize(
    "text",
    ["שלום עולם זה מאמר", "مرحبا بالعالم هذا نص", "המאמר של ABC def משנת 2004 כאן"],
    ids=["Hebrew", "Arabic", "mixed"],
)
def test_text_from_right_to_left_is_in_the_order_of_reading(text):
    shown = []  # from left to right, as it is seen
    for word in reversed(text.split()):
        latin = word.isascii()
        if latin and shown and shown[-1][0]:
            shown[-1][1].insert(0, word)
        else:
            shown.append((latin, [word] if latin else [word[::-1]]))
    seen = " ".join(" ".join(words) for _, words in shown)
    assert rowen.read_paper(wide([(72, 700, 12, seen)])).text == text


def test_words_from_right_to_left_amid_others():
    seen = f"The words {'שלום עולם'[::-1]} are Hebrew"
    assert rowen.read_paper(wide([(72, 700, 12, seen)])).text == "The words שלום עולם are Hebrew"


def test_chinese_lines_are_joined_without_spaces():
    lines = ["这是一个测试文本用来", "检查行的连接。第二句", "话在这里。"]
    content = wide([(72, 700 - 14 * i, 12, line) for i, line in enumerate(lines)])
    assert rowen.read_paper(content).text == "".join(lines)


def tree(*pages):
    return written([b"<< /Type /Catalog /Pages 2 0 R >>", *pages])


def tower(height, width):
    """Forms that show a form `width` times, which shows another: width ** height in all."""
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /XObject << /X 5 0 R >> >> >>"
    )
    kind = b"/Type /XObject /Subtype /Form /BBox [0 0 600 700]"
    forms = [
        stream(b"/X Do " * width, kind + b" /Resources << /XObject << /X %d 0 R >> >>" % (6 + i))
        for i in range(height)
    ]
    return tree(
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, stream(b"/X Do"), *forms,
        stream(b"q Q", kind),
    )  # fmt: skip


LEAF = b"<< /Type /Page /MediaBox [0 0 612 792] >>"
# Made when they are needed: some take a second, and every process of the tests reads this file.
HOSTILE = {
    "nested pages": lambda: tree(
        *(b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (i + 3) for i in range(5000)), LEAF
    ),
    "pages in themselves": lambda: tree(b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"),
    "pages that don't exist": lambda: tree(
        b"<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>", LEAF
    ),
    "a page as its own content": lambda: one_page(WORDS).replace(
        b"/Contents 4 0 R", b"/Contents 3 0 R"
    ),
    "nested arrays": lambda: one_page(WORDS).replace(
        b"0 0 612 792", b"[" * 100_000 + b"]" * 100_000
    ),
    "nested states": lambda: one_page(b"q " * 300_000 + WORDS),
    "a bomb": lambda: one_page(
        zlib.compress((WORDS + b"\n") * 400_000, 9), extra=b"/Filter /FlateDecode"
    ),
    "a bomb of blanks": lambda: one_page(
        zlib.compress(zlib.compress(bytes(300_000_000))),
        extra=b"/Filter [/FlateDecode /FlateDecode]",
    ),
    "forms in forms": lambda: tower(12, 10),
    "a form in itself": lambda: tower(1, 3).replace(b"/X 6 0 R", b"/X 5 0 R"),
    "a huge page": lambda: one_page(WORDS, box=b"0 0 1e30 1e30"),
    "a page of no size": lambda: one_page(WORDS, box=b"nan inf -inf 1"),
    "a page inside out": lambda: one_page(WORDS, box=b"612 792 0 0"),
    "huge numbers": lambda: one_page(b"BT /F1 1e30 Tf 1e38 1e38 Td (far) Tj ET " + WORDS),
    "no numbers": lambda: one_page(b"BT /F1 nan Tf nan inf Td (nowhere) Tj ET " + WORDS),
    "100,000 glyphs": lambda: pdf(
        [[((i * 37) % 600, (i * 91) % 780, 3, "abcdefghij"[i % 10]) for i in range(100_000)]]
    ),
}


def attempt(readers, content, name):
    try:
        return readers.call(None, name=name, file=content)
    except DocumentError as error:
        return error


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_in_a_paper_or_in_an_error(readers, name):
    found = attempt(readers, HOSTILE[name](), name)
    assert isinstance(found, Paper | LimitError) or "no text layer" in found.reason
    assert readers.call(None, name="next", file=one_page(WORDS)).text == "Some words of a text"


def test_two_thousand_pages_are_read(readers):
    pages = [
        [(72, 700 - 30 * i, 10, f"Line {i} of {page}") for i in range(3)] for page in range(2000)
    ]
    assert "Line 1 of 1999" in readers.call(None, name="long.pdf", file=pdf(pages)).text


def test_the_time_that_a_file_has_grows_with_its_pages_up_to_a_limit():
    assert [round(seconds_for(pages), 1) for pages in (0, 12, 2000, 10**9)] == [10, 12.4, 410, 410]


def mutants(content, count, seed):
    """The file with bytes changed, left out, doubled or moved."""
    chance = random.Random(seed)
    for _ in range(count):
        changed = bytearray(content)
        for _ in range(chance.choice([1, 3, 10, 100])):
            start = chance.randrange(len(changed))
            end = min(len(changed), start + chance.choice([1, 1, 4, 50, 500]))
            piece = changed[start:end]
            kind = chance.randrange(5)
            if kind == 0:
                changed[start:end] = chance.randbytes(len(piece))
            elif kind == 1:
                del changed[start : max(end, start + 1)]
            elif kind == 2:
                changed[start:start] = piece * chance.choice([1, 2, 50])
            elif kind == 3:
                changed[start:end] = b"9" * len(piece)
            else:
                other = chance.randrange(len(changed))
                changed[other:other] = piece
            if not changed:
                break
        yield bytes(changed)


SEEDS = {
    "by hand": (pdf([[(72, 700, 20, "A Title"), (72, 600, 10, "[1] A. Author. Title.")]]), 150),
    "wide": (wide([(72, 700, 12, "שלום abc 文本")]), 80),
    "encrypted": (encrypted("Some words", password=b""), 80),
    "two columns": ((PAPERS / "jcon.00187.pdf").read_bytes(), 12),
    "one column": ((PAPERS / "jose.00050.pdf").read_bytes(), 12),
}  # fmt: skip


@pytest.mark.parametrize("name", SEEDS)
def test_damaged_files_end_in_a_paper_or_in_an_error_of_theirs(readers, name):
    content, count = SEEDS[name]
    for number, mutant in enumerate(mutants(content, count, seed=5)):
        assert isinstance(attempt(readers, mutant, f"{name} {number}"), Paper | DocumentError)
