"""The built documentation works from a folder: search, phone, dark mode, nothing from elsewhere."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PHONE = {"width": 390, "height": 844}
PAGES = ["index", "gallery", "benchmarks", "recipes", "why", "commands"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built in a folder of its own."""
    folder = tmp_path_factory.mktemp("docs")
    for name in ("docs", "src", "benchmarks/plots"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    build = runpy.run_path(str(ROOT / "docs" / "build.py"), run_name="build")
    built = build["build"](folder)
    assert list(build["broken_links"](built)) == []
    return built


def opened(chromium, site, name, **options):
    """A page of the site, and the requests to anything but the folder."""
    page = chromium.new_context(**options).new_page()
    elsewhere = []
    page.on("request", lambda sent: elsewhere.append(sent.url))
    page.goto((site / f"{name}.html").as_uri())
    page.wait_for_load_state("networkidle")
    return page, lambda: [url for url in elsewhere if not url.startswith(("file:", "data:"))]


def test_search_works_from_a_folder(chromium, site):
    page, elsewhere = opened(chromium, site, "index")
    page.keyboard.press("/")
    box = page.locator("input:focus")  # looks into shadow trees, too
    box.wait_for()
    box.fill("reference strings")
    page.get_by_text(re.compile(r"^[1-9]\d* results?$")).wait_for()
    page.get_by_text("rowen.cli.cite", exact=True).first.wait_for()  # its messages name them
    assert elsewhere() == []
    page.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(chromium, site, name):
    page, elsewhere = opened(chromium, site, name, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert elsewhere() == []
    page.context.close()


def test_no_page_shows_markdown_that_was_not_read(site):
    """A block of HTML without `markdown` on it, or an extension that is off, shows its source."""
    for path in site.glob("*.html"):
        text = re.sub(r"(?s)<(code|pre|script)\b.*?</\1>", "", path.read_text("utf-8"))
        assert not re.search(r"\]\([\w./-]+\.(?:md|svg|png)", text), path.name


def test_dark_mode_follows_the_system(chromium, site):
    page, _ = opened(chromium, site, "index", color_scheme="dark")
    shade = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, shade.strip("rgba()").split(",")[:3])) < 3 * 80
    page.context.close()
