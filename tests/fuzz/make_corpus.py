"""Write the kept inputs of the fuzz targets anew: `python tests/fuzz/make_corpus.py`.

They are made of the demo's pages and papers, small and of all widths. What a run finds is added by
hand, as CORPUS/TARGET/found-WHAT, and stays.
"""

import random
from importlib.resources import files
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
SAMPLES = Path(str(files("rowen.samples")))
_WIDTHS = (0, 1, 2)


def _pages():
    pages = sorted(SAMPLES.rglob("*.html")) + sorted(SAMPLES.rglob("*.md"))
    return [path.read_text("utf-8").encode("latin-1", "replace") for path in pages]


def _write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def main():
    """Write them."""
    drawn = random.Random(1)  # repeatable, not secret
    pages = _pages()
    odd = (
        b"<!DOCTYPE html><svg><![CDATA[x]]></svg><script>a<!--<script></script>--></script>"
        b"<p a='1' b=\"2\" c=3 d><!--x--!><title>&amp;</ti"
    )
    for width in _WIDTHS:
        page = pages[width % len(pages)]
        part = page[:700] + bytes([0xE0, 0xE5, 0xFF]) + odd
        _write("html_tokens", f"page-{width}", bytes([width, 0]) + part)
        _write(
            "html_tokens",
            f"hints-{width}",
            bytes([width, 1, 3, 4, 1, 9, 2, 30, 4]) + odd + page[:200],
        )
        _write("html_outline", f"page-{width}", bytes([width]) + part)
        literal = (
            b'{"a":[1,-2.5e3,"x\\"y",true,null,],b:\'it\\\'s\',/*c*/"c":!0,d(){return /[/]"/},'
            b"e:new Date(1),f:[,,{}],...g,h:`i${j}`,k:[1]+{},\xe0\xff:undefined//l\n}"
        )
        _write("data_scan", f"literal-{width}", bytes([width, 40, 0]) + literal)
        _write("data_scan", f"json-{width}", bytes([width, 3, 9]) + b'[{"a":{"b":[[1]]}}, 2]')
        program = bytes(drawn.randrange(256) for _ in range(60))
        _write("token_scan", f"page-{width}", bytes([width, 44]) + program + part)
        steps = bytes(random.Random(width).randrange(256) for _ in range(70))
        parts = b"".join(bytes([29]) + page[i : i + 30] for i in range(0, 300, 30))
        _write("quiet", f"automaton-{width}", bytes([4 * width, 3, 2]) + steps + parts)
        _write(
            "json_lines",
            f"text-{width}",
            bytes([width]) + bytes(8) + bytes(range(256)) + page[:100],
        )
        rows = b"".join(b"<li><b>%d</b> <i>%d</i></li>" % (i, i * i) for i in range(9))
        delimiters = b"\x02<ul\x02</u\x02<li\x02</l\x02<b>\x02</b\x02<i>\x02</i"
        for form in (1, 1 | 8, 1 | 8 | 16, 1 | 32, 1 | 8 | 16 | 32, 1 | 32 | 64 | 128):
            _write(
                "scan",
                f"list-{width}-{form}",
                bytes([width, form]) + delimiters + b"<ul>" + rows + b"</ul>",
            )
        text = page[:300]
        _write(
            "segments",
            f"lines-{width}",
            bytes([width, (width + 1) % 3, 1, 0])
            + b"\n"
            + bytes([1])
            + b". "
            + bytes(12)
            + text
            + text[:120]
            + b"x"
            + text[120:],
        )
        _write("fingerprint", f"words-{width}", bytes([width]) + bytes(8) + page[:400])
        for least in (1, 4, 12, 20):
            old = page[:180]
            new = old[:60] + b"new words\n" + old[50:]
            _write("match", f"edit-{width}-{least}", bytes([width, least, len(old)]) + old + new)
        _write("match", f"periodic-{width}", bytes([width, 13, 120]) + b"ab" * 60 + b"ab" * 70)
        _write("suffix_sort", f"text-{width}", bytes([width + 30]) + page[:300])
        _write("suffix_sort", f"periodic-{width}", bytes([width]) + b"aab" * 90)
        _write(
            "substrings",
            f"texts-{width}",
            bytes([7, width])
            + bytes(range(32))
            + page[:100]
            + b"\0"
            + page[:100]
            + b"\0"
            + page[50:120],
        )
        for name in ("near_index", "chain", "chain_training", "pdf_characters"):
            _write(name, f"drawn-{width}", bytes(drawn.randrange(256) for _ in range(400)))
        key_and_pages = random.Random(width).randbytes(1040 + 1024 * width + 500)
        _write("universal_hash", f"pages-{width}", key_and_pages)
        _write(
            "pdf_shapes", f"drawn-{width}", b"\x64\x00\x3c" + random.Random(width).randbytes(800)
        )
        _write(
            "near_index",
            f"close-{width}",
            bytes([width * 8, 1]) + bytes(drawn.choice((1, 4, 14, 7, 15)) for _ in range(500)),
        )
        _write(
            "pdf_characters",
            f"many-{width}",
            bytes([100, 0, 60]) + bytes(drawn.randrange(40, 80) for _ in range(2000)),
        )


if __name__ == "__main__":
    main()
