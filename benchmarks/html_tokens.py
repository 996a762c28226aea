"""How fast HTML is tokenized and parsed, beside turbohtml on the same pages in the same run."""

from collections import deque
from collections.abc import Callable

import turbohtml

from benchmarks.measure import Table, best_of
from benchmarks.shared import pages
from rowen.text.html_tokens import tokenize
from rowen.text.tree import parse

SAMPLE = (
    '<div class="product"><h2 id="p1">Caf\u00e9 table &amp; chair</h2>\r\n'
    "<p>A table of oiled oak for four people, with a chair that folds away beneath it.</p>\n"
    "<!-- price --><a href='/buy?id=1&amp;n=2'>Buy <b>now</b></a><br/></div>\n"
) * 5000


def run() -> Table:
    """Throughput over real pages, or over a made-up one where the shared data is not there."""
    texts = pages("wrappers/swde.tar.xz", every=8) or [SAMPLE]
    megabytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / 1e6
    works: dict[str, Callable[[str], object]] = {
        "rowen, columns": tokenize,
        "rowen, token objects": lambda text: deque(tokenize(text), maxlen=0),
        "rowen, tree": parse,
        "turbohtml, token objects": lambda text: deque(turbohtml.tokenize(text), maxlen=0),
        "turbohtml, tree": lambda text: turbohtml.parse(text, source_locations=True),
    }
    ways = {
        name: lambda work=work: deque(map(work, texts), maxlen=0) for name, work in works.items()
    }
    seconds = best_of(ways, rounds=3)
    base = seconds["turbohtml, token objects"]
    title = f"html: {len(texts)} pages, {megabytes:.1f} MB"
    table = Table(title, ("what", "MB/s", "times turbohtml's tokens"))
    for name, took in seconds.items():
        table.add(name, f"{megabytes / took:.1f}", f"{base / took:.2f}")
    return table


if __name__ == "__main__":
    print(run())
