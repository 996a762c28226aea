"""Build the documentation into build/site, and fail if a link or an anchor leads nowhere.

python docs/build.py

Zensical checks the links that are written in Markdown. What is checked here is the result, so that
links in HTML and in generated pages count, too.
"""  # noqa: INP001  # a script

import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Build, complete and check the site."""
    site = build(ROOT)
    faults = list(broken_links(site))
    for fault in faults:
        print(fault, file=sys.stderr)  # noqa: T201  # a script
    if faults:
        sys.exit(1)


def build(root: Path) -> Path:
    """Build the site of a folder with a mkdocs.yml; returns where it is."""
    site = root / "build" / "site"
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=root, check=False)  # noqa: S603  # our own arguments
    if done.returncode or not site.is_dir():
        sys.exit(done.returncode or 1)
    if (plots := root / "benchmarks" / "plots").is_dir():
        shutil.copytree(plots, site / "plots", dirs_exist_ok=True)
    # A browser fetches no JSON from a folder, but loads scripts: the search then asks for this one.
    index = (site / "search.json").read_text("utf-8")
    (site / "search.js").write_text(f"var __index = {index};\n", "utf-8")
    return site


class _Links(HTMLParser):
    """The anchors of a page, and what its links, pictures and scripts name."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "__top"}
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what an element names."""
        values = dict(attrs)
        for name in ("id", "name"):
            if value := values.get(name):
                self.anchors.add(value)
        if tag != "link" or values.get("rel") in {"stylesheet", "icon"}:
            self.targets += filter(None, (values.get("href"), values.get("src")))


def broken_links(site: Path) -> Iterator[str]:
    """A line for each link inside the site that leads nowhere."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        pages[path] = parser = _Links()
        parser.feed(path.read_text("utf-8"))
    for path, page in pages.items():
        if path.name == "404.html":  # served for any address, with links from the root
            continue
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            place = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            other = pages.get(place)
            if not place.exists():
                yield f"{path.name}: {target} is not there"
            elif other is not None and unquote(parts.fragment) not in other.anchors:
                yield f"{path.name}: {target} has no such anchor"


if __name__ == "__main__":
    main()
